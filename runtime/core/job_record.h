/* What the log says about the process as a whole: command line, user, job id, mounts. */
#ifndef IOL_RUNTIME_JOB_RECORD_H
#define IOL_RUNTIME_JOB_RECORD_H

#include <stdint.h>

#include "record/header.h"

/* Returns iol__spare.mounts. */
uint64_t iol__job_record_fill(iol__log_job *job, char *text);
/* What another process of this machine knew of the mounts, with the number that it was given for them: is used if nothing
   has changed since. */
void iol__mounts_take_over(const char text[IOL_LOG_TEXT], uint64_t stamp);
/* The mount that a path is on, -1 if none. Read once; nothing is asked of the file systems themselves. */
int32_t iol__mount_of(const char *path, size_t length);
/* Its type; NULL: there is none of this number. */
const char *iol__mount_type(int32_t mount);
/* Of one that there is: where it is, and what its servers call it ("" if it has none). */
const char *iol__mount_path(int32_t mount);
const char *iol__mount_volume(int32_t mount);
/* The block size of a mount, asked for at the first file on it. -1 if the file is on none. */
int64_t iol__mount_block(int32_t mount);
/* Reads them now, before a fork: children have what their parent has read. */
void iol__mounts_for_children(void);
/* Start time of this process in clock ticks since boot; the namespace of its number is noted in the core. */
uint64_t iol__process_born(void);

#endif
