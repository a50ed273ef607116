/* iolite ost: how busy OSTs and their servers were with the files of a log and how long that took; how full OSTs are, and
   which servers hold those of others. */
#include <stdio.h>
#include <stdlib.h>

#include "cmds/site_data.h"
#include "text/number.h"
#include "text/text.h"
#include "site/analyze/health.h"
#include "site/analyze/numbers.h"
#include "site/analyze/striped.h"

/* Times of records, by OST or by server. */
typedef struct group {
    const char *name;
    double *times;
    size_t count;
    iol__value *osts;
    iol__five five;
} group;

typedef struct grouping {
    iol__arena *arena;
    iol__value *numbers;
    group *groups;
    size_t count;
} grouping;

static void add_times(grouping *to, const char *name, const iol__striped_file *file, int64_t ost) {
    const iol__value *there = iol__map_get(to->numbers, name);
    size_t number = there ? (size_t)there->integer : to->count;
    if (!there) {
        to->groups = iol__arena_grow(to->arena, to->groups, to->count, sizeof *to->groups);
        to->groups[to->count++] = (group){.name = name, .osts = iol__value_new(to->arena, IOL__MAP)};
        iol__map_put_integer(to->arena, to->numbers, name, (int64_t)number);
    }
    group *is = &to->groups[number];
    iol__map_put_integer(to->arena, is->osts, iol__arena_print(to->arena, "%lld", (long long)ost), ost);
    for (size_t i = 0; i < file->n_times; i++) {
        is->times = iol__arena_grow(to->arena, is->times, is->count, sizeof *is->times);
        is->times[is->count++] = file->times[i];
    }
}

static int by_number(const void *a, const void *b) {
    const group *x = a, *y = b;
    long left = strtol(x->name, NULL, 10), right = strtol(y->name, NULL, 10);
    return (left > right) - (left < right);
}

static grouping group_files(site_run *run, const iol__striped *files, const iol__value *servers) {
    grouping to = {.arena = &run->arena, .numbers = iol__value_new(&run->arena, IOL__MAP)};
    for (size_t i = 0; i < files->count; i++)
        for (size_t k = 0; k < files->files[i].n_osts; k++) {
            int64_t ost = files->files[i].osts[k];
            const char *name = iol__arena_print(&run->arena, "%lld", (long long)ost);
            if (servers) name = iol__map_text(servers, name);
            if (name) add_times(&to, name, &files->files[i], ost);
        }
    for (size_t i = 0; i < to.count; i++) to.groups[i].five = iol__five_of(to.groups[i].times, to.groups[i].count);
    if (!servers && to.count) qsort(to.groups, to.count, sizeof *to.groups, by_number);
    return to;
}

/* OSTs and servers whose median is far beyond what others need. */
static iol__five overall(site_run *run, const grouping *from) {
    size_t count = 0, at = 0;
    for (size_t i = 0; i < from->count; i++) count += from->groups[i].count;
    double *all = iol__arena_alloc(&run->arena, count + 1, sizeof *all);
    for (size_t i = 0; i < from->count; i++)
        for (size_t k = 0; k < from->groups[i].count; k++) all[at++] = from->groups[i].times[k];
    return iol__five_of(all, count);
}

static bool is_slow(const iol__five *all, const group *is) {
    return is->five.median > all->q3 + 1.5 * (all->q3 - all->q1);
}

static iol__value *groups_tree(site_run *run, const grouping *from, bool with_osts, const iol__five *all) {
    iol__arena *arena = &run->arena;
    iol__value *tree = iol__value_new(arena, IOL__MAP);
    for (size_t i = 0; i < from->count; i++) {
        const group *is = &from->groups[i];
        iol__value *row = iol__value_new(arena, IOL__MAP);
        iol__map_put_integer(arena, row, "n", (int64_t)is->five.n);
        iol__map_put_real(arena, row, "min", is->five.min);
        iol__map_put_real(arena, row, "q1", is->five.q1);
        iol__map_put_real(arena, row, "median", is->five.median);
        iol__map_put_real(arena, row, "q3", is->five.q3);
        iol__map_put_real(arena, row, "max", is->five.max);
        iol__map_put_real(arena, row, "mean", is->five.mean);
        if (is_slow(all, is)) iol__map_put(arena, row, "slow", iol__of_flag(arena, true));
        if (with_osts) {
            iol__value *osts = iol__map_open(arena, row, "osts", IOL__LIST);
            for (size_t k = 0; k < is->osts->count; k++) iol__list_add(arena, osts, is->osts->items[k]);
        }
        iol__map_put(arena, tree, is->name, row);
    }
    return tree;
}

