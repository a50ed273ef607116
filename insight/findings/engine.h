/* The native diagnosis: rules over the facts of one log give findings, each with its figures, its evidence, the time it
   is estimated to have cost, how sure that is, and what to change.
   Rules and thresholds are data: a rulebook holds the built-in ones and what a site, a user and a command line add. */
#ifndef IOL_INSIGHT_ENGINE_H
#define IOL_INSIGHT_ENGINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "log/figures/figures.h"
#include "iolite/log.h"

/* In this order for --min-level and --fail-on. */
typedef enum iol__level { IOL_LEVEL_INFO, IOL_LEVEL_OK, IOL_LEVEL_WARN, IOL_LEVEL_HIGH, IOL_LEVELS } iol__level;

/* "info", "ok", "warn", "high". */
const char *iol__level_name(iol__level level);
bool iol__level_find(const char *name, iol__level *level);

/* The rulebook ------------------------------------------------------------------------------------------------ */

typedef struct iol__rulebook iol__rulebook;

/* The built-in rules. After loading, a rulebook is read only and may serve several threads. */
iol_status iol__rulebook_new(iol__rulebook **out, iol_error *error);
void iol__rulebook_free(iol__rulebook *book);
/* The files that everybody gets: the system's, then the user's. Those that do not exist are not errors. */
iol_status iol__rulebook_load_usual(iol__rulebook *book, iol_error *error);
/* Rules and `set` lines of a file. What is wrong in it becomes a message and is skipped; only a file that cannot be
   read fails. `origin` is what --list-thresholds shows, as in "user". */
iol_status iol__rulebook_load_file(iol__rulebook *book, const char *path, const char *origin, iol_error *error);
iol_status iol__rulebook_load_text(iol__rulebook *book, const char *text, size_t length, const char *name,
                                   const char *origin, iol_error *error);
/* One threshold from the command line, "posix.small.ratio=0.2". IOL_INVALID for a path or value that makes no sense. */
iol_status iol__rulebook_set(iol__rulebook *book, const char *assignment, iol_error *error);
/* "FILE:LINE: what is wrong", in order. NULL past the last. */
const char *iol__rulebook_message(const iol__rulebook *book, size_t index);

typedef struct iol__threshold {
    const char *path;
    double value, standard; /* standard: the built-in value */
    const char *origin;     /* "built-in", "system", "user", "command line" or what the loader said */
    const char *meaning;
    int layer; /* what said so: later ones win */
} iol__threshold;

size_t iol__rulebook_thresholds(const iol__rulebook *book);
const iol__threshold *iol__rulebook_threshold(const iol__rulebook *book, size_t index);

/* A threshold that holds on some mounts or on some systems only. */
typedef struct iol__scoped_info {
    const char *kind;    /* "mount", "system" */
    const char *pattern; /* of its name */
    const char *path;    /* of the threshold */
    double value;
    const char *origin;
    bool overruled; /* a later layer sets it for everything */
} iol__scoped_info;

bool iol__rulebook_scoped(const iol__rulebook *book, size_t index, iol__scoped_info *info);
/* The value of a threshold on a system (NULL: on none in particular), and where it comes from. */
double iol__rulebook_for_system(const iol__rulebook *book, size_t index, const char *system, const char **origin);

/* One rule, as --list-rules and --explain show it. */
typedef struct iol__rule_info {
    const char *id;
    int version;
    const char *const *aliases; /* NULL at the end */
    const char *layer, *scope;
    const char *audience;
    const char *level;   /* "by cost, else high", or a fixed one */
    const char *meaning; /* what it is about, in a sentence or two; may be empty */
    const char *source;  /* the text of the rule */
    const char *file;    /* where that is written */
    int line;
    const char *origin; /* "built-in" or the file */
} iol__rule_info;

size_t iol__rulebook_rules(const iol__rulebook *book);
bool iol__rulebook_rule(const iol__rulebook *book, size_t index, iol__rule_info *info);
/* By id or alias, in any letter case. */
bool iol__rulebook_find(const iol__rulebook *book, const char *id, iol__rule_info *info);
/* A figure that findings of a rule show: its unit, and what it is: the meaning of a variable or counter, else the
   expression. */
typedef struct iol__figure_meaning {
    const char *name, *unit, *meaning;
} iol__figure_meaning;
bool iol__rule_figure(const iol__rulebook *book, const char *id, size_t index, iol__figure_meaning *meaning);
/* Whether a rule refers to this threshold. */
bool iol__rule_uses(const iol__rulebook *book, const char *id, const char *path);

/* Names that rules may use. */
typedef struct iol__variable_info {
    const char *name;
    const char *scopes; /* "job", "file", "job, file" */
    const char *unit;   /* of a number; "": it is a truth */
    const char *meaning;
} iol__variable_info;

size_t iol__variable_count(void);
const iol__variable_info *iol__variable_at(size_t index);

