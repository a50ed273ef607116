/* What one rank recorded, as it goes into the log of the job: with its rank, its times moved, and without what it has in
   common with all others. Nothing in the store is changed, because that may still be needed. */
#include <string.h>

#include "record/record.h"
#include "record/where.h"
#include "runtime/apmpi/apmpi.h"
#include "runtime/core/files.h"
#include "runtime/core/heatmap.h"
#include "runtime/core/sys.h"
#include "runtime/core/store.h"
#include "runtime/core/trace.h"
#include "runtime/finalize/gather.h"
#include "runtime/lustre/lustre.h"
#include "runtime/stdio/stdio.h"
#include "runtime/finalize/memory.h"

static const uint8_t *area_of(int slot, size_t *bytes) {
    const iol__area *area = &iol__store_state.modules[slot];
    *bytes = area->used;
    return iol__store_state.base + area->at;
}

/* The number of a file among those that all ranks have, if all have a record of it in this slot. */
static uint32_t shared_at(const iol__rt_gathered *g, int slot, uint64_t id, size_t *guess) {
    const iol__survey *survey = g->survey;
    const size_t file = iol__own_file(&survey->files, id, guess);
    const uint32_t at = file == SIZE_MAX ? IOL_NOT_SHARED : survey->files.shared[file];
    return at != IOL_NOT_SHARED && survey->shared.masks[at] >> slot & 1 ? at : IOL_NOT_SHARED;
}

/* Names: rank 0 has those of shared files for all. */
static void own_names(iol__rt_gathered *g) {
    const iol__area *names = &iol__store_state.names;
    const uint8_t *base = iol__store_state.base + names->at;
    size_t guess = 0;
    for (size_t at = 0; at + sizeof(uint64_t) < names->used;) {
        uint64_t id;
        memcpy(&id, base + at, sizeof id);
        const size_t length = sizeof id + strlen((const char *)base + at + sizeof id) + 1;
        if (g->rank == 0 || shared_at(g, 0, id, &guess) == IOL_NOT_SHARED)
            iol__pile_add(&g->piles[0], base + at, length);
        at += length;
    }
}

/* Records of one size ---------------------------------------------------------------------------------------------- */

bool iol__record_wanted(int slot, const uint64_t *record) {
    if (slot != IOL_SLOT_STDIO || !iol__stdio_standard(record[0])) return true;
    return record[2 + IOL_STDIO_READS] != 0 || record[2 + IOL_STDIO_WRITES] != 0;
}

static void add_row(iol__rt_gathered *g, const iol__layout *layout, const uint64_t *record) {
    if (!iol__record_wanted(layout->slot, record)) return;
    uint64_t *to = iol__pile_room(&g->piles[layout->slot], 8 * (size_t)layout->words);
    if (!to) return;
    memcpy(to, record, 8 * (size_t)layout->words);
    iol__layout_place(layout, to, g->rank, g->shift);
    if (!g->exact_times) iol__layout_round(layout, to);
}

static bool take_shared(iol__rt_gathered *g, int slot, const uint64_t *record, size_t *guess) {
    const uint32_t at = shared_at(g, slot, record[0], guess);
    if (at != IOL_NOT_SHARED) iol__shared_take(&g->shared, slot, at, record);
    return at != IOL_NOT_SHARED;
}

/* Where some were shared, the others are in the order of their ids; else as they came. */
static bool add_sorted(iol__rt_gathered *g, const iol__layout *layout, const uint64_t *records, size_t count) {
    const size_t words = layout->words, bytes = count * (3 * sizeof(uint64_t) + sizeof(uint32_t));
    uint64_t *ids = iol__memory_take(bytes);
    if (!ids) return false;
    uint64_t *scratch = ids + count;
    uint32_t *places = (uint32_t *)(void *)(scratch + 2 * count);
    size_t n = 0, guess = 0;
    for (size_t i = 0; i < count; i++) {
        if (take_shared(g, layout->slot, records + i * words, &guess)) continue;
        ids[n] = records[i * words];
        places[n++] = (uint32_t)i;
    }
    iol__sort_ids(ids, places, scratch, n);
    for (size_t i = 0; i < n; i++) add_row(g, layout, records + places[i] * words);
    iol__memory_back(ids, bytes);
    return true;
}

