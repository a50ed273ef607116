/* The document of a node (docs/live.md) as a state. Nodes are told apart by their tokens, and what they say is checked like
   any input: numbers are counts or amounts, words are names, lists are as long as they may be. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "insight/findings/engine.h"
#include "serve/running.h"

enum { LONGEST_NAME = 4096, LONGEST_WORD = 255 };

static const char bad_number[] = "a number is not a count or an amount";
static const char bad_word[] = "a word is missing, or too long";
static const char bad_list[] = "a list is missing, or too long";

static bool read_amount(const iol__tree *object, const char *key, double *amount) {
    return iol__tree_real(iol__tree_member(object, key), amount) && isfinite(*amount) && *amount >= 0 && *amount < 1e30;
}

static bool read_count(const iol__tree *object, const char *key, size_t *count) {
    int64_t number;
    if (!iol__tree_i64(iol__tree_member(object, key), &number) || number < 0 || number > INT32_MAX) return false;
    *count = (size_t)number;
    return true;
}

static bool read_figures(const iol__tree *object, const char *key, iol__live_figures *f) {
    const iol__tree *from = iol__tree_member(object, key);
    return read_amount(from, "bytes_read", &f->bytes_read) && read_amount(from, "bytes_written", &f->bytes_written) &&
           read_amount(from, "reads", &f->reads) && read_amount(from, "writes", &f->writes) &&
           read_amount(from, "time", &f->time);
}

/* A text without NULs; NULL if it is none, or too long. */
static const char *read_word(iol__arena *arena, const iol__tree *object, const char *key, size_t most) {
    const iol__tree *value = iol__tree_member(object, key);
    const char *text = iol__tree_text(value);
    if (!text || value->length > most || strlen(text) != value->length) return NULL;
    return iol__arena_copy(arena, text);
}

static const iol__tree *read_list(const iol__tree *object, const char *key, size_t most) {
    const iol__tree *list = iol__tree_member(object, key);
    return list && list->kind == IOL_TREE_ARRAY && list->count <= most ? list : NULL;
}

static const char *known_module(const char *name) {
    for (int slot = 0; name && slot < IOL_SLOTS_KNOWN; slot++)
        if (iol__modules[slot].name && strcmp(iol__modules[slot].name, name) == 0) return iol__modules[slot].name;
    return "";
}

static const char *read_file(iol__arena *arena, const iol__tree *from, iol__live_job_file *file) {
    file->name = read_word(arena, from, "name", LONGEST_NAME);
    file->module = known_module(iol__tree_text(iol__tree_member(from, "module")));
    if (!file->name) return bad_word;
    iol__tree_bool(iol__tree_member(from, "open"), &file->open);
    const bool good = read_count(from, "processes", &file->processes) && read_figures(from, "total", &file->total) &&
                      read_figures(from, "per_second", &file->rate);
    return good ? NULL : bad_number;
}

static const char *read_files(iol__arena *arena, const iol__tree *from, iol__live_job *job) {
    const iol__tree *list = read_list(from, "busiest", IOL_LIVE_HOT);
    if (!list) return bad_list;
    job->busiest = iol__arena_alloc(arena, list->count + 1, sizeof *job->busiest);
    for (const iol__tree *one = list->first; one; one = one->next) {
        const char *wrong = read_file(arena, one, &job->busiest[job->n_busiest++]);
        if (wrong) return wrong;
    }
    return NULL;
}

static const char *read_finding(iol__arena *arena, const iol__tree *from, iol__live_finding *found) {
    const char *rule = read_word(arena, from, "rule", sizeof found->rule - 1);
    const char *title = read_word(arena, from, "title", sizeof found->title - 1);
    const char *level = iol__tree_text(iol__tree_member(from, "level"));
    iol__level known;
    if (!rule || !title || !level || !iol__level_find(level, &known)) return bad_word;
    snprintf(found->rule, sizeof found->rule, "%s", rule);
    snprintf(found->title, sizeof found->title, "%s", title);
    found->level = iol__level_name(known);
    if (!read_amount(from, "lost_s", &found->lost_s)) found->lost_s = NAN;
    return read_count(from, "processes", &found->processes) ? NULL : bad_number;
}

