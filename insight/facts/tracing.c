/* Collecting requests and heat maps. Memory is bounded: of a very large trace the first part is looked at. */
#include "insight/facts/phases.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_REQUESTS = 4 << 20, CHUNK = 256, MOST_BINS = 1 << 20 };

/* Requests ---------------------------------------------------------------------------------------------------- */

static bool make_tracing_room(iol__tracing *tracing, size_t more) {
    if (tracing->count + more <= tracing->room) return true;
    size_t room = tracing->room ? 2 * tracing->room : 1024;
    while (room < tracing->count + more) room *= 2;
    iol__traced_request *larger =
        room > 2 * (size_t)MOST_REQUESTS ? NULL : realloc(tracing->requests, room * sizeof *larger);
    if (!larger) return false;
    tracing->requests = larger;
    tracing->room = room;
    return true;
}

static bool tracing_sensible(const iol_segment *s) {
    return isfinite(s->start) && isfinite(s->end) && s->start >= 0 && s->end >= s->start && s->offset >= 0 &&
           s->length >= 0 && s->length <= INT64_MAX - s->offset;
}

static void visit_trace(iol__tracing *tracing, iol__facts *facts, iol_records *records, const iol_record *record) {
    int slot = iol_record_slot(record);
    if (tracing->slot && tracing->slot != slot) return; /* one layer: the other has the same requests again */
    iol_trace trace;
    if (iol_record_trace(record, &trace) != IOL_OK) return;
    size_t length = strnlen(trace.host, sizeof trace.host);
    if (length) iol__idmap_add(&tracing->hosts, iol_name_id(trace.host, length));
    const iol__facts_file *file = iol__facts_find(facts, iol_record_id(record));
    int64_t rank = iol_record_rank(record);
    if (!file || rank < 0 || rank >= IOL_FACTS_RANKS) return;
    iol_segment segments[CHUNK];
    size_t got;
    for (uint64_t at = 0; iol_records_segments(records, segments, CHUNK, &got) == IOL_OK && got; at += got) {
        tracing->seen += got;
        if (tracing->count >= MOST_REQUESTS || tracing->no_memory) continue;
        if (!make_tracing_room(tracing, got)) {
            tracing->no_memory = true;
            continue;
        }
        tracing->slot = slot;
        for (size_t i = 0; i < got; i++) {
            const iol_segment *s = &segments[i];
            if (!tracing_sensible(s)) continue;
            tracing->requests[tracing->count++] = (iol__traced_request){.start = s->start,
                                                                        .end = s->end,
                                                                        .offset = s->offset,
                                                                        .length = s->length,
                                                                        .file = (uint32_t)(file - facts->file),
                                                                        .record = tracing->records,
                                                                        .index = (uint32_t)(at + i) & INT32_MAX,
                                                                        .write = at + i < trace.writes,
                                                                        .rank = (int32_t)rank};
        }
    }
    if (tracing->count && tracing->requests[tracing->count - 1].record == tracing->records) tracing->records++;
}

/* Heat maps --------------------------------------------------------------------------------------------------- */

static int heat_of(uint64_t id) {
    static const char *const names[IOL_HEAT_MAPS] = {"heatmap:POSIX", "heatmap:STDIO", "heatmap:MPIIO", "heatmap:DFS",
                                                     "heatmap:DAOS"};
    for (int i = 0; i < IOL_HEAT_MAPS; i++)
        if (iol_name_id(names[i], strlen(names[i])) == id) return i;
    return -1;
}

static bool start_heat(iol__heat *heat, const iol_heatmap *map) {
    if (heat->bins) return heat->bins == map->bins && heat->width == map->bin_width;
    if (!map->bins || map->bins > MOST_BINS || !(map->bin_width > 0) || !isfinite(map->bin_width)) return false;
    double *all = calloc(3 * map->bins, sizeof *all);
    if (!all) return false;
    heat->read = all;
    heat->written = all + map->bins;
    heat->squares = all + 2 * map->bins;
    heat->bins = map->bins;
    heat->width = map->bin_width;
    return true;
}

static void visit_heat(iol__tracing *tracing, const iol_record *record) {
    int which = heat_of(iol_record_id(record));
    iol_heatmap map;
    if (which < 0 || iol_record_heatmap(record, &map) != IOL_OK) return;
    iol__heat *heat = &tracing->heat[which];
    if (!start_heat(heat, &map)) return;
    double total = 0;
    for (size_t i = 0; i < map.bins; i++) {
        double read = map.read[i] > 0 ? (double)map.read[i] : 0,
               written = map.written[i] > 0 ? (double)map.written[i] : 0;
        heat->read[i] += read;
        heat->written[i] += written;
        heat->squares[i] += (read + written) * (read + written);
        total += read + written;
    }
    heat->ranks++;
    heat->idle += total <= 0;
}

void iol__tracing_visit(void *context, iol__facts *facts, iol_records *records, const iol_record *record) {
    iol__tracing *tracing = context;
    if (iol_record_slot(record) == IOL_SLOT_HEATMAP)
        visit_heat(tracing, record);
    else
        visit_trace(tracing, facts, records, record);
}

void iol__tracing_free(iol__tracing *tracing) {
    free(tracing->requests);
    free(tracing->scratch);
    iol__idmap_free(&tracing->hosts);
    for (int i = 0; i < IOL_HEAT_MAPS; i++) free(tracing->heat[i].read);
    *tracing = (iol__tracing){0};
}
