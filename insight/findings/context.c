/* The context document: what a site knows of a job and passes in (docs/context.md). All of it is optional, and unknown
   keys are passed over, so that sites and this program can grow apart; so are known ones with a value of another kind.
   {"history": {"runs": 9, "rate_p10": 900, "ops_median": 4096, "mean_request_median": 65536},
    "site": {"load": 1.7, "system": "name"}, "job": {"logs": 4}} */
#include "insight/findings/context.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "base/count.h"
#include "insight/findings/case.h"
#include "log/trailer/plain_json.h"

static const struct {
    const char *group, *key;
    size_t offset; /* in the struct */
    int variable;
} known[] = {
#define CONTEXT(group, key, variable) {#group, #key, offsetof(iol__context, variable), IOL_JOB_##variable},
#include "insight/findings/context.def"
#undef CONTEXT
};

static double *context_member(iol__context *context, size_t i) {
    return (double *)(void *)((char *)context + known[i].offset);
}

iol__context iol__context_unknown(void) {
    iol__context context = {.system = NULL};
    for (size_t i = 0; i < IOL_COUNT(known); i++) *context_member(&context, i) = NAN;
    return context;
}

static bool read_context_group(iol__context *context, iol__plain_json *json, const char *group) {
    if (!iol__plain_take(json, '{')) return iol__plain_skip(json);
    if (iol__plain_take(json, '}')) return true;
    do {
        char *key;
        double *target = NULL, value;
        if (!iol__plain_text(json, &key) || !iol__plain_take(json, ':')) return false;
        for (size_t i = 0; i < IOL_COUNT(known); i++)
            if (strcmp(known[i].group, group) == 0 && strcmp(known[i].key, key) == 0)
                target = context_member(context, i);
        if (strcmp(group, "site") == 0 && strcmp(key, "system") == 0) {
            char *name;
            if (!iol__plain_text_if(json, &name)) return false;
            if (name) context->system = name;
        } else if (!target) {
            if (!iol__plain_skip(json)) return false;
        } else {
            if (!iol__plain_number_if(json, &value)) return false;
            *target = value;
        }
    } while (iol__plain_take(json, ','));
    return iol__plain_take(json, '}');
}

void iol__context_parse(iol__arena *arena, const char *text, iol__context *context) {
    if (!text) return;
    size_t length = strlen(text);
    char *copy = iol__arena_text(arena, text, length);
    iol__plain_json json = {copy, copy + length};
    if (!iol__plain_take(&json, '{') || iol__plain_take(&json, '}')) return;
    do {
        char *group;
        if (!iol__plain_text(&json, &group) || !iol__plain_take(&json, ':')) return;
        if (!read_context_group(context, &json, group)) return;
    } while (iol__plain_take(&json, ','));
}

void iol__case_context(iol__case *job, const iol__context *context) {
    iol__context values = *context;
    for (size_t i = 0; i < IOL_COUNT(known); i++) job->job[known[i].variable] = *context_member(&values, i);
    if (context->system) job->system = context->system;
}
