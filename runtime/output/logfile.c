/* Writing what a process recorded as a log of its own, compressed. The mapped file stays until that is done, so a process
   that is killed in the middle loses nothing. */
#include "runtime/output/logfile.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <sys/utsname.h>
#include <time.h>

#include "record/removals.h"
#include "record/times.h"
#include "record/trailer.h"
#include "runtime/custom/custom.h"
#include "runtime/core/core.h"
#include "runtime/pack/deflate.h"
#include "runtime/output/explain.h"
#include "runtime/core/files.h"
#include "runtime/core/heatmap.h"
#include "runtime/posix/operations.h"
#include "runtime/core/sys.h"
#include "runtime/output/places.h"
#include "runtime/output/sections.h"
#include "runtime/core/modules.h"
#include "runtime/core/store.h"
#include "runtime/core/text.h"
#include "runtime/core/trace.h"
#include "runtime/pack/pack.h"
#include "runtime/lazy/spaces.h"
#include "runtime/lustre/lustre.h"
#include "runtime/mpiio/mpiio.h"
#include "runtime/stdio/stdio.h"

/* A block is what a log is compressed by: larger ones make it hardly smaller, and the process so much larger. */
enum { BLOCK = 256 << 10, SMALL_BLOCK = 64 << 10 };

static double end_time;
static size_t segment_bytes; /* of a traced operation: with the thread, which released tools cannot read, or without */

void iol__log_prepare(double end) {
    iol__mapped *facts = iol__store_facts();
    iol__log_job *job = iol__store_job();
    const iol__core *core = &iol__core_state;
    end_time = end;
    iol__modules_settle();
    facts->end = end;
    facts->calls_unseen = core->calls_unseen;
    facts->spaces_unseen = iol__spaces_unseen();
    iol__store_file_is_all(false);
    const int64_t ns = core->zero_ns + (int64_t)(end * 1e9);
    job->end_ns = ns % 1000000000;
    job->end_s = core->zero_s + ns / 1000000000;
}

/* The log of one process ------------------------------------------------------------------------------------------- */

typedef struct writer {
    int fd;
    bool failed;
    long at;               /* in the file */
    uint8_t *raw, *packed; /* without memory for the second the log is not compressed */
    size_t have, room;     /* in raw */
    iol__pack_shape shape; /* of the region */
    iol__log_header header;
} writer;

/* What is waiting becomes one stream. Blocks hold whole records, because they are flushed between them. */
static void flush(writer *w) {
    if (w->failed || w->have == 0) return;
    const size_t bytes = w->packed ? iol__pack(w->shape, w->raw, w->have, w->packed) : w->have;
    if (bytes == 0 || iol__sys_write_all(w->fd, w->packed ? w->packed : w->raw, bytes, w->at) != 0) w->failed = true;
    w->at += (long)bytes;
    w->have = 0;
}

static void put(writer *w, const void *bytes, size_t length) {
    if (w->have + length > w->room) flush(w);
    memcpy(w->raw + w->have, bytes, length);
    w->have += length;
}

/* Records, or names, that stand one after the other, as they are. */
static void put_many(writer *w, const uint8_t *from, size_t length, size_t record) {
    const size_t most = record ? w->room / record * record : w->room;
    for (size_t at = 0; at < length; at += most) {
        flush(w);
        const size_t part = length - at < most ? length - at : most;
        put(w, from + at, part);
    }
}

static void begin_region(writer *w, iol__region *region, iol__pack_shape shape) {
    region->at = (uint64_t)w->at;
    w->shape = shape;
}

/* Quick: one process does all of it, while somebody waits for its end. */
static iol__pack_shape rows_of(size_t bytes) { return (iol__pack_shape){.row = (uint32_t)bytes, .quick = true}; }

static void end_region(writer *w, iol__region *region) {
    flush(w);
    region->bytes = (uint64_t)w->at - region->at;
}

static void write_job(writer *w) {
    const char *text = iol__store_text();
    w->shape = (iol__pack_shape){.text = true};
    put(w, iol__store_job(), sizeof(iol__log_job));
    put(w, text, strlen(text) + 1);
    flush(w);
}

