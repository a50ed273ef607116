/* Lays out synthetic logs. The file is: header, job region, then names and modules in the wanted order, each a row of
   complete compressed streams; a mapped log has fixed places instead. Offsets are collected while writing and put
   into the header at the end. */
#include "tests/support/logmaker.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#if IOL_HAVE_BZIP2
#include <bzlib.h>
#endif
#if IOL_HAVE_ZSTD
#include <zstd.h>
#endif

enum {
    OLD_HEADER = 360,
    NEW_HEADER = 1328,
    OLD_SLOTS = 16,
    METADATA_BYTES = 1024,
    NO_MANS_LAND = 0xa5, /* fills gaps, so that a reader strayed there sees no zeros */
    MAPPED_NAMES_AT = 5424,
    MAPPED_NAME_MEMORY = 4096, /* in steps of */
    MAPPED_PIECE = 8192,       /* room that a module gets in steps of */
    MAPPED_PAGE = 4096,
    FACTS_AT = 5424,  /* behind all of the job record */
    FACTS_TRACE = 72, /* in them: where the traced operations are, and how many bytes */
    NAMES_BEHIND_FACTS = 9728,
};

static const int64_t magic = 6567223;

/* Making ------------------------------------------------------------------------------------------------------ */

lm_log *lm_new(int minor, bool big, uint8_t compression) {
    lm_log *log = need(sizeof *log);
    *log = (lm_log){.minor = minor, .big = big, .compression = compression};
    log->uid = 1000;
    log->start = 1700000000;
    log->end = 1700000010;
    if (minor >= 41) {
        log->start_ns = 250000000;
        log->end_ns = 750000000;
    }
    log->processes = 4;
    log->job_id = 4242;
    log->metadata = "lib_ver=3.5.0\n";
    log->text = "/opt/app/bin/solver -n 4 input.nml\next4\t/\nlustre\t/scratch";
    log->job.big = log->names.payload.big = big;
    log->names.order = -1;
    for (int slot = 0; slot < LM_SLOTS; slot++) {
        log->slots[slot].payload.big = big;
        log->slots[slot].order = slot;
    }
    return log;
}

void lm_free(lm_log *log) {
    bytes_free(&log->job);
    bytes_free(&log->names.payload);
    bytes_free(&log->trailer);
    bytes_free(&log->facts);
    bytes_free(&log->chunks);
    for (int slot = 0; slot < LM_SLOTS; slot++) bytes_free(&log->slots[slot].payload);
    free(log);
}

bool lm_can(uint8_t compression) {
    switch (compression) {
    case LM_ZLIB:
    case LM_NONE: return true;
    case LM_BZIP2: return IOL_HAVE_BZIP2;
    case LM_ZSTD:
    case LM_ARCHIVE: return IOL_HAVE_ZSTD;
    default: return false;
    }
}

void lm_name(lm_log *log, uint64_t id, const char *name) {
    bytes *b = &log->names.payload;
    size_t length = strlen(name);
    bytes_u64(b, id);
    if (log->minor == 0) {
        bytes_u32(b, (uint32_t)length);
        bytes_raw(b, name, length);
    } else {
        bytes_raw(b, name, length + 1);
    }
}

bytes *lm_records(lm_log *log, int slot, unsigned version) {
    log->slots[slot].version = version;
    return &log->slots[slot].payload;
}

void lm_cut(lm_region *region) {
    assert(region->n_cuts < LM_CUTS);
    region->cuts[region->n_cuts++] = region->payload.length;
}

void lm_make_mapped(lm_log *log) {
    log->mapped = true;
    log->compression = LM_NONE;
    log->end = log->end_ns = 0;
}

/* Ids --------------------------------------------------------------------------------------------------------- */

static uint64_t little_endian(const uint8_t *at, size_t count) {
    uint64_t value = 0;
    for (size_t i = 0; i < count; i++) value |= (uint64_t)at[i] << (8 * i);
    return value;
}

static void mix(uint64_t *a, uint64_t *b, uint64_t *c) {
    static const int shifts[4][3] = {{43, 9, 8}, {38, 23, 5}, {35, 49, 11}, {12, 18, 22}};
    for (int round = 0; round < 4; round++) {
        *a = (*a - *b - *c) ^ (*c >> shifts[round][0]);
        *b = (*b - *c - *a) ^ (*a << shifts[round][1]);
        *c = (*c - *a - *b) ^ (*b >> shifts[round][2]);
    }
}

