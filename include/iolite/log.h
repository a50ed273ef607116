/* iolite/log.h: read Darshan logs of every release from 1.1 on, whatever machine wrote them, and write them.
 *
 * How it fails. A function that can fail returns an iol_status. IOL_OK is success and IOL_END the ordinary end of
 * an iteration; everything else is an error. A log that cannot be opened leaves its reason in the iol_error that the
 * caller passed (or did not: it may be NULL). Damage found later is collected in the log and never stops what can
 * still be read: iol_log_error() lists it. Every message names the file, the place in it, and what was expected there.
 *
 * A NULL pointer where one is required gives IOL_INVALID, NULL, 0 or -1, never a crash.
 *
 * Memory. What a function returns belongs to the log or the iterator it came from and lives as long as that, unless
 * the function says otherwise. A record lives until the next iol_records_next() on its iterator.
 *
 * Threads. Different logs may be used by different threads; one log by one thread at a time.
 *
 * Numbers. Counters of old record versions are upgraded to the newest while reading. A time of 0 means "never", a
 * value of -1 "the writer could not know". Rank -1 marks a record combined over all ranks.
 */
#ifndef IOLITE_LOG_H
#define IOLITE_LOG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "iolite/version.h"

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define IOL_API __attribute__((visibility("default")))
#else
#define IOL_API
#endif

/* The release of the library that is loaded, as IOL_VERSION_NUMBER; it may be newer than the header's IOL_VERSION. */
IOL_API int iol_version(void);

/* Status ------------------------------------------------------------------------------------------------------ */

typedef enum iol_status {
    IOL_OK = 0,
    IOL_END = 1,         /* nothing more to read */
    IOL_SYSTEM = 2,      /* the system refused: no such file, no memory, a read error */
    IOL_NOT_A_LOG = 3,   /* the file is something else */
    IOL_UNSUPPORTED = 4, /* a log version, module version or compression that this build cannot read */
    IOL_DAMAGED = 5,     /* the bytes contradict the format */
    IOL_LIMIT = 6,       /* more than the file can justify, or than this library is willing to hold */
    IOL_INVALID = 7,     /* the caller asked for something that does not exist */
} iol_status;

#define IOL_NO_OFFSET UINT64_MAX

typedef struct iol_error {
    iol_status status;
    int slot;          /* the module it is about, or -1 */
    uint64_t offset;   /* where in the file, or IOL_NO_OFFSET */
    char message[400]; /* one line without a newline: file, place, what was expected */
} iol_error;

/* A short constant text for a status. */
IOL_API const char *iol_status_text(iol_status status);

/* The log ----------------------------------------------------------------------------------------------------- */

typedef struct iol_log iol_log;

/* Open a log. "-" is standard input; a path may also be a pipe. The memory block of iol_log_open_memory() must stay
 * until the log is closed. On failure *log is NULL. */
IOL_API iol_status iol_log_open(const char *path, iol_log **log, iol_error *error);
IOL_API iol_status iol_log_open_memory(const void *bytes, size_t length, const char *name, iol_log **log,
                                       iol_error *error);
IOL_API void iol_log_close(iol_log *log);

/* Errors met so far, in order of discovery. At most 64 are kept; the count goes on. NULL past the kept ones. */
IOL_API size_t iol_log_error_count(const iol_log *log);
IOL_API const iol_error *iol_log_error(const iol_log *log, size_t index);

typedef enum iol_compression {
    IOL_ZLIB = 0,
    IOL_BZIP2 = 1,
    IOL_UNCOMPRESSED = 2,
    IOL_ZSTD = 128,
    IOL_ARCHIVE = 129, /* zstd in columns: the smallest, for keeping */
} iol_compression;

typedef struct iol_job {
    int64_t uid;
    int64_t start_seconds, start_nanoseconds; /* since the epoch */
    int64_t end_seconds, end_nanoseconds;     /* 0 while the program runs, or when it was killed */
    int64_t processes;
    int64_t job_id;  /* where the log has none, that in the name of the file; 0: not there either */
    double run_time; /* seconds, by the rule of the log's version */
    const char *exe; /* command line */
} iol_job;

