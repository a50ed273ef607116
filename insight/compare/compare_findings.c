/* Findings before and after: fixed, new, remaining. Where one went or became cheaper, the predictions of its advice are
   held against the figures. A group has a finding when at least half of its runs do. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/count.h"
#include "insight/compare/compare_internal.h"

/* Predictions --------------------------------------------------------------------------------------------------- */

enum direction { FALLS, RISES };

static const struct {
    const char *recipe;
    int metric;
    enum direction direction;
} checks[] = {
#define CHECK(recipe, figure, direction) {#recipe, IOL_METRIC_##figure, direction},
#include "insight/compare/compare_checks.def"
};

enum { CHECKS = IOL_COUNT(checks) };

/* The figure by which a check is made for a finding of this id. */
static int figure_for(const char *id, int metric) {
    static const struct {
        int metric, of_stdio;
    } streams[] = {
#define STREAM(figure, of_stdio) {IOL_METRIC_##figure, IOL_METRIC_##of_stdio},
#include "insight/compare/compare_checks.def"
    };
    if (strncmp(id, "stdio.", 6) != 0) return metric;
    for (size_t i = 0; i < IOL_COUNT(streams); i++)
        if (streams[i].metric == metric) return streams[i].of_stdio;
    return metric;
}

/* By more than a twentieth, and not by chance. */
static bool came_true(const iol__change *c, enum direction direction) {
    double a = c->side[0].mean, b = c->side[1].mean;
    if (!c->fact && !c->significant) return false;
    return direction == RISES ? b > a && b - a > 0.05 * b : a > b && a - b > 0.05 * a;
}

static void add_foretold(iol__contrast *contrast, iol__finding_change *change, const char *action, iol__arena *arena) {
    iol__foretold *list = (iol__foretold *)(uintptr_t)change->foretold;
    size_t first = change->n_foretold;
    bool all = true;
    for (int i = 0; i < CHECKS; i++) {
        int metric = figure_for(change->id, checks[i].metric);
        const iol__change *c = &contrast->changes[metric];
        if (strcmp(checks[i].recipe, action) != 0 || !c->side[0].n || !c->side[1].n) continue;
        bool came = came_true(c, checks[i].direction);
        all &= came;
        list = iol__arena_grow(arena, list, change->n_foretold, sizeof *list);
        list[change->n_foretold++] = (iol__foretold){action, metric, checks[i].direction == RISES, came, false};
    }
    for (size_t i = first; i < change->n_foretold; i++) contrast->advice_came |= list[i].advice_came = all;
    change->foretold = list;
}

/* Whether the figures that the first advice is about are what they were: then it was not that which was fixed. */
static bool cause_unchanged(const iol__contrast *contrast, const iol__finding_change *change) {
    for (size_t i = 0; i < change->n_foretold; i++) {
        const iol__foretold *f = &change->foretold[i];
        if (strcmp(f->action, change->foretold[0].action) != 0) continue;
        const iol__change *c = &contrast->changes[f->metric];
        double a = c->side[0].mean, b = c->side[1].mean;
        if (!(fabs(b - a) <= 0.05 * fmax(fabs(a), fabs(b)))) return false;
    }
    return change->n_foretold > 0;
}

/* Findings ------------------------------------------------------------------------------------------------------ */

static const iol__job_finding *compare_findings_find(const iol__job_run *run, const char *id) {
    for (size_t i = 0; i < run->n_findings; i++)
        if (strcmp(run->findings[i].id, id) == 0) return &run->findings[i];
    return NULL;
}

/* A group's share in a finding: in how many runs, how bad, what it cost. Returns the first of them. */
static const iol__job_finding *compare_findings_gather(const iol__job_group *group, const char *id, size_t *runs,
                                                       iol__level *worst, double *lost) {
    const iol__job_finding *first = NULL;
    size_t known = 0;
    double sum = 0;
    *runs = 0;
    *worst = IOL_LEVEL_INFO;
    for (size_t i = 0; i < group->n; i++) {
        const iol__job_finding *f = group->runs[i].left_out ? NULL : compare_findings_find(&group->runs[i], id);
        if (!f) continue;
        if (!first) first = f;
        ++*runs;
        if (f->level > *worst) *worst = f->level;
        if (isnan(f->lost)) continue;
        known++;
        sum += f->lost;
    }
    *lost = known ? sum / (double)known : *runs ? NAN : 0;
    return 2 * *runs >= group->used ? first : NULL;
}

static bool known_already(const iol__contrast *contrast, const char *id) {
    for (size_t i = 0; i < contrast->n_findings; i++)
        if (strcmp(contrast->findings[i].id, id) == 0) return true;
    return false;
}

/* What is left is a remark about a tenth of the loss or less. */
static bool is_remnant(const iol__finding_change *change) {
    return change->level[0] >= IOL_LEVEL_WARN && change->level[1] < IOL_LEVEL_WARN &&
           change->lost[1] <= 0.1 * change->lost[0];
}

static void compare_findings_add(iol__contrast *contrast, const char *id, iol__arena *arena) {
    iol__finding_change change = {.id = id};
    const iol__job_finding *first[2];
    if (known_already(contrast, id)) return;
    for (int g = 0; g < 2; g++)
        first[g] = compare_findings_gather(&contrast->group[g], id, &change.runs[g], &change.level[g], &change.lost[g]);
    if (!first[0] && !first[1]) return;
    /* Remarks that were never more than that say nothing about what was fixed. */
    if (change.level[0] < IOL_LEVEL_WARN && change.level[1] < IOL_LEVEL_WARN) return;
    change.fate = !first[0] ? IOL_FATE_NEW : !first[1] || is_remnant(&change) ? IOL_FATE_FIXED : IOL_FATE_REMAINING;
    change.title = (change.fate == IOL_FATE_FIXED ? first[0] : first[1])->title; /* what is gone, as it was */
    bool better = change.fate == IOL_FATE_FIXED || (first[0] && first[1] && change.lost[1] < change.lost[0]);
    for (size_t i = 0; better && first[0]->actions[i]; i++)
        add_foretold(contrast, &change, first[0]->actions[i], arena);
    if (change.fate == IOL_FATE_FIXED && cause_unchanged(contrast, &change)) change.fate = IOL_FATE_EASED;
    contrast->findings = iol__arena_grow(arena, contrast->findings, contrast->n_findings, sizeof change);
    contrast->findings[contrast->n_findings++] = change;
}

static double compare_findings_weight(const iol__finding_change *c) {
    double change = fabs(c->lost[1] - c->lost[0]);
    return isnan(change) ? 0 : change;
}

static int by_weight(const void *x, const void *y) {
    const iol__finding_change *a = x, *b = y;
    double p = compare_findings_weight(a), q = compare_findings_weight(b);
    if (p != q) return p > q ? -1 : 1;
    if (a->fate != b->fate) return a->fate < b->fate ? -1 : 1;
    return strcmp(a->id, b->id);
}

void iol__compare_findings(iol__contrast *contrast, iol__arena *arena) {
    for (int g = 0; g < 2; g++)
        for (size_t i = 0; i < contrast->group[g].n; i++) {
            const iol__job_run *run = &contrast->group[g].runs[i];
            for (size_t f = 0; !run->left_out && f < run->n_findings; f++)
                compare_findings_add(contrast, run->findings[f].id, arena);
        }
    if (contrast->n_findings) qsort(contrast->findings, contrast->n_findings, sizeof *contrast->findings, by_weight);
}
