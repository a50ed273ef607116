/* Counters of the module are found by name, so that a later version with more of them is read as well. */
#include "log/trailer/regions.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/count.h"
#include "schema/schema.h"

typedef enum regions_rule { ADD, MOST, LEAST } regions_rule;

static const struct source {
    const char *counter;
    size_t at; /* in iol__marked_region */
    regions_rule how;
} sources[] = {
    {"REGION_COUNT", offsetof(iol__marked_region, count), ADD},
    {"REGION_UNENDED", offsetof(iol__marked_region, unended), ADD},
    {"REGION_UNBALANCED", offsetof(iol__marked_region, unbalanced), ADD},
    {"REGION_UNMEASURED", offsetof(iol__marked_region, unmeasured), ADD},
    {"REGION_BYTES_READ", offsetof(iol__marked_region, bytes_read), ADD},
    {"REGION_BYTES_WRITTEN", offsetof(iol__marked_region, bytes_written), ADD},
    {"REGION_F_TIME", offsetof(iol__marked_region, time), ADD},
    {"REGION_F_SLOWEST", offsetof(iol__marked_region, slowest), MOST},
    {"REGION_F_FIRST", offsetof(iol__marked_region, first), LEAST},
    {"REGION_F_LAST", offsetof(iol__marked_region, last), MOST},
    {"REGION_F_READ_TIME", offsetof(iol__marked_region, io_time), ADD},
    {"REGION_F_WRITE_TIME", offsetof(iol__marked_region, io_time), ADD},
    {"REGION_F_META_TIME", offsetof(iol__marked_region, io_time), ADD},
};

static bool find_module(iol_log *log, iol_custom *custom, size_t *module) {
    const size_t count = iol_log_custom_count(log);
    for (*module = 0; *module < count; (*module)++)
        if (iol_log_custom(log, *module, custom) == IOL_OK && strcmp(custom->name, IOL_REGIONS_MODULE) == 0)
            return true;
    return false;
}

static iol__marked_region *regions_region_of(iol__regions *regions, const iol_custom_record *record) {
    const size_t known = regions->ids.count, number = iol__idmap_add(&regions->ids, record->id);
    if (number == IOL_IDMAP_NONE) return NULL;
    if (number == known) regions->all[regions->count++] = (iol__marked_region){.name = record->name, .id = record->id};
    return &regions->all[number];
}

static void add_regions_value(iol__marked_region *region, const struct source *source, const iol_value *value) {
    double *to = (double *)(void *)((char *)region + source->at);
    const double more = value->kind == IOL_REAL ? value->as.d : (double)value->as.i;
    if (!isfinite(more)) return;
    if (source->how == ADD)
        *to += more;
    else if (source->how == MOST ? more > *to : more != 0 && (*to == 0 || more < *to))
        *to = more;
}

static void add_regions_record(iol_log *log, size_t module, size_t record, size_t counters,
                               iol__marked_region *region) {
    region->ranks++;
    for (size_t i = 0; i < counters; i++) {
        iol_custom_counter counter;
        iol_value value;
        if (iol_custom_counter_at(log, module, i, &counter) != IOL_OK ||
            iol_custom_value(log, module, record, i, &value) != IOL_OK)
            continue;
        for (size_t k = 0; k < IOL_COUNT(sources); k++)
            if (strcmp(counter.is.name, sources[k].counter) == 0) add_regions_value(region, &sources[k], &value);
    }
}

static double regions_time_of(iol_log *log, int slot, const char *const names[3]) {
    iol_records *records;
    const iol_record *record;
    double sum = 0;
    if (iol_records_open(log, slot, &records) != IOL_OK) return 0;
    while (iol_records_next(records, &record) == IOL_OK)
        for (int i = 0; i < 3; i++) {
            iol_value value;
            if (iol_record_find(record, names[i], &value) == IOL_OK && value.as.d > 0) sum += value.as.d;
        }
    iol_records_close(records);
    return sum;
}

/* The layers that the runtime adds up at the marks. */
static double all_time(iol_log *log) {
    static const char *const posix[3] = {"POSIX_F_READ_TIME", "POSIX_F_WRITE_TIME", "POSIX_F_META_TIME"};
    static const char *const stdio[3] = {"STDIO_F_READ_TIME", "STDIO_F_WRITE_TIME", "STDIO_F_META_TIME"};
    iol_module module;
    double sum = 0;
    if (iol_log_module(log, IOL_SLOT_POSIX, &module) == IOL_OK && module.length)
        sum += regions_time_of(log, IOL_SLOT_POSIX, posix);
    if (iol_log_module(log, IOL_SLOT_STDIO, &module) == IOL_OK && module.length)
        sum += regions_time_of(log, IOL_SLOT_STDIO, stdio);
    return sum;
}

static int by_io_time(const void *a, const void *b) {
    const iol__marked_region *x = a, *y = b;
    if (x->io_time != y->io_time) return x->io_time < y->io_time ? 1 : -1;
    if (x->time != y->time) return x->time < y->time ? 1 : -1;
    return strcmp(x->name, y->name);
}

/* The numbers after sorting. */
static bool number_again(iol__regions *regions) {
    iol__idmap_free(&regions->ids);
    regions->ids = (iol__idmap){0};
    for (size_t i = 0; i < regions->count; i++)
        if (iol__idmap_add(&regions->ids, regions->all[i].id) == IOL_IDMAP_NONE) return false;
    return true;
}

static bool regions_gather(iol_log *log, const iol_custom *custom, iol__regions *regions) {
    iol_custom_record record;
    for (size_t i = 0; i < custom->records; i++) {
        if (iol_custom_record_at(log, regions->module, i, &record) != IOL_OK) continue;
        iol__marked_region *region = regions_region_of(regions, &record);
        if (!region) return false;
        add_regions_record(log, regions->module, i, custom->counters, region);
    }
    return true;
}

bool iol__regions_make(iol_log *log, iol__regions *regions) {
    iol_custom custom;
    size_t module;
    *regions = (iol__regions){0};
    if (!find_module(log, &custom, &module) || custom.records == 0) return true;
    regions->module = module;
    regions->all = calloc(custom.records, sizeof *regions->all);
    if (!regions->all || !regions_gather(log, &custom, regions)) {
        iol__regions_free(regions);
        return false;
    }
    regions->io_time = all_time(log);
    for (size_t i = 0; i < regions->count; i++) {
        iol__marked_region *region = &regions->all[i];
        const double share = regions->io_time > 0 ? region->io_time / regions->io_time : NAN;
        region->io_share = share > 1 ? 1 : share; /* calls that were under way at a mark are in both */
    }
    qsort(regions->all, regions->count, sizeof *regions->all, by_io_time);
    if (number_again(regions)) return true;
    iol__regions_free(regions);
    return false;
}

size_t iol__regions_find(const iol__regions *regions, uint64_t id) { return iol__idmap_find(&regions->ids, id); }

void iol__regions_free(iol__regions *regions) {
    free(regions->all);
    iol__idmap_free(&regions->ids);
    *regions = (iol__regions){0};
}
