/* Trees written back as their tools print them: sacct's table, xtdb2proc's lines, lctl dl -t, lfs df; days of listings
   with their BEGIN lines. Reading the text again gives the same tree. */
#include "site/connect/native.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/count.h"

static bool is_slurm_time(const char *key) {
    static const char *const times[] = {"start", "end", "submit", "eligible"};
    for (size_t i = 0; i < IOL_COUNT(times); i++)
        if (strcmp(key, times[i]) == 0) return true;
    return false;
}

/* As sacct prints it; with the offset where the clock went back and the time alone would be that of an hour before or
   after. */
static const char *slurm_time(iol__arena *arena, int64_t seconds) {
    char text[32], offset[16];
    double read;
    iol__format_time(seconds, text);
    if (strlen(text) > 10) text[10] = 'T';
    if (iol__parse_time(text, &read) && iol__whole(read) == seconds) return iol__arena_copy(arena, text);
    time_t at = (time_t)seconds;
    struct tm tm;
    if (!localtime_r(&at, &tm) || strftime(offset, sizeof offset, "%z", &tm) == 0) *offset = 0;
    return iol__arena_print(arena, "%s%s", text, offset);
}

static void slurm_cell(iol__out *out, iol__arena *arena, const char *key, const iol__value *value) {
    bool time = is_slurm_time(key);
    if (value && value->kind == IOL__LIST) {
        iol__out_text(out, value->count ? iol__hostlist_compress(arena, value) : "None assigned");
    } else if (time && value && value->kind == IOL__INTEGER) {
        iol__out_text(out, slurm_time(arena, value->integer));
    } else if (time) {
        iol__out_text(out, "Unknown");
    } else if (value && value->kind == IOL__INTEGER) {
        iol__out_i64(out, value->integer);
    } else if (value && value->kind == IOL__TEXT) {
        iol__out_text(out, value->text);
    }
}

static void write_slurm(iol__out *out, iol__arena *arena, const iol__value *jobs) {
    iol__value *columns = iol__value_new(arena, IOL__MAP);
    for (size_t i = 0; i < jobs->count; i++)
        for (size_t k = 0; jobs->items[i]->kind == IOL__MAP && k < jobs->items[i]->count; k++)
            iol__map_put_integer(arena, columns, jobs->items[i]->keys[k], 1);
    for (size_t i = 0; i < columns->count; i++) iol__out_printf(out, "%s%s", i ? "|" : "", columns->keys[i]);
    if (columns->count) iol__out_char(out, '\n');
    for (size_t i = 0; i < jobs->count; i++) {
        for (size_t k = 0; k < columns->count; k++) {
            if (k) iol__out_char(out, '|');
            slurm_cell(out, arena, columns->keys[k], iol__map_get(jobs->items[i], columns->keys[k]));
        }
        iol__out_char(out, '\n');
    }
}

static void write_nodes(iol__out *out, iol__arena *arena, const iol__value *nodes) {
    (void)arena;
    /* All lines have the keys of the first, in its order. */
    const iol__value *first = nodes->count ? nodes->items[0] : NULL;
    for (size_t i = 0; first && first->kind == IOL__MAP && i < nodes->count; i++) {
        for (size_t k = 0; k < first->count; k++) {
            const iol__value *value = iol__map_get(nodes->items[i], first->keys[k]);
            iol__out_printf(out, "%s%s=", k ? "," : "", first->keys[k]);
            if (value && value->kind == IOL__INTEGER)
                iol__out_i64(out, value->integer);
            else if (value && value->kind == IOL__TEXT)
                iol__out_printf(out, "'%s'", value->text);
            else
                iol__out_text(out, "null");
        }
        iol__out_char(out, '\n');
    }
}

static const char *upper(iol__arena *arena, const iol__value *target, const char *key) {
    const char *text = iol__map_text(target, key);
    char *copy = iol__arena_copy(arena, text ? text : "");
    for (char *at = copy; *at; at++) *at = (char)toupper((unsigned char)*at);
    return copy;
}

static const char *native_text_of(const iol__value *target, const char *key) {
    const char *text = iol__map_text(target, key);
    return text ? text : "";
}

