/* Buffered output with number formatting that is several times cheaper than printf and gives the same digits.
   Everything that prints much goes through it. A closed pipe is not an error: output is then dropped in silence. */
#ifndef IOL_TEXT_OUT_H
#define IOL_TEXT_OUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef struct iol__out {
    int fd; /* -1: keep everything in the buffer (tests, strings) */
    char *buffer;
    size_t length, capacity;
    int error;    /* errno of the first failed write, 0 if none; EPIPE is not kept */
    bool closed;  /* the reader went away */
    bool guarded; /* see iol__out_guard() */
} iol__out;

void iol__out_open(iol__out *out, int fd);
/* Where this leads to a terminal, control characters of what is written become visible there, as \x1b: for text that
   must be byte by byte what a log holds everywhere else. Not for output that has colours. */
void iol__out_guard(iol__out *out);
void iol__out_flush(iol__out *out);
/* Flush and free; returns 0 or the errno of the first write that failed. */
int iol__out_close(iol__out *out);

/* Room for `bytes` more; write there, then add to out->length. */
char *iol__out_room_slow(iol__out *out, size_t bytes);
static inline char *iol__out_room(iol__out *out, size_t bytes) {
    if (out->capacity - out->length >= bytes) return out->buffer + out->length;
    return iol__out_room_slow(out, bytes);
}

static inline void iol__out_bytes(iol__out *out, const void *bytes, size_t length) {
    memcpy(iol__out_room(out, length), bytes, length);
    out->length += length;
}
static inline void iol__out_text(iol__out *out, const char *text) { iol__out_bytes(out, text, strlen(text)); }
static inline void iol__out_char(iol__out *out, char c) {
    *iol__out_room(out, 1) = c;
    out->length++;
}
void iol__out_printf(iol__out *out, const char *format, ...) __attribute__((format(printf, 2, 3)));
void iol__out_i64(iol__out *out, int64_t value);
void iol__out_u64(iol__out *out, uint64_t value);
/* Like "%.<decimals>f" for up to 6 decimals. */
void iol__out_fixed(iol__out *out, double value, int decimals);
/* The shortest text that reads back as the same double ("null" for what JSON cannot say). */
void iol__out_double(iol__out *out, double value);
void iol__out_repeat(iol__out *out, char c, size_t times);

/* The same into memory; they return the end. Room: 20, 21 and 330 bytes. No terminating NUL. */
char *iol__format_u64(char *at, uint64_t value);
char *iol__format_i64(char *at, int64_t value);
char *iol__format_fixed(char *at, double value, int decimals);
/* The shortest text that reads back as the same finite double. Room: IOL_DOUBLE_TEXT bytes. */
enum { IOL_DOUBLE_TEXT = 40 };
char *iol__format_double(char *at, double value);

#endif
