/* Comparing dumps of SSD counters. */
#include "site/analyze/ssd.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/count.h"
#include "site/connect/connect.h"

static bool ssd_is_number(const iol__value *value) {
    return value->kind == IOL__INTEGER || value->kind == IOL__REAL || value->kind == IOL__FLAG;
}

static double ssd_number_of(const iol__value *value) {
    return value->kind == IOL__FLAG ? value->flag : iol__value_number(value);
}

/* The change of one counter; NULL if there is nothing to tell, `*bad` if it cannot be compared. */
static iol__value *ssd_change(iol__arena *arena, const iol__value *old, const iol__value *new, bool zeros, bool *bad) {
    if (old->kind == IOL__NOTHING || new->kind == IOL__NOTHING) return NULL;
    if (old->kind == IOL__TEXT && new->kind == IOL__TEXT) {
        bool same = strcmp(old->text, new->text) == 0;
        if (same) return zeros ? iol__of_text(arena, "") : NULL;
        return iol__of_text(arena, iol__arena_print(arena, "+++%s ---%s", new->text, old->text));
    }
    *bad = !ssd_is_number(old) || !ssd_is_number(new);
    if (*bad) return NULL;
    double by = ssd_number_of(new) - ssd_number_of(old);
    if (by == 0 && !zeros) return NULL;
    bool whole = old->kind == IOL__INTEGER && new->kind == IOL__INTEGER;
    return whole ? iol__of_integer(arena, new->integer - old->integer) : iol__of_real(arena, by);
}

static bool compare_device(iol__arena *arena, const iol__value *old, const iol__value *new, bool zeros,
                           iol__value *result, const char **wrong) {
    for (size_t i = 0; i < new->count; i++) {
        const iol__value *before = iol__map_get(old, new->keys[i]);
        bool bad = false;
        iol__value *by = before ? ssd_change(arena, before, new->items[i], zeros, &bad) : NULL;
        if (bad && !strstr(new->keys[i], "endurance")) {
            *wrong = new->keys[i];
            return false;
        }
        if (by && !(strstr(new->keys[i], "endurance") && by->kind == IOL__TEXT))
            iol__map_put(arena, result, new->keys[i], by);
    }
    return true;
}

iol__value *iol__ssd_difference(iol__arena *arena, const iol__value *old, const iol__value *new, bool zeros,
                                char why[400]) {
    iol__value *result = iol__value_new(arena, IOL__MAP);
    iol__value *added = iol__map_open(arena, result, "added_devices", IOL__LIST),
               *removed = iol__map_open(arena, result, "removed_devices", IOL__LIST);
    iol__value *devices = iol__map_open(arena, result, "devices", IOL__MAP);
    for (size_t i = 0; i < old->count; i++)
        if (!iol__map_get(new, old->keys[i])) iol__list_add(arena, removed, iol__of_text(arena, old->keys[i]));
    for (size_t i = 0; i < new->count; i++) {
        const iol__value *before = iol__map_get(old, new->keys[i]);
        const char *wrong;
        if (!before) {
            iol__list_add(arena, added, iol__of_text(arena, new->keys[i]));
        } else if (!compare_device(arena, before, new->items[i], zeros,
                                   iol__map_open(arena, devices, new->keys[i], IOL__MAP), &wrong)) {
            snprintf(why, 400, "%.100s of %.100s is a number in one of the dumps and a text in the other", wrong,
                     new->keys[i]);
            return NULL;
        }
    }
    return result;
}

/* Reductions ------------------------------------------------------------------------------------------------------ */

static void ssd_reduce(iol__arena *arena, iol__value *result, const char *key, const iol__value *value) {
    char *count_key = iol__arena_print(arena, "count_%s", key), *sum_key = iol__arena_print(arena, "sum_%s", key);
    char *least_key = iol__arena_print(arena, "min_%s", key), *most_key = iol__arena_print(arena, "max_%s", key);
    double count = iol__map_number(result, count_key), here = ssd_number_of(value);
    count = isnan(count) ? 1 : count + 1;
    iol__map_put_integer(arena, result, count_key, (int64_t)count);
    if (!ssd_is_number(value)) return;
    double sum = iol__map_number(result, sum_key), least = iol__map_number(result, least_key),
           most = iol__map_number(result, most_key);
    sum = isnan(sum) ? here : sum + here;
    iol__map_put_real(arena, result, sum_key, sum);
    iol__map_put_real(arena, result, least_key, isnan(least) ? here : fmin(least, here));
    iol__map_put_real(arena, result, most_key, isnan(most) ? here : fmax(most, here));
    iol__map_put_real(arena, result, iol__arena_print(arena, "ave_%s", key), sum / count);
}

iol__value *iol__ssd_reductions(iol__arena *arena, const iol__value *difference) {
    iol__value *result = iol__value_new(arena, IOL__MAP);
    const iol__value *devices = iol__map_get(difference, "devices");
    for (size_t i = 0; i < devices->count; i++)
        for (size_t k = 0; k < devices->items[i]->count; k++)
            ssd_reduce(arena, result, devices->items[i]->keys[k], devices->items[i]->items[k]);
    return result;
}

