/* Lengths are filled in when a block is whole. */
#include "tests/support/custommaker.h"

#include <string.h>

enum { SCHEMA = 1, RANK = 2, RECORD = 3, SPAN = 4 };

static size_t begin_block(bytes *b, uint32_t kind) {
    size_t at = b->length;
    bytes_u32(b, kind);
    bytes_u32(b, 0);
    return at;
}

static void end_block(bytes *b, size_t at) {
    while ((b->length - at) % 8) bytes_fill(b, 0, 1);
    put_u32(b->data + at + 4, (uint32_t)(b->length - at), b->big);
}

static void put_text(bytes *b, const char *text) { bytes_raw(b, text, strlen(text) + 1); }

void am_begin(bytes *section) {
    bytes_u32(section, 0x01020304);
    bytes_u32(section, 1);
}

void am_schema(bytes *b, uint32_t module, const char *name, uint32_t version, const am_counter *counters,
               uint32_t count) {
    size_t at = begin_block(b, SCHEMA);
    bytes_u32(b, module);
    bytes_u32(b, version);
    bytes_u32(b, count);
    bytes_u32(b, 0);
    bytes_u64(b, 0);
    bytes_u64(b, 0);
    for (uint32_t i = 0; i < count; i++) bytes_raw(b, &counters[i].kind, 1);
    for (uint32_t i = 0; i < count; i++) bytes_raw(b, &counters[i].rule, 1);
    put_text(b, name);
    put_text(b, "what it is about");
    for (uint32_t i = 0; i < count; i++) {
        put_text(b, counters[i].name);
        put_text(b, counters[i].unit);
        put_text(b, "a meaning");
    }
    end_block(b, at);
}

void am_rank(bytes *b, int64_t rank) {
    size_t at = begin_block(b, RANK);
    bytes_i64(b, rank);
    end_block(b, at);
}

void am_record(bytes *b, uint32_t module, uint64_t id, const char *name, const uint64_t *values, uint32_t count) {
    size_t at = begin_block(b, RECORD);
    bytes_u32(b, module);
    bytes_u32(b, 0);
    bytes_u64(b, id);
    for (uint32_t i = 0; i < count; i++) bytes_u64(b, values[i]);
    put_text(b, name);
    end_block(b, at);
}

void am_span(bytes *b, uint32_t module, uint64_t id, double begin, double end) {
    size_t at = begin_block(b, SPAN);
    bytes_u32(b, module);
    bytes_u32(b, 0);
    bytes_u64(b, id);
    bytes_u64(b, 77);
    bytes_f64(b, begin);
    bytes_f64(b, end);
    end_block(b, at);
}

uint64_t am_real(double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

void am_sample(bytes *b) {
    static const am_counter counters[] = {
        {"CKPT_COUNT", "", 0, 0}, {"CKPT_F_TIME", "s", 1, 0}, {"CKPT_F_AT", "s", 2, 3}};
    const uint64_t values[] = {3, am_real(1.5), am_real(0.25)};
    am_begin(b);
    am_schema(b, 0, "CKPT", 2, counters, 3);
    am_record(b, 0, 11, "/scratch/ckpt", values, 3);
    am_span(b, 0, 11, 0.25, 0.75);
    am_span(b, 0, 11, 1, -1);
    am_rank(b, 1);
    am_record(b, 0, 11, "/scratch/ckpt", values, 3);
}