static void write_names(writer *w) {
    const iol__area *names = &iol__store_state.names;
    begin_region(w, &w->header.names, (iol__pack_shape){.names = true});
    put_many(w, iol__store_state.base + names->at, names->used, 0);
    end_region(w, &w->header.names);
}

/* Standard streams that were neither read nor written are left out, as ever. */
static bool wanted(int slot, const uint64_t *record) {
    if (slot != IOL_SLOT_STDIO || !iol__stdio_standard(record[0])) return true;
    return record[2 + IOL_STDIO_READS] != 0 || record[2 + IOL_STDIO_WRITES] != 0;
}

static void put_records(writer *w, int slot, const uint8_t *from, size_t length, size_t bytes) {
    const iol__version *version = iol__version_find(slot, iol__modules[slot].current);
    const size_t reals = version->counters_at + 8 * (size_t)iol__modules[slot].ints;
    iol__times times = {0};
    if (!iol__setting_flag(&iol__core_state.config, IOL_SET_EXACT_TIMES)) iol__times_find(&times, slot);
    for (size_t at = 0; at < length; at += bytes) {
        if (!wanted(slot, (const uint64_t *)(const void *)(from + at))) continue;
        put(w, from + at, bytes);
        iol__times_round(&times, w->raw + w->have - bytes + reals);
    }
}

static void write_module(writer *w, int slot) {
    const iol__area *area = &iol__store_state.modules[slot];
    const iol__runtime_module *module = iol__module_of(slot);
    const size_t record = module ? module->record_bytes : 0;
    const bool fixed = record && iol__modules[slot].form == IOL_FORM_FIXED;
    const uint8_t *from = iol__store_state.base + area->at;
    if (area->used == 0) return;
    begin_region(w, &w->header.modules[slot], rows_of(fixed ? record : 0));
    if (fixed)
        put_records(w, slot, from, area->used, record);
    else
        put_many(w, from, area->used, record);
    end_region(w, &w->header.modules[slot]);
}

/* Without the room that is not used. A record is never as large as a usual block; of a small one it may be. */
static void write_layouts(writer *w) {
    const iol__area *area = &iol__store_state.modules[IOL_SLOT_LUSTRE];
    iol__region *region = &w->header.modules[IOL_SLOT_LUSTRE];
    if (area->used == 0) return;
    begin_region(w, region, (iol__pack_shape){0});
    const uint8_t *at = iol__store_state.base + area->at, *end = at + area->used;
    for (; at < end; at += iol__lustre_stored(at)) {
        const size_t bytes = iol__lustre_packed(at);
        if (w->have + bytes > w->room) flush(w);
        if (bytes > w->room) {
            w->header.partial |= UINT64_C(1) << IOL_SLOT_LUSTRE;
            continue;
        }
        if (bytes) iol__lustre_pack(at, w->raw + w->have);
        w->have += bytes;
    }
    end_region(w, region);
}

static void write_heat(writer *w) {
    static iol__heat_record total;
    iol__region *region = &w->header.modules[IOL_SLOT_HEATMAP];
    if (!iol__heat_expected()) return;
    w->header.versions[IOL_SLOT_HEATMAP] = IOL_HEAT_VERSION;
    begin_region(w, region, rows_of(offsetof(iol__heat_record, bytes) + 16 * (size_t)iol__heat_bins(end_time)));
    for (int layer = 0; layer < IOL_HEAT_LAYERS; layer++) {
        if (!iol__heat_total((iol__heat_layer)layer, end_time, &total)) continue;
        const size_t bins = (size_t)total.bins * sizeof(int64_t);
        put(w, &total, offsetof(iol__heat_record, bytes));
        put(w, total.bytes[0], bins);
        put(w, total.bytes[1], bins);
    }
    end_region(w, region);
}

/* Traces: the chunks of a file are linked to each other, writes and reads apart. */
static void write_segments(writer *w, const iol__trace_chunk *chunk) {
    for (; chunk; chunk = iol__trace_following(chunk)) {
        const uint8_t *segment = (const uint8_t *)(chunk + 1);
        for (uint32_t i = 0; i < chunk->used; i++, segment += IOL_SEGMENT) put(w, segment, segment_bytes);
    }
}