static void lctl_line(iol__out *out, iol__arena *arena, const char *fs, const char *name, const iol__value *target) {
    (void)fs, (void)name;
    iol__out_printf(out, "%3.0f %2s %3s %s %s %.0f %s\n", iol__map_number(target, "index"),
                    upper(arena, target, "status"), native_text_of(target, "role"), native_text_of(target, "role_id"),
                    native_text_of(target, "uuid"), iol__map_number(target, "ref_count"),
                    native_text_of(target, "nid"));
}

static void lfs_line(iol__out *out, iol__arena *arena, const char *fs, const char *name, const iol__value *target) {
    double total = iol__map_number(target, "total_kib"), used = iol__map_number(target, "used_kib"),
           rest = iol__map_number(target, "remaining_kib");
    double percent = used + rest > 0 ? nearbyint(100 * used / (used + rest)) : 0;
    iol__out_printf(out, "%s-%s_UUID %.0f %.0f %.0f %3.0f%% %s[%s:%.0f]\n", fs, name, total, used, rest, percent,
                    native_text_of(target, "mount_pt"), upper(arena, target, "role"),
                    iol__map_number(target, "target_index"));
}

static int by_index(const void *a, const void *b, void *key) {
    double x = iol__map_number(*(const iol__value *const *)a, key),
           y = iol__map_number(*(const iol__value *const *)b, key);
    return (x > y) - (x < y);
}

static const char *native_name_of(const iol__value *targets, const iol__value *target) {
    for (size_t i = 0; i < targets->count; i++)
        if (targets->items[i] == target) return targets->keys[i];
    return "";
}

typedef void line_writer(iol__out *out, iol__arena *arena, const char *fs, const char *name, const iol__value *target);

static void write_listing(iol__out *out, iol__arena *arena, const iol__value *map, line_writer *line, char *order) {
    for (size_t i = 0; i < map->count; i++) {
        const iol__value *targets = map->items[i];
        if (targets->kind != IOL__MAP) continue;
        if (*map->keys[i] && map->keys[i][strspn(map->keys[i], "0123456789")] == 0) {
            iol__out_printf(out, "BEGIN %s\n", map->keys[i]);
            write_listing(out, arena, targets, line, order);
            continue;
        }
        iol__value **sorted = iol__arena_alloc(arena, targets->count + 1, sizeof *sorted);
        for (size_t k = 0; k < targets->count; k++) sorted[k] = targets->items[k];
        if (order) qsort_r(sorted, targets->count, sizeof *sorted, by_index, order);
        for (size_t k = 0; k < targets->count; k++)
            line(out, arena, map->keys[i], native_name_of(targets, sorted[k]), sorted[k]);
    }
}

static void write_lctl(iol__out *out, iol__arena *arena, const iol__value *map) {
    write_listing(out, arena, map, lctl_line, (char[]){"index"});
}

static void write_lfs_df(iol__out *out, iol__arena *arena, const iol__value *map) {
    write_listing(out, arena, map, lfs_line, NULL);
}

bool iol__write_native(const char *connector, iol__out *out, iol__arena *arena, const iol__value *tree) {
    static const struct {
        const char *name;
        void (*write)(iol__out *, iol__arena *, const iol__value *);
    } writers[] = {{"slurm", write_slurm}, {"nodes", write_nodes}, {"lctl", write_lctl}, {"lfs-df", write_lfs_df}};
    for (size_t i = 0; i < IOL_COUNT(writers); i++)
        if (strcmp(writers[i].name, connector) == 0 && tree->kind == IOL__MAP) {
            writers[i].write(out, arena, tree);
            return true;
        }
    return false;
}

iol__value *iol__cache_form(const char *connector, iol__arena *arena, iol__value *tree) {
    if (strcmp(connector, "slurm") != 0 || tree->kind != IOL__MAP) return tree;
    iol__value *jobs = iol__value_copy(arena, tree);
    for (size_t i = 0; i < jobs->count; i++)
        for (size_t k = 0; jobs->items[i]->kind == IOL__MAP && k < jobs->items[i]->count; k++) {
            iol__value *is = jobs->items[i]->items[k];
            if (is->kind == IOL__INTEGER && is_slurm_time(jobs->items[i]->keys[k]))
                jobs->items[i]->items[k] = iol__of_text(arena, slurm_time(arena, is->integer));
        }
    return jobs;
}
