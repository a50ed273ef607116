/* The header: magic, version, compression, flags, and the map of regions, for both header sizes and byte orders.
   Old logs number their modules differently; they are renumbered here, so that nothing else needs to know. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/count.h"
#include "log/bundle/directory.h"
#include "log/read/log_internal.h"
#include "log/read/methods.h"
#include "log/old/old.h"

enum { MAGIC = 6567223, OLD_SLOTS = 16, VERY_LONG = 256 << 20 };

/* The map as stored, before renumbering. */
typedef struct raw_map {
    uint64_t offset[IOL_SLOTS], length[IOL_SLOTS];
    uint32_t version[IOL_SLOTS];
    uint64_t flags;
} raw_map;

/* "<int>.<int>", of which only five pairs were ever written. */
static bool parse_version(const uint8_t *text, int *minor) {
    static const int known[] = {0, 10, 20, 21, 41};
    char copy[9] = {0}, *end;
    memcpy(copy, text, 8);
    if (strncmp(copy, "3.", 2) != 0 || copy[2] < '0' || copy[2] > '9') return false;
    long number = strtol(copy + 2, &end, 10);
    for (size_t i = 0; !*end && i < IOL_COUNT(known); i++) {
        if (number != known[i]) continue;
        *minor = known[i];
        return true;
    }
    return false;
}

static void printable_version(const uint8_t *text, char out[9]) {
    memset(out, 0, 9);
    for (int i = 0; i < 8 && text[i]; i++) out[i] = text[i] >= ' ' && text[i] < 127 ? (char)text[i] : '?';
}

static void read_map(const uint8_t *bytes, bool old, bool swap, raw_map *map) {
    int slots = old ? OLD_SLOTS : IOL_SLOTS;
    const uint8_t *maps = bytes + (old ? 40 : 48);
    const uint8_t *versions = maps + 16 * slots;
    memset(map, 0, sizeof *map);
    map->flags = old ? iol__u32(bytes + 20, swap) : iol__u64(bytes + 24, swap);
    for (int i = 0; i < slots; i++) {
        map->offset[i] = iol__u64(maps + 16 * i, swap);
        map->length[i] = iol__u64(maps + 16 * i + 8, swap);
        map->version[i] = iol__u32(versions + 4 * i, swap);
    }
}

/* A module was put in at slot `hole` later: everything from there on moves up by one. */
static void open_hole(raw_map *map, int hole) {
    size_t moved = IOL_SLOTS - 1 - (size_t)hole;
    memmove(map->offset + hole + 1, map->offset + hole, moved * sizeof *map->offset);
    memmove(map->length + hole + 1, map->length + hole, moved * sizeof *map->length);
    memmove(map->version + hole + 1, map->version + hole, moved * sizeof *map->version);
    map->offset[hole] = map->length[hole] = 0;
    map->version[hole] = 0;
    uint64_t below = (UINT64_C(1) << hole) - 1;
    map->flags = (map->flags & below) | (map->flags & ~below) << 1;
}

static void set_header_modules(iol_log *log, const raw_map *map) {
    log->info.partial_flags = map->flags;
    for (int i = 0; i < IOL_SLOTS; i++)
        log->modules[i] = (iol_module){
            .slot = i,
            .name = i < IOL_SLOTS_KNOWN ? iol__modules[i].name : NULL,
            .offset = map->offset[i],
            .length = map->length[i],
            .version = map->version[i],
            .partial = map->flags >> i & 1,
        };
}

/* The job region has no entry in the map: it ends where the next region begins. */
static void find_job_region(iol_log *log, uint64_t header_bytes) {
    uint64_t end = log->name_offset;
    for (int i = 0; i < IOL_SLOTS && end == 0; i++) end = log->modules[i].offset;
    if (end == 0 || end > log->info.file_bytes) end = log->info.file_bytes;
    log->info.job_bytes = end > header_bytes ? end - header_bytes : 0;
}

typedef struct header_span {
    uint64_t from, length;
    int slot; /* -1 job, -2 names */
} header_span;

static const char *span_name(const header_span *s, char buffer[24]) {
    if (s->slot == -1) return "the job region";
    if (s->slot == -2) return "the name region";
    if (s->slot >= 0 && s->slot < IOL_SLOTS_KNOWN) return iol__modules[s->slot].name;
    strcpy(buffer, "slot ");
    char *at = buffer + 5;
    if (s->slot >= 10) *at++ = (char)('0' + s->slot / 10);
    *at++ = (char)('0' + s->slot % 10);
    *at = 0;
    return buffer;
}

/* A message about a module begins with its name already. */
static const char *header_own_name(const header_span *s, char buffer[24]) {
    return s->slot >= 0 && s->slot < IOL_SLOTS_KNOWN ? "the region" : span_name(s, buffer);
}

static int by_offset(const void *a, const void *b) {
    const header_span *x = a, *y = b;
    if (x->from != y->from) return x->from < y->from ? -1 : 1;
    return x->slot - y->slot;
}

/* A file may have any size and nothing in it. What is not compressed would be read for years; regions of an honest log
   have no holes, so a very long one ends where the first is. */