static size_t least(size_t x, size_t y) { return x < y ? x : y; }

uint64_t lm_id_bytes(const void *key, size_t length) {
    const uint8_t *at = key;
    size_t left = length;
    uint64_t a = 0, b = 0, c = 0x9e3779b97f4a7c13;
    for (; left >= 24; left -= 24, at += 24) {
        a += little_endian(at, 8);
        b += little_endian(at + 8, 8);
        c += little_endian(at + 16, 8);
        mix(&a, &b, &c);
    }
    c += length;
    a += little_endian(at, least(left, 8));
    if (left > 8) b += little_endian(at + 8, least(left - 8, 8));
    if (left > 16) c += little_endian(at + 16, left - 16) << 8;
    mix(&a, &b, &c);
    return c;
}

uint64_t lm_id(const char *name) { return lm_id_bytes(name, strlen(name)); }

/* Compression ------------------------------------------------------------------------------------------------- */

static void append_zlib(bytes *out, const uint8_t *data, size_t length) {
    uLongf room = compressBound((uLong)length);
    uint8_t *packed = need(room);
    int result = compress2(packed, &room, data, (uLong)length, Z_DEFAULT_COMPRESSION);
    assert(result == Z_OK);
    bytes_raw(out, packed, room);
    free(packed);
}

#if IOL_HAVE_BZIP2
static void append_bzip2(bytes *out, const uint8_t *data, size_t length) {
    unsigned room = (unsigned)(length + length / 100 + 600);
    char *packed = need(room);
    char *input = need(length);
    memcpy(input, data, length);
    int result = BZ2_bzBuffToBuffCompress(packed, &room, input, (unsigned)length, 9, 0, 30);
    assert(result == BZ_OK);
    bytes_raw(out, packed, room);
    free(input);
    free(packed);
}
#endif

#if IOL_HAVE_ZSTD
static void append_zstd(bytes *out, const uint8_t *data, size_t length) {
    size_t room = ZSTD_compressBound(length);
    uint8_t *packed = need(room);
    size_t result = ZSTD_compress(packed, room, data, length, 3);
    assert(!ZSTD_isError(result));
    bytes_raw(out, packed, result);
    free(packed);
}
#endif

void lm_pack(bytes *out, uint8_t compression, const uint8_t *data, size_t length) {
    switch (compression) {
    case LM_ZLIB: append_zlib(out, data, length); return;
#if IOL_HAVE_BZIP2
    case LM_BZIP2: append_bzip2(out, data, length); return;
#endif
#if IOL_HAVE_ZSTD
    case LM_ZSTD: append_zstd(out, data, length); return;
#endif
    default: bytes_raw(out, data, length); return;
    }
}

void lm_archive_block(bytes *out, uint8_t kind, const uint8_t *body, size_t length, uint32_t raw, uint32_t check) {
    bytes packed = {0}, block = {0}; /* little-endian in every log */
    lm_pack(&packed, LM_ZSTD, body, length);
    bytes_u32(&block, raw);
    bytes_u32(&block, (uint32_t)packed.length);
    bytes_u32(&block, check);
    bytes_fill(&block, kind, 1);
    bytes_fill(&block, 0, 3);
    bytes_raw(out, block.data, block.length);
    bytes_raw(out, packed.data, packed.length);
    bytes_free(&packed);
    bytes_free(&block);
}

void lm_archive_plain(bytes *out, const uint8_t *data, size_t length) {
    uint32_t check = (uint32_t)crc32(crc32(0, NULL, 0), data, (uInt)length);
    lm_archive_block(out, 0, data, length, (uint32_t)length, check);
}

/* One stream between two cuts; a rank that has nothing contributes no bytes at all. */
static void append_region(bytes *out, uint8_t compression, const lm_region *region) {
    size_t begin = 0;
    for (size_t i = 0; i <= region->n_cuts; i++) {
        size_t end = i < region->n_cuts ? region->cuts[i] : region->payload.length;
        if (end > begin) lm_pack(out, compression, region->payload.data + begin, end - begin);
        begin = end;
    }
}

/* Job --------------------------------------------------------------------------------------------------------- */

