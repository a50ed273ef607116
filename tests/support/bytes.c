/* Building blocks of test data: append and overwrite values in either byte order. */
#include "tests/support/bytes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *checked(void *block) {
    if (block == NULL) {
        fputs("out of memory while building test data\n", stderr);
        abort();
    }
    return block;
}

void *need(size_t size) { return checked(malloc(size > 0 ? size : 1)); }

static uint8_t *grow(bytes *b, size_t more) {
    if (b->capacity - b->length < more) {
        size_t capacity = b->capacity > 0 ? b->capacity : 256;
        while (capacity - b->length < more) capacity *= 2;
        b->data = checked(realloc(b->data, capacity));
        b->capacity = capacity;
    }
    uint8_t *place = b->data + b->length;
    b->length += more;
    return place;
}

void bytes_free(bytes *b) {
    free(b->data);
    *b = (bytes){.big = b->big};
}

void bytes_raw(bytes *b, const void *data, size_t length) {
    if (length > 0) memcpy(grow(b, length), data, length);
}

void bytes_fill(bytes *b, uint8_t value, size_t count) {
    if (count > 0) memset(grow(b, count), value, count);
}

static void put(uint8_t *at, uint64_t value, size_t width, bool big) {
    for (size_t i = 0; i < width; i++) at[big ? width - 1 - i : i] = (uint8_t)(value >> (8 * i));
}

void put_u32(uint8_t *at, uint32_t value, bool big) { put(at, value, 4, big); }

void put_u64(uint8_t *at, uint64_t value, bool big) { put(at, value, 8, big); }

uint64_t get_u64(const uint8_t *at, bool big) {
    uint64_t value = 0;
    for (size_t i = 0; i < 8; i++) value |= (uint64_t)at[big ? 7 - i : i] << (8 * i);
    return value;
}

void bytes_u32(bytes *b, uint32_t value) { put(grow(b, 4), value, 4, b->big); }

void bytes_u64(bytes *b, uint64_t value) { put(grow(b, 8), value, 8, b->big); }

void bytes_i64(bytes *b, int64_t value) { bytes_u64(b, (uint64_t)value); }

void bytes_f64(bytes *b, double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    bytes_u64(b, bits);
}

void bytes_text(bytes *b, const char *text, size_t width) {
    size_t length = strnlen(text, width);
    bytes_raw(b, text, length);
    bytes_fill(b, 0, width - length);
}
