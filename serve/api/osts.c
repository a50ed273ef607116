/* Targets of a log, or the servers that held them by the site's listing of the time. Files and bytes are in the index; how
   occupied each was, and how long requests took, is read from the log while it is there. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "serve/logs.h"
#include "serve/reading.h"
#include "serve/serve.h"
#include "site/analyze/bad_ost.h"
#include "site/analyze/health.h"
#include "site/analyze/numbers.h"
#include "site/analyze/striped.h"

/* A target or a server. */
typedef struct osts_place {
    const char *name, *fs;
    int64_t targets, files, bytes_read, bytes_written;
    double *times;
    size_t n_times;
    iol__five five;
    double coefficient, adjusted; /* of the test for slow ones; NAN: none */
} osts_place;

typedef struct osts_places {
    iol__exchange *x;
    bool servers;
    int64_t when;
    const char *fs;              /* that `addresses` is of */
    const iol__value *addresses; /* number of a target as text to address; NULL: no listing */
    osts_place *list;
    size_t count;
    iol__value *of_target; /* "MOUNT NUMBER" to its place in the list */
} osts_places;

/* The listing of the file system at the time of the log. */
static void osts_look_up(osts_places *s, const char *fs) {
    iol__exchange *x = s->x;
    const iol__places *site = &x->serve->places;
    iol__arena *arena = &x->arena;
    const char *backend = iol__places_backend(site, fs);
    iol__value *listing;
    s->fs = iol__arena_copy(arena, fs);
    s->addresses = NULL;
    const iol__value *files =
        iol__places_files(arena, site, "lfsstatus_map_files", fs, s->when - 86400, s->when + 3600, true);
    if (!backend || !files->count) return;
    const char **paths = iol__arena_alloc(arena, files->count, sizeof *paths);
    for (size_t i = 0; i < files->count; i++) paths[i] = files->items[i]->text;
    iol__request request = {.arena = arena, .paths = paths, .n_paths = files->count};
    if (iol__read_lctl(&request, &listing) != IOL_OK) return;
    iol__sample sample = iol__sample_at(arena, listing, backend, s->when);
    if (sample.block) s->addresses = iol__servers_of(arena, sample.block);
}

static const char *osts_name_of(osts_places *s, int64_t ost, const char *fs) {
    if (!s->servers) return iol__arena_print(&s->x->arena, "OST%04llx", (unsigned long long)ost);
    if (!s->fs || strcmp(s->fs, fs) != 0) osts_look_up(s, fs);
    const char *number = iol__arena_print(&s->x->arena, "%lld", (long long)ost);
    const char *address = s->addresses ? iol__map_text(s->addresses, number) : NULL;
    return address ? iol__arena_copy(&s->x->arena, address) : "unknown";
}

static const char *osts_key_of(iol__arena *arena, const char *mount, int64_t ost) {
    return iol__arena_print(arena, "%s %lld", mount, (long long)ost);
}

static bool add_target(void *context, const iol__target_use_row *target) {
    osts_places *s = context;
    iol__arena *arena = &s->x->arena;
    const char *fs = target->fs, *name = osts_name_of(s, target->ost, fs);
    size_t at = 0;
    while (at < s->count && (strcmp(s->list[at].name, name) != 0 || strcmp(s->list[at].fs, fs) != 0)) at++;
    if (at == s->count) {
        s->list = iol__arena_grow(arena, s->list, s->count, sizeof *s->list);
        s->list[s->count++] =
            (osts_place){.name = name, .fs = iol__arena_copy(arena, fs), .coefficient = NAN, .adjusted = NAN};
    }
    s->list[at].targets++;
    s->list[at].files += target->files;
    s->list[at].bytes_read += target->bytes_read;
    s->list[at].bytes_written += target->bytes_written;
    iol__map_put_integer(arena, s->of_target, osts_key_of(arena, target->mountpt, target->ost), (int64_t)at);
    return true;
}

/* Times ----------------------------------------------------------------------------------------------------------- */

static void add_osts_times(osts_places *s, const char *mount, const iol__striped_file *file) {
    iol__arena *arena = &s->x->arena;
    for (size_t k = 0; k < file->n_osts; k++) {
        const iol__value *at = iol__map_get(s->of_target, osts_key_of(arena, mount, file->osts[k]));
        if (!at) continue;
        osts_place *p = &s->list[at->integer];
        for (size_t i = 0; i < file->n_times; i++) {
            p->times = iol__arena_grow(arena, p->times, p->n_times, sizeof *p->times);
            p->times[p->n_times++] = file->times[i];
        }
    }
}

