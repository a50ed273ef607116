/* The correlation table: performance of each benchmark against metrics of the file system. */
#include "site/analyze/correlate.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/count.h"
#include "site/analyze/numbers.h"
#include "site/analyze/summaries.h"
#include "site/analyze/svg.h"
#include "text/number.h"
#include "text/text.h"

static const struct metric {
    const char *key, *label;
    const char *effect; /* what to keep in mind where it follows from performance rather than the other way round */
} metrics[] = {
    {"coverage_factor_bw", "Coverage Factor (Bandwidth)", NULL},
    {"coverage_factor_opens", "Coverage Factor (opens)", NULL},
    {"fs_ave_mds_cpu", "Average MDS CPU Load", NULL},
    {"fs_ave_oss_cpu", "Average OSS CPU Load",
     "A faster job gives servers more to do, so their average load follows from performance and does not explain it."},
    {"fs_max_mds_cpu", "Peak MDS CPU Load", NULL},
    {"fs_max_oss_cpu", "Peak OSS CPU Load",
     "A faster job gives servers more to do, so their peak load follows from performance and does not explain it."},
    {"fshealth_ost_most_full_pct", "OST Fullness", NULL},
    {"fshealth_ost_overloaded_oss_count", "Number of failed-over OSTs", NULL},
    {"topology_job_avg_radius", "Average Job Radius", NULL},
};
enum { METRICS = IOL_COUNT(metrics) };

static const double significant = 1e-5, most_coverage = 1.2;

/* "ior_fpp_write": program, a file per process or shared, direction. */
static const char *benchmark_of(iol__arena *arena, const iol__value *row) {
    bool writes = iol__summary_writes(row);
    double files = iol__map_number(row, writes ? "darshan_biggest_write_api_files" : "darshan_biggest_read_api_files");
    double processes = iol__map_number(row, "darshan_nprocs");
    bool each = processes > 0 && files > 0 && fmod(files, processes) < 0.05 * files;
    return iol__arena_print(arena, "%s_%s_%s", iol__summary_app(row), each ? "fpp" : "shared",
                            writes ? "write" : "read");
}

typedef struct analyze_correlate_group {
    double *performance;
    const iol__value **rows;
    size_t count;
} analyze_correlate_group;

/* Performance as a share of the best run of the same benchmark on the same file system. */
static void normalise(iol__arena *arena, analyze_correlate_group *is) {
    iol__value *best = iol__value_new(arena, IOL__MAP);
    for (int pass = 0; pass < 2; pass++)
        for (size_t i = 0; i < is->count; i++) {
            const char *fs = iol__map_text(is->rows[i], "_file_system");
            double known = iol__map_number(best, fs ? fs : ""), here = is->performance[i];
            if (pass)
                is->performance[i] = here / known;
            else if (!(here <= known) && !isnan(here))
                iol__map_put_real(arena, best, fs ? fs : "", here);
        }
}

static double metric_of(const iol__value *row, const char *key) {
    double value = iol__summary_metric(row, key);
    bool too_much = strcmp(key, "coverage_factor_bw") == 0 && value > most_coverage;
    return too_much ? NAN : value;
}

/* The metrics of a table: those that were named, else the published ones. */
static const struct metric *chosen_metrics(iol__arena *arena, const iol__correlating *how, size_t *count) {
    *count = METRICS;
    if (!how->metrics) return metrics;
    struct metric *chosen = NULL;
    char *keys = iol__arena_copy(arena, how->metrics);
    *count = 0;
    for (char *key; (key = strsep(&keys, ","));) {
        if (!*key) continue;
        chosen = iol__arena_grow(arena, chosen, *count, sizeof *chosen);
        chosen[*count] = (struct metric){.key = key, .label = key};
        for (size_t m = 0; m < METRICS; m++)
            if (strcmp(metrics[m].key, key) == 0) chosen[*count] = metrics[m];
        ++*count;
    }
    return chosen;
}

static bool correlate_metric(iol__arena *arena, const analyze_correlate_group *is, const char *key, bool ranks,
                             iol__correlation *found) {
    double *values = iol__arena_alloc(arena, is->count + 1, sizeof *values);
    for (size_t i = 0; i < is->count; i++) values[i] = metric_of(is->rows[i], key);
    if (!ranks) return iol__pearson(values, is->performance, is->count, found);
    double *room = iol__arena_alloc(arena, 2 * is->count + 1, sizeof *room);
    return iol__spearman(values, is->performance, is->count, room, found);
}

