/* Heat maps: 200 bins for each direction, whose width doubles when the run outlasts them. */
#include "runtime/core/heatmap.h"

#include <errno.h>
#include <string.h>

#include "record/hash.h"
#include "runtime/core/files.h"
#include "runtime/core/sys.h"
#include "runtime/core/store.h"

enum { HALF = IOL_HEAT_BINS / 2 };
#define FIRST_WIDTH 0.1

iol__heat_map iol__heat_maps[IOL_HEAT_LAYERS][IOL_HEAT_MAPS];
iol__heat_window iol__heat_single[IOL_HEAT_LAYERS];
static const char *const names[IOL_HEAT_LAYERS] = {"heatmap:POSIX", "heatmap:MPIIO", "heatmap:STDIO"};
static bool named[IOL_HEAT_LAYERS];
iol__runtime_module iol__heat_module = {.slot = IOL_SLOT_HEATMAP, .reset = iol__heat_reset};
static bool any_made; /* maps, since the start or the fork */

bool iol__heat_expected(void) {
    const uint32_t *versions = iol__store_header()->versions;
    return versions[IOL_SLOT_HEATMAP] ||
           (!iol__heat_module.off &&
            (versions[IOL_SLOT_POSIX] || versions[IOL_SLOT_MPIIO] || versions[IOL_SLOT_STDIO]));
}

void iol__heat_reset(void) {
    if (any_made) memset(iol__heat_maps, 0, sizeof iol__heat_maps); /* else its pages stay shared with the parent */
    any_made = false;
    memset(iol__heat_single, 0, sizeof iol__heat_single);
    memset(named, 0, sizeof named);
}

static void make_record(iol__heat_layer layer, iol__heat_map *map) {
    iol__heat_record *record = iol__store_record(IOL_SLOT_HEATMAP, sizeof *record, true);
    const size_t length = strlen(names[layer]);
    const uint64_t id = iol__hash(names[layer], length, 0);
    if (!record || (!named[layer] && !iol__store_name(id, names[layer], length, true))) {
        if (iol__store_state.made) iol__store_partial(IOL_SLOT_HEATMAP);
        return;
    }
    named[layer] = true;
    any_made = true;
    record->id = id;
    record->width = FIRST_WIDTH;
    record->bins = IOL_HEAT_BINS;
    iol__race("heat");
    iol__store_commit(IOL_SLOT_HEATMAP, IOL_HEAT_VERSION, sizeof *record);
    __atomic_store_n(&map->record, record, __ATOMIC_RELEASE); /* others look without the lock */
}

static iol__heat_map *map_of(iol__heat_layer layer) {
    iol__heat_map *map = &iol__heat_maps[layer][iol__thread_number() % IOL_HEAT_MAPS];
    if (__atomic_load_n(&map->record, __ATOMIC_ACQUIRE)) return map;
    if (!iol__files_enter()) return NULL;
    const int saved = errno;
    if (!map->record) make_record(layer, map);
    errno = saved;
    iol__files_leave();
    return map->record ? map : NULL;
}

static void fold(iol__heat_record *record) {
    for (int direction = 0; direction < 2; direction++) {
        int64_t *bins = record->bytes[direction];
        for (int i = 0; i < HALF; i++) bins[i] = bins[2 * i] + bins[2 * i + 1];
        memset(bins + HALF, 0, HALF * sizeof *bins);
    }
    record->width *= 2;
}

/* Half away from zero, as ever; the values are never negative. */
static int64_t rounded(double value) { return (int64_t)(value + 0.5); }

static void spread(iol__heat_record *record, bool write, int64_t size, double begin, double end) {
    const double w = record->width;
    int64_t *bins = record->bytes[!write];
    if (end <= begin) { /* all of it at one instant */
        const int64_t bin = end > 0 ? (int64_t)(end / w) : 0;
        bins[bin < IOL_HEAT_BINS ? bin : IOL_HEAT_BINS - 1] += size;
        return;
    }
    for (int64_t bin = begin > 0 ? (int64_t)(begin / w) : 0; bin < (int64_t)(end / w + 1) && bin < IOL_HEAT_BINS;
         bin++) {
        const double from = (double)bin * w;
        double part = w;
        if (begin > from) part -= begin - from;
        if (end < from + w) part -= from + w - end;
        if (part < 0) break;
        bins[bin] += rounded((double)size * part / (end - begin));
    }
}

/* The next operation is likely to fall into the bin in which this one ended. The window has no time while it changes,
   because the thread may be cancelled at any line. */
static void remember(iol__heat_map *map, double end) {
    const double w = map->record->width;
    const int64_t bin = (int64_t)(end / w);
    map->last.to = 0;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    if (bin < 0 || bin >= IOL_HEAT_BINS) return;
    map->last.from = (double)bin * w;
    map->last.bin = &map->record->bytes[0][bin];
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    map->last.to = (double)(bin + 1) * w;
}

