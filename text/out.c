/* Output buffer and number formatting. The fixed-point formatter works on the bits of the double with 128-bit integers,
   so it rounds exactly like the C library (half to even on the true binary value) and falls back to it for the rare
   magnitudes that do not fit. */
#include "text/out.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "text/text.h"

enum { BUFFER_BYTES = 1 << 18, DOUBLE_TEXT = 330 };

void iol__out_open(iol__out *out, int fd) {
    *out = (iol__out){.fd = fd, .capacity = BUFFER_BYTES, .buffer = malloc(BUFFER_BYTES)};
    if (!out->buffer) {
        fputs("iolite: out of memory\n", stderr);
        _exit(4);
    }
}

static void out_write_all(iol__out *out, const char *at, size_t left) {
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
}

void iol__out_guard(iol__out *out) { out->guarded = isatty(out->fd) == 1; }

/* How many bytes at the end are the beginning of a character. */
static size_t out_unfinished(const char *text, size_t length) {
    for (size_t back = 1; back <= 3 && back <= length; back++) {
        unsigned char c = (unsigned char)text[length - back];
        if (c < 0x80) return 0;
        if (c >= 0xc0) return back < (c >= 0xf0 ? 4U : c >= 0xe0 ? 3U : 2U) ? back : 0;
    }
    return 0;
}

static void write_visible(iol__out *out, const char *text, size_t length) {
    iol__out shown;
    iol__out_open(&shown, -1);
    while (length) {
        size_t plain = 0;
        while (plain < length &&
               ((text[plain] >= 0x20 && text[plain] < 0x7f) || text[plain] == '\n' || text[plain] == '\t'))
            plain++;
        iol__out_bytes(&shown, text, plain);
        if (plain < length) plain += iol__out_visible(&shown, text + plain, length - plain);
        text += plain;
        length -= plain;
    }
    out_write_all(out, shown.buffer, shown.length);
    iol__out_close(&shown);
}

static void out_flush(iol__out *out, bool last) {
    if (out->fd < 0) return;
    size_t kept = out->guarded && !last ? out_unfinished(out->buffer, out->length) : 0, length = out->length - kept;
    if (out->guarded)
        write_visible(out, out->buffer, length);
    else
        out_write_all(out, out->buffer, length);
    memmove(out->buffer, out->buffer + length, kept);
    out->length = kept;
}

void iol__out_flush(iol__out *out) { out_flush(out, false); }

int iol__out_close(iol__out *out) {
    out_flush(out, true);
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

/* Shortest doubles. A decimal of d digits is the true value times a power of ten, rounded; it reads back as the same
   double if dividing by that power does, which is exact as long as the digits fit 53 bits. Seventeen digits always do. */
enum { FEWEST_DIGITS = 15, MOST_DIGITS = 17 };

/* value * 10^scale, rounded half to even, for doubles whose product fits 128 bits. */
static uint64_t scaled(uint64_t mantissa, int shift, int scale) {
    unsigned __int128 product = mantissa;
    for (int i = 0; i < scale; i++) product *= 10;
    unsigned __int128 whole = product >> shift, rest = product & (((unsigned __int128)1 << shift) - 1);
    unsigned __int128 half = (unsigned __int128)1 << (shift - 1);
    if (rest > half || (rest == half && (whole & 1))) whole++;
    return (uint64_t)whole;
}

static const double exact_powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                      1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

/* Digits and where the point is, for 1e-5 <= value < 1e15. False if the digits have to be found the slow way. */
static bool shortest_digits(double value, uint64_t *digits, int *decimals) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    int shift = 1075 - (int)(bits >> 52 & 0x7ff);
    uint64_t mantissa = (bits & ((UINT64_C(1) << 52) - 1)) | UINT64_C(1) << 52;
    int magnitude = 0; /* value >= 10^magnitude */
    while (magnitude < 15 && value >= exact_powers[magnitude + 1]) magnitude++;
    while (magnitude > -5 && value * exact_powers[-(magnitude < 0 ? magnitude : 0)] < 1) magnitude--;
    for (int count = FEWEST_DIGITS; count <= MOST_DIGITS; count++) {
        *decimals = count - 1 - magnitude;
        if (shift < 1 || *decimals < 0 || *decimals > 21) return false;
        *digits = scaled(mantissa, shift, *decimals);
        if (count == MOST_DIGITS) return true;
        if (*digits >> 53) return false;
        if ((double)*digits / exact_powers[*decimals] == value) return true;
    }
    return true;
}

static char *format_digits(char *at, uint64_t digits, int decimals) {
    for (; decimals > 0 && digits % 10 == 0; decimals--) digits /= 10;
    char text[24];
    int length = (int)(iol__format_u64(text, digits) - text);
    int whole = length - decimals;
    if (whole <= 0) {
        *at++ = '0';
        *at++ = '.';
        memset(at, '0', (size_t)-whole);
        at += -whole;
        memcpy(at, text, (size_t)length);
        return at + length;
    }
    memcpy(at, text, (size_t)whole);
    at += whole;
    if (decimals == 0) return at;
    *at++ = '.';
    memcpy(at, text + whole, (size_t)decimals);
    return at + decimals;
}

static char *format_double_libc(char *at, double value) {
    int length = 0;
    for (int count = FEWEST_DIGITS; count <= MOST_DIGITS; count++) {
        length = snprintf(at, IOL_DOUBLE_TEXT, "%.*g", count, value);
        if (strtod(at, NULL) == value) break;
    }
    return at + length;
}

char *iol__format_double(char *at, double value) {
    double size = fabs(value);
    uint64_t digits;
    int decimals;
    if (size < 1e15 && value == (double)(int64_t)value) return iol__format_i64(at, (int64_t)value);
    if (!(size >= 1e-5 && size < 1e15) || !shortest_digits(size, &digits, &decimals))
        return format_double_libc(at, value);
    if (value < 0) *at++ = '-';
    return format_digits(at, digits, decimals);
}

void iol__out_double(iol__out *out, double value) {
    if (!isfinite(value)) {
        iol__out_text(out, "null");
        return;
    }
    char *at = iol__out_room(out, IOL_DOUBLE_TEXT);
    out->length += (size_t)(iol__format_double(at, value) - at);
}

void iol__out_repeat(iol__out *out, char c, size_t times) {
    memset(iol__out_room(out, times), c, times);
    out->length += times;
}
