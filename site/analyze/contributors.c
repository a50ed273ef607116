/* Regions of similar performance, and what stands out in them. */
#include "site/analyze/contributors.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "site/analyze/numbers.h"
#include "site/connect/connect.h"
#include "text/number.h"

enum { LEAST_RUNS = 7 };
static const double DAY = 86400, SHORT_DAYS = 14, LONG_DAYS = 49;

/* Mean of the values within half a window on either side of a run. */
static double moving(const iol__umami *umami, const double *values, size_t run, double days) {
    double sum = 0, n = 0;
    for (size_t i = 0; i < umami->count; i++) {
        if (isnan(values[i]) || !(fabs(umami->times[i] - umami->times[run]) <= days * DAY / 2)) continue;
        sum += values[i];
        n++;
    }
    return n > 0 ? sum / n : NAN;
}

/* Whether the short average is above the long one, for each run; where neither is known, as for the run before. */
static bool *sides_of(iol__arena *arena, const iol__umami *umami, const double *values) {
    bool *above = iol__arena_alloc(arena, umami->count + 1, sizeof *above);
    for (size_t i = 0; i < umami->count; i++) {
        double near = moving(umami, values, i, SHORT_DAYS), far = moving(umami, values, i, LONG_DAYS);
        above[i] = isnan(near) || isnan(far) || near == far ? i && above[i - 1] : near > far;
    }
    return above;
}

/* From crossing to crossing; one that has too few runs is joined with what comes next, the last with what was before. */
static void find_region(iol__arena *arena, const iol__umami *umami, const double *values, iol__contributors *is) {
    bool *above = sides_of(arena, umami, values);
    size_t before = 0, start = 0;
    is->last = umami->count;
    for (size_t i = 1; i < umami->count; i++) {
        if (above[i] == above[i - 1] || i - start < LEAST_RUNS) continue;
        if (i > umami->highlighted) {
            is->first = start;
            is->last = i;
            return;
        }
        before = start;
        start = i;
    }
    is->first = umami->count - start < LEAST_RUNS ? before : start;
}

static iol__contributor contributors_judge(iol__arena *arena, const iol__umami *umami, const iol__umami_metric *metric,
                                           const iol__contributors *in) {
    iol__contributor is = {.metric = metric, .value = metric->values[umami->highlighted]};
    double *sorted = iol__arena_alloc(arena, in->last - in->first + 1, sizeof *sorted);
    memcpy(sorted, metric->values + in->first, (in->last - in->first) * sizeof *sorted);
    is.observed = iol__sort_values(sorted, in->last - in->first);
    bool low = metric->big_is_good != in->good; /* what is looked for is small */
    is.cutoff = iol__quantile(sorted, is.observed, in->extreme ? !low : low ? 0.25 : 0.75);
    for (size_t i = 0; i < is.observed; i++)
        is.matching += in->extreme ? sorted[i] == is.cutoff : low ? sorted[i] < is.cutoff : sorted[i] > is.cutoff;
    is.matches = in->extreme ? is.value == is.cutoff : low ? is.value < is.cutoff : is.value > is.cutoff;
    return is;
}

iol__contributors iol__contributors_of(iol__arena *arena, const iol__umami *umami, bool good, bool extreme) {
    iol__contributors is = {.good = good, .extreme = extreme, .last = umami->count};
    if (umami->n_metrics) find_region(arena, umami, umami->metrics[0].values, &is);
    is.list = iol__arena_alloc(arena, umami->n_metrics + 1, sizeof *is.list);
    for (size_t i = 0; i < umami->n_metrics; i++)
        is.list[is.count++] = contributors_judge(arena, umami, &umami->metrics[i], &is);
    return is;
}

static double contributors_share_of(const iol__contributor *is) {
    return is->observed ? (double)is->matching / (double)is->observed : NAN;
}

iol__value *iol__contributors_tree(iol__arena *arena, const iol__umami *umami, const iol__contributors *is) {
    iol__value *tree = iol__value_new(arena, IOL__MAP), *list = iol__map_open(arena, tree, "metrics", IOL__LIST);
    double runs = (double)(is->last - is->first);
    iol__map_put_text(arena, tree, "looking_for", is->good ? "good" : "bad");
    iol__map_put_text(arena, tree, "classifier", is->extreme ? "extreme" : "quartile");
    iol__map_put_real(arena, tree, "region_start", umami->times[is->first]);
    iol__map_put_real(arena, tree, "region_end", umami->times[is->last - 1]);
    iol__map_put_integer(arena, tree, "region_runs", (int64_t)runs);
    for (size_t i = 0; i < is->count; i++) {
        const iol__contributor *one = &is->list[i];
        iol__value *row = iol__value_new(arena, IOL__MAP);
        iol__map_put_text(arena, row, "metric", one->metric->key);
        iol__map_put_real(arena, row, "cutoff", one->cutoff);
        iol__map_put_real(arena, row, "value", one->value);
        iol__map_put(arena, row, "matches", iol__of_flag(arena, one->matches));
        iol__map_put_integer(arena, row, "observations", (int64_t)one->observed);
        iol__map_put_integer(arena, row, "matching", (int64_t)one->matching);
        iol__map_put_real(arena, row, "p", contributors_share_of(one));
        iol__map_put_real(arena, row, "random_p", 1 / runs);
        iol__list_add(arena, list, row);
    }
    return tree;
}

void iol__contributors_text(iol__out *out, const iol__umami *umami, const iol__contributors *is) {
    char from[32], to[32], a[IOL_HUMAN], b[IOL_HUMAN], c[IOL_HUMAN];
    size_t said = 0;
    iol__format_time(iol__whole(umami->times[is->first]), from);
    iol__format_time(iol__whole(umami->times[is->last - 1]), to);
    iol__out_printf(out, "\nUnusually %s among the %zu runs from %.10s to %.10s:\n", is->good ? "good" : "bad",
                    is->last - is->first, from, to);
    for (size_t i = 0; i < is->count; i++) {
        const iol__contributor *one = &is->list[i];
        bool low = one->metric->big_is_good != is->good;
        if (!one->matches) continue;
        iol__out_printf(out, "%-28s %s is %s %s, as in %s of them\n", one->metric->label,
                        iol__human_number(a, one->value),
                        is->extreme ? ""
                        : low       ? "below"
                                    : "above",
                        is->extreme ? low ? "the least" : "the most" : iol__human_number(b, one->cutoff),
                        iol__human_share(c, contributors_share_of(one)));
        said++;
    }
    if (!said) iol__out_text(out, "nothing that is known\n");
}
