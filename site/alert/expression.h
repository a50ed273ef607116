/* Conditions of alerts, as `match1 or (match2 and node_hours > 500)`: expressions of the rule language over fields of a
   job, its texts (user == "alice", program != "cp2k", account == "x") and its findings (finding("posix.small.*")).
   What is not known makes a comparison false. */
#ifndef IOL_SITE_ALERT_EXPRESSION_H
#define IOL_SITE_ALERT_EXPRESSION_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"

typedef enum iol__alert_field {
#define FIELD(name, sql, factor, meaning) IOL_ALERT_##name,
#include "site/alert/fields.def"
#undef FIELD
    IOL_ALERT_slowdown, /* how many times slower than the usual run of this program, user and size */
    IOL_ALERT_earlier_runs,
    IOL_ALERT_FIELDS
} iol__alert_field;

typedef enum iol__alert_text { IOL_ALERT_USER, IOL_ALERT_PROGRAM, IOL_ALERT_ACCOUNT, IOL_ALERT_TEXTS } iol__alert_text;

/* What a condition is asked about. */
typedef struct iol__alert_subject {
    double numbers[IOL_ALERT_FIELDS]; /* NAN: not known */
    const char *texts[IOL_ALERT_TEXTS];
    /* Whether the job has a finding of this pattern. */
    bool (*finding)(void *context, const char *pattern);
    void *context;
} iol__alert_subject;

struct iol__expr;

/* NULL with the reason; everything is the arena's. */
const struct iol__expr *iol__condition_parse(iol__arena *arena, const char *text, char why[200]);
bool iol__condition_holds(const struct iol__expr *condition, const iol__alert_subject *subject);
/* Whether it asks for this field: some cost a query. */
bool iol__condition_uses(const struct iol__expr *condition, iol__alert_field field);
/* Calls `take` for each pattern of findings in it. */
void iol__condition_patterns(const struct iol__expr *condition, void (*take)(void *context, const char *pattern),
                             void *context);
/* The fields, for help: name and meaning; false past the last. */
bool iol__alert_field_at(size_t index, const char **name, const char **meaning);

#endif
