/* The section SIZE, and the same pairs in mapped files. */
#include "log/sizes.h"

#include <stdlib.h>
#include <string.h>

#include "log/log_internal.h"
#include "record/mapped.h"

enum { PAIR = 16, PAIRS_AT_ONCE = 256 };

static uint64_t little(const uint8_t *bytes) {
    uint64_t value = 0;
    for (int i = 7; i >= 0; i--) value = value << 8 | bytes[i];
    return value;
}

static bool add(iol__sizes *sizes, uint64_t id, int64_t bytes) {
    const size_t known = sizes->ids.count, number = iol__idmap_add(&sizes->ids, id);
    if (number == IOL_IDMAP_NONE) return false;
    if (number < known) return true;
    if (number >= sizes->room) {
        const size_t room = sizes->room ? 2 * sizes->room : 64;
        int64_t *grown = realloc(sizes->bytes, room * sizeof *grown);
        if (!grown) return false;
        sizes->bytes = grown;
        sizes->room = room;
    }
    sizes->bytes[number] = bytes;
    return true;
}

typedef struct adding {
    iol__sizes *sizes;
    bool good;
} adding;

static bool add_section(iol_log *log, char *text, size_t length, void *context) {
    adding *a = context;
    const uint8_t *bytes = (const uint8_t *)text;
    if (length % PAIR)
        iol__fail(log, IOL_DAMAGED, -1, IOL_NO_OFFSET, "the sizes of files take %zu bytes, which are no pairs", length);
    for (size_t at = 0; a->good && at + PAIR <= length; at += PAIR)
        a->good = add(a->sizes, little(bytes + at), (int64_t)little(bytes + at + 8));
    return a->good;
}

static bool add_mapped(iol_log *log, iol__sizes *sizes) {
    iol__file_size pairs[PAIRS_AT_ONCE];
    const uint64_t from = log->facts->sizes_at, end = log->info.file_bytes;
    uint64_t left = log->facts->sizes_bytes;
    if (left == 0) return true;
    if (from < IOL_MAPPED_HEAD || from > end || left > end - from) {
        iol__fail(log, IOL_DAMAGED, -1, from, "%llu bytes of sizes of files should be here, but the file ends at %llu",
                  (unsigned long long)left, (unsigned long long)end);
        return true;
    }
    for (uint64_t at = from; left >= sizeof *pairs;) {
        const size_t take = left < sizeof pairs ? (size_t)left / sizeof *pairs * sizeof *pairs : sizeof pairs;
        if (iol__source_read(log->source, at, pairs, take) != (int64_t)take) return true;
        for (size_t i = 0; i < take / sizeof *pairs; i++)
            if (!add(sizes, pairs[i].id, pairs[i].bytes)) return false;
        at += take;
        left -= take;
    }
    return true;
}

bool iol__sizes_add(iol_log *log, iol__sizes *sizes) {
    if (log->facts) return add_mapped(log, sizes);
    adding a = {sizes, true};
    iol__section_each(log, IOL_TAG_SIZES, add_section, &a);
    return a.good;
}

void *iol__sizes_pack(const iol__sizes *sizes, size_t *length) {
    uint8_t *packed = malloc(sizes->ids.count * PAIR + 1);
    *length = sizes->ids.count * PAIR;
    for (size_t i = 0; packed && i < sizes->ids.count; i++)
        for (int byte = 0; byte < 8; byte++) {
            packed[i * PAIR + (size_t)byte] = (uint8_t)(sizes->ids.keys[i] >> (8 * byte));
            packed[i * PAIR + 8 + (size_t)byte] = (uint8_t)((uint64_t)sizes->bytes[i] >> (8 * byte));
        }
    return packed;
}

void iol__sizes_free(iol__sizes *sizes) {
    iol__idmap_free(&sizes->ids);
    free(sizes->bytes);
}
