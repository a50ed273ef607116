/* Looking at one log. The rates come from its files; what is usual comes from the rules themselves: wherever a
   condition compares something with a threshold, that something is computed for this job, so that a new rule is
   calibrated without a line here. */
#include "insight/calibrate/calibrate.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "insight/calibrate/calibrate_internal.h"
#include "insight/findings/case.h"
#include "insight/language/rule_eval.h"

/* A request is large from 1 MiB on; so few bytes or requests say nothing about a machine. */
static const double large = 1048576, least_bytes = 64 * 1048576.0, least_requests = 100;
static const double healthy_share = 0.05;

/* Rates --------------------------------------------------------------------------------------------------------- */

static iol__observed_mount *calibrate_mount_of(iol__observation *o, const char *point) {
    for (size_t i = 0; i < o->n_mounts; i++)
        if (strcmp(o->mounts[i].point, point) == 0) return &o->mounts[i];
    o->mounts = iol__arena_grow(&o->arena, o->mounts, o->n_mounts, sizeof *o->mounts);
    iol__observed_mount *new = &o->mounts[o->n_mounts++];
    *new = (iol__observed_mount){.point = iol__arena_copy(&o->arena, point), .ost = NAN, .node = NAN};
    return new;
}

static void calibrate_raise_to(double *best, double value) {
    if (!(value <= *best)) *best = value; /* also when there was none */
}

/* One direction of one file. What a job wrote itself it may read from its own memory, so that is not a rate. */
static void look_at_traffic(const iol__case *job, const iol__subject *file, const iol__facts_use *use, int direction,
                            iol__observed_mount *mount) {
    const iol__facts_traffic *t = use->direction[direction];
    double ops = (double)t->ops, bytes = (double)t->bytes, slowest = iol__facts_slowest_time(use);
    if (ops <= 0 || t->time <= 0 || slowest <= 0) return;
    if (ops >= least_requests && (double)t->below_mib >= 0.95 * ops) {
        mount->small_s += t->time;
        mount->small += ops;
    }
    bool cached = direction == IOL_READ && use->direction[IOL_WRITE]->bytes > 0;
    if (cached || bytes < least_bytes || bytes / ops < large) return;
    double seconds = t->time / fmax(1, iol__facts_time(use) / slowest);
    double nodes = fmin(fmax(1, job->job[IOL_JOB_nodes]), fmax(1, file->raw[IOL_MAX_ranks]));
    calibrate_raise_to(&mount->node, bytes / seconds / nodes);
    if (file->raw[IOL_MAX_stripe_count] > 0)
        calibrate_raise_to(&mount->ost, bytes / seconds / file->raw[IOL_MAX_stripe_count]);
}

static void look_at_files(const iol__case *job, iol__observation *o) {
    iol__subject file = {0};
    for (size_t i = 0; i < job->facts.n_files; i++) {
        const iol__facts_use *use = job->facts.file[i].layer[IOL_LAYER_POSIX];
        const char *point = "UNKNOWN", *type = "UNKNOWN", *name = iol__case_name(job, &job->facts.file[i]);
        if (!use || !name || !iol_log_mount_of(job->facts.log, name, &point, &type)) continue;
        if (iol__is_local_fs(type)) continue; /* the machine's own memory, mostly */
        iol__subject_fill(&file, job, &job->facts.file[i]);
        iol__observed_mount *mount = calibrate_mount_of(o, point);
        look_at_traffic(job, &file, use, IOL_READ, mount);
        look_at_traffic(job, &file, use, IOL_WRITE, mount);
    }
}

/* What rules compare -------------------------------------------------------------------------------------------- */

/* The threshold of "E > $t" or "E < $t", and E; false for everything else. */
static bool calibrate_comparison(const iol__expr *e, const iol__expr **what, int *threshold, bool *below) {
    bool less = e->op == IOL_OP_LESS || e->op == IOL_OP_LESS_EQUAL;
    bool more = e->op == IOL_OP_GREATER || e->op == IOL_OP_GREATER_EQUAL;
    if (!(less || more) || (e->a->op == IOL_OP_THRESHOLD) == (e->b->op == IOL_OP_THRESHOLD)) return false;
    bool left = e->a->op == IOL_OP_THRESHOLD;
    *what = left ? e->b : e->a;
    *threshold = left ? e->a->index : e->b->index;
    *below = left ? more : less;
    /* How large a job is says from where on a rule makes sense, not whether the job is fine. */
    return !((*what)->op == IOL_OP_VARIABLE && iol__variables[(*what)->index].kind == IOL_VARIABLE_JOB &&
             iol__variables[(*what)->index].index == IOL_JOB_nprocs);
}

