/* /fs: file systems, and what their servers counted. Series are of all users together; names of file systems are those of
   the site file, and those that the viewer's own logs have: a mount point may tell whose it is. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "serve/api/parts.h"
#include "serve/png.h"
#include "serve/series.h"
#include "serve/serve.h"
#include "site/analyze/heat.h"
#include "site/analyze/job.h"

static const char usual_dataset[] = "datatargets/writerates";

/* Names ----------------------------------------------------------------------------------------------------------- */

typedef struct fs_naming {
    iol__arena *arena;
    iol__value *names; /* keys */
} fs_naming;

static bool take_fs_name(void *context, const iol__fs_name_row *row) {
    fs_naming *n = context;
    if (row->fs) iol__map_put_integer(n->arena, n->names, row->fs, 1);
    return true;
}

/* NULL: the answer is made. */
static iol__value *list_fs_names(iol__exchange *x) {
    const iol__places *places = &x->serve->places;
    fs_naming n = {&x->arena, iol__value_new(&x->arena, IOL__MAP)};
    const iol__value *mounts = iol__places_get(places, "mount_to_fsname"),
                     *files = iol__places_get(places, "hdf5_files");
    for (size_t i = 0; mounts && mounts->kind == IOL__MAP && i < mounts->count; i++)
        if (mounts->items[i]->kind == IOL__TEXT) iol__map_put_integer(n.arena, n.names, mounts->items[i]->text, 1);
    for (size_t i = 0; files && files->kind == IOL__MAP && i < files->count; i++)
        iol__map_put_integer(n.arena, n.names, files->keys[i], 1);
    iol__sql sql;
    if (!iol__exchange_store(x)) return NULL;
    iol__select_fs_name(&sql);
    iol__sql_add(&sql, " FROM day_fs");
    iol__access_rows(&x->viewer, &sql, "owner");
    return iol__store_ok(x, iol__ask_fs_name(&sql, x->store, take_fs_name, &n)) ? n.names : NULL;
}

bool iol__find_fs(iol__exchange *x, const char *fs) {
    const iol__value *names = list_fs_names(x);
    if (!names) return false;
    if (iol__map_get(names, fs)) return true;
    return iol__not_found(x), false;
}

/* One ------------------------------------------------------------------------------------------------------------- */

static iol__maybe whole_unless_nan(double value) {
    const iol__maybe unknown = {0};
    return isnan(value) ? unknown : iol__known(iol__whole(value));
}

static void put_fs(iol__answer *s, const char *fs) {
    iol__exchange *x = s->x;
    const iol__fs_state is = iol__fs_state_of(x, fs);
    iol__fill_Fs(s, &(iol__Fs_answer){.fs = fs,
                                      .backend = iol__places_backend(&x->serve->places, fs),
                                      .series = iol__has_series(x, fs),
                                      .last = iol__unless_nan(is.last),
                                      .targets = whole_unless_nan(is.targets),
                                      .missing = iol__unless_nan(is.missing),
                                      .capacity = whole_unless_nan(is.capacity),
                                      .used = whole_unless_nan(is.used)});
}

void iol__serve_fs_list(iol__exchange *x) {
    const iol__value *names = list_fs_names(x);
    iol__answer s;
    if (!names) return;
    iol__answer_begin(&s, x, IOL_SCHEMA_Fs);
    const size_t *order = iol__map_order(&x->arena, names);
    for (size_t i = 0; i < names->count; i++) put_fs(&s, names->keys[order[i]]);
    iol__answer_end(&s, NULL, -1);
}

void iol__serve_fs(iol__exchange *x) {
    const char *fs = iol__param(x, "fs");
    if (!iol__find_fs(x, fs)) return;
    iol__json_start(&x->json, &x->body, 1);
    iol__answer s = {.x = x, .schema = &iol__schemas[IOL_SCHEMA_Fs], .form = IOL_ANSWER_JSON};
    put_fs(&s, fs);
    iol__json_finish(&x->json);
}

/* Series ---------------------------------------------------------------------------------------------------------- */

/* The last day if nothing is said. False: the answer is made. */
static bool range_of(iol__exchange *x, int64_t usual, int64_t most, int64_t *start, int64_t *end) {
    int64_t now = (int64_t)time(NULL), to = iol__param_time(x, "end", INT64_MIN), from;
    *end = to == INT64_MIN ? now : to / 1000000;
    from = iol__param_time(x, "start", INT64_MIN);
    *start = from == INT64_MIN ? *end - usual : from / 1000000;
    if (*start >= *end) return iol__answer_param(x, "end", "must be behind the start"), false;
    if (*end - *start > most) return iol__answer_param(x, "start", "the range is too long"), false;
    return true;
}

