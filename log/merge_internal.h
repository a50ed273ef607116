/* What the parts of merging share: merge.c surveys, merge_processes.c knows who ran, merge_gather.c collects records,
   merge_rank.c combines those of one process, merge_write.c writes. */
#ifndef IOL_LOG_MERGE_INTERNAL_H
#define IOL_LOG_MERGE_INTERNAL_H

#include "log/added.h"
#include "log/idmap.h"
#include "log/log_internal.h"
#include "log/merge.h"
#include "log/operations.h"
#include "log/processes.h"
#include "log/run_inputs.h"
#include "log/sizes.h"
#include "record/record.h"
#include "record/mapped.h"
#include "log/rewrite.h"

#define MERGE_NO_PROCESS SIZE_MAX

/* What the survey learns of an input. */
typedef struct merge_input {
    size_t number; /* in the list of inputs */
    int64_t start, start_ns, end, end_ns, processes, job_id;
    int64_t instant;    /* when its program began, in nanoseconds since the epoch; decides about order */
    int64_t rank;       /* of its first record */
    int64_t first_rank; /* added to its ranks */
    double shift;       /* added to its times */
    size_t process;     /* of a mapped file of Iolite: whose; else MERGE_NO_PROCESS */
    iol_log *log;       /* kept open where it cannot be opened again */
    bool unknown;       /* its job record is damaged */
    bool listed;        /* a finished log of several processes that are no ranks of an MPI job */
    bool single;        /* one process, whose records belong to first_rank whatever they say */
} merge_input;

/* A program that a process ran. */
typedef struct merge_image {
    double start;
    char *command;
    bool listed; /* in the run's list of processes too */
    bool copy;   /* made by a fork, and left no records: of interest only if no program was started later */
} merge_image;

typedef struct merge_process {
    uint64_t run, born;
    int32_t pid, parent;
    int64_t zero; /* what its times count from, in nanoseconds since the epoch */
    double start; /* of its first image */
    double last;  /* of the last image that left records; the next two are that one's */
    double end;
    unsigned ended;
    int64_t rank;
    size_t n_inputs; /* images that left records */
    merge_image *images;
    size_t n_images, image_room;
    char *targets[3];
} merge_process;

/* What the files of a folder or spool have in common. */
typedef struct merge_group {
    bool known;
    uint64_t run;
    int64_t zero;
} merge_group;

/* A line of the list of processes, in the text of all. */
typedef struct merge_line {
    int64_t rank;
    size_t at, length;
} merge_line;

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
    iol__inputs found;
    merge_input *inputs;
    size_t n_inputs;
    int64_t processes;
    bool reduce;
    bool timed;        /* the next has a value */
    merge_input whole; /* start and end of the job */
    double last;       /* the latest time in any record */
    double run_time;   /* of the merged job */
    bool unfinished;   /* some process was killed, or still runs */

    /* Runs of Iolite */
    merge_process *people;
    size_t n_people, people_room;
    iol__idmap people_ids, image_ids; /* by what names a process, and one of its images */
    size_t *image_inputs;             /* numbers in `inputs` by number of image */
    size_t image_room;
    merge_group *groups;
    struct rank_records *kept; /* see merge_rank.c */
    char *lines;               /* of the list of processes */
    size_t lines_length;
    FILE *lines_file;
    merge_line *line_list;
    size_t n_lines, line_room;
    iol__folded folded;
    iol__operation_totals operations;
    iol__sizes sizes;
    iol__added added;
    uint64_t standard[3]; /* ids of <STDIN>, <STDOUT>, <STDERR> */

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
    iol_log *mounted;   /* one that has mounts, where the first has none */
} merger;

/* merge.c */
iol_status iol__merge_out_of_memory(merger *m);
void iol__merge_complain(merger *m, const char *format, ...) __attribute__((format(printf, 2, 3)));
void iol__merge_progress(merger *m, double fraction);
/* Where the system refused memory or a read, less would come out than there is: IOL_SYSTEM, else IOL_OK. */
iol_status iol__merge_system_error(merger *m, const iol_log *log);
/* An input that cannot be read: the end of strict merging. */
iol_status iol__merge_refuse(merger *m, const iol_error *error);
/* False if the input is not to be merged. */
bool iol__merge_wanted(merger *m, const merge_input *in);
void iol__merge_note_times(merger *m, const merge_input *in);
/* Nanoseconds since the epoch; the nearest there is for what has no such number. */
int64_t iol__merge_instant(int64_t seconds, int64_t nanoseconds, double offset);

/* merge_processes.c */
/* The first bytes of an input if it is a mapped file of Iolite, of a program without MPI. */
bool iol__merge_is_mapped(const iol__input *input, uint8_t head[IOL_MAPPED_HEAD]);
iol_status iol__merge_survey_mapped(merger *m, size_t number, const uint8_t head[IOL_MAPPED_HEAD]);
/* Processes that the lists of their runs know. */
iol_status iol__merge_survey_starts(merger *m);
/* Ranks of everything from input `from` on, in order of start. */
iol_status iol__merge_number(merger *m, size_t from);
/* The lines of a finished log, with the ranks of the merged one. */
iol_status iol__merge_keep_lines(merger *m, const merge_input *in, iol_log *log);
/* The command line of the process that started first; NULL if that is no process of a run. */
const char *iol__merge_command(const merger *m);
iol_status iol__merge_write_processes(merger *m, iol_writer *writer);
void iol__merge_free_processes(merger *m);

/* merge_gather.c */
iol_status iol__merge_gather(merger *m);
/* One record into the spool of its module. It has its final rank and times. */
iol_status iol__merge_spool(merger *m, const merge_input *in, const iol_record *record);
/* Fastest, slowest and variance have a meaning in records of all ranks only. */
void iol__merge_clear_extremes(int slot, int64_t *ints, double *reals);

/* merge_rank.c */
/* Whether a record waits for others of its process. */
bool iol__merge_waits(const merger *m, const merge_input *in, int slot);
/* Keep a record, together with what is there of the same file; `records` delivers the segments of a trace. */
iol_status iol__merge_keep(merger *m, const merge_input *in, const iol_record *record, iol_records *records, bool *cut);
/* All that is kept goes into the spools. */
iol_status iol__merge_flush(merger *m, const merge_input *in);
void iol__merge_free_kept(merger *m);

uint64_t iol__merge_mark(int64_t rank);
/* Heat maps of a width that no clock can have are left as they are. */
bool iol__merge_heatmap_sane(const iol_heatmap *map);
/* Everything that was gathered, into the final log. */
iol_status iol__merge_write(merger *m, iol_writer *writer);

#endif
