/* Fullness and fail-overs of one sample. */
#include "site/analyze/health.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static bool is_epoch(const char *key) { return isdigit((unsigned char)*key) && key[strspn(key, "0123456789")] == 0; }

iol__sample iol__sample_at(iol__arena *arena, const iol__value *listing, const char *fs, int64_t when) {
    (void)arena;
    iol__sample sample = {.block = iol__map_get(listing, fs)}, first = {0};
    if (sample.block) return sample;
    int64_t earliest = INT64_MAX, latest = INT64_MIN;
    for (size_t i = 0; i < listing->count; i++) {
        const iol__value *block = is_epoch(listing->keys[i]) ? iol__map_get(listing->items[i], fs) : NULL;
        int64_t at = strtoll(listing->keys[i], NULL, 10);
        if (!block) continue;
        if (at < earliest) {
            earliest = at;
            first = (iol__sample){.block = block, .when = at};
        }
        if (at <= when && at > latest) {
            latest = at;
            sample = (iol__sample){.block = block, .when = at};
        }
    }
    if (!sample.block) sample = first;
    for (size_t i = 0; sample.block && i < listing->count; i++) {
        bool of_fs = is_epoch(listing->keys[i]) && iol__map_get(listing->items[i], fs);
        int64_t at = of_fs ? strtoll(listing->keys[i], NULL, 10) : 0;
        if (at > sample.when && (!sample.next || at < sample.next)) sample.next = at;
    }
    return sample;
}

static void put_health_times(iol__arena *arena, iol__value *result, const iol__sample *sample, int64_t when) {
    if (sample->when) iol__map_put_integer(arena, result, "ost_actual_timestamp", sample->when);
    if (when != INT64_MAX) iol__map_put_integer(arena, result, "ost_requested_timestamp", when);
    if (sample->next) iol__map_put_integer(arena, result, "ost_next_timestamp", sample->next);
}

static void put_ost(iol__arena *arena, iol__value *result, const char *which, const iol__value *targets,
                    size_t number) {
    const iol__value *ost = targets->items[number];
    iol__map_put(arena, result, iol__arena_print(arena, "ost_%s_full_kib", which), iol__map_get(ost, "used_kib"));
    iol__map_put_text(arena, result, iol__arena_print(arena, "ost_%s_full_name", which), targets->keys[number]);
    iol__map_put(arena, result, iol__arena_print(arena, "ost_%s_full_id", which), iol__map_get(ost, "target_index"));
    iol__map_put_real(arena, result, iol__arena_print(arena, "ost_%s_full_pct", which),
                      100 * iol__map_number(ost, "used_kib") / iol__map_number(ost, "total_kib"));
}

iol__value *iol__fullness_of(iol__arena *arena, const iol__sample *sample, int64_t when) {
    iol__value *result = iol__value_new(arena, IOL__MAP);
    const iol__value *targets = sample->block;
    size_t least = SIZE_MAX, most = SIZE_MAX, count = 0;
    double used = 0, total = 0;
    for (size_t i = 0; targets && i < targets->count; i++) {
        double here = iol__map_number(targets->items[i], "used_kib");
        if (strncmp(targets->keys[i], "OST", 3) != 0 || !(here >= 0)) continue;
        count++;
        used += here;
        total += iol__map_number(targets->items[i], "total_kib");
        if (least == SIZE_MAX || here < iol__map_number(targets->items[least], "used_kib")) least = i;
        if (most == SIZE_MAX || here > iol__map_number(targets->items[most], "used_kib")) most = i;
    }
    if (!count) return result;
    int64_t average = iol__whole(used / (double)count);
    iol__map_put_integer(arena, result, "ost_count", (int64_t)count);
    iol__map_put_integer(arena, result, "ost_avg_full_kib", average);
    iol__map_put_real(arena, result, "ost_avg_full_pct", 100 * (double)average * (double)count / total);
    put_ost(arena, result, "least", targets, least);
    put_ost(arena, result, "most", targets, most);
    put_health_times(arena, result, sample, when);
    return result;
}

static const char *with(iol__arena *arena, const char *list, const char *name) {
    return list ? iol__arena_print(arena, "%s, %s", list, name) : name;
}

/* Only a server with more OSTs than the others has taken some over; one with fewer has given them away. */
iol__value *iol__failures_of(iol__arena *arena, const iol__sample *sample, int64_t when) {
    iol__value *result = iol__value_new(arena, IOL__MAP), *one = iol__value_new(arena, IOL__MAP);
    if (!sample->block) return result;
    iol__map_put(arena, one, "fs", (iol__value *)(uintptr_t)sample->block);
    const iol__value *state = iol__map_get(iol__failovers(arena, one), "fs"),
                     *servers = iol__map_get(state, "abnormal_ips");
    int64_t osts = 0, mode = iol__map_get(state, "mode")->integer, count = (int64_t)servers->count;
    const char *names = NULL, *taking = NULL, *giving = NULL;
    for (size_t i = 0; i < servers->count; i++) {
        bool more = (int64_t)servers->items[i]->count > mode;
        osts += (int64_t)servers->items[i]->count;
        for (size_t k = 0; more && k < servers->items[i]->count; k++)
            names = with(arena, names, servers->items[i]->items[k]->text);
        if (more)
            taking = with(arena, taking, servers->keys[i]);
        else
            giving = with(arena, giving, servers->keys[i]);
    }
    double each = count ? (double)osts / (double)count : 0;
    iol__map_put_integer(arena, result, "ost_overloaded_oss_count", count);
    iol__map_put_integer(arena, result, "ost_overloaded_ost_count", osts);
    iol__map_put_real(arena, result, "ost_avg_overloaded_ost_per_oss", each);
    iol__map_put_real(arena, result, "ost_avg_overloaded_overload_factor", count && mode ? each / (double)mode : 1);
    if (names) iol__map_put_text(arena, result, "ost_overloaded_osts", names);
    if (taking) iol__map_put_text(arena, result, "ost_overloaded_servers", taking);
    if (giving) iol__map_put_text(arena, result, "ost_giving_servers", giving);
    put_health_times(arena, result, sample, when);
    return result;
}

iol__value *iol__servers_of(iol__arena *arena, const iol__value *block) {
    iol__value *servers = iol__value_new(arena, IOL__MAP);
    for (size_t i = 0; block && i < block->count; i++) {
        const char *address = iol__map_text(block->items[i], "target_ip");
        if (strncmp(block->keys[i], "OST", 3) != 0 || !address) continue;
        iol__map_put_text(arena, servers, iol__arena_print(arena, "%ld", strtol(block->keys[i] + 3, NULL, 16)),
                          address);
    }
    return servers;
}