static iol__agg agg_of(const char *name) {
    return *name == 's' ? IOL_AGG_SUM : *name == 'n' ? IOL_AGG_NONE : name[1] == 'e' ? IOL_AGG_MEAN : IOL_AGG_MAX;
}

/* Time and columns, for tables. */
static void put_fs_table(iol__exchange *x, const iol__binned *b, bool csv) {
    iol__out *out = &x->body;
    x->type = csv ? "text/csv; charset=utf-8" : "application/x-ndjson";
    iol__json_start(&x->json, out, 0);
    if (csv) iol__out_text(out, "time");
    for (size_t i = 0; csv && i < b->columns; i++) iol__out_printf(out, ",%s", b->names[i]);
    if (csv) iol__out_char(out, '\n');
    for (size_t r = 0; r < b->rows; r++) {
        int64_t when = b->start + (int64_t)r * b->step;
        if (csv) {
            iol__out_i64(out, when);
        } else {
            iol__json_open(&x->json, '{');
            iol__json_put_i64(&x->json, "time", when);
        }
        for (size_t i = 0; i < b->columns; i++) {
            double value = b->values[r * b->columns + i];
            if (!csv) {
                iol__json_key_text(&x->json, b->names[i]);
                iol__json_real(&x->json, value);
                continue;
            }
            iol__out_char(out, ',');
            if (!isnan(value)) iol__out_double(out, value);
        }
        if (csv) {
            iol__out_char(out, '\n');
        } else {
            iol__json_close(&x->json, '}');
            iol__json_finish(&x->json);
        }
    }
}

void iol__serve_fs_series(iol__exchange *x) {
    const char *fs = iol__param(x, "fs"), *dataset = iol__param(x, "dataset"), *format = iol__param_form(x);
    int64_t start, end;
    iol__binned b;
    if (!dataset) dataset = usual_dataset;
    if (!range_of(x, 86400, INT64_C(86400) * 400, &start, &end) || !iol__find_fs(x, fs)) return;
    iol_status status = iol__series_binned(x, fs, dataset, start, end, iol__param_int(x, "step", 0),
                                           agg_of(iol__param_choice(x, "agg")), iol__param(x, "columns"), &b);
    if (status != IOL_OK) {
        iol__no_series(x, status);
    } else if (*format != 'j') {
        put_fs_table(x, &b, *format == 'c');
    } else {
        iol__one_begin(x);
        iol__put_series(x, fs, dataset, &b, *iol__param_choice(x, "missing") == 'f');
        iol__one_end(x);
    }
}

static void put_heatmap(iol__exchange *x, const char *fs, const char *dataset, const iol__binned *b) {
    iol__json *json = &x->json;
    iol__one_begin(x);
    iol__put_series_head(json, fs, dataset, b);
    iol__json_put_open(json, "cells", '[');
    for (size_t i = 0; i < b->columns; i++) {
        iol__json_open(json, '[');
        for (size_t r = 0; r < b->rows; r++) iol__json_real(json, b->values[r * b->columns + i]);
        iol__json_close(json, ']');
    }
    iol__json_close(json, ']');
    iol__json_put_open(json, "sums", '[');
    for (size_t r = 0; r < b->rows; r++) {
        double sum = NAN;
        for (size_t i = 0; i < b->columns; i++) {
            double value = b->values[r * b->columns + i];
            if (!isnan(value)) sum = isnan(sum) ? value : sum + value;
        }
        iol__json_real(json, sum);
    }
    iol__json_close(json, ']');
    iol__json_put_open(json, "row_sums", '[');
    for (size_t i = 0; i < b->columns; i++) {
        double sum = NAN;
        for (size_t r = 0; r < b->rows; r++) {
            double value = b->values[r * b->columns + i];
            if (!isnan(value)) sum = isnan(sum) ? value : sum + value;
        }
        iol__json_real(json, sum);
    }
    iol__json_close(json, ']');
    iol__one_end(x);
}

/* Neighbouring components become one row, the mean of those that were measured. */
static void fs_lower(iol__exchange *x, iol__binned *b, size_t height) {
    if (b->columns <= height) return;
    iol__binned to = *b;
    to.columns = height;
    to.names = iol__arena_alloc(&x->arena, height + 1, sizeof *to.names);
    to.values = iol__arena_alloc(&x->arena, b->rows * height + 1, sizeof *to.values);
    for (size_t k = 0; k < height; k++) {
        size_t first = k * b->columns / height, last = (k + 1) * b->columns / height;
        to.names[k] = last - first == 1 ? b->names[first]
                                        : iol__arena_print(&x->arena, "%s..%s", b->names[first], b->names[last - 1]);
        for (size_t r = 0; r < b->rows; r++) {
            double sum = 0, n = 0;
            for (size_t i = first; i < last; i++) {
                double value = b->values[r * b->columns + i];
                sum += isnan(value) ? 0 : value;
                n += !isnan(value);
            }
            to.values[r * height + k] = n > 0 ? sum / n : NAN;
        }
    }
    *b = to;
}