static void append_job(bytes *out, const lm_log *log) {
    if (log->job.length > 0) {
        bytes_raw(out, log->job.data, log->job.length);
        return;
    }
    bytes_i64(out, log->uid);
    bytes_i64(out, log->start);
    if (log->minor >= 41) bytes_i64(out, log->start_ns);
    bytes_i64(out, log->end);
    if (log->minor >= 41) bytes_i64(out, log->end_ns);
    bytes_i64(out, log->processes);
    bytes_i64(out, log->job_id);
    bytes_text(out, log->metadata, METADATA_BYTES);
    bytes_raw(out, log->text, strlen(log->text) + 1);
}

/* Header ------------------------------------------------------------------------------------------------------ */

size_t lm_header_bytes(int minor) { return minor >= 41 ? NEW_HEADER : OLD_HEADER; }

int lm_slot_count(int minor) { return minor >= 41 ? LM_SLOTS : OLD_SLOTS; }

/* Old logs knew neither PNETCDF_VAR (now 6) nor, before 3.20, H5D (now 4). */
int lm_stored_slot(int minor, int slot) {
    int stored = slot;
    if (minor < 41) {
        if (slot == 6) return -1;
        if (slot > 6) stored--;
    }
    if (minor < 20) {
        if (slot == 4) return -1;
        if (slot > 4) stored--;
    }
    return stored < lm_slot_count(minor) ? stored : -1;
}

size_t lm_flags_at(int minor) { return minor >= 41 ? 24 : 20; }

size_t lm_name_map_at(int minor) { return minor >= 41 ? 32 : 24; }

size_t lm_map_at(int minor, int stored_slot) { return (minor >= 41 ? 48 : 40) + 16 * (size_t)stored_slot; }

size_t lm_version_at(int minor, int stored_slot) { return (minor >= 41 ? 1072 : 296) + 4 * (size_t)stored_slot; }

static void put_flags(uint8_t *header, const lm_log *log) {
    uint64_t stored = 0;
    for (int slot = 0; slot < LM_SLOTS; slot++) {
        int place = lm_stored_slot(log->minor, slot);
        if (place >= 0 && (log->partial_flags >> slot & 1)) stored |= (uint64_t)1 << place;
    }
    uint8_t *at = header + lm_flags_at(log->minor);
    if (log->minor >= 41)
        put_u64(at, stored, log->big);
    else
        put_u32(at, (uint32_t)stored, log->big);
}

static void put_versions(uint8_t *header, const lm_log *log) {
    for (int slot = 0; slot < LM_SLOTS; slot++) {
        int place = lm_stored_slot(log->minor, slot);
        if (place >= 0) put_u32(header + lm_version_at(log->minor, place), log->slots[slot].version, log->big);
    }
}

static void put_map(uint8_t *at, size_t offset, size_t length, bool big) {
    put_u64(at, offset, big);
    put_u64(at + 8, length, big);
}

static void append_header(bytes *file, const lm_log *log) {
    char version[8] = {'3', '.', (char)('0' + log->minor / 10), (char)('0' + log->minor % 10)};
    bytes_raw(file, version, sizeof version);
    bytes_i64(file, magic);
    bytes_fill(file, log->compression, 1);
    bytes_fill(file, 0, lm_header_bytes(log->minor) - file->length);
    put_flags(file->data, log);
    put_versions(file->data, log);
}

/* Layout ------------------------------------------------------------------------------------------------------ */

/* A region on its way into the file, and where its map entry is. */
typedef struct placed {
    const lm_region *region;
    size_t map_at;
} placed;

static int by_order(const void *x, const void *y) {
    const placed *a = x, *b = y;
    return (a->region->order > b->region->order) - (a->region->order < b->region->order);
}

static size_t collect(const lm_log *log, placed *regions) {
    size_t count = 0;
    regions[count++] = (placed){&log->names, lm_name_map_at(log->minor)};
    for (int slot = 0; slot < LM_SLOTS; slot++) {
        int place = lm_stored_slot(log->minor, slot);
        if (place >= 0) regions[count++] = (placed){&log->slots[slot], lm_map_at(log->minor, place)};
    }
    qsort(regions, count, sizeof *regions, by_order);
    return count;
}

