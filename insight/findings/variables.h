/* The names that rules may use: one table (variables.def) and the code that fills it from the facts of a log. */
#ifndef IOL_INSIGHT_VARIABLES_H
#define IOL_INSIGHT_VARIABLES_H

#include "insight/facts/facts.h"
#include "insight/language/rule.h"
#include "insight/facts/traced.h"

enum {
#define SUM(name, unit, meaning) IOL_SUM_##name,
#include "insight/findings/variables.def"
    IOL_SUMS,
    IOL_BEFORE_MAX = IOL_SUMS - 1,
#define MAX(name, unit, meaning) IOL_MAX_##name,
#include "insight/findings/variables.def"
    IOL_RAW /* sums and maxima: what a subject stores */
};
enum {
#define CALC(name, type, unit, meaning) IOL_CALC_##name,
#include "insight/findings/variables.def"
    IOL_CALCS
};
enum {
#define JOB(name, type, unit, meaning) IOL_JOB_##name,
#include "insight/findings/variables.def"
    IOL_JOBS
};
enum {
#define PHASE(name, unit, meaning) IOL_PHASE_##name,
#include "insight/findings/variables.def"
    IOL_PHASES
};
enum {
#define PAIR(name, unit, meaning) IOL_PAIR_##name,
#include "insight/findings/variables.def"
    IOL_PAIRS
};

typedef enum iol__variable_kind {
    IOL_VARIABLE_RAW,
    IOL_VARIABLE_CALC,
    IOL_VARIABLE_JOB,
    IOL_VARIABLE_PHASE,
    IOL_VARIABLE_PAIR
} iol__variable_kind;

typedef struct iol__variable {
    const char *name;
    iol__variable_kind kind;
    iol__type type;
    int index; /* among those of its kind */
    const char *meaning;
} iol__variable;

extern const iol__variable iol__variables[];

/* -1 if there is none. */
int iol__variable_find(const char *name);
bool iol__variable_fits(const iol__variable *variable, iol__scope scope, bool by_file);
/* true, false, unique, partial, shared. */
bool iol__constant_find(const char *name, double *value, iol__type *type);
/* A counter of any module, as in POSIX_READS. */
bool iol__counter_by_name(const char *name, int *slot, int *counter);
/* The slot of a module as rules write it (posix, mpiio, hdf5, lustre, dxt, ...), or -1. */
int iol__module_by_word(const char *word, size_t length);

/* Texts of a subject in sentences: {name}, {dir}, ... */
typedef enum iol__label {
    IOL_LABEL_NAME,
    IOL_LABEL_PATH,
    IOL_LABEL_DIR,
    IOL_LABEL_EXE,
    IOL_LABEL_MOUNT,
    IOL_LABEL_FS,
    IOL_LABEL_WHO,
    IOL_LABEL_ONE
} iol__label;
int iol__label_find(const char *word, size_t length);

/* What an expression is evaluated on: one file, the sum of several, or the whole job; perhaps in a phase. */
typedef struct iol__subject {
    const struct iol__case *job;
    const iol__facts_file *file; /* NULL: a sum */
    double raw[IOL_RAW];
    const double *thresholds; /* where its files are; NULL: those of the job */
    const double *counters;   /* of the rulebook's named counters, for this subject */
    const uint8_t *fired;     /* by rule: it fired for this file; NULL outside files */
    const iol__phase *phase;  /* NULL outside phases */
    const iol__pair *pair;    /* NULL outside pairs; it is in `phase` */
    double lets[IOL_LETS];
    size_t members; /* files in a sum */
} iol__subject;

/* Everything known about one file. */
void iol__subject_fill(iol__subject *subject, const struct iol__case *job, const iol__facts_file *file);
/* Add one file to a sum, which begins zeroed. */
void iol__subject_add(iol__subject *sum, const iol__subject *file);
/* NAN: not defined for this subject. */
double iol__variable_value(int index, const iol__subject *subject);

/* Seconds that the job waited for this: those of the slowest rank, or of processes one after the other. */
double iol__waited(const struct iol__case *job, const iol__facts_use *use);
/* Seconds from the first dataset call to the last one, with those of datasets that have no record, as long as the others. */
double iol__dataset_span(const iol__subject *subject);
/* Whose file it is, as far as its name tells: bits that only variables.c knows. */
unsigned iol__owners_by_name(const char *name);
bool iol__is_hdf5(const struct iol__case *job, const iol__facts_file *file);
/* The record that stands for all files beyond the recorder's memory. */
bool iol__is_folded(uint64_t id);
bool iol__is_local_fs(const char *type);
bool iol__is_slow_fs(const char *point, const char *type);
/* Stripe count for a file, or for one of several on average: by the site's table and the number of OSTs. */
double iol__recommended_stripes(const iol__subject *subject);
/* Bytes of a stripe that suit its requests. */
double iol__recommended_stripe_size(const iol__subject *subject);

#endif
