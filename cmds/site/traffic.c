/* iolite traffic: what went over the servers of a file system: totals, bins, any series over any range, and heat maps. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/count.h"
#include "cmds/site/site_data.h"
#include "text/text.h"
#include "site/analyze/heat.h"
#include "site/analyze/range.h"
#include "site/analyze/volumes.h"
#include "site/analyze/weeks.h"

/* One file -------------------------------------------------------------------------------------------------------- */

/* This and the table below are the text of the reference, character by character. */
static const char *traffic_human(site_run *run, double bytes) {
    static const char *const units[] = {"KiB", "MiB", "GiB", "TiB", "PiB", "EiB", "ZiB", "YiB"};
    if (bytes < 1024) return iol__arena_print(&run->arena, bytes == 1 ? "%.0f byte" : "%.0f bytes", bytes);
    size_t unit = 0;
    for (bytes /= 1024; bytes >= 1024 && unit < 7; unit++) bytes /= 1024;
    return iol__arena_print(&run->arena, "%.1f %s", bytes, units[unit]);
}

static void totals_text(site_run *run, iol__out *out, const iol__value *result) {
    const iol__value *total = iol__map_get(result, "total");
    iol__arena *arena = &run->arena;
    const struct {
        const char *label, *text;
    } lines[] = {
        {"Data Read:", traffic_human(run, iol__map_number(total, "read_bytes"))},
        {"Data Written:", traffic_human(run, iol__map_number(total, "write_bytes"))},
        {"Missing data points:", iol__arena_print(arena, "%.0f", iol__map_number(total, "missing_pts"))},
        {"Expected data points:", iol__arena_print(arena, "%.0f", iol__map_number(total, "total_pts"))},
        {"Percent data missing:", iol__arena_print(arena, "%.1f%%", iol__map_number(total, "missing_pct"))},
        {"First non-empty row:", iol__arena_print(arena, "%.0f", iol__map_number(total, "first_nonzero_idx"))},
        {"Last non-empty row:", iol__arena_print(arena, "%.0f", iol__map_number(total, "last_nonzero_idx"))},
    };
    for (size_t i = 0; i < IOL_COUNT(lines); i++) iol__out_printf(out, "%-21s%10s\n", lines[i].label, lines[i].text);
    static const char *const tables[] = {"columns", "timesteps"};
    for (size_t t = 0; t < 2; t++) {
        const iol__value *table = iol__map_get(result, tables[t]);
        for (size_t i = 0; table && i < table->count; i++)
            iol__out_printf(out, "%-24s %18.0f %18.0f\n", table->keys[i],
                            iol__map_number(table->items[i], "read_bytes"),
                            iol__map_number(table->items[i], "write_bytes"));
    }
}

/* "mibs" to " MiB", as totals have it. */
static const char *unit_sign(const char *unit) {
    static const char *const signs[][2] = {
        {"bytes", " B"}, {"kibs", " KiB"}, {"mibs", " MiB"}, {"gibs", " GiB"}, {"tibs", " TiB"}};
    for (size_t i = 0; i < IOL_COUNT(signs); i++)
        if (strcmp(signs[i][0], unit) == 0) return signs[i][1];
    return "";
}

