/* Every figure on both sides: how it is spread, how it changed, and whether a test says that this is not chance.
   Counts that all runs of a side agree on are facts and are not tested. */
#include <math.h>

#include "insight/compare/compare_internal.h"

const char *const iol__aspect_words[IOL_ASPECTS] = {
    [IOL_ASPECT_TIME] = "time",
    [IOL_ASPECT_REQUESTS] = "number and size of requests",
    [IOL_ASPECT_SYNCS] = "syncs",
    [IOL_ASPECT_VOLUME] = "amount of data",
    [IOL_ASPECT_ORDER] = "order of access",
    [IOL_ASPECT_METADATA] = "opens and other metadata calls",
    [IOL_ASPECT_COLLECTIVE] = "collective and independent calls",
    [IOL_ASPECT_NONBLOCKING] = "nonblocking calls",
    [IOL_ASPECT_SPREAD] = "spread over ranks",
    [IOL_ASPECT_ALIGNMENT] = "alignment",
    [IOL_ASPECT_STRIPING] = "striping",
};

/* The values of a figure over the runs that count. Room for group->n. */
static size_t group_values(const iol__job_group *group, int metric, double *values) {
    size_t n = 0;
    for (size_t i = 0; i < group->n; i++)
        if (!group->runs[i].left_out && isfinite(group->runs[i].values[metric]))
            values[n++] = group->runs[i].values[metric];
    return n;
}

/* Why no test can be made, or NULL. */
static const char *obstacle(const iol__change *c) {
    const iol__spread *a = &c->side[0], *b = &c->side[1];
    if (!a->n || !b->n) return "not known on both sides";
    if (c->fact) return "counted: a fact, not an estimate";
    if (a->n < IOL_RUNS_FOR_A_TEST || b->n < IOL_RUNS_FOR_A_TEST) return "fewer than three runs on a side";
    if (a->min == a->max && b->min == b->max && a->min == b->min) return "the same in all runs";
    if (a->min <= 0 || b->min <= 0) return "not above zero in all runs";
    return NULL;
}

static void test(iol__change *c, const double *const values[2]) {
    size_t n_a = c->side[0].n, n_b = c->side[1].n;
    if (!iol__mann_whitney(values[0], n_a, values[1], n_b, &c->ranks)) {
        c->no_test = "there is no memory for it";
        return;
    }
    c->has_welch = iol__welch_ratio(values[0], n_a, values[1], n_b, &c->welch);
    c->p = c->has_welch ? c->welch.p : c->ranks.p;
    c->tested = true;
}

static void compare_figures_one(iol__contrast *contrast, int metric, double *const values[2]) {
    iol__change *c = &contrast->changes[metric];
    for (int g = 0; g < 2; g++)
        c->side[g] = iol__spread_of(values[g], group_values(&contrast->group[g], metric, values[g]));
    const iol__spread *a = &c->side[0], *b = &c->side[1];
    c->p = c->holm = NAN;
    c->ratio = a->mean > 0 ? b->mean / a->mean : NAN;
    c->differs = a->n && b->n && a->mean != b->mean;
    c->fact =
        iol__compare_metrics[metric].aspect != IOL_ASPECT_TIME && a->n && b->n && a->min == a->max && b->min == b->max;
    c->no_test = obstacle(c);
    if (!c->no_test) test(c, (const double *const *)values);
}

static void correct(iol__contrast *contrast) {
    double p[IOL_METRICS];
    for (int m = 0; m < IOL_METRICS; m++) {
        p[m] = contrast->changes[m].p;
        contrast->n_tested += contrast->changes[m].tested;
    }
    if (!iol__holm(p, IOL_METRICS)) return;
    for (int m = 0; m < IOL_METRICS; m++) {
        contrast->changes[m].holm = p[m];
        contrast->changes[m].significant = p[m] < 0.05;
    }
}

/* A change of behaviour that could matter for time: a fact or a significant difference, by more than a twentieth. */
static void find_aspects(iol__contrast *contrast) {
    for (int m = 0; m < IOL_METRICS; m++) {
        const iol__change *c = &contrast->changes[m];
        iol__aspect aspect = iol__compare_metrics[m].aspect;
        if (aspect == IOL_ASPECT_TIME || !c->differs || !(c->fact || c->significant)) continue;
        double more = fmax(c->side[0].mean, c->side[1].mean), less = fmin(c->side[0].mean, c->side[1].mean);
        if (more - less <= 0.05 * more || contrast->aspects[aspect]) continue;
        contrast->aspects[aspect] = true;
        contrast->n_aspects++;
    }
}

void iol__compare_figures(iol__contrast *contrast, iol__arena *arena) {
    double *values[2];
    for (int g = 0; g < 2; g++) values[g] = iol__arena_alloc(arena, contrast->group[g].n + 1, sizeof *values[g]);
    for (int m = 0; m < IOL_METRICS; m++) compare_figures_one(contrast, m, values);
    correct(contrast);
    find_aspects(contrast);
}
