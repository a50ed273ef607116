/* Where a log goes: the places that the settings name, one after the other, until one works. */
#ifndef IOL_RUNTIME_PLACES_H
#define IOL_RUNTIME_PLACES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct iol__putting {
    /* Writes the whole log into a file that was just made and is still called `partial`, or has no name (NULL); false,
       with errno, if it cannot. May be called again, for another place. */
    bool (*write)(int fd, const char *partial, void *context);
    void *context;
    bool named;         /* it needs the name, for others who write to the same file */
    int64_t job, start; /* what the name is made of */
    bool homeless;      /* where there is no place for a log, its records go to a spool (jobspool.h) */
    uint64_t bytes;     /* that the log has at most; past the limit for file sizes a write would raise a signal */
} iol__putting;

/* Puts the name into `path`. False, with a line for the user, if there is no place at all; true with "" if the records went
   to a spool, or were dropped because that is full, and the first process of a job, or of all without one, has said so. */
bool iol__put_log(const iol__putting *putting, char *path, size_t room);

#endif
