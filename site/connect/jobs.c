/* Which jobs of a listing a request is about: one with its steps, those of a user, those that ran in a range of time. */
#include <string.h>

#include "site/connect/connect.h"

/* The number of the job that a record or a step belongs to. */
static const char *jobs_number_of(iol__arena *arena, const char *id) {
    return iol__arena_text(arena, id, strcspn(id, "."));
}

/* Its number, or that of an array: "910000_7" belongs to 910000. */
static bool is_named(const iol__request *request, const iol__value *job, const char *number) {
    const char *shown = iol__map_text(job, "jobid");
    size_t length = strlen(request->job);
    if (strcmp(number, request->job) == 0) return true;
    return shown && strncmp(shown, request->job, length) == 0 && strchr("_.", shown[length]);
}

static bool ran_meanwhile(const iol__request *request, const iol__value *job) {
    const iol__value *start = iol__map_get(job, "start"), *end = iol__map_get(job, "end");
    if (!start || start->kind != IOL__INTEGER || start->integer >= request->end) return false;
    return !end || end->kind != IOL__INTEGER || end->integer > request->start;
}

static bool is_asked_for(const iol__request *request, const iol__value *job, const char *number) {
    const char *user = iol__map_text(job, "user");
    if (request->job && !is_named(request, job, number)) return false;
    if (request->user && (!user || strcmp(user, request->user) != 0)) return false;
    return !request->ranged || ran_meanwhile(request, job);
}

iol__value *iol__jobs_asked_for(const iol__request *request, iol__value *jobs) {
    iol__arena *arena = request->arena;
    if (!request->job && !request->user && !request->ranged) return jobs;
    /* Steps have no user, and may be shorter than the job: what holds of the job or one of its steps holds of all. */
    iol__value *numbers = iol__value_new(arena, IOL__MAP), *kept = iol__value_new(arena, IOL__MAP);
    for (size_t i = 0; i < jobs->count; i++) {
        const char *number = jobs_number_of(arena, jobs->keys[i]);
        if (is_asked_for(request, jobs->items[i], number)) iol__map_put_integer(arena, numbers, number, 1);
    }
    for (size_t i = 0; i < jobs->count; i++)
        if (iol__map_get(numbers, jobs_number_of(arena, jobs->keys[i])))
            iol__map_put(arena, kept, jobs->keys[i], jobs->items[i]);
    return kept;
}
