/* Counters of the module are found by name, so that a later version with more of them is read as well. */
#include "log/trailer/maps.h"

#include <stddef.h>
#include <string.h>

#include "base/count.h"
#include "base/idmap.h"

static const struct map_source {
    const char *counter;
    size_t at; /* in iol__map_sums */
} map_sources[] = {
    {"MAPS_COUNT", offsetof(iol__map_sums, count)},           {"MAPS_BYTES", offsetof(iol__map_sums, bytes)},
    {"MAPS_TOUCHED", offsetof(iol__map_sums, used)},          {"MAPS_PIECES", offsetof(iol__map_sums, pieces)},
    {"MAPS_UNMEASURED", offsetof(iol__map_sums, unmeasured)},
};
enum { MAP_SOURCES = IOL_COUNT(map_sources), MAP_COUNTERS = 64 };

static bool find_maps_module(iol_log *log, iol_custom *custom, size_t *module) {
    const size_t count = iol_log_custom_count(log);
    for (*module = 0; *module < count; (*module)++)
        if (iol_log_custom(log, *module, custom) == IOL_OK && strcmp(custom->name, IOL_MAPS_MODULE) == 0) return true;
    return false;
}

/* By number of the source: the number of the counter, or of none. */
static void find_map_counters(iol_log *log, size_t module, size_t numbers[MAP_SOURCES]) {
    iol_custom_counter counter;
    for (size_t s = 0; s < MAP_SOURCES; s++) numbers[s] = MAP_COUNTERS;
    for (size_t i = 0; i < MAP_COUNTERS && iol_custom_counter_at(log, module, i, &counter) == IOL_OK; i++)
        for (size_t s = 0; s < MAP_SOURCES; s++)
            if (strcmp(counter.is.name, map_sources[s].counter) == 0) numbers[s] = i;
}

static void add_map_record(iol_log *log, size_t module, size_t record, const size_t numbers[MAP_SOURCES],
                           iol__map_sums *sums) {
    iol_value value;
    for (size_t s = 0; s < MAP_SOURCES; s++) {
        double *to = (double *)(void *)((char *)sums + map_sources[s].at);
        if (numbers[s] == MAP_COUNTERS || iol_custom_value(log, module, record, numbers[s], &value) != IOL_OK) continue;
        if (value.kind != IOL_REAL && value.as.i > 0) *to += (double)value.as.i;
    }
}

void iol__map_sums_of(iol_log *log, iol__map_sums *sums) {
    iol_custom custom;
    iol_custom_record record;
    iol__idmap files = {0};
    size_t module, numbers[MAP_SOURCES];
    *sums = (iol__map_sums){.largest = NULL};
    if (!find_maps_module(log, &custom, &module)) return;
    find_map_counters(log, module, numbers);
    for (size_t i = 0; iol_custom_record_at(log, module, i, &record) == IOL_OK; i++) {
        const double before = sums->used;
        add_map_record(log, module, i, numbers, sums);
        (void)iol__idmap_add(&files, record.id); /* without memory fewer are counted */
        if (sums->used - before <= sums->largest_used) continue;
        sums->largest_used = sums->used - before;
        sums->largest = record.name;
    }
    sums->files = (double)files.count;
    iol__idmap_free(&files);
}