static void look_at_condition(const iol__expr *e, const iol__subject *subject, iol__observed_limit *limits) {
    const iol__expr *what;
    int threshold;
    bool below;
    if (e->op == IOL_OP_AND || e->op == IOL_OP_OR) {
        look_at_condition(e->a, subject, limits);
        look_at_condition(e->b, subject, limits);
    } else if (calibrate_comparison(e, &what, &threshold, &below)) {
        iol__observed_limit *limit = &limits[threshold];
        double value = iol__eval(what, subject);
        if (isnan(value)) return;
        if (isnan(limit->value) || limit->below != below) limit->below = below, limit->value = value;
        limit->value = below ? fmin(limit->value, value) : fmax(limit->value, value);
    }
}

/* Only where the cost decides how serious something is: praise, facts and doubts about the data do not depend on what
   is usual, and the limits that select jobs are published ones. */
static bool adjustable(const iol__rule *rule) { return rule->by_cost; }

static void calibrate_ask(const iol__rule *rule, iol__subject *subject, iol__observation *o) {
    if (!adjustable(rule)) return;
    iol__eval_lets(rule, subject);
    look_at_condition(rule->when, subject, o->limits);
}

static void ask_of_files(const iol__case *job, iol__observation *o) {
    iol__subject file = {0};
    for (size_t i = 0; i < job->facts.n_files; i++) {
        iol__subject_fill(&file, job, &job->facts.file[i]);
        for (size_t r = 0; r < job->book->n_rules; r++) {
            const iol__rule *rule = job->book->rules[r];
            if (rule->scope == IOL_SCOPE_FILE && iol__holds(rule->where, &file)) calibrate_ask(rule, &file, o);
        }
    }
}

static void ask_rules(const iol__case *job, iol__observation *o) {
    for (size_t r = 0; r < job->book->n_rules; r++) {
        iol__subject subject = job->total;
        if (job->book->rules[r]->scope == IOL_SCOPE_JOB) calibrate_ask(job->book->rules[r], &subject, o);
    }
    ask_of_files(job, o);
}

/* The whole ------------------------------------------------------------------------------------------------------ */

static void observe(const iol__case *job, iol__observation *o) {
    o->healthy = job->job[IOL_JOB_io_share] < healthy_share; /* false for what is not known */
    o->limits = iol__arena_alloc(&o->arena, job->book->n_thresholds + 1, sizeof *o->limits);
    for (size_t i = 0; i < job->book->n_thresholds; i++) o->limits[i].value = NAN;
    look_at_files(job, o);
    if (o->healthy) ask_rules(job, o);
}

/* Memory that ends here must not end the diagnosis around it half-way. */
static void calibrate_look(const iol__case *job, void *data) {
    iol__observation *o = data;
    jmp_buf exhausted;
    o->arena.exhausted = &exhausted;
    if (!setjmp(exhausted)) {
        observe(job, o);
        o->complete = true;
    }
    o->arena.exhausted = NULL;
}

iol_status iol__observe(iol_log *log, const iol__rulebook *book, iol__observation **out, iol_error *error) {
    *out = NULL;
    iol__observation *o = calloc(1, sizeof *o);
    iol__diagnosis *diagnosis = NULL;
    const iol__diagnose_options options = {.rulebook = book, .evidence = 1, .look = calibrate_look, .look_data = o};
    iol_status status = o ? iol__diagnose(log, &options, &diagnosis, error) : IOL_SYSTEM;
    iol__diagnosis_free(diagnosis);
    if (status == IOL_OK && o->complete) {
        *out = o;
        return IOL_OK;
    }
    if ((!o || status == IOL_OK) && error) {
        *error = (iol_error){.status = IOL_SYSTEM, .slot = -1, .offset = IOL_NO_OFFSET};
        snprintf(error->message, sizeof error->message, "there is no memory for the calibration");
    }
    iol__observation_free(o);
    return IOL_SYSTEM;
}

void iol__observation_free(iol__observation *o) {
    if (!o) return;
    iol__arena_free(&o->arena);
    free(o);
}