static void own_rows(iol__rt_gathered *g, const iol__layout *layout) {
    size_t bytes, guess = 0;
    const uint64_t *records = (const uint64_t *)(const void *)area_of(layout->slot, &bytes);
    const size_t count = bytes / 8 / layout->words;
    if (count == 0) return;
    if (g->shared.modules[layout->slot].count && add_sorted(g, layout, records, count)) return;
    for (size_t i = 0; i < count; i++) {
        const uint64_t *record = records + i * layout->words;
        if (!take_shared(g, layout->slot, record, &guess)) add_row(g, layout, record);
    }
}

/* Others ----------------------------------------------------------------------------------------------------------- */

/* A layout that all ranks know is written by rank 0. */
static void own_layouts(iol__rt_gathered *g) {
    size_t bytes;
    const uint8_t *at = area_of(IOL_SLOT_LUSTRE, &bytes), *end = at + bytes;
    size_t guess = 0;
    for (; at < end; at += iol__lustre_stored(at)) {
        const size_t packed = iol__lustre_packed(at);
        uint64_t id;
        memcpy(&id, at, sizeof id);
        const bool shared = shared_at(g, IOL_SLOT_LUSTRE, id, &guess) != IOL_NOT_SHARED;
        if (packed == 0 || (shared && g->rank > 0)) continue;
        uint8_t *to = iol__pile_room(&g->piles[IOL_SLOT_LUSTRE], packed);
        if (!to) return;
        iol__lustre_pack(at, to);
        const int64_t rank = shared ? -1 : g->rank;
        memcpy(to + sizeof id, &rank, sizeof rank);
    }
}

/* The region of APMPI begins with a header, if any rank has a record there. Rank 0 need not be one of them. */
static void communication_header(iol__rt_gathered *g) {
    iol__apmpi_header header;
    if (g->rank != 0 || !(g->survey->all.modules >> IOL_SLOT_APMPI & 1)) return;
    iol__apmpi_head(&header);
    iol__pile_add(&g->piles[IOL_SLOT_APMPI], &header, sizeof header);
}

/* In the store there is a header and one record. */
static void own_communication(iol__rt_gathered *g) {
    size_t bytes;
    const uint8_t *at = area_of(IOL_SLOT_APMPI, &bytes);
    const iol__apmpi_record *record = (const void *)(at + sizeof(iol__apmpi_header));
    if (bytes < sizeof(iol__apmpi_header) + sizeof *record) return;
    iol__spread_add(&g->communication, iol__spread_time(record->reals[IOL_MPI_TOTAL_COMM_TIME]));
    iol__spread_add(&g->synchronisation, iol__spread_time(record->reals[IOL_MPI_TOTAL_COMM_SYNC_TIME]));
    g->communicators++;
    iol__apmpi_record *to = iol__pile_room(&g->piles[IOL_SLOT_APMPI], sizeof *to);
    if (!to) return;
    memcpy(to, record, sizeof *to);
    to->rank = g->rank;
}

/* All heat maps of the job have the same bins. */
static void own_heat(iol__rt_gathered *g) {
    static iol__heat_record mine, theirs;
    const iol__plan *plan = &g->survey->plan;
    for (int layer = 0; layer < IOL_HEAT_LAYERS; layer++) {
        if (!iol__heat_total((iol__heat_layer)layer, iol__store_facts()->end, &mine)) continue;
        iol__heat_fit(&mine, g->shift, (double)(plan->end - plan->zero) * 1e-9, &theirs);
        const size_t head = offsetof(iol__heat_record, bytes), bins = (size_t)theirs.bins * sizeof(int64_t);
        uint8_t *to = iol__pile_room(&g->piles[IOL_SLOT_HEATMAP], head + 2 * bins);
        if (!to) return;
        theirs.rank = g->rank;
        memcpy(to, &theirs, head);
        memcpy(to + head, theirs.bytes[0], bins);
        memcpy(to + head + bins, theirs.bytes[1], bins);
    }
}