static void write_trace(writer *w, uint64_t id, const iol__trace *trace, const char *host) {
    iol__trace_head head;
    if (!iol__trace_head_of(trace, id, 0, host, &head)) return;
    /* A record may be longer than a block; then it spans several streams, which is all the same to a reader. */
    put(w, &head, sizeof head);
    write_segments(w, trace->first_chunks[IOL_WRITE]);
    write_segments(w, trace->first_chunks[IOL_READ]);
}

/* Files in the order of their first traced operation. */
static void write_traces(writer *w, int slot, const char *host) {
    const iol__rt_store *store = &iol__store_state;
    iol__region *region = &w->header.modules[slot];
    if (store->trace.used == 0) return;
    const bool threads = iol__setting_flag(&iol__core_state.config, IOL_SET_TRACE_THREADS);
    segment_bytes = threads ? IOL_SEGMENT : IOL_SHORT_SEGMENT;
    begin_region(w, region, (iol__pack_shape){.row = (uint32_t)segment_bytes});
    iol__trace_chunk chunk;
    const uint8_t *area = store->base + store->trace.at;
    for (size_t next = 0; iol__trace_next(area, store->trace.used, &next, &chunk);) {
        iol__state *state = (int)chunk.slot == slot ? iol__trace_owner(&chunk) : NULL;
        iol__trace *trace = state ? iol__trace_of(state) : NULL;
        if (!trace || trace->written_out) continue;
        trace->written_out = true;
        write_trace(w, chunk.id, trace, host);
    }
    for (iol__state *state = iol__files_states(); state; state = state->next)
        if (state->module->trace) iol__trace_of(state)->written_out = false;
    end_region(w, region);
    /* The newest version has threads, the one before it has not. */
    if (region->bytes) w->header.versions[slot] = iol__modules[slot].current - !threads;
}

/* The trailer: what the format has no place for, in sections of JSON. */
enum { SECTION_ROOM = 8192 };
static uint8_t trailer[3 * SECTION_ROOM];

static void say_folded(iol__text *json) {
    const iol__mapped *facts = iol__store_facts();
    iol__left_out left_out = {.trace_lost = facts->trace_lost,
                              .lost = facts->lost,
                              .ring_unseen = facts->ring_unseen,
                              .calls_unseen = facts->calls_unseen,
                              .spaces_unseen = facts->spaces_unseen,
                              .stopped = facts->stopped};
    memcpy(left_out.folded, facts->folded, sizeof left_out.folded);
    iol__say_folded(json, &left_out);
}

static void say_operations(iol__text *json) {
    static iol__operation total[IOL_OPERATIONS_ROOM];
    iol__operations_total(total);
    iol__say_operations(json, total);
}

static void say_lustre(iol__text *json) { iol__lustre_say(json, iol__store_facts()->lustre); }

/* A section behind those that are there already, unless it has nothing to say. Returns where the next one begins. */
static size_t add_section(size_t at, const char *tag, void (*say)(iol__text *)) {
    iol__text json = {(char *)trailer + at + IOL_TRAILER_HEAD, SECTION_ROOM - IOL_TRAILER_HEAD, 0};
    say(&json);
    if (json.length == 0) return at;
    iol__text_add(&json, "}");
    iol__trailer_head(trailer + at, tag, IOL_TRAILER_STORED, json.length, json.length);
    return at + IOL_TRAILER_HEAD + json.length;
}

/* A section of bytes that stand somewhere else, and may be many; the checksum goes on over them. */
static bool write_section(writer *w, const char *tag, const void *bytes, size_t length, uint32_t *crc, size_t *end) {
    uint8_t head[IOL_TRAILER_HEAD];
    const long at = w->at + (long)*end;
    if (length == 0) return true;
    iol__trailer_head(head, tag, IOL_TRAILER_STORED, length, length);
    *crc = iol__crc32(iol__crc32(*crc, head, sizeof head), bytes, length);
    *end += sizeof head + length;
    return iol__sys_write_all(w->fd, head, sizeof head, at) == 0 &&
           iol__sys_write_all(w->fd, bytes, length, at + (long)sizeof head) == 0;
}