/* Findings ---------------------------------------------------------------------------------------------------- */

/* A number by name, or a text when `text` is not NULL. */
typedef struct iol__figure {
    const char *name;
    double value; /* NaN: not known */
    const char *text;
} iol__figure;

typedef enum iol__evidence_kind {
    IOL_EVIDENCE_FILE,      /* a file with its figures, most costly first */
    IOL_EVIDENCE_RECORD,    /* one record: module, file id, rank, some of its counters */
    IOL_EVIDENCE_SEGMENT,   /* one traced request: module, file id, rank, index among that record's segments */
    IOL_EVIDENCE_TIMERANGE, /* part of the run, and ranks */
} iol__evidence_kind;

typedef struct iol__evidence {
    iol__evidence_kind kind;
    const char *module; /* NULL where there is none */
    uint64_t file_id;
    const char *name; /* of the file; NULL if the log has none */
    int64_t rank;     /* -1: all */
    bool is_write;    /* segment */
    uint64_t segment;
    int64_t offset, length;     /* segment */
    double t0, t1;              /* segment, time range; seconds since the start of the job */
    const char *ranks;          /* time range: "all", "0-3" */
    double lost_s;              /* file: its part of the cost; NaN if not known */
    const iol__figure *figures; /* file: figures; record: counters */
    size_t n_figures;
} iol__evidence;

typedef struct iol__advice {
    const char *action;     /* short stable name, as in "stripe" */
    const char *text;       /* one or two sentences */
    const char *applies_to; /* "directory", "job script", "source" */
    const char *effort;     /* "job script", "few lines", "redesign" */
    const char *check;      /* which counter should change, and to what */
    const char *lang;       /* of the snippet: "c", "fortran", "python", "sh"; NULL: none */
    const char *code;
} iol__advice;

typedef struct iol__cost_range {
    bool known; /* false: the log has no times to go by */
    double best, low, high;
    double share;  /* of run time */
    double node_h; /* lost node hours */
    const char *model;
} iol__cost_range;

typedef struct iol__confidence {
    double value;
    const char *label; /* "high", "medium", "low" */
    double data, attribution, model;
} iol__confidence;

/* A line of code that made calls which a finding is about (insight/facts/places.h). */
typedef struct iol__finding_place {
    const char *text;            /* as people read it: "checkpoint.c:112 write_row" */
    const char *file, *function; /* NULL: not known */
    uint32_t line;               /* 0: not known */
    double share;                /* of the time of all these calls; of their number, where none was timed */
    double calls, bytes, time;
} iol__finding_place;

/* What a finding explains: it would be a finding itself if its cause were not one. A branch of the tree of causes comes
   whole before the next. */
typedef struct iol__symptom {
    const char *id, *title;
    const char *parent; /* id of its cause */
    int depth;          /* 1: of the finding itself */
} iol__symptom;

typedef struct iol__finding {
    const char *id;
    int rule_version;
    const char *const *aliases; /* NULL at the end */
    iol__level level;
    const char *audience; /* "user", "developer", "system", or several with commas */
    const char *title;
    const char *note;         /* a caveat or what the class of the case is; NULL: none */
    const char *subject_kind; /* "job", "file", "files", "phase", "module" */
    uint64_t subject_id;
    const char *subject_name;
    double subject_count; /* files that the finding is about */
    const iol__figure *figures;
    size_t n_figures;
    const iol__figure *thresholds;
    size_t n_thresholds;
    bool costed; /* the rule has a cost model; `cost.known` says whether the log let it be used */
    iol__cost_range cost;
    iol__confidence confidence;
    const iol__evidence *evidence;
    size_t n_evidence, n_evidence_left_out;
    const iol__advice *advice;
    size_t n_advice;
    const char *const *suppresses; /* ids that this one made silent; NULL at the end */
    const iol__symptom *symptoms;  /* the same with what they would have said, and what those explain themselves */
    size_t n_symptoms;
    const char *const *related;
    const struct iol__marked_region
        *region; /* the part of the program where it is at home; NULL: several, or not known */
    const iol__finding_place
        *places; /* lines of code that carry it, most first; none where the log does not know them */
    size_t n_places;
} iol__finding;

/* A stretch of time in which data moved. */
typedef struct iol__phase {
    double start, end;
    double bytes_read, bytes_written;
    double reads, writes; /* requests; NaN from a heat map */
    double ranks;         /* that moved data */
    double files;         /* that it moved to or from; NaN from a heat map */
    double effective_ranks;
    int64_t slowest_rank, fastest_rank; /* -1: not known */
    double straggle;                    /* seconds from the median rank's end to the last one's; NaN: not known */
    double meta_s,
        meta_files; /* metadata seconds of the slowest rank, for files that were used around this phase only */
    double window;  /* seconds from the end of the phase before to the start of the next */
} iol__phase;

