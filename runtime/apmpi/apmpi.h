/* MPI's own statistics (module APMPI): calls, bytes and times of each kind of operation, one record per rank. They are
   kept only if they are asked for. */
#ifndef IOL_RUNTIME_APMPI_H
#define IOL_RUNTIME_APMPI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "schema/schema.h"

enum {
#define MESSAGE(name) IOL_APMPI_##name,
#define PLAIN(name) IOL_APMPI_##name,
#define SYNCED_MESSAGE(name) IOL_APMPI_##name,
#define SYNCED_PLAIN(name) IOL_APMPI_##name,
#include "schema/apmpi_operations.def"
#undef MESSAGE
#undef PLAIN
#undef SYNCED_MESSAGE
#undef SYNCED_PLAIN
    IOL_APMPI_OPERATIONS
};

struct iol__apmpi_calls {
    bool sync; /* a barrier before each blocking collective operation, on all ranks alike */
    /* An operation that succeeded, and how long its barrier took before it. */
    void (*done)(int operation, int64_t bytes, double begin, double end, double sync);
};

extern struct iol__apmpi_calls iol__apmpi_calls;

/* Whether the settings ask for it; nothing else, so that all ranks of a job give the same answer. */
bool iol__apmpi_wanted(void);
/* In a forked child the records are made again. */
void iol__apmpi_reset(void);

/* What the region begins with: once in the log of a job, and in every process, so that whatever a killed one left can
   be read. The records of the ranks follow. */
typedef struct iol__apmpi_header {
    uint64_t id;
    int64_t rank;
    int64_t magic;
    uint32_t sync, unused;
    double comm_variance, sync_variance; /* over the ranks, of the two totals below */
} iol__apmpi_header;

typedef struct iol__apmpi_record {
    uint64_t id;
    int64_t rank;
    uint64_t ints[IOL_APMPI_INTS];
    double reals[IOL_APMPI_REALS]; /* with MPI_TOTAL_COMM_TIME and MPI_TOTAL_COMM_SYNC_TIME, right at every instant */
    char processor[128];
} iol__apmpi_record;

/* A header as any rank would write it: the variances are not known. */
void iol__apmpi_head(iol__apmpi_header *header);

_Static_assert(sizeof(iol__apmpi_header) == 48 && sizeof(iol__apmpi_record) == 5232, "as they are in a log");

#endif
