/* A comparison from its first log to its verdict: runs are gathered, damaged ones set aside, figures and findings
   compared, and what may be claimed is decided. */
#include "insight/compare/compare.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "insight/compare/compare_internal.h"
#include "insight/facts/facts.h"
#include "log/trailer/plain_json.h"
#include "log/trailer/where.h"
#include "text/number.h"

typedef struct compare_owned {
    iol__contrast contrast;
    iol__arena arena;
    double history_runs, log_rate_sd; /* of the context; NaN: it does not say */
} compare_owned;

static compare_owned *owner(iol__contrast *contrast) { return (compare_owned *)contrast; /* its first member */ }

static iol_status compare_no_memory(iol_error *error) {
    *error = (iol_error){.status = IOL_SYSTEM, .slot = -1, .offset = IOL_NO_OFFSET};
    snprintf(error->message, sizeof error->message, "there is no memory for the comparison");
    return IOL_SYSTEM;
}

/* Do something that may need memory. */
static iol_status compare_with_memory(compare_owned *o, void (*work)(compare_owned *o, void *context), void *context,
                                      iol_error *error) {
    jmp_buf exhausted;
    o->arena.exhausted = &exhausted;
    volatile bool failed = true;
    if (!setjmp(exhausted)) {
        work(o, context);
        failed = false;
    }
    o->arena.exhausted = NULL;
    return failed ? compare_no_memory(error) : IOL_OK;
}

iol_status iol__contrast_new(iol__contrast **out, iol_error *error) {
    compare_owned *o = calloc(1, sizeof *o);
    *out = o ? &o->contrast : NULL;
    if (!o) return compare_no_memory(error);
    o->history_runs = o->log_rate_sd = NAN;
    return IOL_OK;
}

void iol__contrast_free(iol__contrast *contrast) {
    if (!contrast) return;
    iol__arena_free(&owner(contrast)->arena);
    free(owner(contrast));
}

/* Runs ---------------------------------------------------------------------------------------------------------- */

typedef struct compare_arrival {
    int group;
    const iol__diagnosis *diagnosis;
    bool damaged;
    const iol__where_line *lines;
    size_t n_lines;
} compare_arrival;

static iol__line_change *line_change(compare_owned *o, const char *text) {
    iol__contrast *c = &o->contrast;
    for (size_t i = 0; i < c->n_lines; i++)
        if (strcmp(c->lines[i].line, text) == 0) return &c->lines[i];
    c->lines = iol__arena_grow(&o->arena, c->lines, c->n_lines, sizeof *c->lines);
    c->lines[c->n_lines] = (iol__line_change){.line = iol__arena_copy(&o->arena, text)};
    return &c->lines[c->n_lines++];
}

/* The lines with the most time: others change little. */
static void add_lines(compare_owned *o, const compare_arrival *a) {
    enum { MOST = 100, TEXT = 512 };
    char text[TEXT];
    o->contrast.lined[a->group] += a->n_lines > 0;
    for (size_t i = 0; i < a->n_lines && i < MOST; i++) {
        iol__line_change *change = line_change(o, iol__where_line_text(&a->lines[i], text, sizeof text));
        change->calls[a->group] += (double)a->lines[i].values.calls;
        change->bytes[a->group] += (double)a->lines[i].values.bytes;
        change->seconds[a->group] += (double)a->lines[i].values.time / 1e9;
    }
}

static bool same_run(const iol__job_run *a, const iol__job_run *b) {
    return strcmp(a->hash, b->hash) == 0 && a->job_id == b->job_id && a->start == b->start && a->end == b->end &&
           a->processes == b->processes && strcmp(a->exe, b->exe) == 0;
}

static bool has_run(const iol__job_group *group, const iol__job_run *run) {
    for (size_t i = 0; i < group->n; i++)
        if (same_run(&group->runs[i], run)) return true;
    return false;
}

/* A run that is given again says nothing new: it would make a test believe in runs that never were. */
static void add_compare_run(compare_owned *o, void *context) {
    const compare_arrival *a = context;
    iol__job_group *group = &o->contrast.group[a->group];
    group->runs = iol__arena_grow(&o->arena, group->runs, group->n, sizeof *group->runs);
    iol__job_run *run = &group->runs[group->n];
    iol__job_run_fill(run, a->diagnosis, &o->arena);
    run->damaged = a->damaged;
    if (has_run(group, run)) {
        group->repeated++;
        return;
    }
    group->n++;
    if (!a->damaged) add_lines(o, a);
}

