/* The public library: each call is one of the commands' functions, with memory that the caller gives back. */
#include "iolite/site.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "site/analyze/find_logs.h"
#include "site/analyze/job.h"
#include "site/analyze/jobinfo.h"

struct iol_site {
    iol__arena arena; /* of the site file */
    iol__places places;
    char message[400];
};

static iol_status out_of_memory(iol_site *site) {
    snprintf(site->message, sizeof site->message, "out of memory");
    return IOL_SYSTEM;
}

iol_status iol_site_open(const char *path, iol_site **out, iol_error *error) {
    jmp_buf exhausted;
    if (!out) return IOL_INVALID;
    iol_site *volatile site = *out = calloc(1, sizeof *site);
    volatile iol_status status = IOL_SYSTEM;
    if (site) site->arena.exhausted = &exhausted;
    if (site && !setjmp(exhausted)) status = iol__places_open(&site->arena, path, false, &site->places, site->message);
    if (site) site->arena.exhausted = NULL;
    if (status == IOL_OK) return IOL_OK;
    if (error) {
        *error = (iol_error){.status = status, .slot = -1, .offset = IOL_NO_OFFSET};
        snprintf(error->message, sizeof error->message, "%s", site && *site->message ? site->message : "out of memory");
    }
    iol_site_close(site);
    *out = NULL;
    return status;
}

void iol_site_close(iol_site *site) {
    if (!site) return;
    iol__arena_free(&site->arena);
    free(site);
}

const char *iol_site_message(const iol_site *site) { return site ? site->message : "no site"; }
void iol_site_free(void *memory) { free(memory); }

/* Work in memory of its own: `body` makes something for the caller by malloc(). */
typedef iol_status site_work(iol_site *site, iol__arena *arena, void *context);

static iol_status site_with_memory(iol_site *site, site_work *body, void *context) {
    jmp_buf exhausted;
    iol__arena *volatile arena = calloc(1, sizeof *arena);
    iol_status status = IOL_SYSTEM;
    if (!site) {
        free(arena);
        return IOL_INVALID;
    }
    *site->message = 0;
    if (!arena) return out_of_memory(site);
    arena->exhausted = site->arena.exhausted = &exhausted;
    if (setjmp(exhausted))
        status = out_of_memory(site);
    else
        status = body(site, arena, context);
    site->arena.exhausted = NULL;
    iol__arena_free(arena);
    free(arena);
    return status;
}

/* Texts, one after the other in one piece of memory, with NULL at the end. */
static iol_status give_texts(iol_site *site, const iol__value *list, char ***out) {
    size_t room = (list->count + 1) * sizeof **out;
    for (size_t i = 0; i < list->count; i++) room += strlen(list->items[i]->text) + 1;
    *out = malloc(room);
    if (!*out) return out_of_memory(site);
    char *at = (char *)(*out + list->count + 1);
    for (size_t i = 0; i < list->count; i++) {
        (*out)[i] = at;
        at = stpcpy(at, list->items[i]->text) + 1;
    }
    (*out)[list->count] = NULL;
    return IOL_OK;
}

static iol_status give_json(iol_site *site, iol__arena *arena, const iol__value *tree, char **out) {
    iol__out text;
    iol__json json;
    iol__out_open(&text, -1);
    iol__json_start(&json, &text, 3);
    iol__value_json(&json, arena, tree);
    *out = strndup(text.buffer, text.length);
    iol__out_close(&text);
    return *out ? IOL_OK : out_of_memory(site);
}

/* Calls ------------------------------------------------------------------------------------------------------------ */

static iol_status file_systems(iol_site *site, iol__arena *arena, void *context) {
    static const char *const keys[] = {"hdf5_files", "live_sources"};
    iol__value *names = iol__value_new(arena, IOL__LIST);
    for (size_t k = 0; k < 2; k++) {
        const iol__value *map = iol__places_get(&site->places, keys[k]);
        for (size_t i = 0; map && map->kind == IOL__MAP && i < map->count; i++) {
            bool there = false;
            for (size_t n = 0; n < names->count; n++) there |= strcmp(names->items[n]->text, map->keys[i]) == 0;
            if (!there) iol__list_add(arena, names, iol__of_text(arena, map->keys[i]));
        }
    }
    return give_texts(site, names, context);
}

iol_status iol_site_file_systems(iol_site *site, char ***names) {
    return names ? site_with_memory(site, file_systems, names) : IOL_INVALID;
}

typedef struct site_question {
    const char *text, *fs, *dataset; /* a job, a log or a source */
    const char *const *inputs;
    size_t count;
    int64_t start, end;
    void *out;
} site_question;

static iol_status logs(iol_site *site, iol__arena *arena, void *context) {
    site_question *is = context;
    char *why = NULL;
    int64_t start, end;
    const iol__value *records = iol__job_records(arena, &site->places, is->text, NULL, &why),
                     *sorted = records ? iol__jobs_by_number(arena, records) : NULL;
    if (!iol__job_times(sorted, is->text, &start, &end)) {
        snprintf(site->message, sizeof site->message, "job %.60s: %.300s", is->text, why ? why : "not known");
        return IOL_END;
    }
    return give_texts(site, iol__find_logs(arena, &site->places, start, end, NULL, iol__job_number(sorted, is->text)),
                      is->out);
}

