/* Rates are averaged over the steps of a row, amounts are added up. */
#include "serve/series.h"

#include <math.h>
#include <stdlib.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/deadline.h"
#include "log/write/keyed.h"
#include "serve/serve.h"
#include "text/text.h"

enum { PIECE = 6 * 3600, MOST_COLUMNS = 4096 };

typedef struct binning {
    iol__exchange *x;
    iol__binned *out;
    iol__ranges ranges;
    iol__agg agg;
    const char *only, *dataset, *fs;
    int64_t end;
    iol__value *places; /* of columns by name */
    size_t used;        /* columns that have a name */
    uint32_t *counts;
    bool adds;
} binning;

/* Amounts of steps do; rates, shares, and how much there is at a time do not. */
static bool series_adds_up(const char *dataset, const char *units) {
    bool level = strstr(dataset, "fullness/") || strstr(dataset, "/mem") || strstr(dataset, "/missing");
    return !level && !strstr(units, "/sec") && *units != '%' && *units;
}

/* The first piece says how many components there are, and so how fine the rows may be. */
static void series_lay_out(binning *b, const iol__frame *frame) {
    iol__binned *o = b->out;
    iol__arena *arena = &b->x->arena;
    int64_t span = b->end - o->start, least = frame->step > 0 ? frame->step : 1;
    size_t columns = b->agg == IOL_AGG_NONE ? frame->columns : 1;
    if (columns > MOST_COLUMNS) columns = MOST_COLUMNS;
    size_t most = IOL_MOST_CELLS / (columns ? columns : 1);
    if (most > IOL_MOST_ROWS) most = IOL_MOST_ROWS;
    if (o->step < least) o->step = least;
    if (span / o->step >= (int64_t)most) o->step = (span / (int64_t)most / least + 1) * least;
    o->rows = (size_t)((span + o->step - 1) / o->step);
    o->columns = columns;
    o->names = iol__arena_alloc(arena, columns + 1, sizeof *o->names);
    o->values = iol__arena_alloc(arena, o->rows * columns + 1, sizeof *o->values);
    b->counts = iol__arena_alloc(arena, o->rows * columns + 1, sizeof *b->counts);
    b->places = iol__value_new(arena, IOL__MAP);
    memcpy(o->units, frame->units, sizeof o->units);
    b->adds = series_adds_up(b->dataset, frame->units);
    static const char *const words[] = {"sum", "mean", "max"};
    if (b->agg != IOL_AGG_NONE) o->names[0] = words[b->agg];
}

/* The column of a component; -1: not wanted, or there is no more room. */
static int64_t series_column_of(binning *b, const char *name) {
    const iol__value *there = iol__map_get(b->places, name);
    if (there) return there->integer;
    int64_t place = (int64_t)b->used;
    bool wanted =
        (!b->only || iol__text_listed(b->only, name)) && (b->agg != IOL_AGG_NONE || place < (int64_t)b->out->columns);
    b->used += wanted;
    if (wanted && b->agg == IOL_AGG_NONE) b->out->names[place] = iol__arena_copy(&b->x->arena, name);
    iol__map_put_integer(&b->x->arena, b->places, name, wanted ? place : -1);
    return wanted ? place : -1;
}

static void series_add(binning *b, size_t row, size_t column, double value) {
    size_t at = row * b->out->columns + column;
    b->out->values[at] += value;
    b->counts[at]++;
}

/* One row of a frame into its row of the answer. */
static void take_series_row(binning *b, const iol__frame *f, size_t r, const int64_t *places) {
    iol__binned *o = b->out;
    int64_t offset = f->times[r] - o->start;
    if (offset < 0 || offset / o->step >= (int64_t)o->rows) return;
    size_t row = (size_t)(offset / o->step), n = 0;
    double sum = 0, most = -INFINITY;
    for (size_t i = 0; i < f->columns; i++) {
        double value = *iol__frame_at(f, r, i);
        if (places[i] < 0) continue;
        o->seen++;
        o->missing += isnan(value) ? 1 : 0;
        if (isnan(value)) continue;
        if (b->agg == IOL_AGG_NONE) series_add(b, row, (size_t)places[i], value);
        sum += value;
        most = fmax(most, value);
        n++;
    }
    if (b->agg == IOL_AGG_NONE || !n) return;
    series_add(b, row, 0, b->agg == IOL_AGG_SUM ? sum : b->agg == IOL_AGG_MEAN ? sum / (double)n : most);
}

static void take_frame(binning *b, const iol__frame *f) {
    if (!f->rows || !f->columns) return;
    if (!b->places) series_lay_out(b, f);
    int64_t *places = iol__arena_alloc(&b->x->scratch, f->columns, sizeof *places);
    for (size_t i = 0; i < f->columns; i++) places[i] = series_column_of(b, f->names[i]);
    for (size_t r = 0; r < f->rows; r++) take_series_row(b, f, r, places);
}

static void series_settle(binning *b) {
    iol__binned *o = b->out;
    for (size_t i = 0; i < o->rows * o->columns; i++)
        o->values[i] = !b->counts[i] ? NAN : b->adds ? o->values[i] : o->values[i] / b->counts[i];
    if (b->agg != IOL_AGG_NONE) return;
    size_t used = 0;
    while (used < o->columns && o->names[used]) used++;
    for (size_t i = 0; used && used < o->columns && i < o->rows; i++)
        memmove(&o->values[i * used], &o->values[i * o->columns], used * sizeof *o->values);
    o->columns = used;
}

