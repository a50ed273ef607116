/* What the parts of merging share: merge.c surveys, merge_processes.c knows who ran, merge_parts.c separates MPI jobs
   from other processes, merge_gather.c collects records, merge_rank.c combines those of a process, merge_write.c
   writes. */
#ifndef IOL_LOG_MERGE_INTERNAL_H
#define IOL_LOG_MERGE_INTERNAL_H

#include "log/trailer/cuts.h"
#include "log/trailer/custom.h"
#include "base/idmap.h"
#include "log/read/log_internal.h"
#include "log/merge/merge.h"
#include "log/old/old.h"
#include "log/trailer/lustre.h"
#include "log/trailer/operations.h"
#include "log/trailer/processes.h"
#include "log/merge/run_inputs.h"
#include "log/trailer/id_pairs.h"
#include "log/trailer/unseen.h"
#include "record/record.h"
#include "record/mapped.h"
#include "log/write/rewrite.h"

#define MERGE_NO_PROCESS SIZE_MAX

enum { MERGE_RANKS_MOST = 1 << 24 /* an MPI job of more ranks is a damaged file */ };

/* What the survey learns of an input. */
typedef struct merge_input {
    size_t number; /* in the list of inputs */
    int64_t start, start_ns, end, end_ns, processes, job_id;
    int64_t instant;    /* when its program began, in nanoseconds since the epoch; decides about order */
    int64_t run_zero;   /* when its run began, the same; 0: not known */
    int64_t rank;       /* of its first record */
    int64_t first_rank; /* added to its ranks */
    double shift;       /* added to its times */
    uint64_t world;     /* of a finished log: of which MPI job, 0 if it does not say */
    char *missing;      /* of such a log: ranks that are not in it; NULL: all are */
    char *exe;          /* of such a log: what it says */
    int64_t pid;        /* of such a log: of its first process, 0 if it does not say */
    size_t process;     /* of a mapped file of Iolite: whose; else MERGE_NO_PROCESS */
    iol_log *log;       /* kept open where it cannot be opened again */
    bool unknown;       /* its job record is damaged */
    bool listed;        /* a finished log of several processes that are not ranks of an MPI job */
    bool seated;        /* of a mapped file: its program was a rank of an MPI job */
    bool late;          /* of a mapped file: what a rank did after the end of MPI */
    bool starter;       /* of a mapped file: its program only starts others */
    bool single;        /* one process, whose records belong to first_rank whatever they say */
} merge_input;

/* A program that a process ran. */
typedef struct merge_image {
    double start;
    char *command;
    bool listed; /* in the run's list of processes too */
    bool seated; /* a rank of an MPI job */
    bool copy;   /* made by a fork, and left no records: of interest only if no program was started later */
} merge_image;

/* A place in an MPI job; world 0: in none. */
typedef struct merge_seat {
    uint64_t world;
    int64_t rank, size;
} merge_seat;

typedef struct merge_process {
    uint64_t run, born;
    int32_t pid, parent;
    int64_t zero; /* what its times count from, in nanoseconds since the epoch */
    double start; /* of its first image */
    double last;  /* of the last image that left records; the next two are that one's */
    double end;
    unsigned ended;
    int status; /* what wait said of it to somebody; 0: nobody knows, or it ended well */
    merge_seat seat;
    bool seated;  /* it was a rank of an MPI job, which may have written its own log */
    bool late;    /* and went on when that had ended */
    bool follows; /* and not rank 0 */
    int64_t rank;
    size_t n_inputs; /* images that left records */
    merge_image *images;
    size_t n_images, image_room;
    char *targets[3];
} merge_process;

/* A log that an MPI job wrote itself. */
typedef struct merge_written {
    uint64_t world;
    int64_t processes;
    char *missing;    /* ranks that are not in it; NULL: all are */
    const char *path; /* if it is to be completed, else NULL */
} merge_written;

/* What the files of a folder or spool have in common. */
typedef struct merge_group {
    bool known;
    uint64_t run;
    bool alone; /* it has nothing but a list of processes, and that from `start` to `end` */
    int64_t start, start_ns, end;
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
    bool uncounted;  /* who used which file is not known */
    iol__idmap late; /* of what is added to a log that is there: ids of files, see iol__merge_late_key */
    iol__idmap ids;
    users *users;
    size_t room;
} spool;

typedef struct section {
    char tag[5];
    void *bytes;
    size_t length;
} section;

/* The survey has one of these, each part has one with its share of inputs and processes, and each attempt to write a
   part works on a copy of that. */