static void bins_text(site_run *run, iol__out *out, const iol__value *result) {
    const char *unit = argument_value(run->args, OPT_UNIT);
    if (!unit) unit = "gibs";
    char *read_key = iol__arena_print(&run->arena, "sum_ost_read_%s", unit),
         *write_key = iol__arena_print(&run->arena, "sum_ost_write_%s", unit);
    const iol__value *bins = iol__map_get(result, "bins"), *summary = iol__map_get(result, "summary");
    iol__out_printf(out, "%28s %12s %12s %5s %5s %5s %5s %5s\n", "date/time",
                    iol__arena_print(&run->arena, "%s read", unit), iol__arena_print(&run->arena, "%s writ", unit),
                    "ossav", "ossmx", "mdsav", "mdsmx", "mssng");
    for (size_t i = 0; i < bins->count; i++) {
        const iol__value *bin = bins->items[i];
        char from[32], to[32];
        iol__format_time((int64_t)iol__map_number(bin, "tstart"), from);
        iol__format_time((int64_t)iol__map_number(bin, "tend"), to);
        iol__out_printf(out, "%s-%s %12.2f %12.2f %5.1f %5.1f %5.1f %5.1f %5.1f\n", from, to + 11,
                        iol__map_number(bin, read_key), iol__map_number(bin, write_key),
                        iol__map_number(bin, "ave_oss_cpu"), iol__map_number(bin, "max_oss_cpu"),
                        iol__map_number(bin, "ave_mds_cpu"), iol__map_number(bin, "max_mds_cpu"),
                        100 * iol__map_number(bin, "frac_missing_ost_read"));
    }
    const char *read_sum = iol__arena_print(&run->arena, "sum_%s_read", unit),
               *write_sum = iol__arena_print(&run->arena, "sum_%s_write", unit);
    const struct {
        const char *label, *key, *missing, *unit;
        int width;
    } lines[] = {{"Total read:", read_sum, "frac_missing_ost_read", unit_sign(unit), 27},
                 {"Total write:", write_sum, "frac_missing_ost_write", unit_sign(unit), 27},
                 {"Average OSS CPU:", "oss_ave", "frac_missing_oss_cpu", "%", 30},
                 {"Max OSS CPU:", "oss_max", NULL, "%", 30},
                 {"Average MDS CPU:", "mds_ave", "frac_missing_mds_cpu", "%", 30},
                 {"Max MDS CPU:", "mds_max", NULL, "%", 30}};
    for (size_t i = 0; i < IOL_COUNT(lines); i++) {
        iol__out_printf(out, "%s%*.2f%s", lines[i].label, lines[i].width - (int)strlen(lines[i].label),
                        iol__map_number(summary, lines[i].key), lines[i].unit);
        if (lines[i].missing)
            iol__out_printf(out, ", %5.1f%% missing", 100 * iol__map_number(summary, lines[i].missing));
        iol__out_char(out, '\n');
    }
}

static int file_report(site_run *run, const char *path, double bins, iol__value **result) {
    iol__series *series;
    char why[400];
    if (iol__series_open(&run->arena, path, &series, why) != IOL_OK) return site_failed(why);
    const iol__args *args = run->args;
    int64_t start = run->ranged ? run->start : INT64_MIN, end = run->ranged ? run->end : INT64_MAX;
    iol_status status = bins > 0 ? iol__volume_bins(&run->arena, series, start, end, (size_t)bins, result, why)
                                 : iol__volume_totals(&run->arena, series, start, end, args->given[OPT_BY_COLUMN],
                                                      args->given[OPT_BY_STEP], result, why);
    iol__series_close(series);
    return status == IOL_OK ? EXIT_DONE : site_failed(why);
}

/* What all files together have: days of a file system, one after the other. */
static iol__value *combined_totals(iol__arena *arena, const iol__value *all) {
    static const char *const sums[] = {"read_bytes", "write_bytes", "missing_pts", "total_pts"};
    iol__value *total = iol__value_new(arena, IOL__MAP);
    for (size_t i = 0; i < all->count; i++) {
        const iol__value *one = iol__map_get(all->items[i], "total"), *summary = iol__map_get(all->items[i], "summary");
        for (size_t k = 0; k < 4; k++) {
            /* Bins have their totals under other names. */
            double value = one      ? iol__map_number(one, sums[k])
                           : k == 0 ? iol__map_number(summary, "sum_bytes_read")
                           : k == 1 ? iol__map_number(summary, "sum_bytes_write")
                           : k == 2 ? iol__map_number(summary, "missing_ost_read")
                                    : iol__map_number(summary, "num_ost_read");
            double before = i ? iol__map_number(total, sums[k]) : 0;
            iol__map_put_real(arena, total, sums[k], before + value);
        }
    }
    double points = iol__map_number(total, "total_pts");
    iol__map_put_real(arena, total, "missing_pct",
                      points > 0 ? 100 * iol__map_number(total, "missing_pts") / points : NAN);
    return total;
}