/* Traces ----------------------------------------------------------------------------------------------------------- */

static void add_segments(iol__rt_gathered *g, int slot, const iol__trace_chunk *chunk) {
    const size_t bytes = g->piles[slot].shape.row;
    const bool marked = iol__setting_flag(&iol__core_state.config, IOL_SET_WHERE);
    for (; chunk; chunk = iol__trace_following(chunk)) {
        const uint8_t *segment = (const uint8_t *)(chunk + 1);
        for (uint32_t i = 0; i < chunk->used; i++, segment += IOL_SEGMENT) {
            double times[2];
            uint8_t *to = iol__pile_room(&g->piles[slot], bytes);
            if (!to) return;
            memcpy(to, segment, bytes);
            memcpy(times, segment + 16, sizeof times);
            if (marked) { /* the marks of chains stay */
                iol__where_shift(&times[0], &times[1], g->shift);
            } else {
                times[0] += g->shift;
                times[1] += g->shift;
            }
            memcpy(to + 16, times, sizeof times);
        }
    }
}

static void add_trace(iol__rt_gathered *g, int slot, uint64_t id, const iol__trace *trace, const char *host) {
    iol__trace_head head;
    if (!iol__trace_head_of(trace, id, g->rank, host, &head)) return;
    iol__pile_add(&g->piles[slot], &head, sizeof head);
    add_segments(g, slot, trace->first_chunks[IOL_WRITE]);
    add_segments(g, slot, trace->first_chunks[IOL_READ]);
}

/* Files in the order of their first traced operation. */
static void own_traces(iol__rt_gathered *g, int slot, const char *host) {
    const iol__rt_store *store = &iol__store_state;
    iol__trace_chunk chunk;
    if (store->trace.used == 0) return;
    for (size_t next = 0; iol__trace_next(store->base + store->trace.at, store->trace.used, &next, &chunk);) {
        iol__state *state = (int)chunk.slot == slot ? iol__trace_owner(&chunk) : NULL;
        iol__trace *trace = state ? iol__trace_of(state) : NULL;
        if (!trace || trace->written_out) continue;
        trace->written_out = true;
        add_trace(g, slot, chunk.id, trace, host);
    }
    for (iol__state *state = iol__files_states(); state; state = state->next)
        if (state->module->trace) iol__trace_of(state)->written_out = false;
}

/* All -------------------------------------------------------------------------------------------------------------- */

static void own_region(iol__rt_gathered *g, int slot, const char *host) {
    const iol__layout *layout = slot ? iol__layout_of(slot) : NULL;
    if (slot == 0)
        own_names(g);
    else if (layout)
        own_rows(g, layout);
    else if (slot == IOL_SLOT_LUSTRE)
        own_layouts(g);
    else if (slot == IOL_SLOT_APMPI)
        own_communication(g);
    else if (slot == IOL_SLOT_HEATMAP)
        own_heat(g);
    else if (slot == IOL_SLOT_DXT_POSIX || slot == IOL_SLOT_DXT_MPIIO)
        own_traces(g, slot, host);
}

void iol__unique_records(iol__rt_gathered *g, const char *host) {
    for (int slot = 0; slot < IOL_SLOTS_KNOWN; slot++) {
        const int64_t before = iol__clock_monotonic();
        if (slot == IOL_SLOT_APMPI) communication_header(g);
        if (iol__store_state.made) own_region(g, slot, host);
        if (!iol__gather_waits(g, slot)) iol__pile_pack(&g->piles[slot], false);
        g->took[slot] += iol__clock_monotonic() - before;
    }
}
