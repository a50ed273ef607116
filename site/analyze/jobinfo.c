/* Who ran when, from the schedulers of a site. */
#include "site/analyze/jobinfo.h"

#include <stdio.h>
#include <string.h>

iol__value *iol__jobs_by_number(iol__arena *arena, const iol__value *jobs) {
    iol__value *sorted = iol__value_new(arena, IOL__MAP);
    for (size_t i = 0; jobs && i < jobs->count; i++) {
        const char *id = iol__arena_text(arena, jobs->keys[i], strcspn(jobs->keys[i], "."));
        iol__list_add(arena, iol__map_open(arena, sorted, id, IOL__LIST), jobs->items[i]);
    }
    return sorted;
}

const char *iol__job_number(const iol__value *by_number, const char *id) {
    if (!by_number || iol__map_get(by_number, id)) return by_number ? id : NULL;
    for (size_t i = 0; i < by_number->count; i++)
        for (size_t k = 0; k < by_number->items[i]->count; k++) {
            const char *shown = iol__map_text(by_number->items[i]->items[k], "jobid");
            if (shown && strcmp(shown, id) == 0) return by_number->keys[i];
        }
    return NULL;
}

bool iol__job_times(const iol__value *by_number, const char *id, int64_t *start, int64_t *end) {
    const char *number = iol__job_number(by_number, id);
    const iol__value *records = number ? iol__map_get(by_number, number) : NULL;
    *start = INT64_MAX;
    *end = INT64_MIN;
    for (size_t i = 0; records && i < records->count; i++) {
        const iol__value *from = iol__map_get(records->items[i], "start"), *to = iol__map_get(records->items[i], "end");
        if (from && from->kind == IOL__INTEGER && from->integer < *start) *start = from->integer;
        if (to && to->kind == IOL__INTEGER && to->integer > *end) *end = to->integer;
    }
    return *start <= *end;
}

/* One source of records, and where it is asked. */
typedef struct provider {
    const char *name, *input; /* input NULL: the program or server that belongs to it */
} provider;

static bool is_table(const char *name) { return strcmp(name, "jobsdb") == 0 || strcmp(name, "nersc_jobsdb") == 0; }

/* Records of a provider: of one job, or of a time; NULL with a longer `*why`. */
static const iol__value *jobinfo_ask(iol__arena *arena, const provider *from, iol__request request, char **why) {
    bool table = is_table(from->name);
    const iol__connector *connector = iol__connector_find(table ? "jobsdb" : from->name);
    const char *input = from->input ? from->input : connector ? iol__live_command(connector->name) : NULL;
    iol__value *found = NULL;
    request.arena = arena;
    request.source = from->name;
    request.paths = &input;
    request.n_paths = input != NULL;
    if (!connector || (!table && strcmp(from->name, "slurm") != 0 && strcmp(from->name, "pbs") != 0))
        snprintf(request.why, sizeof request.why, "no such source of jobs");
    else if (connector->read(&request, &found) == IOL_OK && found->kind == IOL__MAP)
        *request.why = 0;
    else
        found = NULL;
    if (!found)
        *why = iol__arena_print(arena, "%s%s%s: %s", *why ? *why : "", *why ? "; " : "", from->name, request.why);
    return found;
}

static size_t providers_of(iol__arena *arena, const iol__places *site, const char *key, const char *database,
                           provider to[8]) {
    const iol__value *records = iol__places_get(site, "job_records"), *list = iol__places_get(site, key);
    const char *source = iol__map_text(records, "source"), *input = iol__map_text(records, "input");
    size_t count = 0;
    if (source) to[count++] = (provider){source, iol__places_input(arena, site, input)};
    for (size_t i = 0; list && list->kind == IOL__LIST && i < list->count && count < 8; i++)
        if (list->items[i]->kind == IOL__TEXT)
            to[count++] = (provider){list->items[i]->text, is_table(list->items[i]->text) ? database : NULL};
    if (!count) to[count++] = (provider){"slurm", NULL};
    return count;
}

const iol__value *iol__job_records(iol__arena *arena, const iol__places *site, const char *id, const char *database,
                                   char **why) {
    provider providers[8];
    size_t count = providers_of(arena, site, "jobinfo_jobid_providers", database, providers);
    *why = NULL;
    for (size_t i = 0; i < count; i++) {
        const iol__value *found = jobinfo_ask(arena, &providers[i], (iol__request){.job = id}, why);
        int64_t start, end;
        if (!found) continue;
        if (is_table(providers[i].name)) {
            iol__value *job = iol__value_new(arena, IOL__MAP);
            iol__map_put(arena, job, id, (iol__value *)(uintptr_t)found);
            found = job;
        }
        if (iol__job_times(iol__jobs_by_number(arena, found), id, &start, &end)) return found;
        *why = iol__arena_print(arena, "%s%s%s: no job %s that has ended", *why ? *why : "", *why ? "; " : "",
                                providers[i].name, id);
    }
    return NULL;
}

const iol__value *iol__job_node_records(iol__arena *arena, const iol__places *site, const char *id, char **why) {
    provider providers[8];
    size_t count = providers_of(arena, site, "jobinfo_jobnodes_providers", NULL, providers);
    *why = NULL;
    for (size_t i = 0; i < count; i++) {
        if (is_table(providers[i].name)) continue; /* it counts nodes, and does not name them */
        const iol__value *found = jobinfo_ask(arena, &providers[i], (iol__request){.job = id}, why);
        const iol__value *sorted = found ? iol__jobs_by_number(arena, found) : NULL;
        const char *number = iol__job_number(sorted, id);
        const iol__value *records = number ? iol__map_get(sorted, number) : NULL;
        if (records && iol__job_nodes(arena, records)->count) return records;
    }
    return NULL;
}

const iol__value *iol__jobs_between(iol__arena *arena, const iol__places *site, int64_t start, int64_t end,
                                    char **why) {
    provider providers[8];
    size_t count = providers_of(arena, site, "jobinfo_jobid_providers", NULL, providers);
    *why = NULL;
    for (size_t i = 0; i < count; i++) {
        if (is_table(providers[i].name)) continue;
        const iol__value *found =
            jobinfo_ask(arena, &providers[i], (iol__request){.ranged = true, .start = start, .end = end}, why);
        if (!found) continue;
        const iol__value *sorted = iol__jobs_by_number(arena, found);
        iol__value *jobs = iol__value_new(arena, IOL__MAP);
        for (size_t k = 0; k < sorted->count; k++) {
            int64_t from, to;
            if (!iol__job_times(sorted, sorted->keys[k], &from, &to) || from >= end || to <= start) continue;
            iol__value *job = iol__value_copy(arena, sorted->items[k]->items[0]);
            iol__map_put_integer(arena, job, "start", from);
            iol__map_put_integer(arena, job, "end", to);
            iol__map_put(arena, jobs, sorted->keys[k], job);
        }
        return jobs;
    }
    return NULL;
}
