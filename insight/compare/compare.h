/* Two groups of runs against each other: what the program did differently, what that did to time, and whether the
   difference is more than chance. Counts are facts; times are claims that need several runs and a test, and nothing
   is said to be faster or slower without one.
   Logs are read one after the other and may be closed at once: a run keeps its figures and its findings only. */
#ifndef IOL_INSIGHT_COMPARE_H
#define IOL_INSIGHT_COMPARE_H

#include "insight/findings/engine.h"
#include "insight/compare/statistics.h"

/* Figures ------------------------------------------------------------------------------------------------------- */

enum {
#define TIMED(name, label, unit, better) IOL_METRIC_##name,
#define COUNTED(name, label, unit, aspect) IOL_METRIC_##name,
#define SUMMED(name, label, unit, aspect, module, first, second) IOL_METRIC_##name,
#include "insight/compare/compare_metrics.def"
    IOL_METRICS
};

typedef enum iol__compare_unit {
    IOL_UNIT_SECONDS,
    IOL_UNIT_SHARE,
    IOL_UNIT_RATE,
    IOL_UNIT_BYTES,
    IOL_UNIT_COUNT,
    IOL_UNIT_NUMBER,
    IOL_UNITS
} iol__compare_unit;

typedef enum iol__better { IOL_BETTER_NEITHER, IOL_BETTER_LESS, IOL_BETTER_MORE } iol__better;

/* Sides of a program's behaviour that can change on their own. */
typedef enum iol__aspect {
    IOL_ASPECT_TIME, /* not behaviour, but what comes of it */
    IOL_ASPECT_REQUESTS,
    IOL_ASPECT_SYNCS,
    IOL_ASPECT_VOLUME,
    IOL_ASPECT_ORDER,
    IOL_ASPECT_METADATA,
    IOL_ASPECT_COLLECTIVE,
    IOL_ASPECT_NONBLOCKING,
    IOL_ASPECT_SPREAD,
    IOL_ASPECT_ALIGNMENT,
    IOL_ASPECT_STRIPING,
    IOL_ASPECTS
} iol__aspect;

typedef struct iol__metric {
    const char *name;  /* key in JSON */
    const char *label; /* for people */
    iol__compare_unit unit;
    iol__better better;
    iol__aspect aspect;
    int slot, counters[2]; /* of the module whose counters are added up; -1: computed otherwise, or none */
} iol__metric;

extern const iol__metric iol__compare_metrics[IOL_METRICS];
/* "requests", "amount of data": as the subject of a sentence. */
extern const char *const iol__aspect_words[IOL_ASPECTS];

/* Runs ---------------------------------------------------------------------------------------------------------- */

typedef struct iol__job_finding {
    const char *id, *title;
    iol__level level;
    double lost;                /* seconds; NaN if not known */
    const char *const *actions; /* of its advice, NULL at the end */
} iol__job_finding;

/* One log. */
typedef struct iol__job_run {
    const char *log, *exe;
    const char *hash;    /* of its records and names: the same run given twice is one run */
    const char *program; /* the last part of the first word of exe */
    int64_t job_id, start, end, processes;
    double values[IOL_METRICS]; /* NaN: the log does not tell */
    const iol__job_finding *findings;
    size_t n_findings;
    bool damaged;  /* something in it could not be read */
    bool partial;  /* a module is incomplete */
    bool left_out; /* of all figures, because it is damaged and others are not */
} iol__job_run;

typedef struct iol__job_group {
    iol__job_run *runs;
    size_t n, used;  /* used: not left out */
    size_t repeated; /* logs of runs that it has already; they are not among the runs */
} iol__job_group;

/* What changed -------------------------------------------------------------------------------------------------- */

enum { IOL_RUNS_FOR_A_TEST = 3 };

typedef struct iol__change {
    iol__spread side[2];
    double ratio;   /* b over a, of the means; NaN if not known, or from nothing */
    bool fact;      /* counted, and alike in all runs of a side: needs no test */
    bool differs;   /* the means do */
    bool tested;    /* p and holm are known */
    bool has_welch; /* not where neither side has any spread: then the ranks decide */
    iol__welch welch;
    iol__rank_test ranks;
    double p, holm;      /* before and after the correction for testing several figures */
    bool significant;    /* at 5 % for all figures together */
    const char *no_test; /* why there is none; NULL if there is */
} iol__change;

typedef enum iol__claim {
    IOL_CLAIM_TOO_FEW,  /* fewer than three runs on a side: none */
    IOL_CLAIM_UNTESTED, /* enough runs, but no times in them that a test could take */
    IOL_CLAIM_NO_DIFFERENCE,
    IOL_CLAIM_FASTER,
    IOL_CLAIM_SLOWER,
} iol__claim;

/* For single runs: how much the rate of this program usually varies, which a site may know. */
typedef struct iol__usual {
    bool known;
    double runs, deviation; /* of the logarithm of the rate, over `runs` earlier runs */
    double change;          /* of the logarithm of the rate from a to b */
    bool beyond;            /* by more than two deviations */
} iol__usual;

typedef enum iol__fate {
    IOL_FATE_NEW,
    IOL_FATE_REMAINING,
    IOL_FATE_FIXED,
    IOL_FATE_EASED, /* no longer found, but what its advice is about is as it was: something else made it cheap */
} iol__fate;

/* A prediction of an advice, and what came of it. */
typedef struct iol__foretold {
    const char *action;
    int metric;
    bool rises; /* foretold; else it should fall */
    bool came;
    bool advice_came; /* all that this advice foretold did */
} iol__foretold;

typedef struct iol__finding_change {
    const char *id, *title; /* the title is that of the later group, where it has the finding */
    iol__fate fate;
    iol__level level[2]; /* worst one among the runs; INFO where there is none */
    size_t runs[2];      /* that have it */
    double lost[2];      /* mean seconds; 0 where it is gone, NaN if not known */
    const iol__foretold *foretold;
    size_t n_foretold;
} iol__finding_change;

/* A line of code of some run, as `iolite where` names it, with the means over the runs of a side. */
typedef struct iol__line_change {
    const char *line;
    double calls[2], bytes[2], seconds[2];
} iol__line_change;

typedef struct iol__contrast {
    iol__job_group group[2]; /* a, b */
    iol__change changes[IOL_METRICS];
    size_t n_tested;
    iol__claim claim;
    int claimed; /* the figure that the claim is about: run time, or I/O time where run time says nothing */
    iol__usual usual;
    iol__finding_change *findings; /* largest change first */
    size_t n_findings;
    iol__line_change *lines;   /* where the runs recorded them */
    size_t n_lines, lined[2];  /* runs with lines, of each side */
    bool aspects[IOL_ASPECTS]; /* behaviour that changed by more than a twentieth */
    size_t n_aspects;
    bool advice_came; /* all predictions of some advice came true */
    const char *const *warnings;
    size_t n_warnings;
} iol__contrast;

iol_status iol__contrast_new(iol__contrast **out, iol_error *error);
void iol__contrast_free(iol__contrast *contrast);
/* Read a log as a run of group 0 or 1. The same run of a group again is counted as such and changes nothing else. */
iol_status iol__contrast_add(iol__contrast *contrast, int group, iol_log *log, const iol__rulebook *book,
                             iol_error *error);
/* What a site knows, {"history": {"runs": 9, "log_rate_sd": 0.08}}: five runs at least. What is no such document is
   ignored. */
iol_status iol__contrast_context(iol__contrast *contrast, const char *text, iol_error *error);
/* Compare; both groups must have a run. */
iol_status iol__contrast_finish(iol__contrast *contrast, iol_error *error);

#endif
