/* The page document: everything that the job page shows, in one JSON object (docs/page.md). The report embeds it, the
   portal serves it, and both draw it with the same code. It is made of a diagnosis that kept its facts and of one more
   pass over the log, for what is wanted by rank, over time, or record by record. */
#ifndef IOL_REPORT_PAGE_H
#define IOL_REPORT_PAGE_H

#include "insight/findings/engine.h"
#include "text/json.h"
#include "report/summary.h"

enum { IOL_PAGE_FILES = 10000, IOL_PAGE_REQUESTS = 20000 };

typedef struct iol__page_options {
    size_t files;            /* rows of the table of files */
    uint64_t requests;       /* traced requests to embed; of more than that, none is */
    const char *context;     /* JSON text from the caller, or NULL */
    const char *version;     /* of this program */
    int64_t made;            /* seconds since the epoch */
    iol__progress *progress; /* may be NULL */
} iol__page_options;

typedef struct iol__page iol__page;

/* The diagnosis must have kept its facts; it and the log stay with the caller, and must outlive the page, as must what
   the options point at. NULL when there is no memory for it. */
iol__page *iol__page_make(iol_log *log, const iol__diagnosis *diagnosis, const iol__page_options *options);
void iol__page_free(iol__page *page);

/* The document, as one value. */
void iol__page_json(iol__json *json, const iol__page *page);
/* How the traced requests are shown: all of them one by one, or none, and always in bins. */
typedef struct iol__page_timeline {
    uint64_t requests, embedded;
    size_t bins;
    double bin_width; /* seconds */
} iol__page_timeline;
iol__page_timeline iol__page_timeline_of(const iol__page *page);
/* The traced requests that are embedded: columns in the order of the document, each aligned to 8 bytes, little endian.
   False, and nothing written, if none are. */
bool iol__page_trace(const iol__page *page, iol__out *out);

/* What the static part of the report shows without a script. */
const iol__summary *iol__page_summary(const iol__page *page);

/* One row of the table of files. */
typedef struct iol__page_file {
    const char *name; /* NULL: the log has none */
    uint64_t id;
    int sharing; /* iol__facts_sharing */
    int64_t ranks;
    double bytes_read, bytes_written, time, share;
} iol__page_file;
size_t iol__page_files(const iol__page *page, size_t *total);
iol__page_file iol__page_file_at(const iol__page *page, size_t row);

/* One file system, or the files that are on none that the log knows. */
typedef struct iol__page_place {
    const char *mount_point, *fs_type; /* "UNKNOWN" both where it is not known */
    uint64_t files;
    double bytes_read, bytes_written, reads, writes;
    double time, share; /* mean seconds of a process; part of that of all */
} iol__page_place;
size_t iol__page_places(const iol__page *page, const iol__page_place **places);

/* Mean seconds of a process in one layer. */
typedef struct iol__page_layer_time {
    const char *module;
    double read, write, meta, wait; /* wait below 0: the layer has none */
    int64_t slowest_rank;           /* -1: several, or not known */
    double slowest_read, slowest_write, slowest_meta;
} iol__page_layer_time;
size_t iol__page_layer_times(const iol__page *page, const iol__page_layer_time **layer_times);

/* The last part of the first word of a command line; "N/A" for none, "anonymised" for a number. The room is the
   caller's. */
enum { IOL_PROGRAM_NAME = 256 };
const char *iol__page_program(const char *exe, char room[IOL_PROGRAM_NAME]);
/* The last part of a path. */
const char *iol__page_base(const char *path);

#endif