typedef struct iol_info {
    const char *path;
    char version[9]; /* as stored: "3.41" */
    int minor;       /* 0, 10, 20, 21 or 41; 0 for logs of 1.x and 2.x */
    iol_compression compression;
    bool foreign_order; /* written by a machine of the other byte order */
    bool mapped;        /* an uncompressed run-time log: the program runs, or was killed */
    uint64_t file_bytes;
    uint64_t job_bytes, name_bytes; /* as stored */
    uint64_t partial_flags;         /* bit s: data of slot s is incomplete */
    bool job_damaged;               /* the job record could not be read: who, what and when are unknown */
} iol_info;

typedef struct iol_module {
    int slot;
    const char *name; /* NULL for an unassigned slot */
    uint64_t offset, length;
    unsigned version;
    bool partial;
} iol_module;

IOL_API const iol_info *iol_log_info(const iol_log *log);
IOL_API const iol_job *iol_log_job(const iol_log *log);

/* Metadata lines "key=value", in order. */
IOL_API size_t iol_log_metadata_count(const iol_log *log);
IOL_API iol_status iol_log_metadata(const iol_log *log, size_t index, const char **key, const char **value);

/* Mounts, longest mount point first. */
IOL_API size_t iol_log_mount_count(const iol_log *log);
IOL_API iol_status iol_log_mount(const iol_log *log, size_t index, const char **point, const char **type);
/* The mount that a name belongs to; false (and "UNKNOWN" twice) if none does. */
IOL_API bool iol_log_mount_of(const iol_log *log, const char *name, const char **point, const char **type);

/* Slot 0..63; IOL_END past the last. A slot without data has length 0. */
IOL_API iol_status iol_log_module(const iol_log *log, int slot, iol_module *module);

/* Names. They are read on first use. NULL if the id has none. */
IOL_API const char *iol_log_name(iol_log *log, uint64_t id);
IOL_API size_t iol_log_name_count(iol_log *log);
/* In order of appearance. */
IOL_API iol_status iol_log_name_at(iol_log *log, size_t index, uint64_t *id, const char **name);
/* The id that a name hashes to (see docs/log-format.md). */
IOL_API uint64_t iol_name_id(const void *bytes, size_t length);

/* Trailer sections that Iolite adds behind the log; none in logs of other writers. The bytes are decompressed and
 * live as long as the log. */
IOL_API size_t iol_log_trailer_count(iol_log *log);
IOL_API iol_status iol_log_trailer(iol_log *log, size_t index, char tag[5], const void **bytes, size_t *length);

/* Modules from outside, whose counters the log itself describes (iolite/module.h). They are numbered from 0; texts live
 * as long as the log. "REGIONS" is the one of parts that a program marked (iolite/iolite.h), "MAPS" the one of memory maps
 * of files. */
typedef struct iol_custom {
    const char *name, *meaning;
    unsigned version;
    size_t counters, records, spans;
    uint64_t folded;     /* names that had no room for a record of their own; "<FOLDED>" has their totals */
    uint64_t spans_lost; /* spans that had no room */
    bool failed;         /* the module crashed when the program ended; its records may be incomplete */
} iol_custom;

typedef struct iol_custom_record {
    uint64_t id;
    int64_t rank; /* -1: all ranks in one record */
    const char *name;
} iol_custom_record;

typedef struct iol_custom_span {
    uint64_t id; /* of the record, and its name */
    int64_t rank;
    const char *name;
    uint64_t thread;   /* as in traces */
    double begin, end; /* seconds since job start; NAN: it had not ended when the process was killed */
} iol_custom_span;

IOL_API size_t iol_log_custom_count(iol_log *log);
/* Bytes of their records that could not be understood, when this log was made or now: a module wrote over them. */
IOL_API uint64_t iol_log_custom_damaged(iol_log *log);
IOL_API iol_status iol_log_custom(iol_log *log, size_t module, iol_custom *custom);
IOL_API iol_status iol_custom_record_at(iol_log *log, size_t module, size_t index, iol_custom_record *record);
IOL_API iol_status iol_custom_span_at(iol_log *log, size_t module, size_t index, iol_custom_span *span);

