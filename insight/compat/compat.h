/* The compatible mode: the codes that Drishti 0.6 gives for a log, with its formulas and their known defects, so that
   old reports can be compared. What they should say instead is the native diagnosis. M08 to M10 are not evaluated: they
   need the batch system's accounting, and compare it with hints that are not the program's. */
#ifndef IOL_INSIGHT_COMPAT_H
#define IOL_INSIGHT_COMPAT_H

#include "insight/findings/engine.h"
#include "insight/facts/facts.h"

typedef enum iol__compat_code {
#define COMPAT(code, ...) IOL_##code,
#include "insight/compat/compat.def"
#undef COMPAT
    IOL_COMPAT_CODES
} iol__compat_code;

typedef enum iol__compat_panel { IOL_PANEL_METADATA, IOL_PANEL_OPERATIONS, IOL_PANELS } iol__compat_panel;

enum { IOL_COMPAT_ADVICE = 4, IOL_COMPAT_FIGURES = 2 };

typedef struct iol__compat_rule {
    const char *code; /* "P05" */
    const char *id;   /* "posix.small.read" */
    iol__level level;
    const char *audience;
    iol__compat_panel panel;
    const char *title;
    const char *advice[IOL_COMPAT_ADVICE]; /* up to a NULL */
} iol__compat_rule;

extern const iol__compat_rule iol__compat_rules[IOL_COMPAT_CODES];

/* By the reference's names; one without a name ends them. */
extern const iol__figure iol__compat_thresholds[];

/* A file, or a record of one. */
typedef struct iol__compat_detail {
    uint64_t id;
    int64_t rank;  /* -1: all ranks, or the file as a whole */
    int64_t count; /* requests; -1 where the rule counts none */
    double percent;
    uint64_t order; /* private: details are kept in the order that the reference prints them in */
} iol__compat_detail;

typedef struct iol__compat_finding {
    const iol__compat_rule *rule;
    unsigned advice;                        /* how many of the rule's are for this log */
    iol__figure figure[IOL_COMPAT_FIGURES]; /* up to one without a name */
    uint64_t n_details;                     /* all; the first of them: */
    iol__compat_detail detail[IOL_FACTS_DETAILS];
} iol__compat_finding;

typedef struct iol__compat {
    iol__compat_finding finding[IOL_COMPAT_CODES + 1]; /* P10 comes twice */
    size_t count;
    unsigned high, warn, recommendations; /* the header */
} iol__compat;

void iol__compat_make(const iol__facts *facts, iol__compat *compat);

#endif
