/* Records of one module, decoded one at a time.
   A record is cut from the stream's window; where it has the newest layout, the host's byte order and a good address, its
   counters are used right there, otherwise they are copied, swapped and upgraded. Each form has one decoder; the table
   below names it. Nothing is believed before it is checked: a length that does not fit ends the module with a message. */
#include <stdlib.h>
#include <string.h>

#include "log/read/dialect.h"
#include "log/read/log_internal.h"
#include "log/old/old.h"
#include "record/record.h"
#include "log/read/stream.h"
#include "record/upgrade.h"

enum {
    BASE_BYTES = 16,
    LUSTRE_COMPONENT_BYTES = 72,
    DXT_BYTES = 104,
    APMPI_HEADER_BYTES = 48,
    APXC_HEADER_BYTES = 72,
    SEGMENT_BYTES = 32,
};

struct iol_records {
    iol_log *log;
    int slot;
    const iol__version *layout;
    iol__stream *stream;
    iol_status (*decode)(iol_records *);
    bool swap, current;
    bool first;       /* the next record is the first of the region */
    size_t pending;   /* bytes of the delivered record, consumed before the next */
    iol_status ended; /* IOL_OK while it goes on */
    iol_record record;
    double time_origin; /* what to take from times that do not count from the start; 0: nothing */

    /* Room for the variable part of a record. */
    void *room, *room2;
    size_t room_bytes, room2_bytes;

    /* HEATMAP: what the first record said */
    bool heatmap_seen;
    double heatmap_width;
    int64_t heatmap_bins;

    /* DXT: segments of the delivered record not yet read */
    uint64_t segments_left;
    const iol__segment_form *form;
    size_t segment_bytes;
    bool no_offsets, threads, texts;

    uint64_t delivered; /* records of LUSTRE */

    /* Counters, where those of the file are not as they are shown. Not set for logs of today, and a merge opens thousands. */
    int64_t ints[IOL_MAX_INTS];
    double reals[IOL_MAX_REALS];
};

/* Ending ------------------------------------------------------------------------------------------------------- */

/* The region ended inside a record: by damage that is already noted, or by a length that does not fit. */
static iol_status cut_short(iol_records *r, size_t have, uint64_t want) {
    iol_status status = iol__stream_status(r->stream);
    if (status != IOL_OK) return status;
    return iol__fail(r->log, IOL_DAMAGED, r->slot, iol__stream_offset(r->stream),
                     "the region ends with %zu bytes of a record of %llu", have, (unsigned long long)want);
}

static iol_status impossible(iol_records *r, const char *what, int64_t value) {
    return iol__fail(r->log, IOL_DAMAGED, r->slot, iol__stream_offset(r->stream),
                     "a record (id %llu, rank %lld) claims %lld %s, which cannot be", (unsigned long long)r->record.id,
                     (long long)r->record.rank, (long long)value, what);
}

/* The bytes of a whole record; IOL_END at the end of the region. */
static iol_status records_take(iol_records *r, uint64_t want, const uint8_t **bytes) {
    size_t have = iol__stream_peek(r->stream, (size_t)want, bytes);
    if (have >= want) {
        r->pending = (size_t)want;
        return IOL_OK;
    }
    if (have == 0) return iol__stream_status(r->stream) == IOL_OK ? IOL_END : iol__stream_status(r->stream);
    return cut_short(r, have, want);
}

/* The same for the rest of a record whose beginning was there: its end is damage, not the end of the region. */
static iol_status take_rest(iol_records *r, uint64_t want, const uint8_t **bytes) {
    iol_status status = records_take(r, want, bytes);
    return status == IOL_END ? cut_short(r, 0, want) : status;
}

static iol_status records_reserve(iol_records *r, void **room, size_t *have, size_t bytes) {
    if (*have >= bytes) return IOL_OK;
    void *grown = realloc(*room, bytes);
    if (!grown) return iol__fail(r->log, IOL_SYSTEM, r->slot, IOL_NO_OFFSET, "out of memory");
    *room = grown;
    *have = bytes;
    return IOL_OK;
}

/* Pieces ------------------------------------------------------------------------------------------------------- */

static void decode_base(iol_records *r, const uint8_t *bytes) {
    r->record.id = iol__u64(bytes, r->swap);
    r->record.rank = iol__i64(bytes + 8, r->swap);
}

