/* One row per file: its speed, and for each OST its share of the file. The columns are sparse, so correlations come from
   sums over the files of an OST. These have more digits than the result, because what nearly all files share cancels. */
#include "site/analyze/bad_ost.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/idmap.h"

typedef struct bad_ost_column {
    const char *server;
    int64_t ost;
    long double weight, squares,
        with_speed;     /* sums of shares, of their squares, and of share times deviation of speed */
    double least, most; /* shares; files that are not there have 0 */
    size_t files;
} bad_ost_column;

typedef struct bad_ost_table {
    iol__arena *arena;
    const iol__value *servers;
    iol__value *numbers; /* name of a column to its number */
    bad_ost_column *columns;
    size_t count;
    size_t rows;
    long double mean, squares; /* of speeds, and of their deviations */
} bad_ost_table;

static double speed_of(const iol__striped_file *file) { return file->slowest > 0 ? file->bytes / file->slowest : NAN; }

static void add_speeds(bad_ost_table *to, const iol__striped *files) {
    long double sum = 0;
    for (size_t i = 0; i < files->count; i++)
        if (!isnan(speed_of(&files->files[i]))) {
            sum += speed_of(&files->files[i]);
            to->rows++;
        }
    to->mean = sum / (long double)to->rows;
    for (size_t i = 0; i < files->count; i++) {
        long double away = speed_of(&files->files[i]) - to->mean;
        if (!isnan(away)) to->squares += away * away;
    }
}

static size_t bad_ost_column_of(bad_ost_table *to, int64_t ost) {
    char *key = iol__arena_print(to->arena, "%lld", (long long)ost);
    iol__value *server = to->servers ? iol__map_get(to->servers, key) : NULL;
    const char *name = server && server->kind == IOL__TEXT ? server->text : key;
    const iol__value *there = iol__map_get(to->numbers, name);
    if (there) return (size_t)there->integer;
    to->columns = iol__arena_grow(to->arena, to->columns, to->count, sizeof *to->columns);
    to->columns[to->count] = (bad_ost_column){.ost = ost, .server = name == key ? NULL : name, .least = INFINITY};
    iol__map_put_integer(to->arena, to->numbers, name, (int64_t)to->count);
    return to->count++;
}

static void add_bad_ost_file(bad_ost_table *to, const iol__striped_file *file, double *shares, size_t *touched) {
    long double away = speed_of(file) - to->mean;
    size_t n = 0;
    if (isnan(away)) return;
    for (size_t i = 0; i < file->n_osts; i++) {
        size_t number = bad_ost_column_of(to, file->osts[i]), seen = 0;
        while (seen < n && touched[seen] != number) seen++;
        if (seen == n) {
            touched[n] = number;
            shares[n++] = 0;
        }
        shares[seen] += 1.0 / (double)file->n_osts;
    }
    for (size_t i = 0; i < n; i++) {
        bad_ost_column *is = &to->columns[touched[i]];
        is->weight += shares[i];
        is->squares += shares[i] * shares[i];
        is->with_speed += shares[i] * away;
        is->least = fmin(is->least, shares[i]);
        is->most = fmax(is->most, shares[i]);
        is->files++;
    }
}

static bool bad_ost_correlate(const bad_ost_table *from, const bad_ost_column *is, iol__correlation *out) {
    long double mean = is->weight / (long double)from->rows;
    long double squares = is->squares - mean * is->weight;
    bool constant = is->files == from->rows && is->least == is->most;
    if (constant || !(squares > 0)) return false;
    out->n = from->rows;
    out->r = fmax(-1, fmin(1, (double)(is->with_speed / (sqrtl(squares) * sqrtl(from->squares)))));
    out->p = iol__pearson_p(out->r, from->rows);
    return true;
}

static int by_coefficient(const void *a, const void *b) {
    const iol__suspect *x = a, *y = b;
    if (x->is.r != y->is.r) return x->is.r < y->is.r ? -1 : 1;
    return (x->ost > y->ost) - (x->ost < y->ost);
}

static void adjust(iol__arena *arena, iol__suspects *found) {
    double *p = iol__arena_alloc(arena, found->count + 1, sizeof *p);
    size_t *order = iol__arena_alloc(arena, found->count + 1, sizeof *order);
    for (size_t i = 0; i < found->count; i++) p[i] = found->list[i].is.p;
    iol__false_discovery(p, found->count, order);
    for (size_t i = 0; i < found->count; i++) found->list[i].adjusted = p[i];
}

iol__suspects iol__find_suspects(iol__arena *arena, const iol__striped *files, const iol__value *servers) {
    bad_ost_table from = {.arena = arena, .servers = servers, .numbers = iol__value_new(arena, IOL__MAP)};
    size_t most = 1;
    for (size_t i = 0; i < files->count; i++) most = files->files[i].n_osts > most ? files->files[i].n_osts : most;
    double *shares = iol__arena_alloc(arena, most, sizeof *shares);
    size_t *touched = iol__arena_alloc(arena, most, sizeof *touched);
    add_speeds(&from, files);
    iol__suspects found = {.files = from.rows};
    if (from.rows < 2 || !(from.squares > 0)) return found;
    for (size_t i = 0; i < files->count; i++) add_bad_ost_file(&from, &files->files[i], shares, touched);
    found.list = iol__arena_alloc(arena, from.count + 1, sizeof *found.list);
    for (size_t i = 0; i < from.count; i++) {
        iol__suspect *suspect = &found.list[found.count];
        suspect->ost = from.columns[i].ost;
        suspect->server = from.columns[i].server;
        found.count += bad_ost_correlate(&from, &from.columns[i], &suspect->is);
    }
    qsort(found.list, found.count, sizeof *found.list, by_coefficient);
    adjust(arena, &found);
    return found;
}
