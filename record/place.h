/* Where a log goes, what it is called, and the job id in its name: the same answer for `iolite run` and for a process
   that writes its own log. Allocates nothing; what touches the file system is the caller's. */
#ifndef IOL_RECORD_PLACE_H
#define IOL_RECORD_PLACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "schema/resolve.h"

/* Longer than any path the kernel takes, so that a name that is too long fails where it is used, and is reported there. */
enum { IOL_PLACE_BYTES = 4608 };

typedef struct iol__place_facts {
    const char *user;    /* iol__user_name */
    const char *program; /* without directories */
    int64_t job;         /* iol__job_id */
    int64_t pid;
    int64_t start;         /* of the job, seconds since the epoch */
    int64_t utc_offset;    /* of the start: record/zone.h */
    uint64_t random;       /* iol__place_random */
    int64_t write_seconds; /* that writing took, 0 for less than one */
    bool beside;           /* the exact name is for `iolite run` alone: beside it, under a name like any other */
    char **environment;
    bool (*trusts)(const char *directory); /* whether a directory may be used that a variable names; NULL: any may */
} iol__place_facts;

typedef struct iol__place {
    char path[IOL_PLACE_BYTES];
    bool create;       /* its directories are made when missing: iol__place_create */
    size_t there;      /* how many bytes of the path have to be there: a home is never made */
    bool exact;        /* the user gave the whole name */
    bool tree;         /* in the site's tree */
    bool dated;        /* in the directory of its day */
    const char *named; /* what names the place, for messages: a variable, a config file key, or "the default" */
} iol__place;

/* The candidates in their order. Start with *candidate = 0; false when there are no more. */
bool iol__place_next(const iol__config *config, const iol__place_facts *facts, unsigned *candidate, iol__place *place);
/* Permissions of a log there, by those of its directory. */
unsigned iol__place_mode(const iol__config *config, const iol__place *place, unsigned directory);
/* Makes the directories of a path, parents too; 0, or -1 and errno. `make` is mkdir(), or another way to call it. */
int iol__place_create(const iol__place *place, int (*make)(const char *path, mode_t mode));

/* The number in a log's name, from the host and the present time. */
uint64_t iol__place_random(const char *host, uint64_t microseconds);
/* LOGNAME, else the user's number. */
void iol__user_name(char **environment, uid_t uid, char *name, size_t room);
/* From the variable that the settings name, else from those of the usual batch systems, else the fallback. */
int64_t iol__job_id(const iol__config *config, char **environment, int64_t fallback);
/* The text that the id of a batch job comes from; NULL outside of one. */
const char *iol__batch_job_text(const iol__config *config, char **environment);
/* The value of a variable, or NULL. */
const char *iol__variable(char **environment, const char *name);

#endif
