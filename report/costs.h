/* What each file cost, in bounded memory: a table by record id that, when it is full, goes on with the costliest half.
   A file is met by several modules, one inside the other (MPI-IO calls POSIX), so their times must not be added: a file
   counts with the module in which it took longest. */
#ifndef IOL_REPORT_COSTS_H
#define IOL_REPORT_COSTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct iol__cost {
    uint64_t id;
    int slot;
    bool shared;    /* all ranks, combined in one record */
    uint64_t ranks; /* records; nothing to go by when shared */
    double bytes_read, bytes_written;
    double time; /* of the slowest rank */
} iol__cost;

typedef struct iol__costs iol__costs;

/* Memory stays below `budget` bytes. NULL without memory. */
iol__costs *iol__costs_new(size_t budget);
void iol__costs_free(iol__costs *costs);
/* Count one record; `record.ranks` is 1 for a record of one rank. */
void iol__costs_add(iol__costs *costs, const iol__cost *record);
/* The costliest files, worst first; returns how many. Ends the counting. */
size_t iol__costs_top(iol__costs *costs, iol__cost *top, size_t room);
size_t iol__costs_files(const iol__costs *costs);
/* True when cheap files were left out on the way. */
bool iol__costs_lossy(const iol__costs *costs);

#endif
