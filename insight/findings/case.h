/* One log under diagnosis: its facts, its phases, the values of all job variables, and what has been found so far. */
#ifndef IOL_INSIGHT_CASE_H
#define IOL_INSIGHT_CASE_H

#include "insight/findings/context.h"
#include "insight/facts/facts.h"
#include "insight/facts/hints.h"
#include "insight/facts/metrics.h"
#include "insight/facts/osts.h"
#include "insight/facts/phases.h"
#include "insight/language/rule.h"
#include "insight/facts/traced.h"
#include "insight/findings/variables.h"
#include "log/trailer/regions.h"
#include "log/trailer/where.h"

/* What one rule found. */
typedef struct iol__match {
    bool fired;
    bool suppressed;
    uint64_t *files; /* bits: those it is about; NULL if it is not about files */
    size_t n_files;
    iol__subject *sum;       /* of them; NULL while there is none */
    const iol__phase *phase; /* the worst one */
    size_t n_phases;
    const iol__pair *pair; /* likewise */
    int joins;             /* a rule about the whole run, plus 1, whose finding this is a closer look at; 0: none */
    const char *suppressed_ids[IOL_IDS + 1];
} iol__match;

/* Thresholds on one mount that a section is about. */
typedef struct iol__mount_thresholds {
    const char *point;
    const double *values;
} iol__mount_thresholds;

typedef struct iol__case {
    iol__arena arena; /* of the diagnosis */
    iol__facts facts;
    iol__tracing tracing; /* what the visitor collected */
    iol__clashes clashes;
    iol__traced traced;
    iol__pairs pairs;
    double *covering;        /* by file: seconds in the covering set; NULL without a trace */
    const iol__hints *hints; /* by file; NULL if the log has none */
    iol__slow_osts slow_osts;
    const iol__rulebook *book;
    const iol__diagnose_options *options;
    const char *system;       /* name of the machine; NULL: not known */
    const double *thresholds; /* in force for the job */
    iol__mount_thresholds *mounts;
    size_t n_mounts;
    double job[IOL_JOBS];
    iol__metrics metrics; /* by the limits in force */
    const char *nodes_from;
    double concurrency; /* how many processes of a run without MPI lived at a time, on average; 0: ranks are parallel */
    double threads;     /* of a single process, side by side in I/O on average; 1: its times fit into the run */
    double short_first, short_last; /* seconds: when the first short process began and the last one ended */
    double sync_mean;               /* seconds of an fsync or fdatasync, on average; 0: the log does not tell */
    iol__phases phases;
    iol__regions regions;
    iol__where_all where;
    const char **names;   /* by file; NULL: it has none. Rules ask for names often, and finding one takes a search */
    uint8_t *owners;      /* by file: whose it is, as far as its name tells (variables.c) */
    iol__subject total;   /* of all files */
    double *counters;     /* named counters by file: n_counters per file; NULL if no rule names one */
    double *job_counters; /* their sums */
    iol__match *matches;  /* by rule */
    uint8_t *fired;       /* by rule */
    double *spent;        /* by file: seconds that findings have claimed already */
    size_t n_by_rank;     /* ranks that may have files of their own */
} iol__case;

static inline double iol__case_threshold(const iol__case *job, const char *path) {
    int index = iol__threshold_find(job->book, path);
    return index < 0 ? 0 : job->thresholds[index];
}

/* The same for a subject, whose files may be on a mount with thresholds of its own. */
static inline const double *iol__subject_thresholds(const iol__subject *subject) {
    return subject->thresholds ? subject->thresholds : subject->job->thresholds;
}

static inline double iol__subject_threshold(const iol__subject *subject, const char *path) {
    int index = iol__threshold_find(subject->job->book, path);
    return index < 0 ? 0 : iol__subject_thresholds(subject)[index];
}

/* The name of a file, or NULL. */
static inline const char *iol__case_name(const iol__case *job, const iol__facts_file *file) {
    return job->names ? job->names[file - job->facts.file] : iol__facts_name(&job->facts, file);
}

/* Room for a byte per rule, to be read eight at a time. */
static inline size_t iol__fired_bytes(const iol__rulebook *book) { return book->n_rules + sizeof(uint64_t); }

/* Fill in the job variables, once facts and traces are there. */
void iol__case_variables(iol__case *job);
/* What the caller knows of the job becomes variables of rules. */
void iol__case_context(iol__case *job, const iol__context *context);
/* For whom the ranks wait in MPI, where APMPI recorded it. */
void iol__case_waiting(iol__case *job);
/* Sums of the counters that rules name, by file. */
void iol__case_counters(iol__case *job);

/* Ask every rule: fills the matches. Then let causes silence what they explain. */
void iol__match_all(iol__case *job);
void iol__match_suppress(iol__case *job);
static inline bool iol__match_has(const iol__match *match, size_t file) {
    return match->files && match->files[file / 64] >> (file % 64) & 1;
}

/* Findings with their costs, evidence and advice, sorted. */
void iol__findings_make(iol__case *job, iol__diagnosis *out);

#endif