static void groups_text(iol__out *out, const char *heading, const grouping *from, const iol__five *all) {
    double slowest = 0;
    char share[IOL_HUMAN];
    iol__out_printf(out, "%-18s %8s %9s %9s %9s %9s %9s\n", heading, "records", "min (s)", "q1", "median", "q3", "max");
    for (size_t i = 0; i < from->count; i++) {
        const iol__five *five = &from->groups[i].five;
        iol__out_printf(out, "%-18s %8zu %9.3f %9.3f %9.3f %9.3f %9.3f%s\n", from->groups[i].name, five->n, five->min,
                        five->q1, five->median, five->q3, five->max, is_slow(all, &from->groups[i]) ? "  slow" : "");
        if (five->median > slowest) slowest = five->median;
    }
    if (all->median > 0)
        iol__out_printf(out, "The slowest takes %s longer than the median of all.\n",
                        iol__human_share(share, (slowest - all->median) / all->median));
}

/* The listing, and the block of it, that an option names. */
static const iol__value *listing_option(site_run *run, int option, const char *connector) {
    const char *path = argument_value(run->args, option);
    const iol__value *listing = path ? read_source(run, connector, path) : NULL;
    if (path && !listing) run->status = EXIT_INPUT;
    return listing;
}

static int health(site_run *run, const char *fs, const iol__value *fullness, const iol__value *map) {
    int64_t when = INT64_MAX;
    if (!time_option(run, OPT_AT, &when)) return run->status;
    const char *backend = iol__places_backend(&run->site, fs);
    iol__value *result = iol__value_new(&run->arena, IOL__MAP);
    const struct {
        const iol__value *listing;
        iol__value *(*summary)(iol__arena *, const iol__sample *, int64_t);
    } kinds[] = {{fullness, iol__fullness_of}, {map, iol__failures_of}};
    for (size_t i = 0; i < 2; i++) {
        if (!kinds[i].listing) continue;
        iol__sample sample = iol__sample_at(&run->arena, kinds[i].listing, fs, when);
        if (!sample.block && backend) sample = iol__sample_at(&run->arena, kinds[i].listing, backend, when);
        if (!sample.block)
            return site_failed(iol__arena_print(&run->arena, "there is nothing about %s in the listings", fs));
        const iol__value *summary = kinds[i].summary(&run->arena, &sample, when);
        for (size_t k = 0; k < summary->count; k++)
            iol__map_put(&run->arena, result, summary->keys[k], summary->items[k]);
    }
    return print_tree(run, result, NULL);
}

static int busy(site_run *run, const char *fs, const iol__value *map) {
    iol__striped files = {0};
    char why[400];
    int status = EXIT_DONE;
    for (size_t i = 0; i < run->args->n_operands; i++)
        if (iol__striped_read(&run->arena, run->args->operands[i], &files, why) != IOL_OK) status = site_failed(why);
    const iol__value *servers = NULL;
    if (map) {
        iol__sample sample = iol__sample_at(&run->arena, map, fs, INT64_MAX);
        servers = iol__servers_of(&run->arena, sample.block);
    }
    grouping osts = group_files(run, &files, NULL), osses = {0};
    iol__five all = overall(run, &osts);
    if (servers) osses = group_files(run, &files, servers);
    if (run->args->given[OPT_JSON]) {
        iol__value *tree = iol__value_new(&run->arena, IOL__MAP);
        iol__map_put(&run->arena, tree, "per_ost", groups_tree(run, &osts, false, &all));
        if (servers) iol__map_put(&run->arena, tree, "per_oss", groups_tree(run, &osses, true, &all));
        int printed = print_tree(run, tree, NULL);
        return printed == EXIT_DONE ? status : printed;
    }
    site_output to;
    if (!open_output(run, OPT_SITE_OUTPUT, &to)) return run->status;
    groups_text(&to.out, "OST", &osts, &all);
    if (servers) iol__out_char(&to.out, '\n');
    if (servers) groups_text(&to.out, "OSS", &osses, &all);
    return close_output(&to, status);
}

static int ost(site_run *run) {
    const char *fs = argument_value(run->args, OPT_SITE_FS);
    const iol__value *fullness = listing_option(run, OPT_OST_FULLNESS, "lfs-df"),
                     *map = listing_option(run, OPT_OST_MAP, "lctl");
    if (run->status != EXIT_DONE) return run->status;
    if ((fullness || map) && !fs) return usage_error(run->args, "of which file system? --fs, please");
    if (run->args->n_operands) return busy(run, fs, map);
    if (!fullness && !map) return usage_error(run->args, "which log? Or which listing, --ost-fullness or --ost-map?");
    return health(run, fs, fullness, map);
}

int cmd_ost(const iol__args *args) { return with_site(args, ost); }
