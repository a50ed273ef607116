/* What the archive says of a file system at present. Reading a day of two hundred targets takes a while, so the answer is
   remembered. */
#include <math.h>
#include <string.h>
#include <time.h>

#include "base/deadline.h"
#include "serve/series.h"
#include "serve/serve.h"

enum { MINUTE = 60, DAY = 86400, LOOKED_BACK = 62, STEP = 300 };

bool iol__has_series(const iol__exchange *x, const char *fs) {
    const iol__value *files = iol__places_get(&x->serve->places, "hdf5_files");
    return files && (files->kind != IOL__MAP || iol__map_get(files, fs));
}

void iol__each_series(iol__exchange *x, void (*take)(void *context, const char *fs), void *context) {
    const iol__value *files = iol__places_get(&x->serve->places, "hdf5_files");
    for (size_t i = 0; files && files->kind == IOL__MAP && i < files->count; i++) take(context, files->keys[i]);
}

/* Sum of the latest row of a dataset that has values; NAN: none. */
static double latest_sum(iol__exchange *x, const char *fs, const char *dataset, int64_t now) {
    iol__binned all;
    if (iol__series_binned(x, fs, dataset, now - DAY, now, 0, IOL_AGG_NONE, NULL, &all) != IOL_OK) return NAN;
    for (size_t r = all.rows; r-- > 0;) {
        double sum = 0;
        size_t n = 0;
        for (size_t i = 0; i < all.columns; i++) {
            double value = all.values[r * all.columns + i];
            if (isnan(value)) continue;
            sum += value;
            n++;
        }
        if (n) return strcmp(all.units, "KiB") == 0 ? sum * 1024 : sum;
    }
    return NAN;
}

/* The latest day of the last two months that has samples: an archive that stopped weeks ago is late, not unknown. Days without
   a file cost nothing. */
static void fs_state_look(iol__exchange *x, const char *fs, iol__fs_state *s) {
    for (int day = 0; day < LOOKED_BACK && isnan(s->last); day++) {
        iol__binned b;
        int64_t end = s->made - day * (int64_t)DAY;
        if (iol__series_binned(x, fs, "datatargets/writerates", end - DAY, end, STEP, IOL_AGG_NONE, NULL, &b) != IOL_OK)
            continue;
        for (size_t i = b.rows * b.columns; i-- > 0 && isnan(s->last);)
            if (!isnan(b.values[i])) s->last = (double)(b.start + (int64_t)(i / b.columns) * b.step);
        s->targets = (double)b.columns;
        s->missing = b.seen ? (double)b.missing / (double)b.seen : NAN;
    }
    if (isnan(s->last)) return;
    s->capacity = latest_sum(x, fs, "fullness/bytestotal", (int64_t)s->last + STEP);
    s->used = latest_sum(x, fs, "fullness/bytes", (int64_t)s->last + STEP);
}

iol__fs_state iol__fs_state_of(iol__exchange *x, const char *fs) {
    iol__serve *serve = x->serve;
    iol__fs_state s = {NAN, NAN, NAN, NAN, NAN, iol__series_key(serve, fs, "", 0), (int64_t)time(NULL)}, there;
    if (!iol__has_series(x, fs)) return s;
    iol__fs_state *place = &serve->states[s.key / 2 % IOL_FS_STATES];
    pthread_mutex_lock(&serve->days_lock);
    there = *place;
    pthread_mutex_unlock(&serve->days_lock);
    if (there.key == s.key && s.made - there.made < MINUTE && s.made >= there.made) return there;
    fs_state_look(x, fs, &s);
    if (iol__is_past(x->deadline)) return s;
    pthread_mutex_lock(&serve->days_lock);
    *place = s;
    pthread_mutex_unlock(&serve->days_lock);
    return s;
}