/* A pixel per cell, or as many as make a row of few components visible. */
static void paint_heatmap(iol__exchange *x, const char *fs, const char *dataset, const iol__binned *b) {
    static const uint8_t missing[3] = {200, 200, 200};
    size_t tall = b->columns && b->columns < 100 ? 100 / b->columns : 1;
    uint8_t *pixels = iol__arena_alloc(&x->arena, b->rows * b->columns * tall * 3 + 1, 1), *at = pixels;
    double most = 0;
    (void)fs;
    (void)dataset;
    for (size_t i = 0; i < b->rows * b->columns; i++) most = fmax(most, b->values[i]);
    for (size_t line = 0; line < b->columns * tall; line++)
        for (size_t r = 0; r < b->rows; r++, at += 3) {
            double value = b->values[r * b->columns + line / tall];
            if (isnan(value))
                memcpy(at, missing, 3);
            else
                iol__heat_colour(most > 0 ? value / most : 0, at);
        }
    x->type = "image/png";
    if (!iol__png(&x->body, pixels, b->rows, b->columns * tall)) iol__answer_error(x, 503, "out of memory");
}

static void draw_heatmap(iol__exchange *x, const char *fs, const char *dataset, const iol__binned *b) {
    iol__frame frame;
    iol__frame_make(&x->arena, b->rows, b->columns, &frame);
    for (size_t r = 0; r < b->rows; r++) frame.times[r] = b->start + (int64_t)r * b->step;
    for (size_t i = 0; i < b->columns; i++) frame.names[i] = b->names[i];
    if (b->rows && b->columns) memcpy(frame.values, b->values, b->rows * b->columns * sizeof *frame.values);
    frame.named = b->columns;
    frame.step = b->step;
    memcpy(frame.units, b->units, sizeof frame.units);
    x->type = "image/svg+xml";
    iol__heat_svg(&x->body, &x->arena, &frame, iol__arena_print(&x->arena, "%s %s", fs, dataset),
                  *iol__param_choice(x, "order") == 's');
    x->policy = "default-src 'none'; style-src 'unsafe-inline'";
}

void iol__serve_fs_heatmap(iol__exchange *x) {
    const char *fs = iol__param(x, "fs"), *dataset = iol__param(x, "dataset");
    int64_t start, end, width = iol__param_int(x, "width", 300);
    iol__binned b;
    if (!dataset) dataset = usual_dataset;
    if (!range_of(x, 86400, INT64_C(86400) * 62, &start, &end) || !iol__find_fs(x, fs)) return;
    int64_t step = (end - start + width - 1) / width;
    const char *form = iol__param_form(x);
    iol_status status = iol__series_binned(x, fs, dataset, start, end, step, IOL_AGG_NONE, NULL, &b);
    if (status != IOL_OK) {
        iol__no_series(x, status);
        return;
    }
    fs_lower(x, &b, (size_t)iol__param_int(x, "height", 4096));
    (*form == 's' ? draw_heatmap : *form == 'p' ? paint_heatmap : put_heatmap)(x, fs, dataset, &b);
}

/* Health ---------------------------------------------------------------------------------------------------------- */

void iol__health_at(iol__exchange *x, const char *fs, int64_t when, iol__value *row) {
    if (!iol__hold(x, &x->serve->series_lock)) return;
    iol__ranges ranges = {.arena = &x->arena, .site = &x->serve->places, .deadline = x->deadline};
    iol__job_sources from = {.arena = &x->arena,
                             .scratch = &x->scratch,
                             .site = &x->serve->places,
                             .ranges = &ranges,
                             .health = true,
                             .fs = fs};
    iol__job_put_health(&from, fs, when, row);
    iol__ranges_close(&ranges);
    iol__release(x);
    iol__arena_free(&x->scratch);
}

static void put_some(iol__exchange *x, const char *key, const iol__value *row, bool failures) {
    iol__json_put_open(&x->json, key, '{');
    for (size_t i = 0; i < row->count; i++) {
        const char *name = strncmp(row->keys[i], "fshealth_", 9) == 0 ? row->keys[i] + 9 : row->keys[i];
        bool is = strstr(name, "overloaded") || strstr(name, "failures");
        if (is != failures) continue;
        iol__json_key_text(&x->json, name);
        iol__value_json(&x->json, &x->arena, row->items[i]);
    }
    iol__json_close(&x->json, '}');
}