static void tell_metric(iol__arena *arena, const analyze_correlate_group *is, const struct metric *metric, bool ranks,
                        iol__value *result) {
    iol__correlation found;
    if (!correlate_metric(arena, is, metric->key, ranks, &found)) return;
    iol__value *cell = iol__map_open(arena, result, metric->key, IOL__MAP);
    iol__map_put_real(arena, cell, "coefficient", found.r);
    iol__map_put_real(arena, cell, "p_value", found.p);
    iol__map_put_integer(arena, cell, "n", (int64_t)found.n);
    iol__map_put(arena, cell, "significant", iol__of_flag(arena, found.p < significant));
    if (metric->effect && found.r > 0) iol__map_put_text(arena, cell, "effect", metric->effect);
}

static iol__value *correlate_group(iol__arena *arena, analyze_correlate_group *is, const iol__correlating *how) {
    iol__value *result = iol__value_new(arena, IOL__MAP);
    if (!how->against) normalise(arena, is);
    size_t count;
    const struct metric *chosen = chosen_metrics(arena, how, &count);
    for (size_t m = 0; m < count; m++) tell_metric(arena, is, &chosen[m], how->ranks, result);
    return result;
}

iol__value *iol__correlate(iol__arena *arena, const iol__value *rows, const iol__correlating *how) {
    const char *against = how->against ? how->against : "darshan_agg_perf_by_slowest_posix";
    iol__value *numbers = iol__value_new(arena, IOL__MAP), *table = iol__value_new(arena, IOL__MAP);
    analyze_correlate_group *groups = NULL;
    for (size_t i = 0; i < rows->count; i++) {
        const char *name = benchmark_of(arena, rows->items[i]);
        const iol__value *there = iol__map_get(numbers, name);
        size_t number = there ? (size_t)there->integer : numbers->count;
        if (!there) {
            groups = iol__arena_grow(arena, groups, number, sizeof *groups);
            groups[number] = (analyze_correlate_group){0};
            iol__map_put_integer(arena, numbers, name, (int64_t)number);
        }
        analyze_correlate_group *is = &groups[number];
        is->performance = iol__arena_grow(arena, is->performance, is->count, sizeof *is->performance);
        is->rows = iol__arena_grow(arena, is->rows, is->count, sizeof *is->rows);
        is->performance[is->count] = iol__summary_metric(rows->items[i], against);
        is->rows[is->count++] = rows->items[i];
    }
    for (size_t i = 0; i < numbers->count; i++)
        iol__map_put(arena, table, numbers->keys[i], correlate_group(arena, &groups[i], how));
    return table;
}

/* As text ---------------------------------------------------------------------------------------------------------- */

enum { AT_ONCE = 5 }; /* benchmarks beside each other on a terminal */

static bool is_sure(const iol__value *cell) {
    const iol__value *marked = iol__map_get(cell, "significant");
    return marked && marked->flag;
}

/* Returns whether it follows from performance. */
static bool cell_text(iol__out *out, const iol__value *cell, bool bold) {
    bool sure = is_sure(cell), effect = iol__map_get(cell, "effect") != NULL;
    char number[IOL_HUMAN];
    if (!cell)
        iol__out_printf(out, " %9s", "");
    else
        iol__out_printf(out, " %s%7s%s%s%s", bold && sure ? "\033[1m" : "",
                        iol__human_coefficient(number, iol__map_number(cell, "coefficient")), sure ? "*" : " ",
                        effect ? "e" : " ", bold && sure ? "\033[0m" : "");
    return effect;
}

/* Some benchmarks of the table, each with a letter. */
static bool block_text(iol__out *out, const iol__value *table, const size_t *order, size_t first, bool bold,
                       const struct metric *rows, size_t n_rows) {
    size_t last = first + AT_ONCE < table->count ? first + AT_ONCE : table->count;
    bool effects = false;
    iol__out_printf(out, "%s%-28s", first ? "\n" : "", "");
    for (size_t i = first; i < last; i++) iol__out_printf(out, "     (%c)  ", 'a' + (int)(i % 26));
    iol__out_char(out, '\n');
    for (size_t m = 0; m < n_rows; m++) {
        iol__out_printf(out, "%-28s", rows[m].label);
        for (size_t i = first; i < last; i++)
            effects |= cell_text(out, iol__map_get(table->items[order[i]], rows[m].key), bold);
        iol__out_char(out, '\n');
    }
    return effects;
}