static void finish_compact(bytes *file, const lm_log *log) {
    bytes job = {.big = log->big};
    append_job(&job, log);
    lm_pack(file, log->compression, job.data, job.length);
    bytes_free(&job);

    placed regions[LM_SLOTS + 1];
    size_t count = collect(log, regions);
    for (size_t i = 0; i < count; i++) {
        const lm_region *region = regions[i].region;
        bool names = region == &log->names;
        if (region->payload.length == 0 && !region->anchored && !names) continue;
        bytes_fill(file, NO_MANS_LAND, region->gap);
        size_t offset = file->length;
        append_region(file, log->compression, region);
        put_map(file->data + regions[i].map_at, offset, file->length - offset, log->big);
    }
}

static size_t round_up(size_t value, size_t step) { return (value + step - 1) / step * step; }

/* To the end of the room that a part has; packed, to the next word. */
static void fill_room(bytes *file, const lm_log *log, size_t begin, size_t step) {
    size_t end = log->packed ? round_up(file->length, 8) : begin + round_up(file->length - begin + 1, step);
    bytes_fill(file, 0, end - file->length);
}

static void append_facts(bytes *file, const lm_log *log) {
    bytes_fill(file, 0, FACTS_AT - file->length);
    bytes_raw(file, log->facts.data, log->facts.length);
    bytes_fill(file, 0, NAMES_BEHIND_FACTS - file->length);
}

static void append_chunks(bytes *file, const lm_log *log) {
    uint8_t *trace = file->data + FACTS_AT + FACTS_TRACE;
    put_u64(trace, file->length, log->big);
    put_u64(trace + 8, log->chunks.length, log->big);
    bytes_raw(file, log->chunks.data, log->chunks.length);
}

static void finish_mapped(bytes *file, const lm_log *log) {
    append_job(file, log);
    if (log->facts.length > 0)
        append_facts(file, log);
    else
        bytes_fill(file, 0, MAPPED_NAMES_AT - file->length);
    size_t offset = file->length;
    bytes_raw(file, log->names.payload.data, log->names.payload.length);
    put_map(file->data + lm_name_map_at(log->minor), offset, log->names.payload.length, log->big);
    fill_room(file, log, offset, MAPPED_NAME_MEMORY);
    for (int slot = 0; slot < LM_SLOTS; slot++) {
        const lm_region *region = &log->slots[slot];
        if (region->version == 0) continue;
        offset = file->length;
        bytes_raw(file, region->payload.data, region->payload.length);
        put_map(file->data + lm_map_at(log->minor, slot), offset, region->payload.length, log->big);
        fill_room(file, log, offset, MAPPED_PIECE);
    }
    if (log->chunks.length > 0) append_chunks(file, log);
    if (!log->packed) bytes_fill(file, 0, round_up(file->length, MAPPED_PAGE) - file->length);
}

/* Trailer ----------------------------------------------------------------------------------------------------- */

void lm_trailer(lm_log *log, const char *tag, uint32_t method, const void *data, size_t length) {
    bytes stored = {0};
    lm_pack(&stored, method == 1 ? LM_ZLIB : LM_NONE, data, length);
    bytes_raw(&log->trailer, tag, 4);
    bytes_u32(&log->trailer, method);
    bytes_u64(&log->trailer, stored.length);
    bytes_u64(&log->trailer, length);
    bytes_raw(&log->trailer, stored.data, stored.length);
    bytes_free(&stored);
}

/* The trailer is little-endian in every log. */
static void append_trailer(bytes *file, const bytes *sections) {
    size_t offset = file->length;
    bytes footer = {0};
    bytes_raw(&footer, "IOLTRAIL", 8);
    bytes_u32(&footer, 1);
    bytes_u32(&footer, (uint32_t)crc32(crc32(0, NULL, 0), sections->data, (uInt)sections->length));
    bytes_u64(&footer, offset);
    bytes_u64(&footer, sections->length);
    bytes_raw(file, sections->data, sections->length);
    bytes_raw(file, footer.data, footer.length);
    bytes_free(&footer);
}

uint8_t *lm_finish(lm_log *log, size_t *length) {
    bytes file = {.big = log->big};
    append_header(&file, log);
    if (log->mapped)
        finish_mapped(&file, log);
    else
        finish_compact(&file, log);
    if (log->trailer.length > 0) append_trailer(&file, &log->trailer);
    *length = file.length;
    return file.data;
}
