/* Statistics of UMAMI. */
#include "site/analyze/umami.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/count.h"
#include "site/analyze/numbers.h"
#include "site/analyze/summaries.h"
#include "text/number.h"
#include "text/text.h"

/* From worst to best. */
static const char *const colours[] = {"#DA0017", "#FD6A07", "#40A43A", "#2C69A9"};

static const struct definition {
    const char *key, *metric, *label;
    double divisor;
    bool big_is_good;
} definitions[] = {
    {"performance", "darshan_agg_perf_by_slowest_posix", "Performance (GiB/sec)", 1024, true},
    {"cf_bw", "coverage_factor_bw", "Coverage Factor (Bandwidth)", 1, true},
    {"max_oss_cpu", "fs_max_oss_cpu", "Maximum OSS CPU Load (%)", 1, false},
    {"ave_mds_cpu", "fs_ave_mds_cpu", "Average MDS CPU Load (%)", 1, false},
    {"tot_opens", "fs_tot_open_ops", "Total open ops (MOps)", 1e6, false},
    {"fullest_ost", "fshealth_ost_most_full_pct", "Most Full OST (% Used)", 1, false},
    {"max_radius", "topology_job_max_radius", "Maximum Job Radius", 1, false},
};

static bool worth_showing(const double *values, size_t count) {
    double first = NAN;
    for (size_t i = 0; i < count; i++) {
        if (isnan(values[i])) continue;
        if (isnan(first)) first = values[i];
        if (values[i] != first) return true;
    }
    return false;
}

static void make_box(iol__arena *arena, iol__umami_metric *is, const double *sorted, size_t n) {
    double from = iol__quantile(sorted, n, 0.05), to = iol__quantile(sorted, n, 0.95);
    is->q1 = iol__quantile(sorted, n, 0.25);
    is->median = iol__quantile(sorted, n, 0.5);
    is->q3 = iol__quantile(sorted, n, 0.75);
    is->low = is->q1;
    is->high = is->q3;
    for (size_t i = 0; i < n; i++) {
        if (sorted[i] >= from && sorted[i] <= to) is->low = fmin(is->low, sorted[i]);
        if (sorted[i] >= from && sorted[i] <= to) is->high = fmax(is->high, sorted[i]);
    }
    is->beyond = iol__arena_alloc(arena, n + 1, sizeof *is->beyond);
    for (size_t i = 0; i < n; i++)
        if (sorted[i] < is->low || sorted[i] > is->high) is->beyond[is->n_beyond++] = sorted[i];
}

static void judge(iol__arena *arena, iol__umami_metric *is, size_t count, size_t highlighted) {
    double *others = iol__arena_alloc(arena, count + 1, sizeof *others), value = is->values[highlighted];
    size_t n = 0;
    for (size_t i = 0; i < count; i++)
        if (i != highlighted) others[n++] = is->values[i];
    n = iol__sort_values(others, n);
    is->quarter = 3; /* also where the value is missing, which then has no colour of its own */
    for (int i = 3; i >= 0; i--) {
        is->quarters[i] = iol__quantile(others, n, 0.25 * (i + 1));
        if (value <= is->quarters[i]) is->quarter = i;
    }
    is->colour = isnan(value) ? "#888888" : colours[is->big_is_good ? is->quarter : 3 - is->quarter];
    make_box(arena, is, others, n);
}

iol__umami iol__umami_make(iol__arena *arena, const iol__value *rows, size_t highlighted, const char *only) {
    iol__umami made = {.count = rows->count, .highlighted = highlighted};
    made.times = iol__arena_alloc(arena, rows->count + 1, sizeof *made.times);
    made.job_ids = iol__arena_alloc(arena, rows->count + 1, sizeof *made.job_ids);
    made.metrics = iol__arena_alloc(arena, IOL_COUNT(definitions), sizeof *made.metrics);
    for (size_t i = 0; i < rows->count; i++) {
        const iol__value *id = iol__map_get(rows->items[i], "_jobid");
        made.times[i] = iol__summary_start(rows->items[i]);
        made.job_ids[i] = !id                     ? ""
                          : id->kind == IOL__TEXT ? id->text
                                                  : iol__arena_print(arena, "%.0f", iol__value_number(id));
    }
    for (size_t d = 0; rows->count && d < IOL_COUNT(definitions); d++) {
        iol__umami_metric *is = &made.metrics[made.n_metrics];
        if (only && !iol__text_listed(only, definitions[d].key) && !iol__text_listed(only, definitions[d].metric))
            continue;
        *is = (iol__umami_metric){
            .key = definitions[d].key, .label = definitions[d].label, .big_is_good = definitions[d].big_is_good};
        is->values = iol__arena_alloc(arena, rows->count + 1, sizeof *is->values);
        for (size_t i = 0; i < rows->count; i++)
            is->values[i] = iol__summary_metric(rows->items[i], definitions[d].metric) / definitions[d].divisor;
        if (!worth_showing(is->values, rows->count)) {
            iol__site_say("%s is the same for all jobs, or not known", definitions[d].label);
            continue;
        }
        judge(arena, is, rows->count, highlighted);
        made.n_metrics++;
    }
    return made;
}

