/* How much the programs of a user have left on a node, for somebody to make logs of: in memory, which is the job's on most
   machines. It is counted in one file of the user in each place of mapped files, so that it can be bounded: what does not
   fit is dropped, and counted, too.

     PLACE/iolite-held-UID                    the counter: struct iol__held, mode 0600
     PLACE/iolite-job-UID-JOB-NUMBER/spool    what the processes of a job leave; and mapped files of those that live, or were killed

   A spare file that is left for the next process (record/mapped.h) stays in the sum, and so does room that a spool has not used yet.
   Who changes the counter holds an exclusive flock on it. A process that is killed leaves it too high, or too low: it is put
   right when a spool is made, and by whoever takes spools away. */
#ifndef IOL_RECORD_HELD_H
#define IOL_RECORD_HELD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

#define IOL_HELD_MAGIC "IOLHELD1"
#define IOL_HELD_FILE "iolite-held-"
#define IOL_JOB_DIRECTORY "iolite-job-"
#define IOL_SESSION "session." /* JOB is that, the leader's process id and more, where it is a login session */

enum { IOL_HELD_JOBS = 8 };

typedef struct iol__held {
    char magic[8];
    uint64_t most;  /* that the machine allows: a quarter of the file system, and of the memory that the job may have */
    uint64_t bytes; /* that are held here, or will be if nobody ends in order */
    uint64_t dropped; /* processes whose records had no room */
    uint64_t
        said[IOL_HELD_JOBS]; /* numbers of jobs that have been told, the oldest one at `next` modulo their number */
    uint64_t next;
} iol__held;

/* What looking at a place takes: the runtime makes its own system calls. */
typedef struct iol__held_calls {
    int (*open)(int at, const char *path); /* a directory, without following a link; -1 if it cannot be had */
    long (*list)(int directory, void *to, size_t room); /* as getdents64 */
    bool (*status)(int at, const char *name, struct stat *st);
    void (*close)(int directory);
} iol__held_calls;

/* The bytes that this user's spools and mapped files take there, as far as a bounded look tells. */
uint64_t iol__held_measure(const iol__held_calls *calls, const char *place, uid_t user);

#endif
