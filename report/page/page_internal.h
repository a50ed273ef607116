/* What the sections of the page share. Each section is a file: it declares here what it gathers during the pass over
   the log, and a function that writes its part of the document. */
#ifndef IOL_REPORT_PAGE_INTERNAL_H
#define IOL_REPORT_PAGE_INTERNAL_H

#include <math.h>

#include "base/arena.h"
#include "insight/facts/facts.h"
#include "insight/facts/phases.h"
#include "report/page/page.h"

/* Ranks ------------------------------------------------------------------------------------------------------- */

/* What one rank did, from records of its own; every file in its top layer. */
typedef struct iol__page_rank {
    double time[IOL_DIRECTIONS], meta_time;
    double bytes[IOL_DIRECTIONS], ops;
    double files;
    double first[IOL_DIRECTIONS], last[IOL_DIRECTIONS]; /* of calls; 0: none */
} iol__page_rank;

typedef struct iol__page_ranks {
    iol__page_rank *rank;
    size_t known;              /* of them; the rest has no record */
    int64_t count;             /* ranks of the job */
    double own_time, all_time; /* in records of single ranks, in all */
} iol__page_ranks;

void iol__page_ranks_start(iol__page *page);
void iol__page_ranks_visit(iol__page *page, const iol_record *record);
void iol__page_ranks_finish(iol__page *page);
void iol__page_ranks_write(iol__json *json, const iol__page *page);
void iol__page_spans_write(iol__json *json, const iol__page *page);
void iol__page_where_write(iol__json *json, const iol__page *page);

/* Ranks that share a row: `per_row` consecutive ones, so that there are at most `most` rows. */
typedef struct iol__page_rows {
    int64_t per_row;
    size_t count;
} iol__page_rows;
iol__page_rows iol__page_rows_of(int64_t ranks, size_t most);

/* MPI's own calls ---------------------------------------------------------------------------------------------- */

void iol__page_messages_write(iol__json *json, const iol__page *page);

/* Heat maps --------------------------------------------------------------------------------------------------- */

/* A grid of rows of ranks and bins of time. */
typedef struct iol__page_heat {
    iol__page_rows rows;
    size_t bins;
    size_t merged; /* bins of the log in one of ours */
    double width;
    double *sum[IOL_DIRECTIONS], *most[IOL_DIRECTIONS]; /* most: by a single rank; NULL if a row is one rank */
} iol__page_heat;

void iol__page_heat_start(iol__page *page);
void iol__page_heat_visit(iol__page *page, const iol_record *record);
void iol__page_heat_write(iol__json *json, const iol__page *page);

/* Traces ------------------------------------------------------------------------------------------------------ */

typedef struct iol__page_request {
    double start, duration;
    double offset, length;
    uint32_t rank, file;
    uint8_t kind; /* bit 0: write, bit 1: MPI-IO */
} iol__page_request;

enum { IOL_PAGE_TRACES = 2 }; /* DXT_POSIX, DXT_MPIIO */

/* The requests of one module over time and ranks. */
typedef struct iol__page_grid {
    uint64_t requests;
    double *bytes[IOL_DIRECTIONS], *busy[IOL_DIRECTIONS], *count[IOL_DIRECTIONS];
    double bin_count[IOL_DIRECTIONS][IOL_SIZE_BUCKETS],
        bin_bytes[IOL_DIRECTIONS][IOL_SIZE_BUCKETS]; /* by request size */
} iol__page_grid;

typedef struct iol__page_tracing {
    iol__page_grid grid[IOL_PAGE_TRACES];
    iol__page_rows rows;
    size_t bins;
    double width, end;
    uint64_t seen;
    iol__page_request *request; /* NULL once there are too many */
    size_t kept, room;
    uint32_t *number; /* by file of the facts: its number here + 1 */
    uint32_t *file;   /* the other way round */
    size_t n_files;
    const char **hosts;
    size_t n_hosts;
    iol__idmap host_ids;
} iol__page_tracing;

void iol__page_trace_start(iol__page *page);
void iol__page_trace_visit(iol__page *page, iol_records *records, const iol_record *record);
void iol__page_trace_finish(iol__page *page);
void iol__page_trace_write(iol__json *json, const iol__page *page);
/* The grid of a module if it has traced every request that the counters count, else NULL. */
const iol__page_grid *iol__page_trace_complete(const iol__page *page, int slot, double reads, double writes);

/* Raw records ------------------------------------------------------------------------------------------------- */

typedef struct iol__page_records {
    iol__idmap wanted;              /* files whose records are shown */
    iol__out rows[IOL_SLOTS_KNOWN]; /* items of "rows" */
    uint32_t count[IOL_SLOTS_KNOWN];
    uint16_t *taken; /* by wanted file */
} iol__page_records;

