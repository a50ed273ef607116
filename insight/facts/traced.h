/* What a trace tells of single files beyond their counters: exact sizes, jumps and strides; what happened to a file, or
   on a rank, within one phase; and which files were under way while the job waited. */
#ifndef IOL_INSIGHT_TRACED_H
#define IOL_INSIGHT_TRACED_H

#include "insight/facts/phases.h"

/* Requests of one file in one direction. */
typedef struct iol__traced_direction {
    uint32_t requests, small;   /* small: below the limit that the caller gave */
    uint32_t forward, backward; /* began above, below the end of the same rank's last one; else right behind it */
    double small_bytes;
} iol__traced_direction;

typedef struct iol__traced_file {
    iol__traced_direction direction[IOL_DIRECTIONS];
    int64_t stride;   /* the commonest distance between starts that are not right behind each other; 0: none */
    uint32_t strided; /* requests that follow it */
} iol__traced_file;

enum { IOL_JUMP_BINS = 64 };

typedef struct iol__traced {
    const iol__traced_file *files; /* one for each file of the facts; NULL: POSIX calls were not traced */
    uint32_t jumps[IOL_DIRECTIONS][IOL_JUMP_BINS]; /* by the bits of their distance */
} iol__traced;

/* `small` is the limit in bytes. */
iol__traced iol__traced_find(const iol__tracing *tracing, const iol__facts *facts, double small, iol__arena *arena);
/* The distance that this part of all jumps stays below, exact to a factor of two. NAN: there are none. */
double iol__traced_jump(const iol__traced *traced, iol__facts_direction direction, double part);

/* Requests ordered by record and, in each, by start; `tracing->count` numbers, or NULL without memory. */
uint32_t *iol__tracing_by_record(const iol__tracing *tracing);

/* Pairs ------------------------------------------------------------------------------------------------------- */

/* One file, or one rank, in one phase. Ways: [IOL_READ], [IOL_WRITE]. */
typedef struct iol__pair {
    const iol__phase *phase;
    int64_t file; /* place in the facts; -1: of a rank */
    int64_t rank; /* the slowest one of a file, or the rank itself */
    double ranks; /* that took part; of a rank: all that took part in the phase */
    double requests[IOL_DIRECTIONS], bytes[IOL_DIRECTIONS];
    double small[IOL_DIRECTIONS], small_bytes[IOL_DIRECTIONS], random[IOL_DIRECTIONS];
    double seconds[IOL_DIRECTIONS]; /* of the rank that spent most in this direction */
    double slowest_s, mean_s;       /* in both: of the slowest rank (or this one), and of those that took part */
    double slowest_bytes, mean_bytes;
    double whole_slowest_s, whole_mean_s; /* the same over the whole trace */
    double few[IOL_DIRECTIONS],
        few_share[IOL_DIRECTIONS];         /* fewest ranks with 90% of the small requests, and their part of them */
    const char *few_ranks[IOL_DIRECTIONS]; /* "0-3,17" */
} iol__pair;

typedef struct iol__pairs {
    const iol__pair *files, *ranks;
    size_t n_files, n_ranks;
} iol__pairs;

/* Those pairs of files and phases, and of ranks and phases, that took at least that number of seconds. */
iol__pairs iol__pairs_find(iol__tracing *tracing, const iol__phases *phases, double small, double least_s,
                           iol__arena *arena);

/* The covering set -------------------------------------------------------------------------------------------- */

/* Few files that were under way, one after the other, through all of the busy time: `out` is an array of seconds by
   file that each of them stands for. Also makes the list that is shown. */
void iol__covering_find(const iol__tracing *tracing, iol__phases *phases, const iol__facts *facts, double *out,
                        iol__arena *arena);

#endif
