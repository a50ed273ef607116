/* From striped files to groups by OST and by server. */
#include "site/analyze/occupancy.h"

#include <stdlib.h>
#include <string.h>

#include "site/analyze/health.h"
#include "text/number.h"
#include "text/text.h"

typedef struct grouping {
    iol__arena *arena;
    iol__value *numbers;
    iol__busy *groups;
    size_t count;
} grouping;

static iol__busy *occupancy_group_of(grouping *to, const char *name) {
    const iol__value *there = iol__map_get(to->numbers, name);
    if (there) return &to->groups[there->integer];
    to->groups = iol__arena_grow(to->arena, to->groups, to->count, sizeof *to->groups);
    to->groups[to->count] = (iol__busy){.name = name, .osts = iol__value_new(to->arena, IOL__MAP)};
    iol__map_put_integer(to->arena, to->numbers, name, (int64_t)to->count);
    return &to->groups[to->count++];
}

static void add_occupancy_times(grouping *to, const char *name, const iol__striped_file *file, int64_t ost) {
    iol__busy *is = occupancy_group_of(to, name);
    iol__map_put_integer(to->arena, is->osts, iol__arena_print(to->arena, "%lld", (long long)ost), ost);
    for (size_t i = 0; i < file->n_times; i++) {
        is->times = iol__arena_grow(to->arena, is->times, is->count, sizeof *is->times);
        is->times[is->count++] = file->times[i];
    }
}

static int occupancy_by_number(const void *a, const void *b) {
    const iol__busy *x = a, *y = b;
    long left = strtol(x->name, NULL, 10), right = strtol(y->name, NULL, 10);
    return (left > right) - (left < right);
}

static int occupancy_by_name(const void *a, const void *b) {
    return strverscmp(((const iol__busy *)a)->name, ((const iol__busy *)b)->name);
}

static void occupancy_finish(grouping *to, int (*order)(const void *, const void *)) {
    for (size_t i = 0; i < to->count; i++) to->groups[i].five = iol__five_of(to->groups[i].times, to->groups[i].count);
    if (to->count) qsort(to->groups, to->count, sizeof *to->groups, order);
}

/* Of all records on all OSTs. */
static iol__five occupancy_overall(iol__arena *arena, const grouping *from) {
    size_t count = 0, at = 0;
    for (size_t i = 0; i < from->count; i++) count += from->groups[i].count;
    double *all = iol__arena_alloc(arena, count + 1, sizeof *all);
    for (size_t i = 0; i < from->count; i++)
        for (size_t k = 0; k < from->groups[i].count; k++) all[at++] = from->groups[i].times[k];
    return iol__five_of(all, count);
}

static void mark_slow(grouping *to, const iol__five *all) {
    for (size_t i = 0; i < to->count; i++)
        to->groups[i].slow = to->groups[i].five.median > all->q3 + 1.5 * (all->q3 - all->q1);
}

/* Servers that had more OSTs than others in the listing of this time. */
static void mark_overloaded(grouping *to, const iol__value *block) {
    iol__value *one = iol__value_new(to->arena, IOL__MAP);
    if (!block) return;
    iol__map_put(to->arena, one, "fs", (iol__value *)(uintptr_t)block);
    const iol__value *state = iol__map_get(iol__failovers(to->arena, one), "fs");
    const iol__value *abnormal = iol__map_get(state, "abnormal_ips");
    int64_t mode = iol__whole(iol__map_number(state, "mode"));
    for (size_t i = 0; i < to->count; i++) {
        const iol__value *osts = iol__map_get(abnormal, to->groups[i].name);
        to->groups[i].overloaded |= osts && (int64_t)osts->count > mode;
    }
}

static void group_by_server(grouping *to, const iol__striped *files, const iol__value *map, const char *fs) {
    const iol__value *servers = NULL, *block = NULL;
    for (size_t i = 0; i < files->count; i++) {
        const iol__striped_file *file = &files->files[i];
        if (i == 0 || file->when != files->files[i - 1].when) {
            mark_overloaded(to, block);
            block = iol__sample_at(to->arena, map, fs, file->when).block;
            servers = iol__servers_of(to->arena, block);
        }
        for (size_t k = 0; k < file->n_osts; k++) {
            const char *number = iol__arena_print(to->arena, "%lld", (long long)file->osts[k]);
            const char *server = iol__map_text(servers, number);
            if (server) add_occupancy_times(to, server, file, file->osts[k]);
        }
    }
    mark_overloaded(to, block);
}

