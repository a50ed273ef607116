/* A diagnosis for people and for programs: terminal text, JSON, lines of JSON, CSV, SARIF. None of them computes
   anything; numbers are rounded for the terminal only. */
#ifndef IOL_REPORT_FINDINGS_H
#define IOL_REPORT_FINDINGS_H

#include "insight/findings/engine.h"
#include "text/json.h"
#include "text/out.h"

typedef enum iol__findings_names { IOL_NAMES_BASE, IOL_NAMES_FULL, IOL_NAMES_HASH } iol__findings_names;

typedef struct iol__findings_style {
    bool colour;
    bool light;                /* colours for dark letters on a light ground */
    size_t columns;            /* 0: 80 */
    bool no_advice;            /* findings alone */
    bool snippets;             /* with code */
    bool ids;                  /* rule ids in front */
    bool details;              /* files, ranks and requests behind each finding */
    bool thresholds;           /* all of them, at the end */
    iol__findings_names names; /* how files are shown */
} iol__findings_style;

void iol__findings_text(iol__out *out, const iol__diagnosis *diagnosis, const iol__findings_style *style);
/* A file as the style wants it; `number` has room for one that is shown by its id. */
enum { IOL_NUMBER_NAME = 32 };
const char *iol__shown_name(const iol__findings_style *style, const char *name, uint64_t id,
                            char number[IOL_NUMBER_NAME]);

/* The report as one object. */
void iol__findings_json(iol__json *json, const iol__diagnosis *diagnosis);
/* One line per finding; each has the log's path. */
void iol__findings_ndjson(iol__out *out, const iol__diagnosis *diagnosis);

/* One line per finding; `wide`: one line per log with a column for each rule. */
void iol__findings_csv_head(iol__out *out, const iol__rulebook *book, bool wide);
void iol__findings_csv(iol__out *out, const iol__diagnosis *diagnosis, bool wide);

/* One JUnit document for any number of logs; findings from a level on are failures. */
void iol__findings_junit_begin(iol__out *out);
void iol__findings_junit(iol__out *out, const iol__diagnosis *diagnosis, iol__level from);
void iol__findings_junit_unreadable(iol__out *out, const char *path, const char *message);
void iol__findings_junit_end(iol__out *out);

/* One SARIF document for any number of logs: begin, each diagnosis, end. */
void iol__findings_sarif_begin(iol__json *json, const iol__rulebook *book, const char *version);
void iol__findings_sarif(iol__json *json, const iol__diagnosis *diagnosis);
void iol__findings_sarif_end(iol__json *json);

/* The rules themselves. */
void iol__rules_list(iol__out *out, const iol__rulebook *book);
void iol__rules_json(iol__json *json, const iol__rulebook *book);
/* False if there is no such rule. */
bool iol__rule_explain(iol__out *out, const iol__rulebook *book, const char *id, size_t columns);
/* With what holds on some mounts or systems only; `system` (may be NULL): values as on that one. */
void iol__thresholds_list(iol__out *out, const iol__rulebook *book, const char *system);
void iol__thresholds_json(iol__json *json, const iol__rulebook *book, const char *system);
void iol__variables_list(iol__out *out);
/* The tables of docs/rules.md: rules, thresholds, variables. */
void iol__rules_markdown(iol__out *out, const iol__rulebook *book);

#endif