typedef struct merger {
    iol__merge *merge;
    iol_error *error;
    iol_write_options options;
    iol__inputs found; /* the survey's */
    merge_input *inputs;
    size_t n_inputs;
    uint64_t world;        /* of a part with ranks of an MPI job */
    char *missing;         /* those of whom nothing was found, as text; NULL: none */
    const char *completes; /* the log that this job has written itself, which is the first input; NULL: none */
    int64_t n_missing;
    const char *const *links; /* for the metadata */
    size_t used;              /* inputs that are in the log */
    int64_t processes;
    bool reduce;
    bool round_times;
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
    merge_written *written;
    size_t n_written;
    struct rank_records *kept; /* see merge_rank.c */
    char *lines;               /* of the list of processes */
    size_t lines_length;
    FILE *lines_file;
    merge_line *line_list;
    size_t n_lines, line_room;
    iol__folded folded;
    iol__unseen unseen; /* of the survey, then of one part */
    iol__operation_totals operations;
    iol__lustre_list lustre;
    iol__id_pairs sizes, removed;
    iol__custom custom;
    uint64_t standard[3]; /* ids of <STDIN>, <STDOUT>, <STDERR> */

    spool spools[IOL_SLOTS_KNOWN];
    iol_writer *name_writer;
    iol_log *name_log;
    iol__idmap names;
    uint32_t *name_hashes;
    size_t name_room;
    const iol__old_version *origin; /* the oldest of those before 3.x that inputs were written in; NULL: none was */
    uint64_t cuts;                  /* slots of which an input had only a part */
    section *sections;
    size_t n_sections, section_room, section_bytes;
    iol__idmap section_hashes; /* what is there already */
    double heatmap_width, heatmap_end;
    double *heatmap_shifts; /* of the spooled heat maps, in their order */
    size_t n_heatmaps, heatmap_room;
    iol_log *gathering; /* the input that is being read */
    size_t conflicts;   /* names that disagree */
    iol_log *first;     /* the input whose job record is the merged log's */
    bool first_seated;  /* it is of a rank, and not of a program that the rank's process ran before */
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
/* The same where an input could not be opened, errno says why. A file that was in its folder and is gone belonged to a
   process that has just ended, with a log of its own: it counts as one that lives on. */
iol_status iol__merge_refuse_input(merger *m, const iol__input *input, const iol_error *error);
/* False if the input is not to be merged. */
bool iol__merge_wanted(merger *m, const merge_input *in);
/* Nanoseconds since the epoch; the nearest there is for what has no such number. */
int64_t iol__merge_instant(int64_t seconds, int64_t nanoseconds, double offset);

/* merge_parts.c */
/* The ranks of everything in the survey, and who belongs together. NULL without memory. */
merger *iol__merge_split(merger *survey, size_t *count);
void iol__merge_free_part(merger *part);
iol__merge_part iol__merge_describe(const merger *part);

/* merge_deaths.c */
/* How people ended who are known by now. */
iol_status iol__merge_survey_deaths(merger *m);

/* merge_processes.c */
/* The first bytes of an input if it is a mapped file of Iolite whose ranks are for us to give, or said in it. */
bool iol__merge_is_mapped(const iol__input *input, uint8_t head[IOL_MAPPED_HEAD]);
iol_status iol__merge_survey_mapped(merger *m, size_t number, const uint8_t head[IOL_MAPPED_HEAD]);
/* Processes that the lists of their runs know. */
iol_status iol__merge_survey_starts(merger *m);
/* Ranks of everything from input `from` on, in order of start. */
iol_status iol__merge_number(merger *m, size_t from);
/* The lines of a finished log, with the ranks of the merged one. */
iol_status iol__merge_keep_lines(merger *m, const merge_input *in, iol_log *log);
/* The process that started first, or has the lowest rank of those that are there; NULL if that is no process of a run.
   And its command line. */
const merge_process *iol__merge_first(const merger *m);
const char *iol__merge_command(const merger *m);
/* When a process began, in nanoseconds since the epoch. */
int64_t iol__merge_process_instant(const merge_process *p);
iol_status iol__merge_write_processes(merger *m, iol_writer *writer);
void iol__merge_free_process(merge_process *p);

/* merge_gather.c */
iol_status iol__merge_open(const iol__input *input, iol_log **log, iol_error *error);
iol_status iol__merge_gather(merger *m);
/* One record into the spool of its module. It has its final rank and times. */
iol_status iol__merge_spool(merger *m, const merge_input *in, const iol_record *record);
/* Fastest, slowest and variance have a meaning in records of all ranks only. */
void iol__merge_clear_extremes(int slot, int64_t *ints, double *reals);

/* merge_late.c */
/* What names a record that ranks added to. Heat maps are kept for each rank, records of files are found by file. */
uint64_t iol__merge_late_key(const iol_record *record);
/* The records of these files, ids ascending, put together with what was there. */
iol_status iol__merge_write_late(merger *m, iol_writer *writer, int slot, const uint64_t *ids, size_t count);

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
/* One record, its times rounded if they are new. */
iol_status iol__merge_put(const merger *m, iol_writer *writer, const iol_record *record);

#endif
