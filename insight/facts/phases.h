/* What a log tells about time: traced requests (DXT) and heat maps are collected while the log is read, then turned
   into phases, bursts, stragglers, and requests that repeat or get in each other's way. */
#ifndef IOL_INSIGHT_PHASES_H
#define IOL_INSIGHT_PHASES_H

#include "base/arena.h"
#include "insight/findings/engine.h"
#include "insight/facts/facts.h"
#include "base/idmap.h"

/* One traced request. `file` is its place in the facts. */
typedef struct iol__traced_request {
    double start, end;
    int64_t offset, length;
    uint32_t file, record; /* record: which one of the trace, counted as they came */
    uint32_t index : 31;   /* among the segments of its record */
    uint32_t write : 1;    /* else a read */
    int32_t rank;
} iol__traced_request;

enum { IOL_HEAT_MAPS = 5 }; /* POSIX, STDIO, MPI-IO, DFS, DAOS, in order of choice */

typedef struct iol__heat {
    double width;
    size_t bins;
    double *read, *written; /* over ranks */
    double *squares;        /* of a rank's bytes in a bin, over ranks */
    size_t ranks, idle;     /* with a record; without a byte in it */
} iol__heat;

typedef struct iol__tracing {
    int slot; /* the module of the requests, 0: none */
    iol__traced_request *requests;
    size_t count, room;
    uint32_t records; /* with a request among them */
    uint64_t seen;    /* also those beyond the room */
    bool no_memory;
    void *scratch; /* of a computation that may be left early; goes with the rest */
    iol__idmap hosts;
    iol__heat heat[IOL_HEAT_MAPS];
} iol__tracing;

/* Two traced requests that show what a rule says. */
typedef struct iol__example {
    bool found;
    iol__traced_request a, b;
} iol__example;

/* What the requests did to each other. Counts are 0 without a trace. */
typedef struct iol__clashes {
    double conflicts;                   /* overlapping writes of two ranks in one phase */
    double lock_conflicts, lock_writes; /* Lustre: into a stripe another rank wrote less than a second before */
    double repeated[IOL_DIRECTIONS], repeated_bytes[IOL_DIRECTIONS], repeated_s[IOL_DIRECTIONS]; /* by the same rank */
    double region_ranks; /* most ranks that read the very same small region of an HDF5 file */
    iol__example conflict, lock, repeat[IOL_DIRECTIONS], region;
} iol__clashes;

/* For iol__facts_make(); `context` is an iol__tracing. */
void iol__tracing_visit(void *context, iol__facts *facts, iol_records *records, const iol_record *record);
void iol__tracing_free(iol__tracing *tracing);

/* Phases of the run, from the trace or else from a heat map; everything in them is in the arena. */
iol__phases iol__phases_find(iol__tracing *tracing, const iol__facts *facts, iol__arena *arena);
/* Adds the metadata time of files to the phases that they belong to. */
void iol__phases_metadata(const iol__phases *phases, const iol__facts *facts);
/* Seconds of each phase that the gap behind it could have hidden, added up. NAN with fewer than two phases. */
double iol__phases_overlap(const iol__phases *phases, const iol__facts *facts);
/* `is_hdf5` has a truth for each file. */
iol__clashes iol__clashes_find(iol__tracing *tracing, const iol__phases *phases, const iol__facts *facts,
                               const bool *is_hdf5);

#endif