static void combined_text(site_run *run, iol__out *out, const iol__value *total, size_t files) {
    const char *unit = argument_value(run->args, OPT_UNIT);
    const struct {
        const char *label;
        double bytes;
    } lines[] = {{"Data Read:", iol__map_number(total, "read_bytes")},
                 {"Data Written:", iol__map_number(total, "write_bytes")}};
    iol__out_printf(out, "\nAll %zu files\n", files);
    for (size_t i = 0; i < 2; i++)
        iol__out_printf(
            out, "%-21s%10s\n", lines[i].label,
            unit ? iol__arena_print(&run->arena, "%.2f%s", lines[i].bytes / iol__volume_unit(unit), unit_sign(unit))
                 : traffic_human(run, lines[i].bytes));
    iol__out_printf(out, "%-21s%9.1f%%\n", "Percent data missing:", iol__map_number(total, "missing_pct"));
}

static int file_reports(site_run *run) {
    double bins = 0;
    site_output to;
    if (!number_option(run, OPT_BINS, &bins)) return run->status;
    const char *unit = argument_value(run->args, OPT_UNIT);
    if (unit && !*unit_sign(unit))
        return usage_error(run->args, "units are bytes, kibs, mibs, gibs and tibs, not '%s'", unit);
    if (run->args->given[OPT_BINS] && !(bins >= 1 && bins < 1e6)) return usage_error(run->args, "one bin or more");
    iol__value *result, *all = iol__value_new(&run->arena, IOL__MAP);
    int status = EXIT_DONE;
    if (!run->args->given[OPT_JSON] && !open_output(run, OPT_SITE_OUTPUT, &to)) return run->status;
    for (size_t i = 0; i < run->args->n_operands; i++) {
        int outcome = file_report(run, run->args->operands[i], bins, &result);
        if (outcome > status) status = outcome;
        if (outcome != EXIT_DONE) continue;
        iol__map_put(&run->arena, all, run->args->operands[i], result);
        if (run->args->given[OPT_JSON]) continue;
        if (i) iol__out_char(&to.out, '\n');
        if (bins > 0)
            bins_text(run, &to.out, result);
        else
            totals_text(run, &to.out, result);
    }
    size_t files = all->count;
    iol__value *total = files > 1 ? combined_totals(&run->arena, all) : NULL;
    if (!run->args->given[OPT_JSON] && total) combined_text(run, &to.out, total, files);
    if (!run->args->given[OPT_JSON]) return close_output(&to, status);
    if (files == 0) return status;
    if (total) iol__map_put(&run->arena, all, "combined", total);
    int printed = print_tree(run, all->count == 1 && run->args->n_operands == 1 ? all->items[0] : all, NULL);
    return printed == EXIT_DONE ? status : printed;
}

/* A series --------------------------------------------------------------------------------------------------------- */

static iol__value *frame_tree(site_run *run, const iol__frame *frame, const char *dataset) {
    iol__arena *arena = &run->arena;
    iol__value *tree = iol__value_new(arena, IOL__MAP), *index = iol__map_open(arena, tree, "index", IOL__LIST);
    iol__value *columns = iol__map_open(arena, tree, "columns", IOL__LIST),
               *values = iol__map_open(arena, tree, "values", IOL__LIST);
    int64_t missing = 0;
    for (size_t i = 0; i < frame->columns; i++) iol__list_add(arena, columns, iol__of_text(arena, frame->names[i]));
    for (size_t row = 0; row < frame->rows; row++) {
        iol__value *cells = iol__value_new(arena, IOL__LIST);
        for (size_t i = 0; i < frame->columns; i++) {
            double value = *iol__frame_at(frame, row, i);
            missing += isnan(value) ? 1 : 0;
            iol__list_add(arena, cells, iol__of_real(arena, value));
        }
        iol__list_add(arena, values, cells);
        iol__list_add(arena, index, iol__of_integer(arena, frame->times[row]));
    }
    iol__map_put_text(arena, tree, "dataset", dataset);
    iol__map_put_text(arena, tree, "units", frame->units);
    iol__map_put_integer(arena, tree, "step", frame->step);
    iol__map_put_integer(arena, tree, "missing", missing);
    return tree;
}

static iol__value *frame_rows(site_run *run, const iol__frame *frame) {
    iol__arena *arena = &run->arena;
    iol__value *rows = iol__value_new(arena, IOL__MAP);
    for (size_t row = 0; row < frame->rows; row++) {
        iol__value *cells = iol__value_new(arena, IOL__MAP);
        for (size_t i = 0; i < frame->columns; i++)
            iol__map_put_real(arena, cells, *frame->names[i] ? frame->names[i] : iol__arena_print(arena, "%zu", i),
                              *iol__frame_at(frame, row, i));
        iol__map_put(arena, rows, iol__arena_print(arena, "%lld", (long long)frame->times[row]), cells);
    }
    return rows;
}