/* Does the speed of files go with whether they are on it? */
static void test_speed(osts_places *s, const iol__striped *files) {
    const iol__value *servers = s->servers && s->addresses ? s->addresses : NULL;
    if (s->servers && !servers) return;
    iol__suspects all = iol__find_suspects(&s->x->arena, files, servers);
    for (size_t i = 0; i < all.count; i++) {
        const iol__suspect *one = &all.list[i];
        const char *name = one->server ? one->server : osts_name_of(s, one->ost, "");
        for (size_t k = 0; k < s->count; k++) {
            if (strcmp(s->list[k].name, name) != 0) continue;
            s->list[k].coefficient = one->is.r;
            s->list[k].adjusted = one->adjusted;
        }
    }
}

static void read_times(osts_places *s, iol_log *log) {
    iol__striped files = {0};
    char why[400];
    const char *point, *type;
    if (iol__striped_add(&s->x->arena, log, "log", &files, why) != IOL_OK) return;
    for (size_t i = 0; i < files.count; i++)
        if (iol_log_mount_of(log, files.files[i].name, &point, &type)) add_osts_times(s, point, &files.files[i]);
    test_speed(s, &files);
    for (size_t i = 0; i < s->count; i++) s->list[i].five = iol__five_of(s->list[i].times, s->list[i].n_times);
}

/* All records together, for what is usual. */
static iol__five osts_overall(const osts_places *s) {
    size_t count = 0, at = 0;
    for (size_t i = 0; i < s->count; i++) count += s->list[i].n_times;
    double *all = iol__arena_alloc(&s->x->arena, count + 1, sizeof *all);
    for (size_t i = 0; i < s->count; i++)
        for (size_t k = 0; k < s->list[i].n_times; k++) all[at++] = s->list[i].times[k];
    return iol__five_of(all, count);
}

/* Answers --------------------------------------------------------------------------------------------------------- */

static iol__Ost_answer ost_answer_of(const osts_place *p, const iol__five *all) {
    const iol__five *five = &p->five;
    iol__Ost_answer answer = {.name = p->name,
                              .fs = p->fs,
                              .targets = p->targets,
                              .files = p->files,
                              .bytes_read = p->bytes_read,
                              .bytes_written = p->bytes_written};
    if (!all->n) return answer; /* the log is no longer there */
    answer.records = iol__known((int64_t)five->n);
    answer.slow = iol__known(five->n && five->median > all->q3 + 1.5 * (all->q3 - all->q1));
    answer.coefficient = iol__unless_nan(p->coefficient);
    answer.p_value = iol__unless_nan(p->adjusted);
    if (!five->n) return answer;
    answer.min_s = iol__unless_nan(five->min);
    answer.q1_s = iol__unless_nan(five->q1);
    answer.median_s = iol__unless_nan(five->median);
    answer.q3_s = iol__unless_nan(five->q3);
    answer.max_s = iol__unless_nan(five->max);
    answer.mean_s = iol__unless_nan(five->mean);
    return answer;
}

static void put_places(const osts_places *all) {
    iol__answer s;
    iol__five usual = osts_overall(all);
    iol__answer_begin(&s, all->x, IOL_SCHEMA_Ost);
    for (size_t i = 0; i < all->count; i++) {
        const iol__Ost_answer answer = ost_answer_of(&all->list[i], &usual);
        iol__fill_Ost(&s, &answer);
    }
    iol__answer_end(&s, NULL, -1);
}

void iol__serve_log_osts(iol__exchange *x) {
    iol__the_log log;
    bool there;
    if (!iol__find_log_number(x, iol__param(x, "id"), &log)) return;
    osts_places all = {.x = x,
                       .servers = strcmp(iol__param_choice(x, "by"), "oss") == 0,
                       .when = log.row.start / 1000000,
                       .of_target = iol__value_new(&x->arena, IOL__MAP)};
    iol__sql sql;
    iol__select_target_use(&sql);
    iol__sql_add(&sql, " FROM (SELECT * FROM log_ost WHERE log_id = ?)" IOL_WITH_MOUNTS " ORDER BY fs, ost");
    iol__sql_value(&sql, iol__integer(log.which.log_id));
    if (!iol__store_ok(x, iol__ask_target_use(&sql, x->store, add_target, &all)) || !iol__log_is_there(x, &log, &there))
        return;
    if (all.count && there) {
        iol_log *file;
        if (!iol__reading_begin(x) || !iol__open_log_number(x, iol__param(x, "id"), &file)) return;
        read_times(&all, file);
        iol__reading_end(x);
    }
    put_places(&all);
}
