/* Frames, counters, and the natural order of names. */
#include "site/series/frame.h"

#include <ctype.h>
#include <math.h>
#include <string.h>
#include <strings.h>

void iol__frame_make(iol__arena *arena, size_t rows, size_t columns, iol__frame *frame) {
    *frame = (iol__frame){.rows = rows, .columns = columns};
    frame->times = iol__arena_alloc(arena, rows + 1, sizeof *frame->times);
    frame->names = iol__arena_alloc(arena, columns + 1, sizeof *frame->names);
    frame->values = iol__arena_alloc(arena, rows * columns + 1, sizeof *frame->values);
    for (size_t i = 0; i < columns; i++) frame->names[i] = "";
    for (size_t i = 0; i < rows * columns; i++) frame->values[i] = NAN;
}

void iol__frame_deltas(const iol__frame *counters, iol__frame *amounts) {
    for (size_t column = 0; column < counters->columns; column++) {
        double trusted = NAN;
        for (size_t row = 0; row < counters->rows; row++) {
            double now = *iol__frame_at(counters, row, column);
            if (row) *iol__frame_at(amounts, row - 1, column) = now >= trusted ? now - trusted : NAN;
            if (!isnan(now)) trusted = now;
        }
    }
}

static bool frame_is_digit(char c, bool hexadecimal) {
    return hexadecimal ? isxdigit((unsigned char)c) : isdigit((unsigned char)c);
}

int iol__natural_order(const char *a, const char *b, bool hexadecimal) {
    while (*a && *b) {
        if (!frame_is_digit(*a, hexadecimal) || !frame_is_digit(*b, hexadecimal)) {
            if (*a != *b) return (unsigned char)*a < (unsigned char)*b ? -1 : 1;
            a++;
            b++;
            continue;
        }
        size_t long_a = 0, long_b = 0;
        while (*a == '0') a++;
        while (*b == '0') b++;
        while (frame_is_digit(a[long_a], hexadecimal)) long_a++;
        while (frame_is_digit(b[long_b], hexadecimal)) long_b++;
        if (long_a != long_b) return long_a < long_b ? -1 : 1;
        int order = strncasecmp(a, b, long_a);
        if (order) return order;
        a += long_a;
        b += long_b;
    }
    return (unsigned char)*a - (unsigned char)*b;
}
