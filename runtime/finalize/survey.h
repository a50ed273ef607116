/* The first exchange: up the tree which files each rank has, so that at the top those remain that all have, and what the
   ranks add up to; down again what is to be done. */
#ifndef IOL_RUNTIME_SURVEY_H
#define IOL_RUNTIME_SURVEY_H

#include "record/mapped.h"
#include "runtime/finalize/exchange.h"
#include "schema/schema.h"

/* Files by their ids, in ascending order; bit s of a mask: slot s has a record. Bit 0: there is a name. */
typedef struct iol__file_list {
    uint64_t *ids;
    uint32_t *masks;
    size_t count;
} iol__file_list;

/* What is known of one rank, or of many together. */
typedef struct iol__rt_totals {
    uint32_t magic, version;
    uint32_t ranks;
    uint32_t silent;      /* of them, how many cannot tell what they did */
    int64_t zero, end;    /* earliest start of a process and latest end, nanoseconds since the epoch */
    uint64_t partial;     /* slots whose data is incomplete */
    uint64_t modules;     /* slots that were used */
    uint64_t records;     /* how many */
    uint64_t bytes, most; /* of all that is to be written, and of the rank that has most; not compressed */
    uint64_t folded[IOL_SLOTS_KNOWN], trace_lost, lost, ring_unseen, calls_unseen, spaces_unseen, stopped;
    uint32_t versions[IOL_SLOTS_KNOWN];
    iol__operation operations[IOL_OPERATIONS];
    iol__lustre_total lustre[IOL_LUSTRE_TOTALS];
} iol__rt_totals;

enum {
    IOL_PLAN_WRITE = 1,  /* there is something to write */
    IOL_PLAN_REDUCE = 2, /* shared records become one */
    IOL_PLAN_TIMES = 4,  /* somebody wants to know how long it takes */
    IOL_PLAN_BUSY = 8,   /* there is so much that those who wait must not be in the way of others */
};

typedef struct iol__plan {
    uint32_t flags;
    uint32_t group;    /* ranks per writer, a power of IOL_BRANCHES */
    int64_t zero, end; /* of the job */
    uint64_t nonce;
    uint64_t shared; /* files that all ranks have */
} iol__plan;

/* The files of this rank, in the order in which their names came, and in that of ids. */
typedef struct iol__own_files {
    size_t count;
    const uint64_t *ids;    /* as they came */
    const uint64_t *sorted; /* in ascending order */
    const uint32_t *places; /* of these among the former */
    uint32_t *shared;       /* of the former among those that all ranks have; IOL_NOT_SHARED: not there */
} iol__own_files;

#define IOL_NOT_SHARED UINT32_MAX

typedef struct iol__survey {
    iol__rt_totals own, all; /* the latter on rank 0 only */
    iol__plan plan;
    iol__own_files files;
    iol__file_list shared;
    iol__message message; /* that the list is in */
} iol__survey;

/* What this rank's times count from, in nanoseconds since the epoch. */
int64_t iol__survey_zero(void);
/* Both ways. False if the exchange is broken. */
bool iol__survey_make(iol__survey *survey, iol__rt_exchange *x);
/* The number of a file by its id, SIZE_MAX: unknown. Records come in the order of files most often, so *guess, which
   begins with 0, is where to look first. */
size_t iol__own_file(const iol__own_files *files, uint64_t id, size_t *guess);

/* Ids in ascending order, each with a number that goes along. `scratch` has room for as many of both. */
void iol__sort_ids(uint64_t *ids, uint32_t *with, void *scratch, size_t count);

#endif