static void copy_records_words(void *to, const uint8_t *bytes, size_t count, bool swap) {
    if (count == 0) return; /* `to` may be NULL then */
    memcpy(to, bytes, 8 * count);
    if (!swap) return;
    uint64_t *words = to;
    for (size_t i = 0; i < count; i++) words[i] = __builtin_bswap64(words[i]);
}

static bool aligned(const uint8_t *bytes) { return ((uintptr_t)bytes & 7) == 0; }

/* The words at `bytes` in host order: where they are if that will do, else copied to `room`. */
static const void *records_words(const iol_records *r, const uint8_t *bytes, size_t count, void *room) {
    if (!r->swap && aligned(bytes)) return bytes;
    copy_records_words(room, bytes, count, r->swap);
    return room;
}

/* Times that count from the epoch or from the start of a machine, as logs of 1.x and 2.x may have them, count from the start
   of the job. Those that were relative already are much smaller than the epoch; a time of 0 never came. */
static void relate_times(iol_records *r) {
    const iol__module *module = &iol__modules[r->slot];
    const double least = r->time_origin > 86400 ? r->time_origin - 86400 : 0;
    for (unsigned i = 0; i < module->reals; i++)
        if (r->reals[i] > least && strstr(module->counters[module->ints + i].name, "_TIMESTAMP"))
            r->reals[i] -= r->time_origin;
}

/* Integers and doubles of the record; false if an old record has to be left out. */
static bool decode_counters(iol_records *r, const uint8_t *bytes) {
    iol_record *record = &r->record;
    const iol__version *layout = r->layout;
    const uint8_t *ints = bytes + layout->counters_at;
    const uint8_t *reals = ints + 8 * (size_t)layout->ints;
    record->n_ints = layout->ints;
    record->n_reals = layout->reals;
    if (r->current) {
        record->ints = records_words(r, ints, layout->ints, r->ints);
        record->reals = records_words(r, reals, layout->reals, r->reals);
        return true;
    }
    copy_records_words(r->ints, ints, layout->ints, r->swap);
    copy_records_words(r->reals, reals, layout->reals, r->swap);
    record->ints = r->ints;
    record->reals = r->reals;
    if (r->time_origin != 0) relate_times(r);
    return iol__upgrade_counters(r->slot, layout->version, r->ints, &record->n_ints, r->reals, &record->n_reals);
}

/* Decoders ----------------------------------------------------------------------------------------------------- */

static iol_status decode_fixed(iol_records *r) {
    const uint8_t *bytes;
    iol_record *record = &r->record;
    for (;;) {
        iol_status status = records_take(r, r->layout->fixed_bytes, &bytes);
        if (status != IOL_OK) return status;
        decode_base(r, bytes);
        if (decode_counters(r, bytes)) break;
        iol__stream_consume(r->stream, r->pending);
        r->pending = 0;
    }
    const uint8_t *tail = bytes + r->layout->counters_at + 8 * ((size_t)r->layout->ints + r->layout->reals);
    switch (r->slot) {
    case IOL_SLOT_H5D:
    case IOL_SLOT_PNETCDF_VAR:
        if (r->layout->counters_at > BASE_BYTES) record->owner = iol__u64(bytes + BASE_BYTES, r->swap);
        break;
    case IOL_SLOT_DAOS:
        record->oid_high = iol__u64(tail + 32, r->swap);
        record->oid_low = iol__u64(tail + 40, r->swap);
        /* fall through */
    case IOL_SLOT_DFS:
        record->pool_uuid = tail;
        record->container_uuid = tail + 16;
        break;
    default: break;
    }
    return IOL_OK;
}

/* LUSTRE 1: five counters, of which two became those of a component, and the OST list. How many OSTs and MDTs the file
   system has is in these records only. */
