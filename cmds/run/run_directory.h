/* Where the processes of a run leave their records until the log is made: a directory on node-local storage. */
#ifndef IOL_CMDS_RUN_DIRECTORY_H
#define IOL_CMDS_RUN_DIRECTORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <time.h>

#include "record/mapped.h"
#include "record/runner.h"
#include "schema/resolve.h"

/* The runtime keeps the path in a buffer of this size. */
enum { RUN_PATH = 256, RUN_TEXT = RUN_PATH + 256, RUN_PLACES = 3 };

typedef struct run_directory {
    char path[RUN_PATH];
    uint64_t number;                    /* part of names that everybody can read */
    uint8_t key[IOL_RUN_KEY];           /* what only its processes know; all zero: nothing is believed to be theirs */
    struct timespec zero, monotonic;    /* the same instant on two clocks */
    int held;                           /* the directory itself, locked: see run_lives */
    struct timespec before[RUN_PLACES]; /* when something was last put into each place, as of the start of the run */
} run_directory;

/* Mapped files of the run that stay where they are, because its directory has no room for a copy. */
typedef struct stray_list {
    char **paths;
    size_t count;
} stray_list;

/* The places that are tried, in order: the setting if there is one, else the usual ones. NULL at the end. */
const char *mapped_place(const iol__config *config, unsigned index);
/* All of them; their number. */
size_t mapped_places(const iol__config *config, const char *places[RUN_PLACES]);

/* False if there is no place; every place that fails is reported. */
bool make_run_directory(const iol__config *config, run_directory *run);
/* Whether the `iolite run` that made this directory, which is open, is still there and will make the log. */
bool run_lives(int directory);
/* The value of IOLITE_RUN, which takes RUN_TEXT bytes at most. Returns where in it the program is to put its number
   (iol__runner_number). */
size_t describe_run(const run_directory *run, const iol__runner *us, char *text, size_t room);

/* Programs of the run may have mounted something over its directory, moved it, or removed it or what is in it, as jobs do
   that clean up /dev/shm. Afterwards its path leads to it and all of its files are there; false if records are missing, and
   nobody has said so. */
bool repair_run_directory(run_directory *run);
/* Puts the program itself on the list of processes if nobody is: one that Iolite's library could not be in. */
void list_unseen(const run_directory *run, int32_t pid, const char *command);
/* Takes the spool away from processes that live on, and waits until nobody writes to it any more. */
void close_spool(const run_directory *run);
/* Mapped files of the run that are elsewhere, left by processes that could not use the directory, are moved into it. They
   are known by the key of the run: everybody may put files there. */
void gather_strays(const iol__config *config, const run_directory *run, stray_list *left);
void free_strays(stray_list *list);
/* Says what went wrong inside the processes of the run, the first thing in full. */
void tell_messages(const run_directory *run);
/* Whether a process that lives has recorded something, or is about to; the context is the run_directory. */
bool somebody_records(const void *run);
/* A file of its directory, for reading; NULL if it is not there, or no file. */
FILE *open_in_run(const run_directory *run, const char *name);
/* Taking what is in the directory of a job for its log: processes that come now begin again. False if it is not ours, or
   somebody else is at it. What could not be used is put back. */
bool is_job_directory(const char *path);
/* The name of one that is a login session's. */
bool is_session_directory(const char *name);
bool take_job_directory(const char *path, run_directory *job);
void put_job_back(const run_directory *job);
/* Whether nobody who recorded something there is alive. */
bool is_job_silent(int directory);
/* What has become a log goes, and the directory, unless somebody has come meanwhile. */
void remove_job_directory(const run_directory *job);
/* A directory that another run left, if it is ours. */
bool open_run_directory(const char *path, run_directory *run);
void close_run_directory(run_directory *run);
/* Removes the spool, the messages and the list of processes, and the directory, unless somebody's mapped file is still
   in it. */
void remove_run_directory(const run_directory *run);

#endif