void iol__page_records_start(iol__page *page);
void iol__page_records_visit(iol__page *page, const iol_record *record);
void iol__page_records_free(iol__page *page);
void iol__page_records_write(iol__json *json, const iol__page *page);
void iol__page_counters_write(iol__json *json, const iol__page *page);

/* Common sizes and strides ------------------------------------------------------------------------------------ */

typedef struct iol__page_pool {
    iol__idmap values;
    double *counts;
    size_t room;
} iol__page_pool;

void iol__page_common_visit(iol__page *page, const iol_record *record);
void iol__page_common_free(iol__page *page);
void iol__page_common_write(iol__json *json, const iol__page *page);

/* Sections without a pass of their own ------------------------------------------------------------------------- */

void iol__page_layer_times_make(iol__page *page);
void iol__page_layer_times_write(iol__json *json, const iol__page *page); /* cost, bandwidth */
void iol__page_calls_write(iol__json *json, const iol__page *page);       /* operations, pattern */
void iol__page_sizes_write(iol__json *json, const iol__page *page);       /* sizes */
void iol__page_places_make(iol__page *page);
void iol__page_places_write(iol__json *json, const iol__page *page); /* categories, filesystems */
void iol__page_groups_write(iol__json *json, const iol__page *page); /* file_counts, mean_io, variance */
void iol__page_files_make(iol__page *page);
void iol__page_files_write(iol__json *json, const iol__page *page); /* files, names_hex */
void iol__page_lustre_write(iol__json *json, const iol__page *page);
void iol__page_phases_write(iol__json *json, const iol__page *page);
void iol__page_context_make(iol__page *page);
void iol__page_context_write(iol__json *json, const iol__page *page);
/* The server of a storage target, where the context has the map; else NULL. */
const char *iol__page_context_oss(const iol__page *page, int64_t ost);

/* The page ---------------------------------------------------------------------------------------------------- */

struct iol__page {
    iol_log *log;
    const iol__diagnosis *diagnosis;
    const iol__facts *facts;
    iol__page_options options;
    iol__arena arena;
    jmp_buf exhausted;
    bool failed; /* memory ran out during the pass */
    iol__summary summary;

    const char *const *names; /* by file of the facts; NULL: none */
    int32_t *mount;           /* by file: its place in the list of mounts, -1 */
    uint32_t *order;          /* files, most costly first; as many as are shown */
    size_t shown;
    int64_t *row; /* by file: its row, -1 if it is not shown */
    iol__page_place *places;
    size_t n_places;
    iol__page_layer_time *layer_times;
    size_t n_layer_times;

    const struct iol__page_server *servers; /* of the context */
    size_t n_servers;

    iol__page_ranks ranks;
    iol__page_heat heat[IOL_HEAT_MAPS];
    iol__page_tracing trace;
    iol__page_records records;
    iol__page_pool common[IOL_SLOTS_KNOWN][2]; /* sizes, strides */
};

/* Zeroed memory that lives as long as the page; does not return without. */
static inline void *iol__page_alloc(iol__page *page, size_t count, size_t size) {
    return iol__arena_alloc(&page->arena, count, size);
}

/* A module of the log, or NULL. */
const iol__layer *iol__page_layer(const iol__page *page, int slot);

/* Rounded to parts of 1, as in 1e6 for millionths. */
static inline double iol__page_rounded(double value, double parts) {
    return fabs(value * parts) < 9e15 ? round(value * parts) / parts : value;
}
/* Rounded to that many digits or one more: tables of times would be several times as long with digits that no clock
   gives. */
double iol__page_shortened(double value, int digits);
/* A whole number that is drawn as a colour: five digits, then zeros. */
double iol__page_five_digits(double value);

/* The layers that a file system sees, as the older reports do: what went through POSIX, STDIO, DFS and DAOS, and
   MPI-IO only where there is nothing below it. */
static inline bool iol__page_is_base(const iol__facts_file *file, iol__facts_layer layer) {
    if (!file->layer[layer]) return false;
    if (layer != IOL_LAYER_MPIIO) return true;
    for (int other = IOL_LAYER_POSIX; other < IOL_LAYERS; other++)
        if (file->layer[other]) return false;
    return true;
}

/* A column of a table: a key and `rows` values. */
static inline void iol__page_column(iol__json *json, const char *key) { iol__json_put_open(json, key, '['); }
static inline void iol__page_column_end(iol__json *json) { iol__json_close(json, ']'); }
/* {"rows": n, "columns": { */
void iol__page_table(iol__json *json, const char *key, size_t rows);
void iol__page_table_end(iol__json *json);
/* Doubles of a table whose rows are objects, `stride` bytes apart. NaN becomes null. */
void iol__page_doubles(iol__json *json, const char *key, const void *first, size_t rows, size_t stride);
/* The same for times, with six digits. */
void iol__page_times(iol__json *json, const char *key, const void *first, size_t rows, size_t stride);

#endif
