/* What the files of log/ share: the opened log, its budget, and how errors are noted.
   source.c gives bytes, stream.c decompresses them, header.c and job.c and names.c decode the fixed parts, mapped.c
   what only mapped files of Iolite have, records.c the modules, accumulate.c sums them up. */
#ifndef IOL_LOG_INTERNAL_H
#define IOL_LOG_INTERNAL_H

#include "iolite/log.h"
#include "log/read/names.h"
#include "log/read/source.h"
#include "schema/schema.h"

enum {
    IOL_HEADER_OLD = 360,  /* log versions below 3.41 */
    IOL_HEADER_NEW = 1328, /* 3.41 */
    IOL_JOB_BYTES = 4096,  /* the job record with all its text */
    IOL_ERRORS_KEPT = 64,
    IOL_NOTES_KEPT = 8,
    IOL_NOTE = 240,
    IOL_METADATA = 512, /* most lines "k=" that 1023 characters can hold */
    IOL_MOUNTS = 800,   /* most entries "\nt\tp" that the text can hold, and more than any writer stores */
};

typedef struct iol__log_mount {
    const char *point, *type;
    size_t point_length;
} iol__log_mount;

typedef struct iol__metadata {
    const char *key, *value;
} iol__metadata;

struct iol_log {
    iol__source *source;
    struct iol__stream *spare; /* see stream.c */
    struct iol__kept *kept;    /* NULL unless asked for; see kept.h */
    char *path;
    iol_info info;
    iol_job job;
    int64_t own_job_id;   /* as the log has it; where that is 0, the job has the id of the file's name */
    bool swap;            /* values in the file have the other byte order */
    bool uneven_heatmaps; /* leave them so; see agreed_bins() */
    int64_t deadline;     /* reading ends there, see deadline.h; 0: none */
    uint64_t name_offset;
    iol_module modules[IOL_SLOTS];

    /* Texts of the job record, and the strings cut from them. */
    char metadata_text[1024 + 1];
    char exe_text[IOL_JOB_BYTES + 1];
    size_t n_mounts, n_metadata; /* of those below */

    iol__names names;
    iol__id_list ids;             /* of the names in their order; see iol__ids_load() */
    struct iol__trailer *trailer; /* NULL until asked for */
    bool trailer_read;

    /* Of mapped files of Iolite, else NULL; see mapped.c. */
    struct iol__mapped *facts;
    struct iol__trace_chunks *trace_chunks;

    struct iol__custom *custom; /* NULL until asked for */

    /* Of logs of 1.x and 2.x, else NULL; see old/old.h. The file may be compressed as a whole. */
    struct iol__old *old;
    int wrapping;                                     /* iol__wrapping */
    const struct iol__segment_form *segment_forms[2]; /* of DXT_POSIX and DXT_MPIIO; NULL until asked for */
    bool segments_doubted[2];                         /* no form fits all of the region */
    bool lustre_gaps;                                 /* seen, and noted */
    struct iol__file_mounts *file_mounts;             /* of these and of logs made from them, else NULL */
    double time_origin; /* times that do not count from the start are to be made relative to it; 0: none are */
    bool stored_times;  /* leave them so */

    /* Memory that tables over the whole log (names, files) may still take. */
    uint64_t budget;

    size_t n_errors, n_notes; /* of those below */
    uint64_t damaged;         /* bit s: an error is about damage to slot s, kept or not */

    /* From here on nothing is set before it is used, because the numbers above say how much is. Most logs use little of it,
       and a merge opens thousands. */
    iol__log_mount mounts[IOL_MOUNTS];
    iol__metadata metadata[IOL_METADATA];
    char mount_text[4 * IOL_JOB_BYTES];
    iol_error errors[IOL_ERRORS_KEPT];
    char notes[IOL_NOTES_KEPT][IOL_NOTE];
};

/* Note an error in the log and return its status. The text says what was expected; file and place are put before it. */
iol_status iol__fail(iol_log *log, iol_status status, int slot, uint64_t offset, const char *format, ...)
    __attribute__((format(printf, 5, 6)));
/* Fill an error that belongs to no log yet. */
iol_status iol__error_set(iol_error *error, iol_status status, const char *path, uint64_t offset, const char *format,
                          ...) __attribute__((format(printf, 5, 6)));

/* Note how a log was read that does not follow the format to the letter: a sentence, which is not an error. Each is
   kept once. */
void iol__note(iol_log *log, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* The notes in order; NULL past the last. */
const char *iol__log_note(const iol_log *log, size_t index);
/* Whether the log says so, or its name does: logs of 1.x have no job id, and clocks of some machines began in 1970. */
bool iol__job_id_known(const iol_log *log);
/* What the file is called is no part of what the log is: 0 where the job id is that of the name, also in a log that was made
   from one of 1.x. */
int64_t iol__own_job_id(const iol_log *log);
bool iol__start_known(const iol_log *log);

/* Take from the budget; false if the file does not justify that much. */
/* The place of the mount that a name belongs to, as iol_log_mount() counts; their number if it is on none, or NULL. */
size_t iol__mount_index(const iol_log *log, const char *name);
bool iol__budget_take(iol_log *log, uint64_t bytes);
void iol__budget_return(iol_log *log, uint64_t bytes);

/* Open a part of a regular file as a log, or all of it (length 0); messages call it `name`. The descriptor stays the
   caller's. */
iol_status iol__log_open_part(int fd, const char *name, uint64_t offset, uint64_t length, iol_log **log,
                              iol_error *error);
/* The same for bytes in memory that the log frees when it is closed. */
iol_status iol__log_open_owned(uint8_t *bytes, size_t length, const char *name, iol_log **log, iol_error *error);
iol_status iol__header_read(iol_log *log, iol_error *error);
iol_status iol__job_read(iol_log *log);
/* "USER_PROGRAM_idJOB_..." has what some logs do not. 0: it has no job id either. */
int64_t iol__job_id_of_name(const char *path);
/* Parts of it: cut the lines of metadata_text; bring the mounts in order. */
void iol__job_metadata(iol_log *log);
void iol__job_sort_mounts(iol_log *log);
/* The ids of names alone, repetitions included, read once on first use: records of an archive are distinguished by
   them. */
void iol__ids_load(iol_log *log);
void iol__trailer_free(iol_log *log);
/* A copy of each section of the trailer with this tag, which reading may change. False ends it. */
void iol__section_each(iol_log *log, const char *tag, bool (*use)(iol_log *, char *, size_t, void *), void *context);

static inline uint64_t iol__u64(const uint8_t *bytes, bool swap) {
    uint64_t v;
    __builtin_memcpy(&v, bytes, 8);
    return swap ? __builtin_bswap64(v) : v;
}

static inline int64_t iol__i64(const uint8_t *bytes, bool swap) { return (int64_t)iol__u64(bytes, swap); }

static inline uint32_t iol__u32(const uint8_t *bytes, bool swap) {
    uint32_t v;
    __builtin_memcpy(&v, bytes, 4);
    return swap ? __builtin_bswap32(v) : v;
}

static inline double iol__f64(const uint8_t *bytes, bool swap) {
    uint64_t v = iol__u64(bytes, swap);
    double d;
    __builtin_memcpy(&d, &v, 8);
    return d;
}

#endif
