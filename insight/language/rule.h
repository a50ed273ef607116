/* Rules as they are after parsing: expression trees with every name resolved and every type checked, so that
   evaluation cannot fail. Only the parser, the evaluator and the engine look inside. */
#ifndef IOL_INSIGHT_RULE_H
#define IOL_INSIGHT_RULE_H

#include "base/arena.h"
#include "insight/findings/engine.h"

/* Truths are numbers too: 1, 0, and NAN for "undefined", which a condition treats as false. */
typedef enum iol__type { IOL_TYPE_NUMBER, IOL_TYPE_TRUTH, IOL_TYPE_SHARING } iol__type;

typedef enum iol__op {
    IOL_OP_NUMBER,
    IOL_OP_THRESHOLD, /* index: into the rulebook's thresholds */
    IOL_OP_VARIABLE,  /* index: into the table of variables */
    IOL_OP_RAW,       /* index: into the stored values of a subject; most variables are such */
    IOL_OP_COUNTER,   /* index: into the rulebook's counters */
    IOL_OP_LET,       /* index: of the rule's lets */
    IOL_OP_ADD,
    IOL_OP_SUBTRACT,
    IOL_OP_MULTIPLY,
    IOL_OP_DIVIDE,
    IOL_OP_NEGATE,
    IOL_OP_LESS,
    IOL_OP_LESS_EQUAL,
    IOL_OP_GREATER,
    IOL_OP_GREATER_EQUAL,
    IOL_OP_EQUAL,
    IOL_OP_UNEQUAL,
    IOL_OP_AND,
    IOL_OP_OR,
    IOL_OP_NOT,
    IOL_OP_MIN, /* any number of arguments, as a chain */
    IOL_OP_MAX,
    IOL_OP_ABS,
    IOL_OP_CLAMP,
    IOL_OP_KNOWN, /* is it defined */
    IOL_OP_HAS,   /* index: slot of the module */
    IOL_OP_FIRED, /* text: glob of ids; index 1: for this very file */
    IOL_OP_TEXT,  /* whether a text of an expression by itself is this one; index: which */
    IOL_OP_SUM,   /* a: of this, b: over the files for which this holds (may be NULL) */
    IOL_OP_COUNT,
    IOL_OP_MEAN,
    IOL_OP_QUANTILE, /* c: which */
} iol__op;

typedef struct iol__expr {
    iol__op op;
    iol__type type;
    int index;
    double number;
    const char *text;
    const struct iol__expr *a, *b, *c;
} iol__expr;

typedef enum iol__scope {
    IOL_SCOPE_JOB,        /* once */
    IOL_SCOPE_FILE,       /* every file for itself; those that match make one finding */
    IOL_SCOPE_FILES,      /* the sum of all files that `where` selects */
    IOL_SCOPE_PHASE,      /* every phase of the run; those that match make one finding */
    IOL_SCOPE_FILE_PHASE, /* every traced file in every phase; the worst pair makes the finding */
    IOL_SCOPE_RANK_PHASE, /* every traced rank in every phase */
    IOL_SCOPES
} iol__scope;

/* How a value is shown in a sentence. */
typedef enum iol__number_shape {
    IOL_SHAPE_NUMBER,
    IOL_SHAPE_BYTES,
    IOL_SHAPE_PERCENT,
    IOL_SHAPE_SECONDS,
    IOL_SHAPE_TIMES,
    IOL_SHAPE_RATE,
    IOL_SHAPE_ABOUT, /* the nearest whole number */
    IOL_SHAPE_ID,    /* a number that is a name, as of a rank: without commas */
    IOL_SHAPE_LABEL, /* a text of the subject; no expression */
} iol__number_shape;

/* A sentence with values in it: text, value, text, value, ..., text. */
typedef struct iol__sentence_piece {
    const char *text; /* before the value */
    const iol__expr *value;
    iol__number_shape form;
    int label; /* which text of the subject */
    bool last; /* text only */
} iol__sentence_piece;

typedef struct iol__sentence {
    const iol__sentence_piece *pieces;
    size_t count;
    const iol__expr *condition; /* NULL: always */
} iol__sentence;

typedef struct iol__let {
    const char *name;
    const iol__expr *value;
    const char *text; /* of the expression */
} iol__let;

typedef struct iol__named {
    const char *name;
    const iol__expr *value;
    const char *text; /* of the expression */
    const char *unit; /* that the rule gives it, or NULL */
} iol__named;

typedef struct iol__advise {
    int recipe; /* index into the table of advice */
    const iol__expr *condition;
} iol__advise;

typedef enum iol__model {
    IOL_MODEL_NONE,
    IOL_MODEL_SMALL,
    IOL_MODEL_IMBALANCE,
    IOL_MODEL_STRAGGLER,
    IOL_MODEL_REDUNDANT,
    IOL_MODEL_METADATA,
    IOL_MODEL_STRIPE,
    IOL_MODEL_MISALIGNED,
    IOL_MODEL_RANDOM,
    IOL_MODEL_OVERLAP,
    IOL_MODEL_SYNC,
    IOL_MODEL_SECONDS, /* what an expression says */
    IOL_MODELS
} iol__model;

