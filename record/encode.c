/* Serialising, field by field: no structure is ever dumped, so padding is zero and every machine writes the same. */
#include "record/encode.h"

#include <string.h>

enum { UUID_BYTES = 16, HOST_BYTES = 64, POOL_BYTES = 16, PROCESSOR_BYTES = 128 };

static uint8_t *encode_put(uint8_t *to, const void *from, size_t bytes) {
    if (bytes) memcpy(to, from, bytes);
    return to + bytes;
}

static uint8_t *put_encode_u64(uint8_t *to, uint64_t value) { return encode_put(to, &value, 8); }
static uint8_t *put_i64(uint8_t *to, int64_t value) { return encode_put(to, &value, 8); }
static uint8_t *put_encode_f64(uint8_t *to, double value) { return encode_put(to, &value, 8); }

/* A text in a field of fixed size, zeros behind it. */
static uint8_t *put_encode_text(uint8_t *to, const char *text, size_t bytes) {
    size_t length = strnlen(text, bytes);
    memcpy(to, text, length);
    memset(to + length, 0, bytes - length);
    return to + bytes;
}

static uint8_t *put_encode_counters(uint8_t *to, const iol_record *record) {
    to = encode_put(to, record->ints, 8 * (size_t)record->n_ints);
    return encode_put(to, record->reals, 8 * (size_t)record->n_reals);
}

static size_t encode_servers_of(const iol_record *record) { return record->n_servers ? record->n_servers : 1; }

static bool has_owner(int slot) { return slot == IOL_SLOT_H5D || slot == IOL_SLOT_PNETCDF_VAR; }

size_t iol__encoded_bytes(const iol_record *record) {
    const iol__module *module = &iol__modules[record->slot];
    size_t fixed = iol__version_find(record->slot, module->current)->fixed_bytes;
    switch ((iol__form)module->form) {
    case IOL_FORM_LUSTRE: return fixed + 72 * record->n_components + 8 * record->n_osts;
    case IOL_FORM_MDHIM: return 88 + 8 * encode_servers_of(record);
    case IOL_FORM_HEATMAP: return fixed + 16 * record->heatmap.bins;
    case IOL_FORM_APMPI: return record->header ? 48 : fixed;
    case IOL_FORM_APXC: return record->header ? 72 : fixed;
    case IOL_FORM_FIXED:
    case IOL_FORM_TRACE: break;
    }
    return fixed;
}

static void encode_fixed(const iol_record *record, uint8_t *to) {
    static const uint8_t no_uuid[UUID_BYTES];
    if (has_owner(record->slot)) to = put_encode_u64(to, record->owner);
    to = put_encode_counters(to, record);
    if (record->slot != IOL_SLOT_DFS && record->slot != IOL_SLOT_DAOS) return;
    to = encode_put(to, record->pool_uuid ? record->pool_uuid : no_uuid, UUID_BYTES);
    to = encode_put(to, record->container_uuid ? record->container_uuid : no_uuid, UUID_BYTES);
    if (record->slot != IOL_SLOT_DAOS) return;
    to = put_encode_u64(to, record->oid_high);
    put_encode_u64(to, record->oid_low);
}

static void encode_lustre(const iol_record *record, uint8_t *to) {
    to = put_i64(to, (int64_t)record->n_components);
    to = put_i64(to, (int64_t)record->n_osts);
    for (size_t i = 0; i < record->n_components; i++) {
        to = encode_put(to, record->components[i].counters, sizeof record->components[i].counters);
        to = put_encode_text(to, record->components[i].pool, POOL_BYTES);
    }
    encode_put(to, record->osts, 8 * record->n_osts);
}

static void encode_trace(const iol_record *record, uint8_t *to) {
    to = put_i64(to, 0);
    to = put_encode_text(to, record->trace.host, HOST_BYTES);
    to = put_encode_u64(to, record->trace.writes);
    put_encode_u64(to, record->trace.reads);
}

static void encode_heatmap(const iol_record *record, uint8_t *to) {
    const iol_heatmap *map = &record->heatmap;
    to = put_encode_f64(to, map->bin_width);
    to = put_encode_u64(to, map->bins);
    memset(to, 0, 16); /* where the run-time had two addresses */
    to = encode_put(to + 16, map->written, 8 * map->bins);
    encode_put(to, map->read, 8 * map->bins);
}

/* The record says itself how long its histogram is; that must be true, whatever the counter was. */
static void encode_mdhim(const iol_record *record, uint8_t *to) {
    int64_t servers = record->ints[IOL_MDHIM_SERVERS];
    uint8_t *histogram = put_encode_counters(to, record);
    if (servers > 1 || encode_servers_of(record) > 1)
        put_encode_u64(to + 8 * IOL_MDHIM_SERVERS, encode_servers_of(record));
    if (record->n_servers)
        encode_put(histogram, record->servers, 8 * record->n_servers);
    else
        put_i64(histogram, 0);
}

static void encode_apmpi(const iol_record *record, uint8_t *to) {
    if (!record->header) {
        put_encode_text(put_encode_counters(to, record), record->processor, PROCESSOR_BYTES);
        return;
    }
    uint32_t flag[2] = {record->sync_times, 0};
    to = put_i64(to, IOL_APMPI_MAGIC);
    to = encode_put(to, flag, sizeof flag);
    to = put_encode_f64(to, record->comm_variance);
    put_encode_f64(to, record->sync_variance);
}

static void encode_apxc(const iol_record *record, uint8_t *to) {
    if (!record->header) {
        put_encode_counters(encode_put(to, record->place, sizeof record->place), record);
        return;
    }
    to = put_i64(to, IOL_APXC_MAGIC);
    to = put_i64(to, record->blades);
    to = put_i64(to, record->chassis);
    to = put_i64(to, record->groups);
    to = put_i64(to, record->memory_mode);
    to = put_i64(to, record->cluster_mode);
    put_encode_u64(to, record->application);
}

void iol__encode(const iol_record *record, uint8_t *to) {
    static void (*const encoders[])(const iol_record *, uint8_t *) = {
        [IOL_FORM_FIXED] = encode_fixed,     [IOL_FORM_LUSTRE] = encode_lustre, [IOL_FORM_TRACE] = encode_trace,
        [IOL_FORM_MDHIM] = encode_mdhim,     [IOL_FORM_APXC] = encode_apxc,     [IOL_FORM_APMPI] = encode_apmpi,
        [IOL_FORM_HEATMAP] = encode_heatmap,
    };
    to = put_encode_u64(to, record->id);
    to = put_i64(to, record->rank);
    encoders[iol__modules[record->slot].form](record, to);
}

uint8_t *iol__encode_segment(const iol_segment *segment, bool thread, uint8_t *to) {
    to = put_i64(to, segment->offset);
    to = put_i64(to, segment->length);
    to = put_encode_f64(to, segment->start);
    to = put_encode_f64(to, segment->end);
    return thread ? put_encode_u64(to, segment->thread) : to;
}
