/* Lines of 80 columns. A module that nobody here knows is shown by its own names and units, as far as they fit. */
#include "cmds/log/show_custom.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "log/trailer/regions.h"
#include "text/number.h"
#include "text/text.h"

enum { COLUMNS = 80, REGIONS_SHOWN = 4, MODULES_SHOWN = 4, NAME = 24 };

/* Regions -------------------------------------------------------------------------------------------------------- */

static void region_row(iol__out *out, const iol__marked_region *r) {
    char b[6][IOL_HUMAN];
    iol__out_left(out, r->name, NAME, IOL_CUT_MIDDLE);
    iol__out_printf(out, " %6s %9s %9s %6s %9s %9s\n", iol__human_count(b[0], r->count),
                    iol__human_seconds(b[1], r->time), iol__human_seconds(b[2], r->io_time),
                    isnan(r->io_share) ? "-" : iol__human_share(b[3], r->io_share),
                    iol__human_bytes(b[4], r->bytes_read), iol__human_bytes(b[5], r->bytes_written));
}

void show_regions(iol__out *out, iol_log *log) {
    iol__regions regions;
    char left[IOL_HUMAN];
    if (!iol__regions_make(log, &regions) || regions.count == 0) return;
    iol__out_printf(out, "%-*s  COUNT      TIME  I/O TIME OF I/O      READ   WRITTEN\n", NAME, "REGION");
    size_t shown = regions.count > REGIONS_SHOWN + 1 ? REGIONS_SHOWN : regions.count;
    for (size_t i = 0; i < shown; i++) region_row(out, &regions.all[i]);
    if (shown < regions.count)
        iol__out_printf(out, "and %s more (iolite dump --module " IOL_REGIONS_MODULE ")\n",
                        iol__human_number(left, (double)(regions.count - shown)));
    iol__regions_free(&regions);
}

/* Modules -------------------------------------------------------------------------------------------------------- */

/* The sum, the largest or the smallest of all records, as the rule is. */
static double show_custom_total_of(iol_log *log, size_t module, size_t counter, size_t records, const char *rule) {
    double total = NAN;
    for (size_t i = 0; i < records; i++) {
        iol_value value;
        if (iol_custom_value(log, module, i, counter, &value) != IOL_OK) continue;
        const double more = value.kind == IOL_REAL ? value.as.d : (double)value.as.i;
        if (isnan(total))
            total = more;
        else if (strcmp(rule, "sum") == 0)
            total += more;
        else if (strcmp(rule, "max") == 0)
            total = fmax(total, more);
        else if (strcmp(rule, "min") == 0)
            total = fmin(total, more);
    }
    return total;
}

static const char *show_custom_human(char text[IOL_HUMAN], double value, const char *unit) {
    if (strcmp(unit, "s") == 0) return iol__human_seconds(text, value);
    if (strcmp(unit, "bytes") == 0) return iol__human_bytes(text, value);
    return iol__human_count(text, value);
}

static void show_custom_module_row(iol__out *out, iol_log *log, size_t module, const iol_custom *custom) {
    iol_custom_counter counter;
    char text[IOL_HUMAN], item[COLUMNS + IOL_HUMAN];
    size_t used = 0, left = 0;
    int n = snprintf(item, sizeof item, "%s  %s record%s", custom->name,
                     iol__human_number(text, (double)custom->records), custom->records == 1 ? "" : "s");
    iol__out_text(out, item);
    used = (size_t)n;
    for (size_t i = 0; iol_custom_counter_at(log, module, i, &counter) == IOL_OK; i++) {
        const double total = show_custom_total_of(log, module, i, custom->records, counter.rule);
        if (counter.instant || isnan(total)) continue;
        n = snprintf(item, sizeof item, ", %s %s", counter.is.name, show_custom_human(text, total, counter.is.unit));
        if (used + (size_t)n + 10 > COLUMNS) {
            left++;
            continue;
        }
        iol__out_text(out, item);
        used += (size_t)n;
    }
    if (left) iol__out_printf(out, ", %zu more", left);
    iol__out_text(out, custom->failed ? "\n  (it crashed or hung when the program ended; figures may be incomplete)\n"
                                      : "\n");
}

void show_custom(iol__out *out, iol_log *log) {
    iol_custom custom;
    size_t shown = 0;
    for (size_t i = 0; iol_log_custom(log, i, &custom) == IOL_OK; i++) {
        if (strcmp(custom.name, IOL_REGIONS_MODULE) == 0 || custom.records == 0) continue;
        if (shown++ < MODULES_SHOWN) show_custom_module_row(out, log, i, &custom);
    }
    if (shown > MODULES_SHOWN) iol__out_printf(out, "and %zu more modules (iolite dump)\n", shown - MODULES_SHOWN);
}