iol_status iol__series_binned(iol__exchange *x, const char *fs, const char *dataset, int64_t start, int64_t end,
                              int64_t step, iol__agg agg, const char *only, iol__binned *out) {
    binning b = {.x = x, .out = out, .agg = agg, .only = only, .dataset = dataset, .fs = fs, .end = end};
    iol_status status = IOL_END, worst = IOL_END;
    char why[400];
    *out = (iol__binned){.start = start, .step = step};
    if (!iol__hold(x, &x->serve->series_lock)) return IOL_SYSTEM;
    b.ranges = (iol__ranges){.arena = &x->arena, .site = &x->serve->places, .deadline = x->deadline};
    for (int64_t from = start; from < end; from += PIECE) {
        iol__frame frame = {0};
        int64_t to = from + PIECE < end ? from + PIECE : end;
        status = iol__range_read(&b.ranges, &x->scratch, fs, dataset, from, to, &frame, why);
        if (status == IOL_OK) take_frame(&b, &frame);
        if (status != IOL_END) worst = status;
        iol__arena_free(&x->scratch);
        if (status != IOL_OK && status != IOL_END) break;
    }
    iol__ranges_close(&b.ranges);
    iol__release(x);
    if (iol__is_past(x->deadline)) return IOL_SYSTEM;
    if (!b.places) return worst == IOL_OK ? IOL_END : worst;
    series_settle(&b);
    return IOL_OK;
}

/* Days ------------------------------------------------------------------------------------------------------------ */

uint64_t iol__series_key(const iol__serve *serve, const char *fs, const char *dataset, int64_t start) {
    char text[512];
    iol__key key;
    int length = snprintf(text, sizeof text, "%s %s %lld", fs, dataset, (long long)start);
    memcpy(key.words, serve->tokens.key, sizeof key.words);
    return iol__keyed_hash(&key, text, (size_t)(length < (int)sizeof text ? length : (int)sizeof text - 1)) | 1;
}

static bool remembered(iol__serve *serve, uint64_t key, iol__day_sum *sum) {
    pthread_mutex_lock(&serve->days_lock);
    *sum = serve->days[key / 2 % IOL_DAYS];
    pthread_mutex_unlock(&serve->days_lock);
    return sum->key == key;
}

static void series_remember(iol__serve *serve, const iol__day_sum *sum) {
    pthread_mutex_lock(&serve->days_lock);
    serve->days[sum->key / 2 % IOL_DAYS] = *sum;
    pthread_mutex_unlock(&serve->days_lock);
}

double iol__series_day(iol__exchange *x, const char *fs, const char *dataset, int64_t start, int64_t end,
                       double *missing) {
    iol__binned b;
    iol__day_sum sum = {.sum = NAN, .missing = 1};
    uint64_t key = iol__series_key(x->serve, fs, dataset, start);
    bool over = end + 6 * 3600 < (int64_t)time(NULL); /* late data has come by then */
    if (over && remembered(x->serve, key, &sum)) return *missing = sum.missing, sum.sum;
    sum = (iol__day_sum){.key = key, .sum = NAN, .missing = 1};
    if (iol__series_binned(x, fs, dataset, start, end, 86400, IOL_AGG_SUM, NULL, &b) == IOL_OK) {
        for (size_t i = 0; i < b.rows; i++)
            if (!isnan(b.values[i])) sum.sum = isnan(sum.sum) ? b.values[i] : sum.sum + b.values[i];
        sum.missing = b.seen ? (double)b.missing / (double)b.seen : 1;
    }
    if (over && !iol__is_past(x->deadline)) series_remember(x->serve, &sum);
    *missing = sum.missing;
    return sum.sum;
}

void iol__no_series(iol__exchange *x, iol_status status) {
    if (status == IOL_END)
        iol__answer_error(x, 404, "there is no data for that time");
    else if (status == IOL_INVALID)
        iol__answer_param(x, "dataset", "there is no such dataset");
    else
        iol__answer_error(x, 503, "the series cannot be read at the moment");
}

void iol__put_series_head(iol__json *json, const char *fs, const char *dataset, const iol__binned *b) {
    iol__json_put_text(json, "fs", fs);
    iol__json_put_text(json, "dataset", dataset);
    iol__json_put_text(json, "units", b->units);
    iol__json_put_i64(json, "start", b->start);
    iol__json_put_i64(json, "step", b->step);
    iol__json_put_open(json, "columns", '[');
    for (size_t i = 0; i < b->columns; i++) iol__json_text(json, b->names[i]);
    iol__json_close(json, ']');
}

void iol__put_series(iol__exchange *x, const char *fs, const char *dataset, const iol__binned *b, bool flags) {
    iol__json *json = &x->json;
    iol__put_series_head(json, fs, dataset, b);
    iol__json_put_open(json, "values", '[');
    for (size_t r = 0; r < b->rows; r++) {
        iol__json_open(json, '[');
        for (size_t i = 0; i < b->columns; i++) {
            double value = b->values[r * b->columns + i];
            iol__json_real(json, flags && isnan(value) ? 0 : value);
        }
        iol__json_close(json, ']');
    }
    iol__json_close(json, ']');
    iol__json_put_i64(json, "missing", (int64_t)b->missing);
    if (!flags) {
        iol__json_put_text(json, "flags", NULL);
        return;
    }
    iol__json_put_open(json, "flags", '[');
    for (size_t r = 0; r < b->rows; r++) {
        iol__json_open(json, '[');
        for (size_t i = 0; i < b->columns; i++) iol__json_i64(json, isnan(b->values[r * b->columns + i]));
        iol__json_close(json, ']');
    }
    iol__json_close(json, ']');
}
