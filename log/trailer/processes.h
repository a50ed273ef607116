/* The processes of a run, and what of their records was folded. In a finished log they are trailer sections: PROC has
   one JSON object per line for each process, FOLD one object. A mapped file has the facts of its own process. */
#ifndef IOL_LOG_PROCESSES_H
#define IOL_LOG_PROCESSES_H

#include <stdio.h>

#include "iolite/log.h"
#include "schema/schema.h"

#define IOL_TAG_PROCESSES "PROC"
#define IOL_TAG_FOLDED "FOLD"

enum { IOL_PROCESS_IMAGES = 256 /* of one process that are listed */ };

typedef struct iol__process {
    int64_t rank, pid, parent;
    double start, end; /* seconds since the start of the job; NAN: not known */
    unsigned ended;    /* IOL_ENDED_* */
    int64_t signal;    /* that killed it; 0: none, or nobody saw it */
    int64_t status;    /* that a rank of an MPI job ended with; 0: the same */
    /* Command lines of the programs that it ran, at least one; the last one is the process's own. */
    const char *const *images;
    size_t n_images;
    const char *targets[3]; /* where descriptors 0, 1 and 2 led; NULL: not known */
} iol__process;

typedef struct iol__folded {
    uint64_t files[IOL_SLOTS_KNOWN];
    uint64_t trace_lost, lost;
    uint64_t ring_unseen;   /* operations of io_uring that went to the kernel past the library */
    uint64_t calls_unseen;  /* other system calls on files that were made past libc's functions */
    uint64_t spaces_unseen; /* namespaces of the loader with a libc that was not recorded */
    uint64_t stopped;       /* processes that were not recorded to their end */
    uint64_t trailer_lost;  /* bytes of trailer sections that an MPI job had no room for */
} iol__folded;

/* Every process that the log knows, in order. What cannot be understood is passed over and noted in the log. The
   visitor's process lives as long as the call; false ends it. */
typedef bool (*iol__process_visitor)(void *context, const iol__process *process);
void iol__processes_each(iol_log *log, iol__process_visitor visit, void *context);
bool iol__processes_any(iol_log *log);
/* One line of PROC. */
void iol__process_print(FILE *to, const iol__process *process);

/* Adds what was folded in this log. */
void iol__folded_add(iol_log *log, iol__folded *folded);
bool iol__folded_any(const iol__folded *folded);
/* The content of FOLD. */
void iol__folded_print(FILE *to, const iol__folded *folded);

#endif
