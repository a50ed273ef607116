/* iolite ssd: wear of SSDs, and what changed between two dumps of their counters. */
#include <math.h>
#include <stdio.h>

#include "cmds/site/site_data.h"
#include "site/analyze/ssd.h"

static void put_ssd_number(iol__out *out, int width, int decimals, double value) {
    if (isnan(value))
        iol__out_printf(out, " %*s", width, "-");
    else
        iol__out_printf(out, " %*.*f", width, decimals, value);
}

static int wear(site_run *run, const iol__value *devices) {
    const iol__value *result = iol__ssd_wear(&run->arena, devices);
    if (run->args->given[OPT_JSON] || run->args->given[OPT_CSV]) return print_tree(run, result, "serial_number");
    site_output to;
    if (!open_output(run, OPT_SITE_OUTPUT, &to)) return run->status;
    if (ends_in_svg(to.path)) {
        iol__ssd_svg(&to.out, result);
        return close_output(&to, EXIT_DONE);
    }
    iol__out_printf(&to.out, "%-24s %-12s %12s %12s %8s %8s\n", "serial", "node", "TiB written", "writes/day", "WAF",
                    "% used");
    for (size_t i = 0; i < result->count; i++) {
        const iol__value *row = result->items[i];
        const char *node = iol__map_text(row, "node_name");
        iol__out_printf(&to.out, "%-24s %-12s", result->keys[i], node ? node : "");
        put_ssd_number(&to.out, 12, 2, iol__map_number(row, "bytes_written") / 0x1p40);
        put_ssd_number(&to.out, 12, 3, iol__map_number(row, "drive_writes_per_day"));
        put_ssd_number(&to.out, 8, 2, iol__map_number(row, "write_amplification_factor"));
        put_ssd_number(&to.out, 8, 0, iol__map_number(row, "percentage_used"));
        iol__out_char(&to.out, '\n');
    }
    return close_output(&to, EXIT_DONE);
}

static int ssd(site_run *run) {
    const iol__args *args = run->args;
    char why[400];
    if (args->n_operands != 1 && args->n_operands != 2)
        return usage_error(args, "one dump is needed, or an old and a new one");
    const iol__value *old = read_source(run, "isdct", args->operands[0]);
    if (!old) return EXIT_INPUT;
    if (args->n_operands == 1) return wear(run, old);
    if (ends_in_svg(argument_value(args, OPT_SITE_OUTPUT))) return usage_error(args, "a picture shows one dump");
    const iol__value *new = read_source(run, "isdct", args->operands[1]);
    if (!new) return EXIT_INPUT;
    iol__value *difference = iol__ssd_difference(&run->arena, old, new, args->given[OPT_ZEROS], why);
    if (!difference) return site_failed(why);
    if (!args->given[OPT_JSON] && !args->given[OPT_ALL_DEVICES]) {
        site_output to;
        if (!open_output(run, OPT_SITE_OUTPUT, &to)) return run->status;
        iol__ssd_summary(&to.out, &run->arena, old, new, difference);
        return close_output(&to, EXIT_DONE);
    }
    if (args->given[OPT_IN_GIB]) iol__ssd_in_gib(&run->arena, difference);
    return print_tree(run, args->given[OPT_ALL_DEVICES] ? difference : iol__ssd_reductions(&run->arena, difference),
                      NULL);
}

int cmd_ssd(const iol__args *args) { return with_site(args, ssd); }
