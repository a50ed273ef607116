/* What the two halves of merging share: merge.c surveys and gathers, merge_write.c writes. */
#ifndef IOL_LOG_MERGE_INTERNAL_H
#define IOL_LOG_MERGE_INTERNAL_H

#include "log/idmap.h"
#include "log/log_internal.h"
#include "log/merge.h"
#include "record/record.h"
#include "log/rewrite.h"

/* What the survey learns of an input. */
typedef struct merge_input {
    size_t number; /* in the caller's list */
    int64_t start, start_ns, end, end_ns, processes, job_id;
    int64_t rank;       /* of its first record */
    int64_t first_rank; /* added to its ranks */
    double shift;       /* added to its times */
    iol_log *log;       /* kept open where it cannot be opened again */
    bool unknown;       /* its job record is damaged */
    bool single;        /* one process, whose records belong to first_rank whatever they say */
} merge_input;

/* Who used a file: enough to know whether every rank did so exactly once, without a set of ranks. Each rank has a mark
   that looks random, and the marks are added up. */
typedef struct users {
    uint64_t count, marks;
    bool combined; /* some input had combined it already */
} users;

typedef struct spool {
    iol_writer *writer;
    iol_log *log;
    bool partial, begun;
    bool uncounted; /* who used which file is not known */
    iol__idmap ids;
    users *users;
    size_t room;
} spool;

typedef struct section {
    char tag[5];
    void *bytes;
    size_t length;
} section;

typedef struct merger {
    iol__merge *merge;
    iol_error *error;
    iol_write_options options;
    merge_input *inputs;
    size_t n_inputs;
    int64_t processes;
    bool reduce;
    bool timed;        /* the next has a value */
    merge_input whole; /* start and end of the job */
    double last;       /* the latest time in any record */
    bool unfinished;   /* some process was killed, or still runs */
    spool spools[IOL_SLOTS_KNOWN];
    iol_writer *name_writer;
    iol_log *name_log;
    iol__idmap names;
    uint32_t *name_hashes;
    size_t name_room;
    section *sections;
    size_t n_sections, section_room, section_bytes;
    iol__idmap section_hashes; /* what is there already */
    double heatmap_width, heatmap_end;
    iol_log *gathering; /* the input that is being read */
    size_t conflicts;   /* names that disagree */
    iol_log *first;     /* the input whose job record is the merged log's */
} merger;

iol_status iol__merge_out_of_memory(merger *m);
void iol__merge_progress(merger *m, double fraction);
uint64_t iol__merge_mark(int64_t rank);
/* Heat maps of a width that no clock can have are left as they are. */
bool iol__merge_heatmap_sane(const iol_heatmap *map);
/* Everything that was gathered, into the final log. */
iol_status iol__merge_write(merger *m, iol_writer *writer);

#endif
