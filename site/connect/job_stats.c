/* Lustre's job_stats: what the servers saw of each job. The id is whatever jobid_var puts there. */
#include <stdlib.h>
#include <string.h>

#include "site/connect/connect.h"

static char *job_stats_trimmed(char *text) {
    text += strspn(text, " \t\"");
    size_t length = strlen(text);
    while (length && strchr(" \t\"", text[length - 1])) text[--length] = 0;
    return text;
}

/* "samples: 120, unit: bytes, min: 4096, max: 4194304, sum: 251658240" */
static bool take_pairs(iol__arena *arena, iol__value *to, char *text) {
    for (char *rest = text, *pair; (pair = strsep(&rest, ","));) {
        char *value = strchr(pair, ':');
        if (!value) return !*job_stats_trimmed(pair);
        *value++ = 0;
        iol__map_put(arena, to, job_stats_trimmed(pair), iol__value_of_text(arena, job_stats_trimmed(value)));
    }
    return true;
}

/* What two targets say of one operation. Smallest and largest of nothing do not count. */
static bool add_job_stats_operation(iol__arena *arena, iol__value *to, const iol__value *more) {
    bool none = iol__map_number(to, "samples") == 0, no_more = iol__map_number(more, "samples") == 0;
    for (size_t i = 0; i < more->count; i++) {
        const char *key = more->keys[i];
        iol__value *old = iol__map_get(to, key), *number = more->items[i];
        bool both = old && old->kind == IOL__INTEGER && number->kind == IOL__INTEGER;
        bool least = strcmp(key, "min") == 0, most = strcmp(key, "max") == 0;
        if (old && old->kind == IOL__MAP && number->kind == IOL__MAP) {
            if (!add_job_stats_operation(arena, old, number)) return false;
        } else if (both && (least || most)) {
            if (!no_more && (none || (least ? number->integer < old->integer : number->integer > old->integer)))
                old->integer = number->integer;
        } else if (both) {
            if (__builtin_add_overflow(number->integer, old->integer, &old->integer)) return false;
        } else {
            iol__map_put(arena, to, key, number);
        }
    }
    return true;
}

/* "{ samples: 120, ..., hist: { 4K: 1 } }"; several targets add up. */
static bool take_operation(iol__arena *arena, iol__value *job, const char *name, char *text) {
    char *brace = strchr(text, '{'), *end = brace ? strrchr(brace, '}') : NULL;
    iol__value *operation = iol__value_new(arena, IOL__MAP), *there = iol__map_get(job, name);
    if (!end) return false;
    *end = 0;
    char *sizes = strstr(brace, "hist:"), *inner = sizes ? strchr(sizes, '{') : NULL;
    if (inner) {
        *sizes = 0;
        inner[strcspn(inner, "}")] = 0;
        if (!take_pairs(arena, iol__map_open(arena, operation, "hist", IOL__MAP), inner + 1)) return false;
    }
    if (!take_pairs(arena, operation, brace + 1)) return false;
    if (there && there->kind == IOL__MAP) return add_job_stats_operation(arena, there, operation);
    iol__map_put(arena, job, name, operation);
    return true;
}

static iol_status take_job_stats_text(iol__request *request, iol__feed *feed, iol__value *jobs) {
    iol__lines lines = {feed->bytes, feed->bytes + feed->length};
    iol__value *job = NULL;
    for (char *line; (line = iol__next_line(&lines));) {
        char *colon = strchr(line, ':');
        request->understood += strncmp(line, "job_stats:", 10) == 0;
        if (strncmp(line, "job_stats:", 10) == 0 || !*line) continue;
        if (strncmp(line, "- job_id:", 9) == 0) {
            job = iol__map_open(request->arena, jobs, job_stats_trimmed(line + 9), IOL__MAP);
            request->understood++;
        } else if (colon && job) {
            *colon = 0;
            char *key = job_stats_trimmed(line);
            if (strcmp(key, "snapshot_time") == 0)
                iol__map_put(request->arena, job, key,
                             iol__value_of_text(request->arena,
                                                iol__arena_text(request->arena, job_stats_trimmed(colon + 1),
                                                                strspn(job_stats_trimmed(colon + 1), "0123456789."))));
            else if (!take_operation(request->arena, job, key, colon + 1))
                request->skipped++;
        } else {
            request->skipped++;
        }
    }
    return IOL_OK;
}

iol_status iol__read_job_stats(iol__request *request, iol__value **out) {
    iol_status status = iol__request_each(request, take_job_stats_text, out);
    return status == IOL_OK ? iol__expect_form(request, "a job_stats file of Lustre") : status;
}