/* They are there only if they were asked for. */
static const char *read_findings(iol__arena *arena, const iol__tree *from, iol__live_job *job) {
    const iol__tree *list = read_list(from, "findings", IOL_LIVE_FINDINGS);
    if (!iol__tree_member(from, "findings")) return NULL;
    if (!list) return bad_list;
    job->judged = true;
    job->findings = iol__arena_alloc(arena, IOL_LIVE_FINDINGS, sizeof *job->findings);
    for (const iol__tree *one = list->first; one; one = one->next) {
        const char *wrong = read_finding(arena, one, &job->findings[job->n_findings++]);
        if (wrong) return wrong;
    }
    return NULL;
}

/* An id is a number in a text, because readers of JSON lose digits above 2^53. */
static bool read_job_id(const iol__tree *from, int64_t *id) {
    const char *text = iol__tree_text(iol__tree_member(from, "job_id"));
    char *end;
    if (!text || strlen(text) > 20 || !*text) return false;
    *id = strtoll(text, &end, 10);
    return !*end && text[strspn(text, "-0123456789")] == 0;
}

static const char *read_job(iol__arena *arena, const iol__tree *from, iol__live_job *job) {
    int64_t uid;
    job->user = read_word(arena, from, "user", IOL_USER_NAME - 1);
    job->exe = read_word(arena, from, "exe", LONGEST_NAME);
    if (!job->exe || !read_job_id(from, &job->job)) return bad_word;
    if (job->user && (!*job->user || strncmp(job->user, "uid:", 4) == 0)) return bad_word;
    if (!iol__tree_i64(iol__tree_member(from, "uid"), &uid) || uid < 0 || uid > UINT32_MAX) return bad_number;
    job->uid = (uid_t)uid;
    const bool good = iol__tree_i64(iol__tree_member(from, "start"), &job->start) &&
                      read_count(from, "processes", &job->processes) && read_count(from, "files", &job->files) &&
                      read_count(from, "open_files", &job->open_files) && read_figures(from, "total", &job->total) &&
                      read_figures(from, "per_second", &job->rate);
    if (!good) return bad_number;
    const char *wrong = read_files(arena, from, job);
    return wrong ? wrong : read_findings(arena, from, job);
}

static const char *read_unseen(const iol__tree *from, iol__live_unseen *unseen) {
    const bool good = read_count(from, "unreadable", &unseen->unreadable) &&
                      read_count(from, "foreign_runs", &unseen->foreign_runs) &&
                      read_count(from, "hidden", &unseen->hidden) && read_count(from, "beyond", &unseen->beyond);
    return good ? NULL : bad_number;
}

const char *iol__running_read(iol__arena *arena, const iol__tree *document, iol__live_state *state) {
    int64_t version = 0;
    const iol__tree *jobs = read_list(document, "jobs", IOL_LIVE_JOBS);
    *state = (iol__live_state){.host = read_word(arena, document, "host", LONGEST_WORD)};
    if (!iol__tree_i64(iol__tree_member(document, "version"), &version) || version != 1)
        return "this is not a state of version 1";
    if (!state->host || !jobs) return state->host ? bad_list : bad_word;
    state->cluster = read_word(arena, document, "cluster", IOL_USER_NAME - 1);
    if (!read_amount(document, "time", &state->time) || !read_amount(document, "interval", &state->interval) ||
        !read_count(document, "processes", &state->processes) ||
        !read_count(document, "jobs_left_out", &state->left_out))
        return bad_number;
    const char *wrong = read_unseen(iol__tree_member(document, "unseen"), &state->unseen);
    state->jobs = iol__arena_alloc(arena, jobs->count + 1, sizeof *state->jobs);
    for (const iol__tree *one = jobs->first; one && !wrong; one = one->next)
        wrong = read_job(arena, one, &state->jobs[state->n_jobs++]);
    return wrong;
}