void iol__correlate_text(iol__out *out, iol__arena *arena, const iol__value *table, const iol__correlating *how,
                         bool bold) {
    size_t n_rows, *order = iol__map_order(arena, table);
    const struct metric *rows = chosen_metrics(arena, how, &n_rows);
    bool effects = false;
    for (size_t i = 0; i < table->count; i++) {
        iol__out_printf(out, "(%c) ", 'a' + (int)(i % 26));
        iol__out_fitted(out, table->keys[order[i]], 70, IOL_CUT_MIDDLE);
        iol__out_char(out, '\n');
    }
    for (size_t i = 0; i < table->count; i += AT_ONCE) effects |= block_text(out, table, order, i, bold, rows, n_rows);
    iol__out_printf(out, "* chance alone would do this less than once in 100,000 tables\n");
    if (effects)
        iol__out_text(out, "e a faster job gives servers more to do: load that grows with performance\n"
                           "  follows from it and does not explain it\n");
}

/* As a picture ------------------------------------------------------------------------------------------------------ */

enum { LABELS = 200, CELL = 74, ROW = 24, HEADS = 130, NOTES = 50 };

static void cell_svg(iol__out *out, const iol__value *cell, double x, double y) {
    double r = iol__map_number(cell, "coefficient");
    bool sure = is_sure(cell);
    char number[IOL_HUMAN];
    if (!cell) return;
    iol__out_printf(out, "<rect x=\"%.1f\" y=\"%.1f\" width=\"%d\" height=\"%d\" fill=\"%s\" fill-opacity=\"%.3f\"/>\n",
                    x, y, CELL, ROW, r < 0 ? "#FD6A07" : "#2C69A9", fmin(1, fabs(r)) * 0.8);
    iol__out_printf(out,
                    "<text class=\"%s\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\" font-size=\"12\"%s>%s%s</text>\n",
                    sure ? "ink" : "faint", x + CELL / 2.0, y + 16, sure ? " font-weight=\"bold\"" : "",
                    iol__human_coefficient(number, r), iol__map_get(cell, "effect") ? " e" : "");
}

void iol__correlate_svg(iol__out *out, iol__arena *arena, const iol__value *table, const iol__correlating *how) {
    size_t n_rows, *order = iol__map_order(arena, table);
    const struct metric *rows = chosen_metrics(arena, how, &n_rows);
    double width = LABELS + CELL * (double)table->count + 110, height = HEADS + ROW * (double)n_rows + NOTES;
    iol__svg_begin(out, fmax(width, 560), height);
    for (size_t i = 0; i < table->count; i++) {
        double x = LABELS + CELL * ((double)i + 0.5), y = HEADS - 8;
        iol__out_printf(out, "<g transform=\"rotate(-40 %.1f %.1f)\">", x, y);
        iol__svg_text(out, x, y, "start", 11, table->keys[order[i]]);
        iol__out_text(out, "</g>\n");
    }
    for (size_t m = 0; m < n_rows; m++) {
        double y = HEADS + ROW * (double)m;
        iol__svg_text(out, LABELS - 8, y + 16, "end", 12, rows[m].label);
        for (size_t i = 0; i < table->count; i++)
            cell_svg(out, iol__map_get(table->items[order[i]], rows[m].key), LABELS + CELL * (double)i, y);
    }
    iol__out_printf(out, "<rect class=\"line\" x=\"%d\" y=\"%d\" width=\"%.1f\" height=\"%.0f\"/>\n", LABELS, HEADS,
                    CELL * (double)table->count, ROW * (double)n_rows);
    iol__svg_text(out, 8, height - 28, "start", 10,
                  "bold: chance alone would do this less than once in 100,000 tables");
    iol__svg_text(out, 8, height - 12, "start", 10,
                  "e: a faster job gives servers more to do; this follows from performance and does not explain it");
    iol__svg_end(out);
}