static iol_status decode_lustre_1(iol_records *r) {
    const uint8_t *bytes;
    iol_status status = records_take(r, r->layout->fixed_bytes, &bytes);
    if (status != IOL_OK) return status;
    decode_base(r, bytes);
    int64_t size = iol__i64(bytes + 40, r->swap), width = iol__i64(bytes + 48, r->swap);
    if (width < 0 || width > (IOL_STREAM_MOST - 56) / 8) return impossible(r, "stripes", width);
    status = take_rest(r, 56 + 8 * (uint64_t)width, &bytes);
    if (status == IOL_OK) status = records_reserve(r, &r->room, &r->room_bytes, sizeof(iol__component));
    if (status == IOL_OK) status = records_reserve(r, &r->room2, &r->room2_bytes, 8 * (size_t)width);
    if (status != IOL_OK) return status;
    iol__component *component = r->room;
    *component = (iol__component){.counters = {[IOL_LUSTRE_COMP_STRIPE_SIZE] = size,
                                               [IOL_LUSTRE_COMP_STRIPE_COUNT] = width,
                                               [IOL_LUSTRE_COMP_STRIPE_PATTERN] = -1,
                                               [IOL_LUSTRE_COMP_FLAGS] = -1,
                                               [IOL_LUSTRE_COMP_EXT_START] = 0,
                                               [IOL_LUSTRE_COMP_EXT_END] = -1,
                                               [IOL_LUSTRE_COMP_MIRROR_ID] = -1}};
    r->record.components = component;
    r->record.n_components = 1;
    r->record.osts = records_words(r, bytes + 56, (size_t)width, r->room2);
    r->record.n_osts = (size_t)width;
    r->record.fs_osts = iol__i64(bytes + 16, r->swap);
    r->record.fs_mdts = iol__i64(bytes + 24, r->swap);
    return IOL_OK;
}

/* Components up to the first unused one; returns how many OSTs they own together, -1 if that cannot be. */
static int64_t decode_components(iol_records *r, const uint8_t *bytes, int64_t stored, int64_t stripes) {
    iol__component *components = r->room;
    int64_t owned = 0;
    for (int64_t i = 0; i < stored; i++) {
        iol__component *c = &components[i];
        const uint8_t *at = bytes + LUSTRE_COMPONENT_BYTES * i;
        copy_records_words(c->counters, at, IOL_LUSTRE_COMP_INTS, r->swap);
        if (c->counters[IOL_LUSTRE_COMP_STRIPE_SIZE] == -1) break;
        memcpy(c->pool, at + 8 * IOL_LUSTRE_COMP_INTS, 16);
        c->pool[16] = 0;
        c->first_ost = (size_t)owned;
        int64_t count = c->counters[IOL_LUSTRE_COMP_STRIPE_COUNT];
        if (count < 0 || count > stripes - owned) return -1;
        owned += count;
        r->record.n_components++;
    }
    return owned;
}

static iol_status decode_lustre_2(iol_records *r) {
    const uint8_t *bytes;
    iol_status status = records_take(r, r->layout->fixed_bytes, &bytes);
    if (status != IOL_OK) return status;
    decode_base(r, bytes);
    int64_t components = iol__i64(bytes + 16, r->swap), stripes = iol__i64(bytes + 24, r->swap);
    if (components < 0 || components > IOL_STREAM_MOST / LUSTRE_COMPONENT_BYTES)
        return impossible(r, "components", components);
    uint64_t before = 32 + LUSTRE_COMPONENT_BYTES * (uint64_t)components;
    if (stripes < 0 || before > IOL_STREAM_MOST || stripes > (int64_t)((IOL_STREAM_MOST - before) / 8))
        return impossible(r, "stripes", stripes);
    status = take_rest(r, before + 8 * (uint64_t)stripes, &bytes);
    if (status == IOL_OK)
        status = records_reserve(r, &r->room, &r->room_bytes, (size_t)components * sizeof(iol__component));
    if (status == IOL_OK) status = records_reserve(r, &r->room2, &r->room2_bytes, 8 * (size_t)stripes);
    if (status != IOL_OK) return status;
    int64_t owned = decode_components(r, bytes + 32, components, stripes);
    if (owned < 0) return impossible(r, "stripes for the OSTs that its components own", stripes);
    r->record.components = r->room;
    r->record.osts = records_words(r, bytes + before, (size_t)stripes, r->room2);
    r->record.n_osts = (size_t)owned;
    return IOL_OK;
}

static iol_status decode_lustre(iol_records *r) {
    const iol_status status = iol__pass_lustre_gap(r->log, r->stream, r->layout->version, r->delivered++);
    if (status != IOL_OK) return status;
    return r->layout->version == 1 ? decode_lustre_1(r) : decode_lustre_2(r);
}

