/* Lustre's job_stats: what the servers saw of each job. The id is whatever jobid_var puts there. */
#include <stdlib.h>
#include <string.h>

#include "site/connect/connect.h"

static char *trimmed(char *text) {
    text += strspn(text, " \t\"");
    size_t length = strlen(text);
    while (length && strchr(" \t\"", text[length - 1])) text[--length] = 0;
    return text;
}

/* "{ samples: 120, unit: bytes, min: 4096, max: 4194304, sum: 251658240 }"; several targets add up. */
static bool take_operation(iol__arena *arena, iol__value *job, const char *name, char *text) {
    char *brace = strchr(text, '{'), *end = brace ? strchr(brace, '}') : NULL;
    if (!end) return false;
    *end = 0;
    bool there = iol__map_get(job, name) != NULL;
    iol__value *operation = iol__map_open(arena, job, name, IOL__MAP);
    for (char *rest = brace + 1, *pair; (pair = strsep(&rest, ","));) {
        char *value = strchr(pair, ':');
        if (!value) return false;
        *value++ = 0;
        char *key = trimmed(pair);
        iol__value *number = iol__value_of_text(arena, trimmed(value)),
                   *old = there ? iol__map_get(operation, key) : NULL;
        bool both = old && old->kind == IOL__INTEGER && number->kind == IOL__INTEGER;
        if (both && strcmp(key, "min") == 0)
            number->integer = number->integer < old->integer ? number->integer : old->integer;
        else if (both && strcmp(key, "max") == 0)
            number->integer = number->integer > old->integer ? number->integer : old->integer;
        else if (both && __builtin_add_overflow(number->integer, old->integer, &number->integer))
            return false;
        iol__map_put(arena, operation, key, number);
    }
    return true;
}

static iol_status take_text(iol__request *request, iol__feed *feed, iol__value *jobs) {
    iol__lines lines = {feed->bytes, feed->bytes + feed->length};
    iol__value *job = NULL;
    for (char *line; (line = iol__next_line(&lines));) {
        char *colon = strchr(line, ':');
        if (strncmp(line, "job_stats:", 10) == 0 || !*line) continue;
        if (strncmp(line, "- job_id:", 9) == 0) {
            job = iol__map_open(request->arena, jobs, trimmed(line + 9), IOL__MAP);
        } else if (colon && job) {
            *colon = 0;
            char *key = trimmed(line);
            if (strcmp(key, "snapshot_time") == 0)
                iol__map_put(
                    request->arena, job, key,
                    iol__value_of_text(request->arena, iol__arena_text(request->arena, trimmed(colon + 1),
                                                                       strspn(trimmed(colon + 1), "0123456789."))));
            else if (!take_operation(request->arena, job, key, colon + 1))
                request->skipped++;
        } else {
            request->skipped++;
        }
    }
    return IOL_OK;
}

iol_status iol__read_job_stats(iol__request *request, iol__value **out) {
    return iol__request_each(request, take_text, out);
}
