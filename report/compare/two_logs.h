/* What differs between two logs, as data: job facts, layers, files and counters side by side, largest change first.
   Made from two summaries, so memory is bounded as theirs is. A value is NaN where a log does not know it, and what one
   log does not know does not count as a difference. */
#ifndef IOL_REPORT_TWO_LOGS_H
#define IOL_REPORT_TWO_LOGS_H

#include "report/summary.h"
#include "text/number.h"

typedef struct iol__compared_pair {
    double a, b;
} iol__compared_pair;

/* b - a and b / a; NaN where that is not known. */
double iol__pair_delta(iol__compared_pair pair);
double iol__pair_ratio(iol__compared_pair pair);
bool iol__pair_differs(iol__compared_pair pair);
/* The change against the larger of the two: 0 for none, 1 for from or to nothing. 0 where it is not known. */
double iol__pair_size(iol__compared_pair pair);
/* "+12%", "x25", "new", "same", "-" where it is not known. */
const char *iol__pair_text(char buffer[IOL_HUMAN], iol__compared_pair pair);

/* Facts of the job that are numbers. When and under which id it ran says which run it is, not what it did. */
typedef enum iol__fact { IOL_FACT_PROCESSES, IOL_FACT_RUN_TIME, IOL_FACT_USER, IOL_FACTS } iol__fact;

typedef enum iol__compared_figure {
    IOL_FIGURE_TIME,
    IOL_FIGURE_BYTES_READ,
    IOL_FIGURE_BYTES_WRITTEN,
    IOL_FIGURE_READS,
    IOL_FIGURE_WRITES,
    IOL_FIGURE_READ_TIME,
    IOL_FIGURE_WRITE_TIME,
    IOL_FIGURE_META_TIME,
    IOL_FIGURE_RATE,
    IOL_FIGURE_RECORDS,
    IOL_FIGURES
} iol__compared_figure;

/* JSON keys, the same as those of show. */
extern const char *const iol__fact_keys[IOL_FACTS];
extern const char *const iol__figure_keys[IOL_FIGURES];

/* A module that at least one of the logs has; NULL where one has not. */
typedef struct iol__layer_change {
    const iol__layer *a, *b;
    iol__compared_pair figures[IOL_FIGURES];
    bool differs;
} iol__layer_change;

/* A file that at least one of the logs has; NULL where one has not. */
typedef struct iol__file_change {
    const iol__file_total *a, *b;
    bool differs;
} iol__file_change;

/* A counter in the totals of a module that both logs have. */
typedef struct iol__counter_change {
    int slot;
    const iol__counter *counter;
    iol__compared_pair value;
    bool differs;
} iol__counter_change;

typedef struct iol__two_logs {
    const iol__summary *a, *b;
    iol__compared_pair facts[IOL_FACTS];
    bool exe_differs;
    iol__layer_change layers[IOL_SLOTS]; /* by change in time */
    size_t n_layers;
    iol__file_change *files; /* by change in time */
    size_t n_files, n_files_differ;
    iol__counter_change *counters; /* by relative change */
    size_t n_counters, n_counters_differ;
    bool differs;
} iol__two_logs;

/* Compare. The summaries must have been made with all their files, which get another order here. False without memory. */
bool iol__two_logs_compare(iol__summary *a, iol__summary *b, iol__two_logs *comparison);
void iol__two_logs_free(iol__two_logs *comparison);

iol__compared_pair iol__file_time(const iol__file_change *file);
/* The one of the two costs that is there, or the larger. */
const iol__file_total *iol__changed_file(const iol__file_change *file);
/* An amount of something done, as against a timestamp, a size, a rank: what people want to see. */
bool iol__counter_is_amount(const iol__counter *counter);

#endif