/* A dialect may tell the thread in its text; then all segments of a record do. */
static bool first_text_names_thread(iol_records *r) {
    const uint8_t *bytes;
    const size_t want = DXT_BYTES + r->segment_bytes;
    if (!r->form->text || r->segments_left == 0 || iol__stream_peek(r->stream, want, &bytes) < want) return false;
    return iol__segment_text_thread(bytes + DXT_BYTES + SEGMENT_BYTES, r->form->text) != 0;
}

/* The segments stay in the stream: they are read, or skipped, later. */
static iol_status decode_trace(iol_records *r) {
    const uint8_t *bytes;
    iol_status status = records_take(r, DXT_BYTES, &bytes);
    if (status != IOL_OK) return status;
    decode_base(r, bytes);
    if (!iol__trace_head_can_be(r->log, r->slot, bytes))
        return iol__fail(r->log, IOL_DAMAGED, r->slot, iol__stream_offset(r->stream),
                         "the trace cannot be decoded from here on: what should be the head of a record is none");
    iol_trace *trace = &r->record.trace;
    memcpy(trace->host, bytes + 24, 64);
    int64_t writes = iol__i64(bytes + 88, r->swap), reads = iol__i64(bytes + 96, r->swap);
    const int64_t most = INT64_MAX / 1024;
    if (writes < 0 || writes > most) return impossible(r, "write segments", writes);
    if (reads < 0 || reads > most) return impossible(r, "read segments", reads);
    trace->writes = (uint64_t)writes;
    trace->reads = (uint64_t)reads;
    r->segments_left = trace->writes + trace->reads;
    trace->threads = r->form->thread || first_text_names_thread(r);
    return IOL_OK;
}

static iol_status decode_mdhim(iol_records *r) {
    const uint8_t *bytes;
    iol_status status = records_take(r, r->layout->fixed_bytes, &bytes);
    if (status != IOL_OK) return status;
    decode_base(r, bytes);
    int64_t servers = iol__i64(bytes + 16 + 8 * IOL_MDHIM_SERVERS, r->swap);
    if (servers < 1) servers = 1;
    if (servers > (IOL_STREAM_MOST - 88) / 8) return impossible(r, "servers", servers);
    status = take_rest(r, 88 + 8 * (uint64_t)servers, &bytes);
    if (status == IOL_OK) status = records_reserve(r, &r->room, &r->room_bytes, 8 * (size_t)servers);
    if (status != IOL_OK) return status;
    decode_counters(r, bytes);
    r->record.servers = records_words(r, bytes + 88, (size_t)servers, r->room);
    r->record.n_servers = (size_t)servers;
    return IOL_OK;
}

static iol_status wrong_header(iol_records *r, const char *magic) {
    return iol__fail(r->log, IOL_DAMAGED, r->slot, iol__stream_offset(r->stream),
                     "the region does not begin with a header record (no magic '%s')", magic);
}

static iol_status decode_apmpi_header(iol_records *r) {
    const uint8_t *bytes;
    iol_record *record = &r->record;
    iol_status status = records_take(r, APMPI_HEADER_BYTES, &bytes);
    if (status != IOL_OK) return status;
    decode_base(r, bytes);
    if (iol__i64(bytes + 16, r->swap) != IOL_APMPI_MAGIC) return wrong_header(r, "APMPI");
    record->header = true;
    record->sync_times = iol__u32(bytes + 24, r->swap) != 0;
    record->comm_variance = iol__f64(bytes + 32, r->swap);
    record->sync_variance = iol__f64(bytes + 40, r->swap);
    return IOL_OK;
}

static iol_status decode_apmpi(iol_records *r) {
    if (r->first) return decode_apmpi_header(r);
    const uint8_t *bytes;
    iol_status status = records_take(r, r->layout->fixed_bytes, &bytes);
    if (status != IOL_OK) return status;
    decode_base(r, bytes);
    decode_counters(r, bytes);
    memcpy(r->record.processor, bytes + r->layout->fixed_bytes - 128, 128);
    return IOL_OK;
}