iol_status iol__contrast_add(iol__contrast *contrast, int group, iol_log *log, const iol__rulebook *book,
                             iol_error *error) {
    iol__diagnosis *diagnosis;
    iol__diagnose_options options = {.rulebook = book, .evidence = 1, .keep = true};
    iol_status status = iol__diagnose(log, &options, &diagnosis, error);
    if (status != IOL_OK) return status;
    iol__where_all where;
    iol__where_line *lines = NULL;
    size_t n_lines = 0;
    status = iol__where_make(log, &where) && iol__where_lines(&where, NULL, &lines, &n_lines)
                 ? IOL_OK
                 : compare_no_memory(error);
    compare_arrival a = {group, diagnosis, iol_log_error_count(log) > 0, lines, n_lines};
    if (status == IOL_OK) status = compare_with_memory(owner(contrast), add_compare_run, &a, error);
    free(lines);
    iol__where_free(&where);
    iol__diagnosis_free(diagnosis);
    return status;
}

/* A part of a log has other sums than the whole: it would pass for a change. Only where there is nothing better it
   stays. */
static void set_aside(iol__job_group *group) {
    size_t sound = 0;
    for (size_t i = 0; i < group->n; i++) sound += !group->runs[i].damaged;
    for (size_t i = 0; sound && i < group->n; i++) group->runs[i].left_out = group->runs[i].damaged;
    group->used = sound ? sound : group->n;
}

/* The context document ------------------------------------------------------------------------------------------ */

static bool read_compare_history(compare_owned *o, iol__plain_json *json) {
    if (!iol__plain_take(json, '{')) return iol__plain_skip(json);
    if (iol__plain_take(json, '}')) return true;
    do {
        char *key;
        if (!iol__plain_text(json, &key) || !iol__plain_take(json, ':')) return false;
        double *target = strcmp(key, "runs") == 0          ? &o->history_runs
                         : strcmp(key, "log_rate_sd") == 0 ? &o->log_rate_sd
                                                           : NULL;
        if (target ? !iol__plain_number_if(json, target) : !iol__plain_skip(json)) return false;
    } while (iol__plain_take(json, ','));
    return iol__plain_take(json, '}');
}

static void read_compare_context(compare_owned *o, void *context) {
    size_t length = strlen(context);
    char *copy = iol__arena_text(&o->arena, context, length);
    iol__plain_json json = {copy, copy + length};
    if (!iol__plain_take(&json, '{') || iol__plain_take(&json, '}')) return;
    do {
        char *group;
        if (!iol__plain_text(&json, &group) || !iol__plain_take(&json, ':')) return;
        if (!(strcmp(group, "history") == 0 ? read_compare_history(o, &json) : iol__plain_skip(&json))) return;
    } while (iol__plain_take(&json, ','));
}

iol_status iol__contrast_context(iol__contrast *contrast, const char *text, iol_error *error) {
    return compare_with_memory(owner(contrast), read_compare_context, (void *)(uintptr_t)text, error);
}

/* Warnings ------------------------------------------------------------------------------------------------------ */

static void compare_warn(compare_owned *o, const char *text) {
    iol__contrast *c = &o->contrast;
    const char **list = iol__arena_grow(&o->arena, (void *)(uintptr_t)c->warnings, c->n_warnings, sizeof *list);
    list[c->n_warnings++] = text;
    c->warnings = list;
}

/* Whether all runs of a group are of one program and size. */
static bool alike(const iol__job_group *group) {
    for (size_t i = 1; i < group->n; i++)
        if (strcmp(group->runs[i].program, group->runs[0].program) != 0 ||
            group->runs[i].processes != group->runs[0].processes)
            return false;
    return true;
}

static void warn_of_jobs(compare_owned *o) {
    const iol__job_group *a = &o->contrast.group[0], *b = &o->contrast.group[1];
    const iol__job_run *x = &a->runs[0], *y = &b->runs[0];
    char count[2][IOL_HUMAN];
    if (!alike(a)) compare_warn(o, "The runs of A differ among themselves in program or number of processes.");
    if (!alike(b)) compare_warn(o, "The runs of B differ among themselves in program or number of processes.");
    if (strcmp(x->program, y->program) != 0)
        compare_warn(o, iol__arena_print(&o->arena, "These are different programs: A ran %s, B ran %s.", x->program,
                                         y->program));
    if (x->processes != y->processes)
        compare_warn(o, iol__arena_print(&o->arena, "The number of processes differs: %s in A, %s in B.",
                                         iol__human_number(count[0], (double)x->processes),
                                         iol__human_number(count[1], (double)y->processes)));
}

static void warn_of_repeats(compare_owned *o) {
    size_t both = 0;
    for (int g = 0; g < 2; g++) {
        size_t repeated = o->contrast.group[g].repeated;
        if (repeated)
            compare_warn(o,
                         iol__arena_print(&o->arena, "%zu log%s of %c %s the same run as another: a run counts once.",
                                          repeated, repeated == 1 ? "" : "s", "AB"[g], repeated == 1 ? "is" : "are"));
    }
    for (size_t i = 0; i < o->contrast.group[1].n; i++)
        both += has_run(&o->contrast.group[0], &o->contrast.group[1].runs[i]);
    if (both)
        compare_warn(o, iol__arena_print(&o->arena, "%zu run%s of B %s in A too.", both, both == 1 ? "" : "s",
                                         both == 1 ? "is" : "are"));
}