void iol__ssd_in_gib(iol__arena *arena, iol__value *difference) {
    iol__value *devices = iol__map_get(difference, "devices");
    for (size_t i = 0; i < devices->count; i++) {
        iol__value *renamed = iol__value_new(arena, IOL__MAP), *device = devices->items[i];
        for (size_t k = 0; k < device->count; k++) {
            size_t length = strlen(device->keys[k]);
            if (length > 6 && strcmp(device->keys[k] + length - 6, "_bytes") == 0 && ssd_is_number(device->items[k]))
                iol__map_put_real(arena, renamed,
                                  iol__arena_print(arena, "%.*s_gibs", (int)length - 6, device->keys[k]),
                                  ssd_number_of(device->items[k]) / 1073741824.0);
            else
                iol__map_put(arena, renamed, device->keys[k], device->items[k]);
        }
        devices->items[i] = renamed;
    }
}

/* The summary ------------------------------------------------------------------------------------------------------ */

static const char *const errors[] = {"crc_error_count",
                                     "critical_warnings",
                                     "end_to_end_error_detection_count",
                                     "erase_fail_count",
                                     "media_errors",
                                     "number_of_error_info_log_entries",
                                     "pci_link_gen_speed",
                                     "pci_link_width",
                                     "program_fail_count",
                                     "smart_crc_error_count_raw",
                                     "smart_endto_end_error_detection_count_raw",
                                     "smart_erase_fail_count_raw",
                                     "smart_pli_lock_loss_count_raw",
                                     "smart_program_fail_count_raw",
                                     "thermal_throttle_count"};

static const char *node_of(const iol__value *dump, const char *serial) {
    const char *node = iol__map_text(iol__map_get(dump, serial), "node_name");
    return node ? node : "?";
}

static size_t print_errors(iol__out *out, iol__arena *arena, const iol__value *new, const iol__value *devices) {
    size_t count = 0, *order = iol__map_order(arena, devices);
    for (size_t i = 0; i < devices->count; i++)
        for (size_t e = 0; e < IOL_COUNT(errors); e++) {
            const char *serial = devices->keys[order[i]];
            double by = iol__map_number(devices->items[order[i]], errors[e]);
            if (isnan(by) || by == 0) continue;
            if (!count++) iol__out_text(out, "\n*** Errors Detected! ***\n");
            iol__out_printf(out, "%s %s %s %.0f\n", node_of(new, serial), serial, errors[e], by);
        }
    return count;
}

static void print_devices(iol__out *out, const char *heading, const iol__value *serials, const iol__value *dump) {
    if (!serials->count) return;
    iol__out_printf(out, "\n=== Devices %s ===\n", heading);
    for (size_t i = 0; i < serials->count; i++)
        iol__out_printf(out, "%s %s\n", node_of(dump, serials->items[i]->text), serials->items[i]->text);
}

static double when_of(const iol__value *dump) {
    return dump->count ? iol__map_number(dump->items[0], "timestamp") : NAN;
}

static double ssd_total_of(const iol__value *sums, const char *key) {
    double value = iol__map_number(sums, iol__map_get(sums, key) ? key : "");
    return isnan(value) ? 0 : value;
}

void iol__ssd_summary(iol__out *out, iol__arena *arena, const iol__value *old, const iol__value *new,
                      const iol__value *difference) {
    char from[32], to[32];
    const double tib = 1099511627776.0;
    const iol__value *sums = iol__ssd_reductions(arena, difference);
    iol__format_time(iol__whole(when_of(old)), from);
    iol__format_time(iol__whole(when_of(new)), to);
    iol__out_printf(out, "=== ISDCT Summary: %s - %s ===\n", from, to);
    print_errors(out, arena, new, iol__map_get(difference, "devices"));
    print_devices(out, "Removed", iol__map_get(difference, "removed_devices"), old);
    print_devices(out, "Installed", iol__map_get(difference, "added_devices"), new);
    iol__out_text(out, "\n=== Workload Statistics ===\n");
    iol__out_printf(out, "Read:    %10.2f TiB, %10.2f MOps\n", ssd_total_of(sums, "sum_data_units_read_bytes") / tib,
                    ssd_total_of(sums, "sum_host_read_commands") / 1e6);
    iol__out_printf(out, "Written: %10.2f TiB, %10.2f MOps\n", ssd_total_of(sums, "sum_data_units_written_bytes") / tib,
                    ssd_total_of(sums, "sum_host_write_commands") / 1e6);
    iol__out_printf(out, "WAF:     %+10.4f\n\n", ssd_total_of(sums, "max_write_amplification_factor"));
}

/* Wear ------------------------------------------------------------------------------------------------------------- */

iol__value *iol__ssd_wear(iol__arena *arena, const iol__value *devices) {
    iol__value *result = iol__value_new(arena, IOL__MAP);
    for (size_t i = 0; i < devices->count; i++) {
        const iol__value *device = devices->items[i];
        double written = iol__map_number(device, "data_units_written_bytes"),
               size = iol__map_number(device, "physical_size");
        double hours = iol__map_number(device, "power_on_hours");
        if (isnan(written)) written = iol__map_number(device, "data_units_written") * 512000;
        iol__value *row = iol__map_open(arena, result, devices->keys[i], IOL__MAP);
        iol__map_put_text(arena, row, "node_name", node_of(devices, devices->keys[i]));
        iol__map_put_real(arena, row, "bytes_written", written);
        iol__map_put_real(arena, row, "drive_writes", written / size);
        iol__map_put_real(arena, row, "drive_writes_per_day", hours > 0 ? written / size / hours * 24 : NAN);
        iol__map_put_real(arena, row, "write_amplification_factor",
                          iol__map_number(device, "write_amplification_factor"));
        iol__map_put_real(arena, row, "percentage_used", iol__map_number(device, "percentage_used"));
        iol__map_put_real(arena, row, "power_on_hours", hours);
    }
    return result;
}
