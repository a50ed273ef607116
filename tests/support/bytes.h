/* A growing block of bytes with a byte order, for building test data.
   Values are stored byte by byte, so that nothing here depends on the machine or on the code under test. Running out
   of memory ends the test: there is nothing to prove after it. */
#ifndef IOL_TESTS_BYTES_H
#define IOL_TESTS_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct bytes {
    uint8_t *data;
    size_t length, capacity;
    bool big; /* most significant byte first */
} bytes;

void bytes_free(bytes *b);
void bytes_raw(bytes *b, const void *data, size_t length);
void bytes_fill(bytes *b, uint8_t value, size_t count);
void bytes_u32(bytes *b, uint32_t value);
void bytes_u64(bytes *b, uint64_t value);
void bytes_i64(bytes *b, int64_t value);
void bytes_f64(bytes *b, double value);
/* Text in a field of `width` bytes, padded with NULs and cut if longer (then without a NUL). */
void bytes_text(bytes *b, const char *text, size_t width);

/* Overwrite a value in place. */
void put_u32(uint8_t *at, uint32_t value, bool big);
void put_u64(uint8_t *at, uint64_t value, bool big);
uint64_t get_u64(const uint8_t *at, bool big);

/* malloc() that never returns NULL. */
void *need(size_t size);

#endif
