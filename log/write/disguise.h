/* Pseudonyms: what stands in a log in place of names, paths, hosts and numbers that must not be seen.
   Two ways: the reference's obfuscation, value for value, and Iolite's own, which is keyed, also replaces record ids,
   mounts, hosts and metadata, and leaves nothing of the old bytes. */
#ifndef IOL_LOG_DISGUISE_H
#define IOL_LOG_DISGUISE_H

#include "iolite/log.h"
#include "log/write/keyed.h"
#include "record/record.h"

typedef struct iol__disguise {
    bool uid, job_id, exe, names;
    bool reference; /* the reference's way, with `seed`; else ours, with `key` */
    uint32_t seed;
    iol__key key;
} iol__disguise;

/* Names of records that are about the job and not about a file. */
bool iol__name_about_job(const char *name);

bool iol__disguise_any(const iol__disguise *disguise);
/* Everything below gives the value to store; unchanged where it is not to be hidden. */
int64_t iol__disguise_uid(const iol__disguise *disguise, int64_t uid);
int64_t iol__disguise_job_id(const iol__disguise *disguise, int64_t job_id);
/* Texts are written to `room`, and `room` or the text itself is returned. */
enum { IOL_PSEUDONYM = 512 };
const char *iol__disguise_exe(const iol__disguise *disguise, const char *exe, char room[IOL_PSEUDONYM]);
const char *iol__disguise_mount(const iol__disguise *disguise, const char *point, char room[IOL_PSEUDONYM]);
const char *iol__disguise_name(const iol__disguise *disguise, const iol_log *log, const char *name,
                               char room[IOL_PSEUDONYM]);
uint64_t iol__disguise_id(const iol__disguise *disguise, iol_log *log, uint64_t id);
const char *iol__disguise_type(const iol__disguise *disguise, const char *type);
/* A metadata line that may stay. */
bool iol__disguise_keeps_metadata(const iol__disguise *disguise, const char *key, const char *value);
/* The fields of a record. Lists that change are copied into `room`, which must have the size of the record's lists. */
typedef struct iol__disguise_room {
    int64_t ints[IOL_MAX_INTS];
    uint8_t uuids[2][16];
    iol__component *components;
    size_t n_components;
} iol__disguise_room;
/* False without memory. */
bool iol__disguise_record(const iol__disguise *disguise, iol_log *log, iol_record *record, iol__disguise_room *room);

#endif