/* Counters of a module ---------------------------------------------------------------------------------------- */

/* IOL_TEXT: only columns of tables have it, see below. */
typedef enum iol_kind { IOL_INT = 0, IOL_UINT = 1, IOL_REAL = 2, IOL_TEXT = 3 } iol_kind;

typedef struct iol_counter {
    const char *name;
    const char *unit;
    const char *meaning;
    iol_kind kind;
} iol_counter;

/* Counters are numbered from 0, integers first, then doubles: the order of storage and of print. */
IOL_API size_t iol_counter_count(int slot);
IOL_API iol_status iol_counter_at(int slot, size_t index, iol_counter *counter);

/* The same of a module from outside. */
typedef struct iol_custom_counter {
    iol_counter is;
    bool instant;     /* a point in time, seconds since job start */
    const char *rule; /* how records are combined: "sum", "min", "max", "first" (smallest but 0) or "keep" */
} iol_custom_counter;

IOL_API iol_status iol_custom_counter_at(iol_log *log, size_t module, size_t index, iol_custom_counter *counter);

/* The number of a counter, or -1. */
IOL_API int iol_counter_find(int slot, const char *name);
/* The slot of a module by its printed name ("MPI-IO"), or -1. */
IOL_API int iol_module_find(const char *name);

/* Records ----------------------------------------------------------------------------------------------------- */

typedef struct iol_records iol_records; /* an iterator */
typedef struct iol_record iol_record;

/* Iterate over the records of one module. Fails with IOL_INVALID for a slot without data, IOL_UNSUPPORTED for one
 * that nobody can decode. iol_records_next() gives IOL_END after the last record, or an error, after which the
 * iterator is at its end; all records before the damage have been delivered. */
IOL_API iol_status iol_records_open(iol_log *log, int slot, iol_records **records);
IOL_API iol_status iol_records_next(iol_records *records, const iol_record **record);
IOL_API void iol_records_close(iol_records *records);

IOL_API int iol_record_slot(const iol_record *record);
IOL_API uint64_t iol_record_id(const iol_record *record);
IOL_API int64_t iol_record_rank(const iol_record *record);
/* The file that an H5D or PNETCDF_VAR record belongs to; 0 if unknown. */
IOL_API uint64_t iol_record_owner(const iol_record *record);

typedef struct iol_value {
    iol_kind kind;
    union {
        int64_t i;
        uint64_t u;
        double d;
    } as;
} iol_value;

/* One counter by number or by name. IOL_INVALID if the record has no such counter. */
IOL_API iol_status iol_record_counter(const iol_record *record, size_t index, iol_value *value);
IOL_API iol_status iol_record_find(const iol_record *record, const char *name, iol_value *value);

/* One counter of a record of a module from outside. */
IOL_API iol_status iol_custom_value(iol_log *log, size_t module, size_t record, size_t counter, iol_value *value);

/* LUSTRE: how a file is striped. */
typedef struct iol_stripes {
    int64_t size, count, pattern, flags, extent_start, extent_end, mirror;
    char pool[17];
} iol_stripes;

IOL_API size_t iol_record_components(const iol_record *record);
/* Stripes of one component and its OST list (`stripes->count` entries). */
IOL_API iol_status iol_record_component(const iol_record *record, size_t index, iol_stripes *stripes,
                                        const int64_t **osts);

/* HEATMAP: bytes over time. */
typedef struct iol_heatmap {
    double bin_width; /* seconds */
    size_t bins;
    const int64_t *written, *read;
} iol_heatmap;

IOL_API iol_status iol_record_heatmap(const iol_record *record, iol_heatmap *heatmap);

/* DXT: single operations. The record says how many there are; the segments are then read from the iterator, writes
 * first, any number at a time. What is not read is skipped by iol_records_next(). */
typedef struct iol_trace {
    char host[65];
    uint64_t writes, reads;
    bool threads; /* segments carry a thread identity */
} iol_trace;

