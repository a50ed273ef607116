/* Jobs of Slurm: sacct's text, its JSON of old and new releases (which slurmrestd gives too), and cached records, all as
   {jobidraw: {jobidraw, start, end, nodelist, ...}}. */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/count.h"
#include "site/connect/connect.h"

enum { MOST_COLUMNS = 128 };

static size_t split_bars(char *line, char *fields[]) {
    size_t count = 0;
    while (line && count < MOST_COLUMNS) fields[count++] = strsep(&line, "|");
    return count;
}

static void put_slurm_time(iol__arena *arena, iol__value *job, const char *key, const char *text) {
    double seconds;
    /* With SLURM_TIME_FORMAT=%s they are seconds. */
    bool plain = *text && !text[strspn(text, "0123456789")];
    if (plain ? (seconds = strtod(text, NULL)) > 0 && seconds < 3.2e13 : iol__parse_time(text, &seconds))
        iol__map_put_integer(arena, job, key, iol__whole(seconds));
    else
        iol__map_put(arena, job, key, iol__value_new(arena, IOL__NOTHING));
}

static void put_nodes(iol__request *request, iol__value *job, const char *text) {
    iol__value *nodes = iol__map_open(request->arena, job, "nodelist", IOL__LIST);
    if (strcmp(text, "None assigned") != 0 && *text && !iol__hostlist_expand(request->arena, text, nodes))
        request->skipped++;
}

static void put_slurm_field(iol__request *request, iol__value *job, const char *column, const char *text) {
    static const char *const times[] = {"start", "end", "submit", "eligible"};
    for (size_t i = 0; i < IOL_COUNT(times); i++)
        if (strcmp(column, times[i]) == 0) {
            put_slurm_time(request->arena, job, column, text);
            return;
        }
    if (strcmp(column, "nodelist") == 0)
        put_nodes(request, job, text);
    else if (*column)
        iol__map_put_text(request->arena, job, column, text);
}

/* Local times come twice where clocks go back: no job starts before it was submitted, or ends before it started. */
static void order_times(iol__value *job) {
    static const char *const steps[] = {"submit", "start", "end"};
    const iol__value *before = NULL;
    for (size_t i = 0; i < IOL_COUNT(steps); i++) {
        iol__value *at = iol__map_get(job, steps[i]);
        if (!at || at->kind != IOL__INTEGER) continue;
        if (before && at->integer < before->integer)
            at->integer = iol__whole(iol__time_after((double)before->integer, (double)at->integer));
        before = at;
    }
}

static void put_slurm_job(iol__request *request, iol__value *jobs, iol__value *job) {
    const char *id = iol__map_text(job, "jobidraw");
    order_times(job);
    if (!id || !*id) {
        request->skipped++;
        return;
    }
    if (iol__map_get(jobs, id)) {
        iol__site_say("job %s comes twice; the last one counts", id);
        request->duplicates++;
    }
    iol__map_put(request->arena, jobs, id, job);
}

static iol_status take_slurm_text(iol__request *request, iol__feed *feed, iol__value *jobs) {
    iol__lines lines = {feed->bytes, feed->bytes + feed->length};
    char *heading = iol__next_line(&lines), *columns[MOST_COLUMNS], *fields[MOST_COLUMNS];
    if (!heading || !strchr(heading, '|'))
        return iol__refuse(request, IOL_DAMAGED, "%.200s: neither JSON nor a table of sacct --parsable2", feed->name);
    for (char *at = heading; *at; at++) *at = (char)tolower((unsigned char)*at);
    size_t n_columns = split_bars(heading, columns);
    for (size_t i = 0; i < n_columns; i++) request->understood += strcmp(columns[i], "jobidraw") == 0;
    for (char *line; (line = iol__next_line(&lines));) {
        size_t count = split_bars(line, fields);
        iol__value *job = iol__value_new(request->arena, IOL__MAP);
        for (size_t i = 0; i < count && i < n_columns; i++) put_slurm_field(request, job, columns[i], fields[i]);
        if (count < n_columns)
            request->skipped++;
        else
            put_slurm_job(request, jobs, job);
    }
    return IOL_OK;
}

/* JSON ----------------------------------------------------------------------------------------------------------- */

/* A number, or the number of {"set": true, "infinite": false, "number": N}. */
static double json_number(const iol__value *value) {
    const iol__value *set = iol__map_get(value, "set");
    if (set && set->kind == IOL__FLAG && !set->flag) return NAN;
    return iol__value_number(value && value->kind == IOL__MAP ? iol__map_get(value, "number") : value);
}

/* 0 stands for "not yet". */
static void put_json_time(iol__arena *arena, iol__value *job, const char *key, const iol__value *time) {
    double seconds = json_number(time);
    if (seconds > 0)
        iol__map_put_integer(arena, job, key, iol__whole(seconds));
    else
        iol__map_put(arena, job, key, iol__value_new(arena, IOL__NOTHING));
}

/* As text, as in sacct's table. */
static void put_slurm_count(iol__arena *arena, iol__value *job, const char *key, const iol__value *count) {
    double number = json_number(count);
    if (!isnan(number)) iol__map_put_text(arena, job, key, iol__arena_print(arena, "%.0f", number));
}

static void put_state(iol__arena *arena, iol__value *job, const iol__value *state) {
    const iol__value *current = state && state->kind == IOL__MAP ? iol__map_get(state, "current") : state;
    if (current && current->kind == IOL__LIST && current->count) current = current->items[0];
    if (current && current->kind == IOL__TEXT) iol__map_put_text(arena, job, "state", current->text);
}