iol__occupancy iol__occupancy_of(iol__arena *arena, const iol__striped *files, const iol__value *map, const char *fs) {
    grouping osts = {.arena = arena, .numbers = iol__value_new(arena, IOL__MAP)}, servers = osts;
    servers.numbers = iol__value_new(arena, IOL__MAP);
    for (size_t i = 0; i < files->count; i++)
        for (size_t k = 0; k < files->files[i].n_osts; k++)
            add_occupancy_times(&osts, iol__arena_print(arena, "%lld", (long long)files->files[i].osts[k]),
                                &files->files[i], files->files[i].osts[k]);
    if (map) group_by_server(&servers, files, map, fs);
    occupancy_finish(&osts, occupancy_by_number);
    occupancy_finish(&servers, occupancy_by_name);
    iol__five all = occupancy_overall(arena, &osts);
    mark_slow(&osts, &all);
    mark_slow(&servers, &all);
    return (iol__occupancy){osts.groups, servers.groups, osts.count, servers.count, all};
}

/* As data ---------------------------------------------------------------------------------------------------------- */

static iol__value *groups_tree(iol__arena *arena, const iol__busy *groups, size_t count, const iol__five *all,
                               bool servers) {
    iol__value *tree = iol__value_new(arena, IOL__MAP);
    for (size_t i = 0; i < count; i++) {
        const iol__busy *is = &groups[i];
        iol__value *row = iol__map_open(arena, tree, is->name, IOL__MAP);
        iol__map_put_integer(arena, row, "n", (int64_t)is->five.n);
        iol__map_put_real(arena, row, "min", is->five.min);
        iol__map_put_real(arena, row, "q1", is->five.q1);
        iol__map_put_real(arena, row, "median", is->five.median);
        iol__map_put_real(arena, row, "q3", is->five.q3);
        iol__map_put_real(arena, row, "max", is->five.max);
        iol__map_put_real(arena, row, "mean", is->five.mean);
        if (is->slow) iol__map_put(arena, row, "slow", iol__of_flag(arena, true));
        if (is->slow && all->median > 0)
            iol__map_put_real(arena, row, "excess", (is->five.median - all->median) / all->median);
        if (!servers) continue;
        if (is->overloaded) iol__map_put(arena, row, "overloaded", iol__of_flag(arena, true));
        iol__value *osts = iol__map_open(arena, row, "osts", IOL__LIST);
        for (size_t k = 0; k < is->osts->count; k++) iol__list_add(arena, osts, is->osts->items[k]);
    }
    return tree;
}

iol__value *iol__occupancy_tree(iol__arena *arena, const iol__occupancy *is) {
    iol__value *tree = iol__value_new(arena, IOL__MAP);
    iol__map_put(arena, tree, "per_ost", groups_tree(arena, is->osts, is->n_osts, &is->all, false));
    if (is->n_servers)
        iol__map_put(arena, tree, "per_oss", groups_tree(arena, is->servers, is->n_servers, &is->all, true));
    return tree;
}

/* As text ---------------------------------------------------------------------------------------------------------- */

static const char *occupancy_remark(const iol__busy *is) {
    return is->overloaded && is->slow ? "  slow, took over" : is->overloaded ? "  took over" : is->slow ? "  slow" : "";
}

static void groups_text(iol__out *out, const char *heading, const iol__busy *groups, size_t count,
                        const iol__five *all) {
    const iol__busy *slowest = groups;
    char share[IOL_HUMAN];
    iol__out_printf(out, "%-18s %7s %8s %8s %8s %8s %8s\n", heading, "records", "min (s)", "q1", "median", "q3", "max");
    for (size_t i = 0; i < count; i++) {
        const iol__five *five = &groups[i].five;
        iol__out_fitted(out, groups[i].name, 18, IOL_CUT_MIDDLE);
        iol__out_printf(out, "%*s %7zu %8.3f %8.3f %8.3f %8.3f %8.3f%s\n",
                        (int)(18 - (iol__text_columns(groups[i].name) < 18 ? iol__text_columns(groups[i].name) : 18)),
                        "", five->n, five->min, five->q1, five->median, five->q3, five->max,
                        occupancy_remark(&groups[i]));
        if (five->median > slowest->five.median) slowest = &groups[i];
    }
    double times = count && all->median > 0 ? slowest->five.median / all->median : 0;
    if (times >= 2)
        iol__out_printf(out, "The slowest, %s, takes %s times as long as the median of all.\n", slowest->name,
                        iol__human_number(share, times));
    else if (times >= 1.01)
        iol__out_printf(out, "The slowest, %s, takes %s longer than the median of all.\n", slowest->name,
                        iol__human_share(share, times - 1));
}

void iol__occupancy_text(iol__out *out, const iol__occupancy *is) {
    groups_text(out, "OST", is->osts, is->n_osts, &is->all);
    if (is->n_servers) iol__out_char(out, '\n');
    if (is->n_servers) groups_text(out, "OSS", is->servers, is->n_servers, &is->all);
}