static iol_status decode_apxc_header(iol_records *r) {
    const uint8_t *bytes;
    iol_record *record = &r->record;
    iol_status status = records_take(r, APXC_HEADER_BYTES, &bytes);
    if (status != IOL_OK) return status;
    decode_base(r, bytes);
    if (iol__i64(bytes + 16, r->swap) != IOL_APXC_MAGIC) return wrong_header(r, "AUTOPERF");
    record->header = true;
    record->blades = iol__i64(bytes + 24, r->swap);
    record->chassis = iol__i64(bytes + 32, r->swap);
    record->groups = iol__i64(bytes + 40, r->swap);
    record->memory_mode = iol__i64(bytes + 48, r->swap);
    record->cluster_mode = iol__i64(bytes + 56, r->swap);
    record->application = iol__u64(bytes + 64, r->swap);
    return IOL_OK;
}

static iol_status decode_apxc(iol_records *r) {
    if (r->first) return decode_apxc_header(r);
    const uint8_t *bytes;
    iol_status status = records_take(r, r->layout->fixed_bytes, &bytes);
    if (status != IOL_OK) return status;
    decode_base(r, bytes);
    decode_counters(r, bytes);
    copy_records_words(r->record.place, bytes + BASE_BYTES, 4, r->swap);
    return IOL_OK;
}

/* Writers of a few releases let ranks differ by one bin; the first record of the log sets the number. */
static int64_t agreed_bins(iol_records *r, double width, int64_t bins) {
    if (r->log->uneven_heatmaps) return bins;
    if (!r->heatmap_seen) {
        r->heatmap_seen = true;
        r->heatmap_width = width;
        r->heatmap_bins = bins;
    }
    bool near = bins - r->heatmap_bins == 1 || r->heatmap_bins - bins == 1;
    return width == r->heatmap_width && near ? r->heatmap_bins : bins;
}

static iol_status decode_heatmap(iol_records *r) {
    const uint8_t *bytes;
    iol_status status = records_take(r, r->layout->fixed_bytes, &bytes);
    if (status != IOL_OK) return status;
    decode_base(r, bytes);
    double width = iol__f64(bytes + 16, r->swap);
    int64_t stored = iol__i64(bytes + 24, r->swap);
    if (stored < 0 || stored > (IOL_STREAM_MOST - 48) / 16) return impossible(r, "heat map bins", stored);
    status = take_rest(r, 48 + 16 * (uint64_t)stored, &bytes);
    if (status != IOL_OK) return status;
    int64_t bins = agreed_bins(r, width, stored);
    size_t kept = (size_t)(bins < stored ? bins : stored);
    status = records_reserve(r, &r->room, &r->room_bytes, 8 * (size_t)bins);
    if (status == IOL_OK) status = records_reserve(r, &r->room2, &r->room2_bytes, 8 * (size_t)bins);
    if (status != IOL_OK) return status;
    copy_records_words(r->room, bytes + 48, kept, r->swap);
    copy_records_words(r->room2, bytes + 48 + 8 * stored, kept, r->swap);
    for (size_t i = kept; i < (size_t)bins; i++) ((int64_t *)r->room)[i] = ((int64_t *)r->room2)[i] = 0;
    r->record.heatmap = (iol_heatmap){width, (size_t)bins, r->room, r->room2};
    return IOL_OK;
}

/* The record of this module in the next flat one that has any. */
static iol_status decode_old(iol_records *r) {
    const iol__old_version *version = r->log->old->version;
    const uint8_t *bytes;
    iol__old_record flat;
    for (;;) {
        const iol_status status = records_take(r, version->record_bytes, &bytes);
        if (status != IOL_OK) return status;
        iol__old_decode(version, r->swap, bytes, &flat);
        if (iol__old_split(r->log->old->origin, &flat, r->slot, r->ints, r->reals)) break;
        iol__stream_consume(r->stream, r->pending);
        r->pending = 0;
    }
    iol_record *record = &r->record;
    record->id = flat.id;
    record->rank = flat.rank;
    record->ints = r->ints;
    record->reals = r->reals;
    record->n_ints = r->layout->ints;
    record->n_reals = r->layout->reals;
    if (r->time_origin != 0) relate_times(r);
    return IOL_OK;
}