iol_status iol_site_logs(iol_site *site, const char *job, char ***paths) {
    return job && paths ? site_with_memory(site, logs, &(site_question){.text = job, .out = paths}) : IOL_INVALID;
}

static iol_status give_series(iol_site *site, const iol__frame *frame, iol_site_series **out) {
    size_t cells = frame->rows * frame->columns, room = 0;
    for (size_t i = 0; i < frame->columns; i++) room += strlen(frame->names[i]) + 1;
    iol_site_series *made = calloc(1, sizeof *made);
    if (made) {
        *made = (iol_site_series){.rows = frame->rows, .columns = frame->columns, .step = frame->step};
        made->times = malloc((frame->rows + 1) * sizeof *made->times);
        made->values = malloc((cells + 1) * sizeof *made->values);
        made->names = malloc((frame->columns + 1) * sizeof *made->names + room);
    }
    if (!made || !made->times || !made->values || !made->names) {
        iol_site_series_free(made);
        return out_of_memory(site);
    }
    memcpy(made->times, frame->times, frame->rows * sizeof *made->times);
    memcpy(made->values, frame->values, cells * sizeof *made->values);
    memcpy(made->units, frame->units, sizeof made->units);
    char *at = (char *)(made->names + frame->columns + 1);
    for (size_t i = 0; i < frame->columns; i++) {
        made->names[i] = at;
        at = stpcpy(at, frame->names[i]) + 1;
    }
    made->names[frame->columns] = NULL;
    *out = made;
    return IOL_OK;
}

static iol_status library_site_series(iol_site *site, iol__arena *arena, void *context) {
    site_question *is = context;
    iol__ranges ranges = {.arena = arena, .site = &site->places};
    iol__frame frame;
    iol_status status = iol__range_read(&ranges, arena, is->fs, is->dataset, is->start, is->end, &frame, site->message);
    if (status == IOL_OK) status = give_series(site, &frame, is->out);
    iol__ranges_close(&ranges);
    return status;
}

iol_status iol_site_series_read(iol_site *site, const char *fs, const char *dataset, int64_t start, int64_t end,
                                iol_site_series **out) {
    if (!fs || !dataset || !out) return IOL_INVALID;
    *out = NULL;
    return site_with_memory(site, library_site_series,
                            &(site_question){.fs = fs, .dataset = dataset, .start = start, .end = end, .out = out});
}

void iol_site_series_free(iol_site_series *series) {
    if (!series) return;
    free(series->times);
    free(series->values);
    free(series->names);
    free(series);
}

static iol_status jobs(iol_site *site, iol__arena *arena, void *context) {
    site_question *is = context;
    char *why = NULL;
    const iol__value *found = iol__jobs_between(arena, &site->places, is->start, is->end, &why);
    if (found) return give_json(site, arena, found, is->out);
    snprintf(site->message, sizeof site->message, "%.390s", why ? why : "no source of jobs");
    return IOL_SYSTEM;
}

iol_status iol_site_jobs(iol_site *site, int64_t start, int64_t end, char **json) {
    return json ? site_with_memory(site, jobs, &(site_question){.start = start, .end = end, .out = json}) : IOL_INVALID;
}

static iol_status site_job(iol_site *site, iol__arena *arena, void *context) {
    site_question *is = context;
    iol__ranges ranges = {.arena = arena, .site = &site->places};
    iol__job_sources from = {.arena = arena,
                             .scratch = arena,
                             .site = &site->places,
                             .ranges = &ranges,
                             .health = true,
                             .fs = is->fs,
                             .coverage = true};
    iol__value *row = NULL;
    iol_status status = is->text ? iol__job_of_log(&from, is->text, &row, site->message)
                                 : iol__job_of_range(&from, is->start, is->end, &row, site->message);
    iol__ranges_close(&ranges);
    return status == IOL_OK ? give_json(site, arena, row, is->out) : status;
}

iol_status iol_site_job(iol_site *site, const char *log, const char *fs, int64_t start, int64_t end, char **json) {
    if (!json) return IOL_INVALID;
    return site_with_memory(site, site_job,
                            &(site_question){.text = log, .fs = fs, .start = start, .end = end, .out = json});
}

static iol_status site_collect(iol_site *site, iol__arena *arena, void *context) {
    site_question *is = context;
    const iol__connector *connector = iol__connector_find(is->text);
    iol__request request = {
        .arena = arena, .source = is->text, .paths = is->inputs, .n_paths = is->count, .base = true, .total = true};
    iol__value *tree = NULL;
    if (!connector) {
        snprintf(site->message, sizeof site->message, "no source is called '%.100s'", is->text);
        return IOL_INVALID;
    }
    iol_status status = connector->read(&request, &tree);
    if (status == IOL_OK) return give_json(site, arena, tree, is->out);
    memcpy(site->message, request.why, sizeof site->message);
    return status;
}

iol_status iol_site_collect(iol_site *site, const char *source, const char *const *inputs, size_t count, char **json) {
    if (!source || !json || (count && !inputs)) return IOL_INVALID;
    return site_with_memory(site, site_collect,
                            &(site_question){.text = source, .inputs = inputs, .count = count, .out = json});
}