/* A file that was under way while the job waited for I/O, and for how long nothing else need be looked at. */
typedef struct iol__covering {
    uint64_t file_id;
    const char *name; /* NULL if the log has none */
    double seconds;
} iol__covering;

typedef struct iol__phases {
    const char *source; /* "DXT_POSIX", "DXT_MPIIO", "HEATMAP", or NULL: the log cannot tell */
    double resolution;  /* seconds */
    double wall_io;     /* traced: seconds in which some request was under way; NaN else */
    double stretches;   /* traced: busy stretches with pauses of more than 10 ms between them; NaN else */
    double period;      /* seconds from one burst to the next when they come regularly; NaN else */
    double periods;     /* how many of them the run has; NaN */
    double duty;        /* part of a period in which 95 % of its bytes move; NaN */
    double period_confidence;
    const char *period_from; /* "starts" of the phases, "spectrum" of the bytes over time, or NULL */
    double idle_ranks;       /* ranks of the module that moved nothing; NaN: not known */
    size_t count;            /* all phases */
    const iol__phase *phases;
    size_t kept; /* of them, the largest ones, in time order */
    /* Traced: the fewest files that account for all busy time, one after the other; the first ones of the list. */
    const iol__covering *covering;
    size_t kept_covering, n_covering;
} iol__phases;

typedef struct iol__diagnosis {
    /* The log and the job. */
    const char *log_name;
    uint64_t log_bytes;
    const char *log_hash; /* of all records and names, 16 hexadecimal digits */
    int64_t job_id, uid, processes, start, end;
    bool job_id_known, start_known; /* what old logs may lack; the end is known when the start is */
    const char *exe;
    double run_time;
    const char *system;     /* name of the machine; NULL: not known */
    double nodes;           /* from the trace, the caller, or processes / $site.ppn */
    const char *nodes_from; /* "caller", "log", "trace", "run" (one without MPI), "guess" */
    /* I/O time (spec: slowest rank of shared files, worst rank of the others). */
    double io_waited;                /* io_time before the end of the run is taken into account */
    double figures[IOL_JOB_FIGURES]; /* of the job; the next ones are some of them */
    double io_time, io_share, bytes_read, bytes_written, rate;
    iol__phases phases;
    /* Parts that the program marked, most I/O time first (log/trailer/regions.h). */
    const struct iol__marked_region *regions;
    size_t n_regions;
    bool damaged; /* a part of the log could not be read: what was not found may be there */
    /* Data quality and what this log cannot tell, one sentence each. */
    const char *const *quality;
    size_t n_quality;
    const char *const *cannot_tell;
    size_t n_cannot_tell;
    /* Sorted: worst first, OK and INFO last. */
    const iol__finding *findings;
    size_t n_findings;
    size_t count[IOL_LEVELS];
    const iol__rulebook *rulebook;
    const double *thresholds; /* in force for the job, by their place in the rulebook */
    double elapsed;           /* seconds that the diagnosis took; not part of what is compared */
    /* What it was made from, where the options asked to keep it; else NULL. Reports say more than findings, and should
       not have to read the log again for that. The log must then stay open as long. */
    const struct iol__facts *facts;
    const struct iol__tracing *tracing;
    const char *const *names;      /* of the facts' files; NULL: it has none */
    const iol__phases *all_phases; /* also those that are too small for `phases` */
} iol__diagnosis;

struct iol__case;
struct iol__context;

typedef struct iol__diagnose_options {
    const iol__rulebook *rulebook; /* must outlive the diagnosis */
    const char *context;           /* JSON text from the caller (history, site facts), or NULL */
    /* Adds what is known beside the log, once the job's own values are known; NULL: nothing is. */
    void (*surround)(const struct iol__case *job, struct iol__context *context, void *data);
    void *surround_data;
    size_t evidence;    /* entries a finding; 0: all */
    double nodes;       /* 0: unknown */
    const char *system; /* name of the machine; NULL: as the context or the log says */
    void (*look)(const struct iol__case *job, void *data); /* at a job whose values are known; NULL: nobody does */
    void *look_data;
    void (*watch)(void *data, iol_log *log, const iol_record *record); /* records as they are read; NULL: nobody does */
    void *watch_data;
    iol__level min_level;
    const char *const *only; /* globs of ids or aliases; NULL at the end, or NULL: all */
    const char *const *skip;
    bool keep;  /* facts and traces stay with the diagnosis */
    bool brief; /* findings without advice and evidence */
} iol__diagnose_options;

/* Free with iol__diagnosis_free(); everything it points at goes with it. */
iol_status iol__diagnose(iol_log *log, const iol__diagnose_options *options, iol__diagnosis **out, iol_error *error);
void iol__diagnosis_free(iol__diagnosis *diagnosis);
/* The files that a finding is about, one bit each in the order of the kept facts; NULL: none, or nothing was kept. */
const uint64_t *iol__diagnosis_files(const iol__diagnosis *diagnosis, size_t finding);

#endif
