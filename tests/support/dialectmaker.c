/* See dialectmaker.h. */
#include "tests/support/dialectmaker.h"

#include <stdio.h>
#include <string.h>

/* Segments of `size` bytes: 40 has a thread behind the 32, 96 and 112 other bytes. */
static void put_segment(bytes *b, int k, int size, const uint8_t *behind) {
    bytes_i64(b, 4096 * k);
    bytes_i64(b, 4096);
    bytes_f64(b, 0.25 * k + 0.125);
    bytes_f64(b, 0.25 * k + 0.25);
    if (size == 40) bytes_u64(b, 4242);
    if (size > 40) bytes_raw(b, behind, (size_t)size - 32);
}

static void put_trace(bytes *b, uint64_t id, int segments, int size, const uint8_t *behind) {
    bytes_u64(b, id);
    bytes_i64(b, 0);
    bytes_i64(b, 0);
    bytes_text(b, "nid00042", 64);
    bytes_i64(b, 1);
    bytes_i64(b, segments - 1);
    for (int k = 0; k < segments; k++) put_segment(b, k, size, behind);
}

lm_log *dm_traced_bytes(int slot, unsigned version, bool big, int segments, int size, const uint8_t *behind) {
    lm_log *made = lm_new(41, big, LM_ZLIB);
    for (uint64_t i = 1; i <= DM_RECORDS; i++) {
        char name[32];
        snprintf(name, sizeof name, "/scratch/file.%d", (int)i);
        lm_name(made, i, name);
        put_trace(lm_records(made, slot, version), i, segments, size, behind);
    }
    return made;
}

lm_log *dm_traced(int slot, unsigned version, bool big, int size, const char *text) {
    uint8_t behind[DM_BEHIND];
    memset(behind, 0xa5, sizeof behind); /* what was in memory */
    if (text) memcpy(behind, text, strlen(text) + 1);
    return dm_traced_bytes(slot, version, big, DM_SEGMENTS, size, behind);
}

static void put_leftovers(bytes *b, size_t length, int kind) {
    if (kind == 0) bytes_fill(b, 0, length);
    for (size_t i = 0; kind == 1 && i < length / 8; i++) bytes_u64(b, UINT64_C(0x100000001));
    for (size_t i = 0; kind == 2 && i < length / 8; i++) bytes_i64(b, (int64_t)(i % 3 ? 31034 + i : 36));
    for (size_t i = 0; kind == 3 && i < length / 8; i++) bytes_i64(b, i == 0 ? 2 : -1); /* begins with a known id */
    static const int64_t layout[] = {999, 0, 4, 1, 0, 1 << 20, 1, 3};                   /* of a file that has no name */
    for (size_t i = 0; kind == 4 && i < length / 8; i++) bytes_i64(b, i < 8 ? layout[i] : 0);
}

lm_log *dm_lustre(bool big, uint8_t compression, size_t gap, int kind) {
    static const int64_t osts[] = {7, 8, 9};
    lm_log *made = lm_new(41, big, compression);
    made->processes = DM_RANKS;
    bytes *b = lm_records(made, LM_LUSTRE, 1);
    for (uint64_t id = 1; id <= DM_FILES; id++) lm_name(made, id, id == 1 ? "/a" : id == 2 ? "/b" : "/c");
    for (int rank = 0; rank < DM_RANKS; rank++) {
        for (uint64_t id = 1; id <= DM_FILES; id++) lm_lustre_1(b, id, rank, 1 << 20, osts, 3);
        put_leftovers(b, gap, kind);
    }
    return made;
}

static const struct {
    int slot;
    unsigned version;
} framed[] = {{LM_DXT_POSIX, 1}, {LM_DXT_MPIIO, 2}, {LM_LUSTRE, 1}};
enum { FRAMED = sizeof framed / sizeof *framed };

lm_log *dm_frame(const uint8_t *input, size_t size) {
    const unsigned selector = size ? input[0] : 0;
    lm_log *made = lm_new(41, selector & 1, LM_ZLIB);
    made->processes = DM_RANKS;
    for (uint64_t id = 1; id <= DM_RECORDS; id++) {
        char name[32];
        snprintf(name, sizeof name, "/scratch/file.%d", (int)id);
        lm_name(made, id, name);
    }
    bytes *b = lm_records(made, framed[(selector >> 1) % FRAMED].slot, framed[(selector >> 1) % FRAMED].version);
    if (size > 1) bytes_raw(b, input + 1, size - 1);
    return made;
}

bool dm_input(lm_log *log, bytes *input) {
    for (unsigned i = 0; i < FRAMED; i++) {
        const bytes *records = &log->slots[framed[i].slot].payload;
        if (records->length == 0) continue;
        bytes_fill(input, (uint8_t)(i << 1 | log->big), 1);
        bytes_raw(input, records->data, records->length);
        return true;
    }
    return false;
}
