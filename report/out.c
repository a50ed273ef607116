/* Output buffer and number formatting. The fixed-point formatter works on the bits of the double with 128-bit integers,
   so it rounds exactly like the C library (half to even on the true binary value) and falls back to it for the rare
   magnitudes that do not fit. */
#include "report/out.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { BUFFER_BYTES = 1 << 18, DOUBLE_TEXT = 330 };

void iol__out_open(iol__out *out, int fd) {
    *out = (iol__out){.fd = fd, .capacity = BUFFER_BYTES, .buffer = malloc(BUFFER_BYTES)};
    if (!out->buffer) {
        fputs("iolite: out of memory\n", stderr);
        _exit(4);
    }
}

void iol__out_flush(iol__out *out) {
    if (out->fd < 0) return;
    const char *at = out->buffer;
    size_t left = out->length;
    while (left > 0 && !out->closed && !out->error) {
        ssize_t n = write(out->fd, at, left);
        if (n > 0) {
            at += n;
            left -= (size_t)n;
        } else if (n < 0 && errno == EPIPE) {
            out->closed = true;
        } else if (n < 0 && errno != EINTR) {
            out->error = errno;
        }
    }
    out->length = 0;
}

int iol__out_close(iol__out *out) {
    iol__out_flush(out);
    free(out->buffer);
    out->buffer = NULL;
    return out->error;
}

char *iol__out_room_slow(iol__out *out, size_t bytes) {
    iol__out_flush(out);
    if (out->capacity - out->length < bytes) {
        size_t capacity = (out->length + bytes) * 2;
        char *buffer = realloc(out->buffer, capacity);
        if (!buffer) {
            fputs("iolite: out of memory\n", stderr);
            _exit(4);
        }
        out->buffer = buffer;
        out->capacity = capacity;
    }
    return out->buffer + out->length;
}

void iol__out_printf(iol__out *out, const char *format, ...) {
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    int length = vsnprintf(NULL, 0, format, args);
    va_end(args);
    if (length > 0) {
        size_t room = (size_t)length + 1;
        vsnprintf(iol__out_room(out, room), room, format, again);
        out->length += (size_t)length;
    }
    va_end(again);
}

static const char digit_pairs[] = "00010203040506070809101112131415161718192021222324252627282930313233343536373839"
                                  "40414243444546474849505152535455565758596061626364656667686970717273747576777879"
                                  "8081828384858687888990919293949596979899";

char *iol__format_u64(char *at, uint64_t value) {
    if (value < 10) {
        *at = (char)('0' + value);
        return at + 1;
    }
    char text[20];
    char *p = text + sizeof text;
    while (value >= 100) {
        p -= 2;
        memcpy(p, digit_pairs + 2 * (value % 100), 2);
        value /= 100;
    }
    if (value >= 10) {
        p -= 2;
        memcpy(p, digit_pairs + 2 * value, 2);
    } else {
        *--p = (char)('0' + value);
    }
    size_t length = (size_t)(text + sizeof text - p);
    memcpy(at, p, length);
    return at + length;
}

char *iol__format_i64(char *at, int64_t value) {
    if (value >= 0) return iol__format_u64(at, (uint64_t)value);
    *at = '-';
    return iol__format_u64(at + 1, 0 - (uint64_t)value);
}

static char *format_fixed_libc(char *at, double value, int decimals) {
    return at + snprintf(at, DOUBLE_TEXT, "%.*f", decimals, value);
}

char *iol__format_fixed(char *at, double value, int decimals) {
    static const uint32_t powers[] = {1, 10, 100, 1000, 10000, 100000, 1000000};
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    int exponent = (int)(bits >> 52 & 0x7ff);
    uint64_t mantissa = bits & ((UINT64_C(1) << 52) - 1);
    if (exponent == 0x7ff) return format_fixed_libc(at, value, decimals);
    if (exponent)
        mantissa |= UINT64_C(1) << 52;
    else
        exponent = 1;
    int shift = 1075 - exponent; /* value = mantissa / 2^shift */
    uint64_t whole, fraction = 0;
    if (shift <= 0) {
        if (shift < -10) return format_fixed_libc(at, value, decimals);
        whole = mantissa << -shift;
    } else {
        /* A shift past 100 is a number below 2^-47, whose digits here are all zero. */
        if (shift > 100) {
            whole = 0;
        } else {
            unsigned __int128 scaled = (unsigned __int128)mantissa * powers[decimals];
            unsigned __int128 quotient = scaled >> shift;
            unsigned __int128 rest = scaled & (((unsigned __int128)1 << shift) - 1);
            unsigned __int128 half = (unsigned __int128)1 << (shift - 1);
            if (rest > half || (rest == half && (quotient & 1))) quotient++;
            if (quotient >> 64) return format_fixed_libc(at, value, decimals);
            whole = (uint64_t)quotient / powers[decimals];
            fraction = (uint64_t)quotient % powers[decimals];
        }
    }
    if (bits >> 63) *at++ = '-';
    at = iol__format_u64(at, whole);
    if (decimals == 0) return at;
    *at++ = '.';
    for (int i = decimals - 1; i >= 0; i--) {
        at[i] = (char)('0' + fraction % 10);
        fraction /= 10;
    }
    return at + decimals;
}

void iol__out_u64(iol__out *out, uint64_t value) {
    char *at = iol__out_room(out, 20);
    out->length += (size_t)(iol__format_u64(at, value) - at);
}

void iol__out_i64(iol__out *out, int64_t value) {
    char *at = iol__out_room(out, 21);
    out->length += (size_t)(iol__format_i64(at, value) - at);
}

void iol__out_fixed(iol__out *out, double value, int decimals) {
    char *at = iol__out_room(out, DOUBLE_TEXT);
    out->length += (size_t)(iol__format_fixed(at, value, decimals) - at);
}

void iol__out_double(iol__out *out, double value) {
    if (!isfinite(value)) {
        iol__out_text(out, "null");
        return;
    }
    if (fabs(value) < 1e15 && value == (double)(int64_t)value) { /* most counters: 0, -1, whole seconds */
        iol__out_i64(out, (int64_t)value);
        return;
    }
    char text[40];
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, value);
        if (strtod(text, NULL) == value) break;
    }
    iol__out_text(out, text);
}

void iol__out_repeat(iol__out *out, char c, size_t times) {
    memset(iol__out_room(out, times), c, times);
    out->length += times;
}