/* Which records a file must have for a rule of its layer. */
typedef enum iol__rule_records {
    IOL_RECORDS_ANY,
    IOL_RECORDS_STDIO,
    IOL_RECORDS_MPIIO,
    IOL_RECORDS_PNETCDF,
    IOL_RECORDS_LUSTRE,
    IOL_RECORDS_ALL /* how many there are */
} iol__rule_records;

enum {
    IOL_LETS = 24,
    IOL_SENTENCES = 8,
    IOL_FIGURES = 16,
    IOL_ADVISES = 8,
    IOL_COUNTERS = 8,
    IOL_IDS = 12,
    IOL_RULE_THRESHOLDS = 24
};

/* A part of `where`, all of which must hold (rule_split.c). */
typedef struct iol__test {
    const iol__expr *condition;
    bool by_job;   /* nothing of a file is in it */
    bool by_mount; /* a threshold is: files on different mounts may differ */
    int shared;    /* its number among all tests that depend on the file alone; -1: it depends on earlier rules */
} iol__test;

typedef struct iol__rule {
    const char *id;
    int version;
    const char *aliases[IOL_IDS + 1];
    const char *layer, *audience;
    iol__rule_records records;
    unsigned lines;       /* kinds of calls (record/where.def) whose lines of code it names: bits; 0: it names none */
    unsigned line_layers; /* of which layers (the same); 0: of its own */
    iol__scope scope;
    const iol__expr *where;
    iol__test *tests; /* of `where`, if the rule is about files */
    size_t n_tests;
    iol__let lets[IOL_LETS];
    int n_lets;
    const iol__expr *when;
    const iol__expr *unless;
    iol__model model;
    int direction; /* of the model: 0 both, 1 read, 2 write */
    const iol__expr
        *cost[3]; /* arguments of the model: best, low and high for `seconds`; else what is not gained, or NULL */
    bool by_cost;
    iol__level level; /* fallback, or fixed */
    bool ceiling;     /* by cost, but never above `most` */
    iol__level most;
    double attribution; /* 0: from the record that was used */
    double model_trust;
    bool uses_names;
    iol__sentence titles[IOL_SENTENCES];
    int n_titles;
    iol__sentence notes[IOL_SENTENCES];
    int n_notes;
    iol__named figures[IOL_FIGURES];
    int n_figures;
    const char *counters[IOL_COUNTERS + 1]; /* of the records shown as evidence */
    int slot;                               /* of those records, or -1 */
    iol__advise advise[IOL_ADVISES];
    int n_advise;
    const char *suppresses[IOL_IDS + 1], *related[IOL_IDS + 1];
    const iol__expr *order; /* files: by what they are sorted when there is no cost */
    const char *meaning, *source, *origin;
    const char *file; /* that it is written in */
    int line;
    int thresholds[IOL_RULE_THRESHOLDS]; /* that it refers to */
    int n_thresholds;
} iol__rule;

/* A counter of a module that some rule names: it is summed by file while the log is read. */
typedef struct iol__named_counter {
    int slot, counter;
    const char *name;
} iol__named_counter;

/* The more specific comes last. */
typedef enum iol__section { IOL_SECTION_NONE, IOL_SECTION_SYSTEM, IOL_SECTION_MOUNT } iol__section;

/* A `set` inside a section. */
typedef struct iol__scoped {
    iol__section section;
    const char *pattern;
    int threshold; /* index */
    double value;
    const char *origin;
    int layer;
} iol__scoped;

struct iol__rulebook {
    iol__arena arena;
    iol__threshold *thresholds;
    size_t n_thresholds;
    iol__scoped *scoped;
    size_t n_scoped;
    int layer; /* that is being loaded */
    iol__rule **rules;
    size_t n_rules;
    iol__named_counter *counters;
    size_t n_counters;
    const iol__expr **tests; /* that several rules may share, by number */
    size_t n_tests;
    const char **messages;
    size_t n_messages;
};

/* Parse a text into the book. Errors become messages, and the rule they are in is left out. */
void iol__rules_parse(iol__rulebook *book, const char *text, size_t length, const char *name, const char *origin,
                      bool built_in);
void iol__rulebook_say(iol__rulebook *book, const char *name, int line, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* The value in force on a system and a mount, either of which may be NULL; `from` (may be NULL): the section. */
double iol__rulebook_value(const iol__rulebook *book, size_t index, const char *system, const char *mount,
                           const iol__scoped **from);
int iol__threshold_find(const iol__rulebook *book, const char *path);
/* "4 MiB", "20%", "1.5": a number with an optional unit; false if the text is something else. */
bool iol__parse_value(const char *text, double *value);

#endif