static iol__value *json_record(iol__request *request, const char *id, const iol__value *from, const char *nodes) {
    iol__arena *arena = request->arena;
    iol__value *job = iol__value_new(arena, IOL__MAP);
    const iol__value *time = iol__map_get(from, "time");
    iol__map_put_text(arena, job, "jobidraw", id);
    put_json_time(arena, job, "start", iol__map_get(time, "start"));
    put_json_time(arena, job, "end", iol__map_get(time, "end"));
    put_nodes(request, job, nodes ? nodes : "");
    put_state(arena, job, iol__map_get(from, "state"));
    /* Under the names that sacct's table has. */
    static const char *const texts[][2] = {{"user", "user"},    {"account", "account"}, {"partition", "partition"},
                                           {"name", "jobname"}, {"cluster", "cluster"}, {"qos", "qos"}};
    for (size_t i = 0; i < IOL_COUNT(texts); i++)
        if (iol__map_text(from, texts[i][0]))
            iol__map_put_text(arena, job, texts[i][1], iol__map_text(from, texts[i][0]));
    put_slurm_count(arena, job, "elapsedraw", iol__map_get(time, "elapsed"));
    return job;
}

/* "910000_7" is a task of an array, whose own number is another one. */
static char *shown_id(iol__arena *arena, const iol__value *from, const char *id) {
    const iol__value *array = iol__map_get(from, "array");
    double parent = json_number(iol__map_get(array, "job_id")), task = json_number(iol__map_get(array, "task_id"));
    return parent > 0 && task >= 0 ? iol__arena_print(arena, "%.0f_%.0f", parent, task) : iol__arena_copy(arena, id);
}

/* "910001.0"; older releases have only what is behind the dot, as a number or a word. */
static const char *id_of_step(iol__arena *arena, const iol__value *step, const char *job) {
    const iol__value *id = iol__map_get(iol__map_get(step, "step"), "id");
    if (id && id->kind == IOL__MAP) id = iol__map_get(id, "step_id");
    if (id && id->kind == IOL__TEXT)
        return strchr(id->text, '.') ? id->text : iol__arena_print(arena, "%s.%s", job, id->text);
    double number = iol__value_number(id);
    return isnan(number) ? NULL : iol__arena_print(arena, "%s.%.0f", job, number);
}

static void take_json_job(iol__request *request, iol__value *jobs, const iol__value *from) {
    double number = iol__map_number(from, "job_id");
    if (isnan(number)) {
        request->skipped++;
        return;
    }
    char *id = iol__arena_print(request->arena, "%.0f", number);
    iol__value *job = json_record(request, id, from, iol__map_text(from, "nodes"));
    put_json_time(request->arena, job, "submit", iol__map_get(iol__map_get(from, "time"), "submission"));
    put_slurm_count(request->arena, job, "nnodes", iol__map_get(from, "allocation_nodes"));
    iol__map_put_text(request->arena, job, "jobid", shown_id(request->arena, from, id));
    put_slurm_job(request, jobs, job);
    const iol__value *steps = iol__map_get(from, "steps");
    for (size_t i = 0; steps && steps->kind == IOL__LIST && i < steps->count; i++) {
        const iol__value *step = steps->items[i];
        const char *step_id = id_of_step(request->arena, step, id);
        if (!step_id) continue;
        iol__value *record = json_record(request, step_id, step, iol__map_text(iol__map_get(step, "nodes"), "range"));
        put_slurm_count(request->arena, record, "ntasks", iol__map_get(iol__map_get(step, "tasks"), "count"));
        put_slurm_job(request, jobs, record);
    }
}

/* Cached records have times as text. */
static void take_slurm_cached(iol__request *request, iol__value *jobs, const iol__value *cached) {
    for (size_t i = 0; i < cached->count; i++) {
        const iol__value *from = cached->items[i];
        if (from->kind != IOL__MAP) continue;
        iol__value *job = iol__value_new(request->arena, IOL__MAP);
        for (size_t k = 0; k < from->count; k++)
            if (from->items[k]->kind == IOL__TEXT)
                put_slurm_field(request, job, from->keys[k], from->items[k]->text);
            else
                iol__map_put(request->arena, job, from->keys[k], from->items[k]);
        if (!iol__map_get(job, "jobidraw")) iol__map_put_text(request->arena, job, "jobidraw", cached->keys[i]);
        put_slurm_job(request, jobs, job);
    }
}

iol_status iol__read_slurm(iol__request *request, iol__value **out) {
    *out = iol__value_new(request->arena, IOL__MAP);
    iol_status status = request->n_paths ? IOL_OK : iol__refuse(request, IOL_INVALID, "an input file is missing");
    for (size_t i = 0; i < request->n_paths && status == IOL_OK; i++) {
        iol__feed feed;
        status = iol__request_feed(request, i, &feed);
        if (status != IOL_OK) break;
        const iol__value *json = iol__request_json(request, &feed), *jobs = iol__map_get(json, "jobs");
        request->understood += jobs ? jobs->kind == IOL__LIST : iol__is_cache(json);
        for (size_t k = 0; jobs && jobs->kind == IOL__LIST && k < jobs->count; k++)
            take_json_job(request, *out, jobs->items[k]);
        if (json && !jobs && iol__map_get(json, "Jobs"))
            status = iol__refuse(request, IOL_DAMAGED, "%.200s: this is of qstat, whose source is pbs", feed.name);
        else if (json && !jobs)
            take_slurm_cached(request, *out, json);
        else if (!json)
            status = *request->why ? IOL_DAMAGED : take_slurm_text(request, &feed, *out);
        iol__feed_close(&feed);
    }
    if (status == IOL_OK) status = iol__expect_form(request, "jobs as sacct or slurmrestd gives them");
    if (status == IOL_OK) *out = iol__jobs_asked_for(request, *out);
    return status;
}