static iol_status (*const decoders[])(iol_records *) = {
    [IOL_FORM_FIXED] = decode_fixed,     [IOL_FORM_LUSTRE] = decode_lustre, [IOL_FORM_TRACE] = decode_trace,
    [IOL_FORM_MDHIM] = decode_mdhim,     [IOL_FORM_APXC] = decode_apxc,     [IOL_FORM_APMPI] = decode_apmpi,
    [IOL_FORM_HEATMAP] = decode_heatmap,
};

/* Iterating ---------------------------------------------------------------------------------------------------- */

iol_status iol_records_open(iol_log *log, int slot, iol_records **out) {
    if (out) *out = NULL;
    if (!log || !out) return IOL_INVALID;
    if (slot < 0 || slot >= IOL_SLOTS || log->modules[slot].length == 0) return IOL_INVALID;
    if (slot >= IOL_SLOTS_KNOWN) return IOL_UNSUPPORTED;
    const iol_module *module = &log->modules[slot];
    const iol__version *layout = iol__version_find(slot, module->version);
    if (!layout)
        return iol__fail(log, IOL_UNSUPPORTED, slot, module->offset,
                         "record version %u is not known; this Iolite reads 1 to %d", module->version,
                         iol__modules[slot].current);
    const double time_origin = log->stored_times ? 0 : log->time_origin;
    const bool current = layout->version == iol__modules[slot].current && time_origin == 0;
    iol_records *r = malloc(sizeof *r);
    if (!r) return iol__fail(log, IOL_SYSTEM, slot, IOL_NO_OFFSET, "out of memory");
    memset(r, 0, current && !log->old ? offsetof(iol_records, ints) : sizeof *r);
    iol_status status = iol__stream_open(log, slot, module->offset, module->length, &r->stream);
    if (status != IOL_OK) {
        free(r);
        return status;
    }
    r->log = log;
    r->slot = slot;
    r->layout = layout;
    r->swap = log->swap;
    r->decode = log->old ? decode_old : decoders[iol__modules[slot].form];
    r->time_origin = time_origin;
    r->current = current;
    r->first = true;
    if (iol__modules[slot].form == IOL_FORM_TRACE) {
        r->form = iol__segment_form_of(log, slot, r->stream);
        r->segment_bytes = r->form->bytes;
        r->threads = r->form->thread;
        r->texts = r->form->text > 0;
    }
    r->no_offsets = slot == IOL_SLOT_DXT_MPIIO && layout->version == 1;
    *out = r;
    return IOL_OK;
}

static iol_status pass_doubted_segments(iol_records *r);

/* Pass over what is left of the delivered record. */
static iol_status finish_record(iol_records *r) {
    iol__stream_consume(r->stream, r->pending);
    r->pending = 0;
    if (r->segments_left && r->log->segments_doubted[r->slot == IOL_SLOT_DXT_MPIIO]) return pass_doubted_segments(r);
    uint64_t left = r->segments_left * r->segment_bytes;
    r->segments_left = 0;
    uint64_t skipped = iol__stream_skip(r->stream, left);
    return skipped == left ? IOL_OK : cut_short(r, (size_t)skipped, left);
}

iol_status iol_records_next(iol_records *r, const iol_record **record) {
    if (record) *record = NULL;
    if (!r || !record) return IOL_INVALID;
    if (r->ended != IOL_OK) return r->ended;
    r->ended = finish_record(r);
    if (r->ended != IOL_OK) return r->ended;
    /* What the header record of APMPI said holds for all that follow. */
    r->record = (iol_record){.slot = r->slot, .sync_times = r->record.sync_times};
    r->ended = r->decode(r);
    if (r->ended != IOL_OK) {
        r->pending = 0;
        return r->ended;
    }
    r->first = false;
    *record = &r->record;
    return IOL_OK;
}

void iol_records_close(iol_records *r) {
    if (!r) return;
    iol__stream_close(r->stream);
    free(r->room);
    free(r->room2);
    free(r);
}

static void decode_segment(const iol_records *r, const uint8_t *bytes, iol_segment *segment) {
    segment->offset = r->no_offsets ? -1 : iol__i64(bytes, r->swap);
    segment->length = iol__i64(bytes + 8, r->swap);
    segment->start = iol__f64(bytes + 16, r->swap);
    segment->end = iol__f64(bytes + 24, r->swap);
    segment->thread = r->threads ? iol__u64(bytes + SEGMENT_BYTES, r->swap) : 0;
    if (r->texts) segment->thread = iol__segment_text_thread(bytes + SEGMENT_BYTES, r->form->text);
}