/* As data -------------------------------------------------------------------------------------------------------- */

static iol__value *numbers(iol__arena *arena, const double *values, size_t count) {
    iol__value *list = iol__value_new(arena, IOL__LIST);
    for (size_t i = 0; i < count; i++) iol__list_add(arena, list, iol__of_real(arena, values[i]));
    return list;
}

static iol__value *metric_tree(iol__arena *arena, const iol__umami *umami, const iol__umami_metric *is) {
    iol__value *row = iol__value_new(arena, IOL__MAP), *box = iol__map_open(arena, row, "box", IOL__MAP);
    iol__map_put_text(arena, row, "key", is->key);
    iol__map_put_text(arena, row, "label", is->label);
    iol__map_put(arena, row, "big_is_good", iol__of_flag(arena, is->big_is_good));
    iol__map_put(arena, row, "values", numbers(arena, is->values, umami->count));
    iol__map_put_real(arena, row, "highlight_value", is->values[umami->highlighted]);
    iol__map_put(arena, row, "percentiles_25_50_75_100", numbers(arena, is->quarters, 4));
    iol__map_put_integer(arena, row, "colour_index", is->quarter);
    iol__map_put_text(arena, row, "colour", is->colour);
    iol__map_put_real(arena, box, "whislo", is->low);
    iol__map_put_real(arena, box, "q1", is->q1);
    iol__map_put_real(arena, box, "med", is->median);
    iol__map_put_real(arena, box, "q3", is->q3);
    iol__map_put_real(arena, box, "whishi", is->high);
    iol__map_put(arena, box, "fliers", numbers(arena, is->beyond, is->n_beyond));
    return row;
}

iol__value *iol__umami_tree(iol__arena *arena, const iol__umami *umami) {
    iol__value *tree = iol__value_new(arena, IOL__MAP), *ids = iol__map_open(arena, tree, "jobids", IOL__LIST);
    iol__value *rows = iol__map_open(arena, tree, "rows", IOL__LIST);
    iol__map_put(arena, tree, "timestamps", numbers(arena, umami->times, umami->count));
    for (size_t i = 0; i < umami->count; i++) iol__list_add(arena, ids, iol__of_text(arena, umami->job_ids[i]));
    for (size_t i = 0; i < umami->n_metrics; i++)
        iol__list_add(arena, rows, metric_tree(arena, umami, &umami->metrics[i]));
    return tree;
}

/* On a terminal --------------------------------------------------------------------------------------------------- */

/* So that a line has 80 columns: the latest jobs, a space on either side, the value and what it means. */
enum { LABEL = 28, MOST_BARS = 20 };

static void bars(iol__out *out, const iol__umami *umami, const iol__umami_metric *is) {
    static const char *const steps[] = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
    double least = INFINITY, most = -INFINITY;
    size_t first = umami->count > MOST_BARS ? umami->count - MOST_BARS : 0;
    for (size_t i = first; i < umami->count; i++)
        if (!isnan(is->values[i])) least = fmin(least, is->values[i]), most = fmax(most, is->values[i]);
    for (size_t i = first; i < umami->count; i++)
        if (isnan(is->values[i]))
            iol__out_char(out, ' ');
        else
            iol__out_text(out, steps[most > least ? (int)(7.999 * (is->values[i] - least) / (most - least)) : 4]);
}

void iol__umami_text(iol__out *out, const iol__umami *umami, bool colour) {
    static const char *const words[] = {"worst quarter", "below median", "above median", "best quarter"};
    static const char *const inks[] = {"\033[31m", "\033[33m", "\033[32m", "\033[34m"};
    for (size_t i = 0; i < umami->n_metrics; i++) {
        const iol__umami_metric *is = &umami->metrics[i];
        int quality = is->big_is_good ? is->quarter : 3 - is->quarter;
        double here = is->values[umami->highlighted];
        char value[IOL_HUMAN], median[IOL_HUMAN];
        iol__out_printf(out, "%-*s ", LABEL, is->label);
        bars(out, umami, is);
        if (isnan(here))
            iol__out_text(out, " not known\n");
        else
            iol__out_printf(out, " %s%s%s, %s (%s)\n", colour ? inks[quality] : "", iol__human_number(value, here),
                            colour ? "\033[0m" : "", words[quality], iol__human_number(median, is->quarters[1]));
    }
    if (umami->n_metrics)
        iol__out_printf(out, "The last %zu jobs; the value of the chosen one, where it stands, and the median.\n",
                        umami->count > MOST_BARS ? (size_t)MOST_BARS : umami->count);
}