static void fold_until(iol__heat_map *map, double end) {
    if (end <= (double)IOL_HEAT_BINS * map->record->width) return;
    map->folding = true;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    map->last.to = 0;
    while (end > (double)IOL_HEAT_BINS * map->record->width) fold(map->record);
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    map->folding = false;
}

bool iol__heat_usable(const iol__guard *guard) {
    for (int layer = 0; layer < IOL_HEAT_LAYERS; layer++)
        for (int i = 0; i < IOL_HEAT_MAPS; i++)
            if (&iol__heat_maps[layer][i].guard == guard) return !iol__heat_maps[layer][i].folding;
    return false;
}

static void apply(const iol__update *update) {
    iol__heat_slow((iol__heat_layer)update->kind, update->extra != 0, update->size, update->begin, update->end);
}

static void remember_single(iol__heat_layer layer, const iol__heat_map *map) {
    double to, never = 0;
    if (iol__alone()) {
        iol__heat_single[layer] = map->last;
        return;
    }
    __atomic_load(&iol__heat_single[layer].to, &to, __ATOMIC_RELAXED);
    if (to > 0)
        __atomic_store(&iol__heat_single[layer].to, &never, __ATOMIC_RELAXED); /* bins may change their meaning */
}

void iol__heat_slow(iol__heat_layer layer, bool write, int64_t size, double begin, double end) {
    if (iol__heat_module.off) return;
    iol__heat_map *map = map_of(layer);
    if (!map) return;
    if (!iol__guard_enter(&map->guard)) {
        iol__update_keep(&map->guard, &(iol__update){apply, map, 0, size, begin, end, (int32_t)layer, write});
        return;
    }
    if (begin >= map->last.from && end < map->last.to) {
        map->last.bin[write ? 0 : IOL_HEAT_BINS] += size;
    } else {
        fold_until(map, end);
        spread(map->record, write, size, begin, end);
        remember(map, end);
    }
    remember_single(layer, map);
    iol__guard_leave(&map->guard);
}

/* The least width of those that a map can have, with which its bins reach to the end; and the bins up to there. */
static double width_of(double end) {
    double width = FIRST_WIDTH;
    while (end > (double)IOL_HEAT_BINS * width) width *= 2;
    return width;
}

static int64_t bins_of(double end, double width) {
    const double exact = end / width;
    const int64_t bins = (int64_t)exact + ((double)(int64_t)exact < exact);
    return bins > IOL_HEAT_BINS ? IOL_HEAT_BINS : bins < 1 ? 1 : bins;
}

bool iol__heat_total(iol__heat_layer layer, double end, iol__heat_record *total) {
    memset(total, 0, sizeof *total);
    bool any = false;
    double width = FIRST_WIDTH;
    for (int i = 0; i < IOL_HEAT_MAPS; i++) {
        const iol__heat_record *record = iol__heat_maps[layer][i].record;
        if (record && record->width > width) width = record->width;
    }
    while (end > (double)IOL_HEAT_BINS * width) width *= 2;
    for (int i = 0; i < IOL_HEAT_MAPS; i++) {
        const iol__heat_record *record = iol__heat_maps[layer][i].record;
        if (!record) continue;
        static iol__heat_record copy; /* too large for a small stack */
        if (record->width < width) {
            copy = *record;
            while (copy.width < width) fold(&copy);
        }
        const iol__heat_record *from = record->width < width ? &copy : record;
        for (int direction = 0; direction < 2; direction++)
            for (int bin = 0; bin < IOL_HEAT_BINS; bin++) {
                total->bytes[direction][bin] += from->bytes[direction][bin];
                any |= from->bytes[direction][bin] > 0;
            }
        total->id = record->id;
    }
    total->width = width;
    total->bins = bins_of(end, width);
    return any;
}

int64_t iol__heat_bins(double end) { return bins_of(end, width_of(end)); }

/* By the middle of each bin, so that no byte is lost or split. */
void iol__heat_fit(const iol__heat_record *from, double shift, double end, iol__heat_record *to) {
    memset(to, 0, sizeof *to);
    to->id = from->id;
    to->width = width_of(end);
    to->bins = bins_of(end, to->width);
    for (int i = 0; i < IOL_HEAT_BINS; i++) {
        const double place = (((double)i + 0.5) * from->width + shift) / to->width;
        const int64_t bin = place < 0 ? 0 : place < (double)to->bins ? (int64_t)place : to->bins - 1;
        for (int direction = 0; direction < 2; direction++) to->bytes[direction][bin] += from->bytes[direction][i];
    }
}