/* Times of removal, with names that are in the log by their place there; what is left are pairs. */
typedef struct removals {
    uint8_t *memory;
    size_t room, named; /* bytes of it */
    iol__file_pair *pairs;
    size_t n_pairs;
} removals;

/* Where a name begins in the region of names; false if it is not there. */
static bool place_of_name(uint64_t id, int64_t *place) {
    const iol__area *names = &iol__store_state.names;
    const iol__file *file = iol__file_by_id(id);
    if (!file || file->id != id || !iol__file_named_in_store(file)) return false;
    *place = file->name_at;
    return file->name_at + sizeof id < names->used &&
           memcmp(iol__store_state.base + names->at + file->name_at, &id, sizeof id) == 0;
}

static void sort_removals(removals *r, const iol__file_pair *all, size_t count) {
    uint8_t *to = r->memory;
    int64_t place, last_place = 0, last_ticks = 0;
    for (size_t i = 0; i < count; i++) {
        if (!place_of_name(all[i].id, &place)) {
            r->pairs[r->n_pairs++] = all[i];
            continue;
        }
        const int64_t ticks = (int64_t)(all[i].time / IOL_REMOVAL_TICK);
        to = iol__removal_number_put(iol__removal_number_put(to, place - last_place), ticks - last_ticks);
        last_place = place;
        last_ticks = ticks;
    }
    r->named = (size_t)(to - r->memory);
}

/* Without memory, or where times are to keep all their bits, all of them are pairs. */
static removals find_removals(void) {
    const iol__area *area = &iol__store_state.removed;
    removals r = {.pairs = (iol__file_pair *)(void *)(iol__store_state.base + area->at),
                  .n_pairs = area->used / sizeof *r.pairs};
    const size_t count = r.n_pairs, numbers = 2 * IOL_REMOVAL_NUMBER_MOST * count;
    if (count == 0 || iol__setting_flag(&iol__core_state.config, IOL_SET_EXACT_TIMES)) return r;
    r.room = (numbers + 7) / 8 * 8 + area->used;
    r.memory = iol__sys_memory(r.room);
    if (!r.memory) return r;
    const iol__file_pair *all = r.pairs;
    r.pairs = (iol__file_pair *)(void *)(r.memory + r.room - area->used);
    r.n_pairs = 0;
    sort_removals(&r, all, count);
    return r;
}

static bool write_removals(writer *w, uint32_t *crc, size_t *end) {
    const removals r = find_removals();
    const bool done = write_section(w, IOL_TAG_REMOVED_NAMES, r.memory, r.named, crc, end) &&
                      write_section(w, "GONE", r.pairs, r.n_pairs * sizeof *r.pairs, crc, end);
    if (r.memory) sys(munmap, r.memory, r.room);
    return done;
}

static bool write_custom(writer *w, size_t at, uint32_t *crc, size_t *end) {
    const uint8_t *section;
    const size_t length = iol__custom_section(&section);
    *end = at + length;
    if (length == 0) return true;
    *crc = iol__crc32(*crc, section, length);
    return iol__sys_write_all(w->fd, section, length, w->at + (long)at) == 0;
}

static void write_trailer(writer *w) {
    uint8_t foot[IOL_TRAILER_FOOTER];
    size_t length = add_section(0, "FOLD", say_folded);
    length = add_section(length, "OPER", say_operations);
    length = add_section(length, IOL_TAG_LUSTRE_TOTALS, say_lustre);
    const iol__area *sizes = &iol__store_state.sizes, *removed = &iol__store_state.removed;
    const char *hints;
    const size_t hint_bytes = iol__mpiio_hints(&hints);
    if (w->failed || length + sizes->used + removed->used + hint_bytes + iol__store_state.custom.used == 0) return;
    uint32_t crc = iol__crc32(0, trailer, length);
    bool done = iol__sys_write_all(w->fd, trailer, length, w->at) == 0;
    done = done && write_section(w, "SIZE", iol__store_state.base + sizes->at, sizes->used, &crc, &length) &&
           write_removals(w, &crc, &length) && write_section(w, "HINT", hints, hint_bytes, &crc, &length) &&
           write_custom(w, length, &crc, &length);
    iol__trailer_footer_write(foot, &(iol__trailer_footer){IOL_TRAILER_VERSION, crc, (uint64_t)w->at, length});
    if (!done || iol__sys_write_all(w->fd, foot, sizeof foot, w->at + (long)length) != 0) w->failed = true;
}