static void cut_at_holes(iol_log *log) {
    if (log->info.compression != IOL_UNCOMPRESSED) return;
    for (int i = -1; i < IOL_SLOTS; i++) {
        const uint64_t from = i < 0 ? log->name_offset : log->modules[i].offset;
        uint64_t *length = i < 0 ? &log->info.name_bytes : &log->modules[i].length;
        if (*length < VERY_LONG || from > log->info.file_bytes) continue;
        const uint64_t hole = iol__source_hole(log->source, from);
        if (hole - from >= *length) continue;
        iol__fail(log, IOL_DAMAGED, i, hole, "%llu bytes should be at %llu, but the file has a hole here",
                  (unsigned long long)*length, (unsigned long long)from);
        *length = hole - from;
    }
}

static void check_spans(iol_log *log, uint64_t header_bytes) {
    header_span spans[IOL_SLOTS + 2];
    size_t n = 0;
    spans[n++] = (header_span){header_bytes, log->info.job_bytes, -1};
    if (log->info.name_bytes) spans[n++] = (header_span){log->name_offset, log->info.name_bytes, -2};
    for (int i = 0; i < IOL_SLOTS; i++)
        if (log->modules[i].length) spans[n++] = (header_span){log->modules[i].offset, log->modules[i].length, i};
    qsort(spans, n, sizeof *spans, by_offset);
    char name[24], other[24];
    uint64_t size = log->info.file_bytes;
    for (size_t i = 0; i < n; i++) {
        int slot = spans[i].slot < 0 ? -1 : spans[i].slot;
        if (spans[i].from > size || spans[i].length > size - spans[i].from)
            iol__fail(log, IOL_DAMAGED, slot, spans[i].from,
                      "%s should have %llu bytes here, but the file ends at %llu", header_own_name(&spans[i], name),
                      (unsigned long long)spans[i].length, (unsigned long long)size);
        if (spans[i].from < header_bytes)
            iol__fail(log, IOL_DAMAGED, slot, spans[i].from, "%s begins inside the header",
                      header_own_name(&spans[i], name));
        if (i > 0 && spans[i].from - spans[i - 1].from < spans[i - 1].length)
            iol__fail(log, IOL_DAMAGED, slot, spans[i].from, "%s overlaps %s", header_own_name(&spans[i], name),
                      span_name(&spans[i - 1], other));
    }
}

static iol_status read_compression(iol_log *log, uint8_t method, iol_error *error) {
    if (!iol__method_name(method))
        return iol__error_set(error, IOL_UNSUPPORTED, log->path, 16, "compression method %d is not known", method);
    if (!iol__method_here(method))
        return iol__error_set(error, IOL_UNSUPPORTED, log->path, 16,
                              "compressed with %s, which this build of Iolite cannot read", iol__method_name(method));
    log->info.compression = (iol_compression)method;
    log->info.mapped = log->info.compression == IOL_UNCOMPRESSED;
    return IOL_OK;
}

iol_status iol__header_read(iol_log *log, iol_error *error) {
    uint8_t bytes[IOL_HEADER_NEW];
    iol_info *info = &log->info;
    int64_t got = iol__source_read(log->source, 0, bytes, sizeof bytes);
    if (got < 0) return iol__error_set(error, IOL_SYSTEM, log->path, 0, "cannot read the header: %s", strerror(errno));
    if (got == 0) return iol__error_set(error, IOL_NOT_A_LOG, log->path, 0, "the file is empty");
    if (iol__old_begins(bytes, (size_t)got)) return iol__old_open(log, bytes, (size_t)got, error);
    if (got < 16)
        return iol__error_set(error, IOL_NOT_A_LOG, log->path, 0, "not a Darshan log (only %d bytes)", (int)got);
    if (iol__u64(bytes + 8, true) == MAGIC)
        log->swap = true;
    else if (iol__bundle_begins(bytes))
        return iol__error_set(error, IOL_NOT_A_LOG, log->path, 0,
                              "this is a bundle of logs: name one of them as BUNDLE#NAME (`iolite archive list`)");
    else if (iol__u64(bytes + 8, false) != MAGIC)
        return iol__error_set(error, IOL_NOT_A_LOG, log->path, 8, "not a Darshan log (no magic number)");
    info->foreign_order = log->swap;
    printable_version(bytes, info->version);
    if (!parse_version(bytes, &info->minor))
        return iol__error_set(error, IOL_UNSUPPORTED, log->path, 0,
                              "log version '%s'; Iolite reads 3.00, 3.10, 3.20, 3.21 and 3.41", info->version);
    bool old = info->minor < 41;
    uint64_t header_bytes = old ? IOL_HEADER_OLD : IOL_HEADER_NEW;
    if ((uint64_t)got < header_bytes)
        return iol__error_set(error, IOL_DAMAGED, log->path, (uint64_t)got,
                              "the file ends inside the header, which has %d bytes", (int)header_bytes);
    const iol_status status = read_compression(log, bytes[16], error);
    if (status != IOL_OK) return status;

    raw_map map;
    read_map(bytes, old, log->swap, &map);
    if (info->minor < 20) open_hole(&map, IOL_SLOT_H5D);
    if (info->minor < 41) open_hole(&map, IOL_SLOT_PNETCDF_VAR);
    const uint8_t *names = bytes + (old ? 24 : 32);
    log->name_offset = iol__u64(names, log->swap);
    info->name_bytes = iol__u64(names + 8, log->swap);
    set_header_modules(log, &map);
    find_job_region(log, header_bytes);
    cut_at_holes(log);
    check_spans(log, header_bytes);
    return IOL_OK;
}