typedef struct iol_segment {
    int64_t offset, length;
    double start, end; /* seconds since job start */
    uint64_t thread;   /* 0 if unknown */
} iol_segment;

IOL_API iol_status iol_record_trace(const iol_record *record, iol_trace *trace);
/* Up to `room` segments; *got is 0 with IOL_END when all were read. */
IOL_API iol_status iol_records_segments(iol_records *records, iol_segment *segments, size_t room, size_t *got);

/* Tables ------------------------------------------------------------------------------------------------------ */

/* Records as columns, for programs that work on arrays: many rows with one call, and only the columns that are wanted.
 *
 * IOL_TABLE_RECORDS has a row per record: rank, record_id, file_name, mount_point, fs_type, what the module has besides
 * counters, and its counters under their own names. The header records of APMPI and APXC are not among them.
 *
 * IOL_TABLE_PARTS has a row per part of a record, for modules whose records have parts:
 *   DXT_POSIX, DXT_MPIIO   an operation, in the order of iol_records_segments()
 *   HEATMAP                a bin
 *   LUSTRE                 a component and an OST of it; a component without OSTs has one row, whose ost is -1
 *   MDHIM                  a server
 *   APMPI, APXC            the header record, the only one
 * For others, opening it gives IOL_INVALID.
 *
 * Every cell takes 8 bytes: int64_t, uint64_t, double, or for IOL_TEXT a uint64_t that counts in the texts of its column,
 * IOL_NO_TEXT where there is no text. Reals that were not measured are NAN. */
typedef enum iol_table_kind { IOL_TABLE_RECORDS = 0, IOL_TABLE_PARTS = 1 } iol_table_kind;
#define IOL_NO_TEXT UINT64_MAX

typedef struct iol_table iol_table;

/* Fails like iol_records_open(), but for modules without data: their tables have columns and no rows. The log must stay
 * open for as long as the table. */
IOL_API iol_status iol_table_open(iol_log *log, int slot, iol_table_kind kind, iol_table **table);
IOL_API void iol_table_close(iol_table *table);

/* Columns are numbered from 0; texts of the description live as long as the table. */
IOL_API size_t iol_table_columns(const iol_table *table);
IOL_API iol_status iol_table_column(const iol_table *table, size_t index, iol_counter *column);

/* The next rows, `room` at most. `cells` has a pointer per column, to room for as many cells, or NULL for a column that is
 * not wanted. After the last row *rows is 0 with IOL_END. If there is damage, all rows before it are delivered first, and
 * then *rows is 0 with the status of the damage. */
IOL_API iol_status iol_table_fill(iol_table *table, void *const *cells, size_t room, size_t *rows);

/* The texts that cells of a column have counted in so far, each with a zero byte behind it: *count of them in a block of
 * *length bytes, which lives until the next iol_table_fill(). Texts that came earlier keep their numbers. */
IOL_API iol_status iol_table_texts(const iol_table *table, size_t index, const char **block, size_t *length,
                                   size_t *count);

/* Accumulators ------------------------------------------------------------------------------------------------ */

/* Totals of one module, and for POSIX, MPI-IO, STDIO, DFS and DAOS the performance estimate and file counts. */
typedef struct iol_sum iol_sum;

typedef struct iol_performance {
    int64_t total_bytes;
    int64_t slowest_rank;
    double slowest_rank_io_time, slowest_rank_meta_time, slowest_rank_rw_time; /* files of single ranks */
    double shared_time;                                                        /* files of all ranks */
    double time;                                                               /* both */
    double mib_per_second;
} iol_performance;

typedef enum iol_category {
    IOL_FILES_ALL,
    IOL_FILES_READ_ONLY,
    IOL_FILES_WRITE_ONLY,
    IOL_FILES_READ_WRITE,
    IOL_FILES_UNIQUE,      /* by one rank */
    IOL_FILES_SHARED,      /* by all ranks */
    IOL_FILES_PART_SHARED, /* by several */
    IOL_CATEGORIES
} iol_category;