static void write_header(writer *w) {
    if (!w->failed && iol__sys_write_all(w->fd, &w->header, sizeof w->header, 0) != 0) w->failed = true;
}

/* In the order of the slots, as readers expect them. */
static void write_region(writer *w, int slot, const char *host) {
    static const char *const steps[] = {
#define MODULE(number, ident, name, key, form, current, slot20, slot00, former, named) [number] = name "_shutdown",
#include "schema/modules.def"
#undef MODULE
    };
    if (slot == IOL_SLOT_DXT_POSIX || slot == IOL_SLOT_DXT_MPIIO)
        write_traces(w, slot, host);
    else if (slot == IOL_SLOT_HEATMAP)
        write_heat(w);
    else if (slot == IOL_SLOT_LUSTRE)
        write_layouts(w);
    else
        write_module(w, slot);
    if (w->header.modules[slot].bytes) iol__timing_step(steps[slot]);
}

/* Layouts and modules of others are compressed by a library; all else is by compressors of our own. */
static bool needs_library(void) {
    return iol__store_state.modules[IOL_SLOT_LUSTRE].used > 0 || iol__store_state.custom.used > 0;
}

/* Large blocks compress well. A program that may have no more memory, or has to lock all of it, gets by with less. */
static bool take_memory(writer *w) {
    w->room = BLOCK;
    w->raw = iol__sys_memory(w->room);
    if (!w->raw) w->raw = iol__sys_memory(w->room = SMALL_BLOCK);
    if (!w->raw) return false;
    if (!iol__deflate_compresses() || (needs_library() && !iol__deflate_start())) return true;
    w->packed = iol__sys_memory(iol__pack_bound(w->room));
    return true;
}

static void give_memory_back(const writer *w) {
    sys(munmap, w->raw, w->room);
    if (w->packed) sys(munmap, w->packed, iol__pack_bound(w->room));
}

static bool write_log(int fd) {
    static struct utsname host;
    static writer w;         /* large, and there is one */
    memset(&w, 0, sizeof w); /* no literal, which would be put on the stack first: that may be a handler's, and small */
    w.fd = fd;
    w.at = sizeof w.header;
    w.header = *iol__store_header();
    if (!take_memory(&w)) return false;
    if (sys(uname, &host) != 0) host.nodename[0] = 0;
    w.header.compression = w.packed ? IOL_LOG_ZLIB : IOL_LOG_PLAIN;
    memset(w.header.modules, 0, sizeof w.header.modules);
    iol__timing_step("log_open");
    write_job(&w);
    iol__timing_step("job_write");
    write_names(&w);
    iol__timing_step("hash_write");
    for (int slot = 1; slot < IOL_SLOTS_KNOWN; slot++) write_region(&w, slot, host.nodename);
    write_trailer(&w);
    write_header(&w);
    iol__timing_step("header_write");
    give_memory_back(&w);
    return !w.failed;
}

static bool write_it(int fd, const char *partial, void *context) {
    (void)partial;
    (void)context;
    return write_log(fd);
}

bool iol__log_write(char *path, size_t room) {
    const iol__rt_store *store = &iol__store_state;
    const iol__log_job *job = iol__store_job();
    if (iol__root_moved()) return false; /* what is mapped stays, outside */
    iol__putting putting = {.write = write_it, .job = job->id, .start = job->start_s, .homeless = true};
    putting.bytes = IOL_MAPPED_NAMES_AT + store->names.used + store->sizes.used + store->removed.used +
                    store->custom.used + store->trace.used;
    for (int slot = 0; slot < IOL_SLOTS_KNOWN; slot++) putting.bytes += store->modules[slot].used;
    return iol__put_log(&putting, path, room);
}