/* At least one whole segment at *bytes, and how many there are of those that are left; 0 at the end, or where it is cut. */
static size_t peek_segments(iol_records *r, size_t room, const uint8_t **bytes) {
    iol__stream_consume(r->stream, r->pending);
    r->pending = 0;
    if (r->segments_left == 0 || room == 0) return 0;
    const size_t have = iol__stream_peek(r->stream, r->segment_bytes, bytes);
    size_t count = have / r->segment_bytes;
    if (count == 0) {
        r->ended = cut_short(r, have, r->segments_left * r->segment_bytes);
        r->segments_left = 0;
    }
    if (count > room) count = room;
    return count > r->segments_left ? (size_t)r->segments_left : count;
}

static void pass_records_segments(iol_records *r, size_t count) {
    iol__stream_consume(r->stream, count * r->segment_bytes);
    r->segments_left -= count;
}

/* How many segments come before one that cannot be. */
static size_t count_possible(const iol_records *r, const uint8_t *bytes, size_t count) {
    size_t good = 0;
    if (!r->log->segments_doubted[r->slot == IOL_SLOT_DXT_MPIIO]) return count;
    while (good < count && iol__segment_can_be(r->log, r->slot, bytes + good * r->segment_bytes)) good++;
    return good;
}

/* Nothing behind it would be where it is looked for. */
static iol_status cannot_be(iol_records *r) {
    const uint8_t *bytes;
    iol_segment s = {0};
    if (iol__stream_peek(r->stream, r->segment_bytes, &bytes) >= r->segment_bytes) decode_segment(r, bytes, &s);
    r->segments_left = 0;
    return iol__fail(r->log, IOL_DAMAGED, r->slot, iol__stream_offset(r->stream),
                     "the trace cannot be decoded from here on: an operation of %lld bytes at %lld, from %g s to %g s, "
                     "cannot be",
                     (long long)s.length, (long long)s.offset, s.start, s.end);
}

/* Whoever passes over them gets as far as whoever reads them. */
static iol_status pass_doubted_segments(iol_records *r) {
    const uint8_t *bytes;
    size_t count;
    while ((count = peek_segments(r, SIZE_MAX, &bytes)) > 0) {
        const size_t good = count_possible(r, bytes, count);
        pass_records_segments(r, good);
        if (good < count) return cannot_be(r);
    }
    return r->ended;
}

const iol__segment_form *iol__records_form(const iol_records *r) { return r->form; }

iol_status iol__records_texts(iol_records *r, uint8_t (*texts)[IOL_SEGMENT_TEXT], size_t room, size_t *got) {
    const uint8_t *bytes;
    size_t count;
    *got = 0;
    if (r->ended != IOL_OK) return r->ended;
    while ((count = peek_segments(r, room - *got, &bytes)) > 0) {
        for (size_t i = 0; i < count; i++) {
            uint8_t *text = texts[*got + i];
            memset(text, 0, IOL_SEGMENT_TEXT);
            memcpy(text, bytes + i * r->segment_bytes + SEGMENT_BYTES, r->form->text);
        }
        pass_records_segments(r, count);
        *got += count;
    }
    return *got ? IOL_OK : r->ended != IOL_OK ? r->ended : IOL_END;
}

iol_status iol_records_segments(iol_records *r, iol_segment *segments, size_t room, size_t *got) {
    const uint8_t *bytes;
    size_t count;
    if (got) *got = 0;
    if (!r || !got || (room && !segments)) return IOL_INVALID;
    if (r->ended != IOL_OK) return r->ended;
    while ((count = peek_segments(r, room - *got, &bytes)) > 0) {
        const size_t good = count_possible(r, bytes, count);
        for (size_t i = 0; i < good; i++) decode_segment(r, bytes + i * r->segment_bytes, &segments[*got + i]);
        *got += good;
        pass_records_segments(r, good);
        if (good == count) continue;
        r->ended = cannot_be(r);
        break;
    }
    return *got ? IOL_OK : r->ended != IOL_OK ? r->ended : IOL_END;
}