static int traffic_draw(site_run *run, const iol__frame *frame, const char *fs, const char *dataset) {
    site_output to;
    double total = 0;
    for (size_t i = 0; i < frame->rows * frame->columns; i++)
        if (!isnan(frame->values[i])) total += frame->values[i];
    if (strcmp(frame->units, "bytes/sec") == 0) total *= (double)frame->step;
    const char *volume = strncmp(frame->units, "bytes", 5) == 0 ? traffic_human(run, total) : "";
    if (!open_output(run, OPT_SITE_OUTPUT, &to)) return run->status;
    iol__heat_svg(&to.out, &run->arena, frame, iol__arena_print(&run->arena, "%s %s %s", fs ? fs : "", dataset, volume),
                  run->args->given[OPT_BY_SPREAD]);
    return close_output(&to, EXIT_DONE);
}

static int traffic_series(site_run *run, const char *dataset) {
    const char *fs = argument_value(run->args, OPT_SITE_FS), *output = argument_value(run->args, OPT_SITE_OUTPUT);
    iol__ranges ranges = {.arena = &run->arena, .site = &run->site};
    iol__frame frame;
    char why[400];
    if (!live_option(run, &ranges.live)) return run->status;
    if (run->args->n_operands) {
        ranges.files = (const char *const *)run->args->operands;
        ranges.n_files = run->args->n_operands;
    } else if (!run->ranged || (!fs && !ranges.live)) {
        return usage_error(run->args, "files, or a file system and a time: --fs, --start, --end");
    }
    int64_t start = run->ranged ? run->start : INT64_MIN, end = run->ranged ? run->end : INT64_MAX;
    iol_status status = iol__range_read(&ranges, &run->arena, fs, dataset, start, end, &frame, why);
    bool partial = iol__ranges_partial(&ranges);
    iol__ranges_close(&ranges);
    if (status != IOL_OK) return site_failed(why);
    int printed = ends_in_svg(output)         ? traffic_draw(run, &frame, fs, dataset)
                  : run->args->given[OPT_CSV] ? print_tree(run, frame_rows(run, &frame), "timestamp")
                                              : print_tree(run, frame_tree(run, &frame, dataset), NULL);
    return printed == EXIT_DONE && partial ? EXIT_INPUT : printed;
}

/* Volumes by day, week or month. */
static int traffic_spans(site_run *run, const char *by) {
    static const char *const names[] = {"day", "week", "month"};
    size_t span = 0;
    while (span < 3 && strcmp(names[span], by) != 0) span++;
    if (span == 3) return usage_error(run->args, "volumes are by day, week or month, not by '%s'", by);
    if (!run->ranged) return usage_error(run->args, "a range of time is needed: --start and --end");
    const char *output = argument_value(run->args, OPT_SITE_OUTPUT);
    const iol__value *result = iol__weeks(&run->arena, &run->site, argument_value(run->args, OPT_SITE_FS), run->start,
                                          run->end, (iol__span)span);
    if (result->count == 0) return site_failed("the site file names no series of this file system (hdf5_files)");
    if (run->args->given[OPT_JSON]) return print_tree(run, result, NULL);
    site_output to;
    if (!open_output(run, OPT_SITE_OUTPUT, &to)) return run->status;
    if (ends_in_svg(output))
        iol__weeks_svg(&to.out, &run->arena, result, run->start, run->end, (iol__span)span);
    else
        iol__weeks_text(&to.out, result);
    return close_output(&to, EXIT_DONE);
}

static int traffic_traffic(site_run *run) {
    const char *by = argument_value(run->args, OPT_BY_SPAN);
    if (by) return traffic_spans(run, by);
    const char *dataset = argument_value(run->args, OPT_DATASET);
    bool picture = ends_in_svg(argument_value(run->args, OPT_SITE_OUTPUT));
    if (dataset || picture) return traffic_series(run, dataset ? dataset : "datatargets/writerates");
    if (run->args->n_operands == 0)
        return usage_error(run->args, "which series file? Or which --dataset, --fs, --start and --end?");
    return file_reports(run);
}

int cmd_traffic(const iol__args *args) { return with_site(args, traffic_traffic); }