/* The last value of a column, in KiB. */
static double fs_last_of(const iol__binned *b, size_t column) {
    double last = NAN;
    for (size_t r = 0; r < b->rows; r++)
        if (!isnan(b->values[r * b->columns + column])) last = b->values[r * b->columns + column];
    return strcmp(b->units, "KiB") == 0 ? last : last / 1024;
}

/* Each target: how full it is, from the series. */
static void put_targets(iol__exchange *x, const char *fs, int64_t when) {
    iol__binned used, total;
    iol__json *json = &x->json;
    iol__json_put_open(json, "osts", '[');
    if (iol__series_binned(x, fs, "fullness/bytes", when - 3600, when + 60, 0, IOL_AGG_NONE, NULL, &used) == IOL_OK &&
        iol__series_binned(x, fs, "fullness/bytestotal", when - 3600, when + 60, 0, IOL_AGG_NONE, NULL, &total) ==
            IOL_OK)
        for (size_t i = 0; i < used.columns && i < total.columns; i++) {
            iol__json_open(json, '{');
            iol__json_put_text(json, "name", used.names[i]);
            iol__json_put_real(json, "total_kib", fs_last_of(&total, i));
            iol__json_put_real(json, "used_kib", fs_last_of(&used, i));
            iol__json_close(json, '}');
        }
    iol__json_close(json, ']');
}

void iol__serve_fs_health(iol__exchange *x) {
    const char *fs = iol__param(x, "fs");
    int64_t when = iol__param_time(x, "at", (int64_t)time(NULL) * 1000000) / 1000000;
    if (!iol__find_fs(x, fs)) return;
    iol__value *row = iol__value_new(&x->arena, IOL__MAP);
    iol__health_at(x, fs, when, row);
    iol__one_begin(x);
    iol__json_put_text(&x->json, "fs", fs);
    iol__json_put_i64(&x->json, "at", when);
    put_some(x, "fullness", row, false);
    put_some(x, "failures", row, true);
    put_targets(x, fs, when);
    iol__one_end(x);
}

/* Volumes --------------------------------------------------------------------------------------------------------- */

static void next_bin(struct tm *tm, char bin) {
    tm->tm_mday += bin == 'd' ? 1 : bin == 'w' ? 7 : 0;
    tm->tm_mon += bin == 'm';
    tm->tm_isdst = -1;
}

/* The first moment of the day, week (from Monday) or month that a time is in. */
static struct tm first_bin(int64_t start, char bin) {
    time_t seconds = (time_t)start;
    struct tm tm;
    localtime_r(&seconds, &tm);
    tm.tm_hour = tm.tm_min = tm.tm_sec = 0;
    if (bin == 'w') tm.tm_mday -= (tm.tm_wday + 6) % 7;
    if (bin == 'm') tm.tm_mday = 1;
    tm.tm_isdst = -1;
    return tm;
}

/* Day by day, because days are remembered. */
static double moved_in(iol__exchange *x, const char *fs, const char *dataset, int64_t start, int64_t end,
                       double *missing) {
    double sum = NAN, gaps = 0;
    size_t days = 0;
    struct tm tm = first_bin(start, 'd');
    for (int64_t from = start; from < end; days++) {
        double part;
        next_bin(&tm, 'd');
        int64_t to = (int64_t)mktime(&tm);
        double moved = iol__series_day(x, fs, dataset, from, to, &part);
        if (!isnan(moved)) sum = isnan(sum) ? moved : sum + moved;
        gaps += part;
        from = to;
    }
    *missing = days ? gaps / (double)days : 1;
    return sum;
}

void iol__serve_fs_volumes(iol__exchange *x) {
    const char *fs = iol__param(x, "fs");
    char bin = *iol__param_choice(x, "bin");
    int64_t start, end;
    iol__answer s;
    if (!range_of(x, INT64_C(86400) * 28, INT64_C(86400) * 400, &start, &end) || !iol__find_fs(x, fs)) return;
    iol__answer_begin(&s, x, IOL_SCHEMA_Volume);
    struct tm tm = first_bin(start, bin);
    for (int64_t from = (int64_t)mktime(&tm); from < end;) {
        double missing, unused;
        next_bin(&tm, bin);
        int64_t to = (int64_t)mktime(&tm);
        const double read = moved_in(x, fs, "datatargets/readbytes", from, to, &missing);
        const double written = moved_in(x, fs, "datatargets/writebytes", from, to, &unused);
        iol__fill_Volume(&s, &(iol__Volume_answer){.start = (double)from,
                                                   .read = iol__unless_nan(read),
                                                   .written = iol__unless_nan(written),
                                                   .missing = missing});
        from = to;
    }
    iol__answer_end(&s, NULL, -1);
}