static void warn_of_data(compare_owned *o) {
    for (int g = 0; g < 2; g++) {
        const iol__job_group *group = &o->contrast.group[g];
        size_t damaged = 0, partial = 0;
        for (size_t i = 0; i < group->n; i++) {
            damaged += group->runs[i].damaged;
            partial += group->runs[i].partial && !group->runs[i].left_out;
        }
        if (damaged)
            compare_warn(
                o, iol__arena_print(&o->arena, "%zu of %zu logs of %c %s damaged; %s.", damaged, group->n, "AB"[g],
                                    damaged == 1 ? "is" : "are",
                                    damaged < group->n ? "left out of all figures" : "only what could be read counts"));
        if (partial)
            compare_warn(o, iol__arena_print(&o->arena, "%zu of %zu logs of %c %s incomplete: figures may be too low.",
                                             partial, group->n, "AB"[g], partial == 1 ? "is" : "are"));
    }
}

/* The verdict --------------------------------------------------------------------------------------------------- */

/* Run time decides. Where it shows nothing, perhaps because the program computes most of the time, I/O time may. */
static void compare_decide(iol__contrast *c) {
    static const int times[] = {IOL_METRIC_run_time, IOL_METRIC_io_time};
    c->claimed = c->changes[IOL_METRIC_run_time].side[0].n && c->changes[IOL_METRIC_run_time].side[1].n
                     ? IOL_METRIC_run_time
                     : IOL_METRIC_io_time;
    c->claim = c->group[0].used < IOL_RUNS_FOR_A_TEST || c->group[1].used < IOL_RUNS_FOR_A_TEST ? IOL_CLAIM_TOO_FEW
                                                                                                : IOL_CLAIM_UNTESTED;
    if (c->claim == IOL_CLAIM_TOO_FEW) return;
    if (c->changes[c->claimed].side[0].n) {
        const iol__change *first = &c->changes[c->claimed];
        bool same =
            first->side[0].min == first->side[0].max && first->side[1].min == first->side[1].max && !first->differs;
        if (first->tested || same) c->claim = IOL_CLAIM_NO_DIFFERENCE;
    }
    for (int i = 0; i < 2; i++) {
        const iol__change *change = &c->changes[times[i]];
        if (!change->significant) continue;
        double ratio = change->has_welch ? change->welch.ratio : change->ratio;
        c->claimed = times[i];
        c->claim = ratio < 1 ? IOL_CLAIM_FASTER : IOL_CLAIM_SLOWER;
        return;
    }
}

static void judge_by_history(compare_owned *o) {
    enum { ENOUGH_HISTORY = 5 };
    iol__usual *usual = &o->contrast.usual;
    const iol__change *rate = &o->contrast.changes[IOL_METRIC_rate];
    if (!(o->history_runs >= ENOUGH_HISTORY) || !(o->log_rate_sd > 0) || !(rate->ratio > 0)) return;
    *usual = (iol__usual){true, o->history_runs, o->log_rate_sd, log(rate->ratio), false};
    usual->beyond = fabs(usual->change) > 2 * usual->deviation;
}

static void compare_finish(compare_owned *o, void *context) {
    (void)context;
    iol__contrast *c = &o->contrast;
    for (int g = 0; g < 2; g++) set_aside(&c->group[g]);
    iol__compare_figures(c, &o->arena);
    compare_decide(c);
    judge_by_history(o);
    iol__compare_findings(c, &o->arena);
    warn_of_jobs(o);
    warn_of_repeats(o);
    warn_of_data(o);
}

static int by_change_of_time(const void *a, const void *b) {
    const iol__line_change *x = a, *y = b;
    const double more = fabs(y->seconds[1] - y->seconds[0]) - fabs(x->seconds[1] - x->seconds[0]);
    return more > 0 ? 1 : more < 0 ? -1 : strcmp(x->line, y->line);
}

/* By how much the time of a run changed, largest first. */
static void order_lines(iol__contrast *c) {
    for (size_t i = 0; i < c->n_lines; i++)
        for (int g = 0; g < 2; g++) {
            const double runs = c->lined[g] ? (double)c->lined[g] : 1;
            c->lines[i].calls[g] /= runs;
            c->lines[i].bytes[g] /= runs;
            c->lines[i].seconds[g] /= runs;
        }
    if (c->n_lines) qsort(c->lines, c->n_lines, sizeof *c->lines, by_change_of_time);
}

iol_status iol__contrast_finish(iol__contrast *contrast, iol_error *error) {
    order_lines(contrast);
    return compare_with_memory(owner(contrast), compare_finish, NULL, error);
}
