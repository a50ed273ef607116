/* What each file cost, in bounded memory: a table by record id that, when it is full, goes on with the costliest half.
   Only records that count in the figures of the job are added (iol__figures_counts): of MPI-IO and POSIX, one of which is
   inside the other, just one. So what a file has is the sum over its modules, and files add up to the job. */
#ifndef IOL_REPORT_FILE_TOTALS_H
#define IOL_REPORT_FILE_TOTALS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct iol__file_total {
    uint64_t id;
    int slot;       /* the module in which it took longest, as the next two */
    bool shared;    /* all ranks, combined in one record */
    uint64_t ranks; /* records; nothing to go by when shared */
    double bytes_read, bytes_written;
    double calls; /* that read or write */
    double seeks; /* below zero: not known, as the next */
    double size;  /* of the file, as far as it was read or written */
    double time;  /* of the slowest rank, in each module */
} iol__file_total;

typedef struct iol__file_totals iol__file_totals;

/* Memory stays below `budget` bytes. NULL without memory. */
iol__file_totals *iol__file_totals_new(size_t budget);
void iol__file_totals_free(iol__file_totals *totals);
/* Count one record; `record.ranks` is 1 for a record of one rank. */
void iol__file_totals_add(iol__file_totals *totals, const iol__file_total *record);
/* What the layer below knows of a file that counts in the one above it, and was counted there: offsets and seeks. */
void iol__file_totals_below(iol__file_totals *totals, const iol__file_total *record);
/* The costliest files, worst first; returns how many. Ends the counting. */
size_t iol__file_totals_top(iol__file_totals *totals, iol__file_total *top, size_t room);
size_t iol__file_totals_files(const iol__file_totals *totals);
/* True when cheap files were left out on the way. */
bool iol__file_totals_lossy(const iol__file_totals *totals);

#endif