typedef struct iol_files {
    int64_t count, bytes, max_offset; /* max_offset -1: not known */
} iol_files;

IOL_API iol_status iol_sum_new(iol_log *log, int slot, iol_sum **sum);
IOL_API iol_status iol_sum_add(iol_sum *sum, const iol_record *record);
IOL_API uint64_t iol_sum_records(const iol_sum *sum);
/* The combined record: ask it for counters like any other. */
IOL_API const iol_record *iol_sum_total(const iol_sum *sum);
IOL_API iol_status iol_sum_performance(const iol_sum *sum, iol_performance *performance);
IOL_API iol_status iol_sum_files(const iol_sum *sum, iol_category category, iol_files *files);
IOL_API void iol_sum_free(iol_sum *sum);

/* Writing ----------------------------------------------------------------------------------------------------- */

/* A record to fill in. Counters are 0 at first; what is set is copied. */
IOL_API iol_record *iol_record_new(int slot);
IOL_API void iol_record_free(iol_record *record);
IOL_API void iol_record_set_base(iol_record *record, uint64_t id, int64_t rank);
IOL_API void iol_record_set_owner(iol_record *record, uint64_t owner);
IOL_API iol_status iol_record_set_int(iol_record *record, size_t index, int64_t value);
IOL_API iol_status iol_record_set_real(iol_record *record, size_t index, double value);
IOL_API iol_status iol_record_set_heatmap(iol_record *record, const iol_heatmap *heatmap);
IOL_API iol_status iol_record_set_trace(iol_record *record, const iol_trace *trace);
/* Components with their OST lists, one after the other: `stripes[i].count` entries each. */
IOL_API iol_status iol_record_set_components(iol_record *record, const iol_stripes *stripes, size_t count,
                                             const int64_t *osts);

/* `size` lets the struct grow: programs that were compiled with an older header go on working. */
typedef struct iol_write_options {
    size_t size; /* sizeof(iol_write_options); 0 stands for that of release 0.1 */
    iol_compression compression;
    int level;                     /* 0: a good one */
    bool one_stream;               /* one compressed stream per region: smaller, but slower to read */
    bool replace;                  /* an existing file may be replaced */
    unsigned mode;                 /* permissions; 0 stands for 0400 */
    unsigned dxt_posix, dxt_mpiio; /* versions of trace records; 0: those that all released tools read (1, 2) */
} iol_write_options;

/* Writes log version 3.41. The order is job, names, modules by ascending slot, trailer sections, finish; what does not
 * follow it gets IOL_INVALID. Nothing exists under the final name before iol_writer_finish() succeeds, and nothing is
 * left behind otherwise. After an error only iol_writer_abort() makes sense. `options` may be NULL. */
typedef struct iol_writer iol_writer;

IOL_API iol_status iol_writer_open(const char *path, const iol_write_options *options, iol_writer **writer,
                                   iol_error *error);
/* `metadata` are lines "key=value\n". Mounts are pairs: point, type. */
IOL_API iol_status iol_writer_job(iol_writer *writer, const iol_job *job, const char *metadata,
                                  const char *const *mounts, size_t n_mounts);
IOL_API iol_status iol_writer_name(iol_writer *writer, uint64_t id, const char *name);
/* Begin a module. One that is partial may have no records. */
IOL_API iol_status iol_writer_module(iol_writer *writer, int slot, bool partial);
IOL_API iol_status iol_writer_record(iol_writer *writer, const iol_record *record);
/* The segments of the trace record just written, all of them, in as many calls as is convenient. */
IOL_API iol_status iol_writer_segments(iol_writer *writer, const iol_segment *segments, size_t count);
IOL_API iol_status iol_writer_trailer(iol_writer *writer, const char *tag, const void *bytes, size_t length);
IOL_API iol_status iol_writer_finish(iol_writer *writer);
IOL_API void iol_writer_abort(iol_writer *writer);
/* What went wrong, after a function of the writer failed; valid until the writer is gone. */
IOL_API const iol_error *iol_writer_error(const iol_writer *writer);

#ifdef __cplusplus
}
#endif

#endif
