/* Every number is rounded by the same arithmetic here and in format.ts, so that both print the same digits: half rounds
   up, after a multiplication with a power of ten. printf alone would round half to even. */
#include "text/number.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static bool unknown(char *buffer, double value) {
    if (value >= 0 && isfinite(value)) return false;
    memcpy(buffer, "-", 2);
    return true;
}

/* 1234567 -> 1,234,567; what is behind a point stays as it is. */
static void group(char *text) {
    size_t length = strlen(text), whole = strcspn(text, ".");
    for (size_t at = whole; at > 3; length++) {
        at -= 3;
        memmove(text + at + 1, text + at, length + 1 - at);
        text[at] = ',';
    }
}

/* The digits of a whole number with a point before the last of them, and how many characters that are. Nearly every number in
   a text comes through here, and printf takes ten times as long. */
static int put_decimal(char *buffer, uint64_t digits, int decimals) {
    char reversed[IOL_HUMAN];
    int count = 0;
    do {
        if (count == decimals && decimals > 0) reversed[count++] = '.';
        reversed[count++] = (char)('0' + digits % 10);
        digits /= 10;
    } while (digits || count <= decimals + (decimals > 0));
    for (int i = 0; i < count; i++) buffer[i] = reversed[count - 1 - i];
    buffer[count] = 0;
    return count;
}

/* With at most this number of decimals: trailing zeros are left out. */
static void number_rounded(char *buffer, double value, int decimals) {
    static const double powers[] = {1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9};
    const double scaled = floor(value * powers[decimals] + 0.5);
    int length = scaled >= 0 && scaled < 1e15
                     ? put_decimal(buffer, (uint64_t)scaled, decimals)
                     : snprintf(buffer, IOL_HUMAN, "%.*f", decimals, scaled / powers[decimals]);
    for (; decimals > 0 && buffer[length - 1] == '0'; decimals--) buffer[--length] = 0;
    if (buffer[length - 1] == '.') buffer[length - 1] = 0;
}

/* Three significant digits, but all digits before the point. */
static void three_digits(char *buffer, double value) {
    int decimals = 2;
    double above = 9.995, below = 0.9995;
    for (; decimals > 0 && value >= above; decimals--) above *= 10;
    for (; decimals < 5 && value < below; decimals++) below /= 10;
    if (value > 0 && value < 0.001)
        memcpy(buffer, "<0.001", 7);
    else
        number_rounded(buffer, value, value == 0 ? 0 : decimals);
}

static const char *with_unit(char *buffer, double value, const char *unit) {
    if (value >= 9999.5)
        memcpy(buffer, ">9999", 6);
    else
        three_digits(buffer, value);
    size_t length = strlen(buffer);
    snprintf(buffer + length, IOL_HUMAN - length, " %s", unit);
    return buffer;
}

static const char *bytes_text(char *buffer, double bytes, const char *const *units) {
    int unit = 0;
    if (unknown(buffer, bytes)) return buffer;
    for (; bytes >= 1023.5 && unit < 6; unit++) bytes /= 1024;
    return with_unit(buffer, bytes, units[unit]);
}

const char *iol__human_bytes(char buffer[IOL_HUMAN], double bytes) {
    static const char *const units[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    return bytes_text(buffer, bytes, units);
}

const char *iol__human_rate(char buffer[IOL_HUMAN], double bytes_per_second) {
    static const char *const units[] = {"B/s", "KiB/s", "MiB/s", "GiB/s", "TiB/s", "PiB/s", "EiB/s"};
    return bytes_text(buffer, bytes_per_second, units);
}

/* From 1,000 s on, in the two largest units. */
static const char *long_time(char *buffer, double seconds) {
    static const struct {
        double seconds, part;
        const char *unit, *part_unit;
    } units[] = {{86400, 3600, "d", "h"}, {3600, 60, "h", "m"}, {60, 1, "m", "s"}};
    int i = seconds >= 86400 - 30 ? 0 : seconds >= 3600 - 0.5 ? 1 : 2;
    double parts = floor(seconds / units[i].part + 0.5), in_one = units[i].seconds / units[i].part;
    double whole = floor(parts / in_one), rest = parts - whole * in_one;
    if (whole >= 100) return with_unit(buffer, floor(seconds / 86400 + 0.5), "d");
    int length = snprintf(buffer, IOL_HUMAN, "%.0f %s", whole, units[i].unit);
    if (rest > 0) snprintf(buffer + length, IOL_HUMAN - (size_t)length, " %.0f %s", rest, units[i].part_unit);
    return buffer;
}

const char *iol__human_seconds(char buffer[IOL_HUMAN], double seconds) {
    if (unknown(buffer, seconds)) return buffer;
    if (seconds >= 999.5) return long_time(buffer, seconds);
    if (seconds == 0 || seconds >= 0.9995) return with_unit(buffer, seconds, "s");
    if (seconds >= 0.0009995) return with_unit(buffer, seconds * 1e3, "ms");
    if (seconds >= 0.0000009995) return with_unit(buffer, seconds * 1e6, "us");
    if (seconds >= 0.0000000009995) return with_unit(buffer, seconds * 1e9, "ns");
    memcpy(buffer, "<1 ns", 6);
    return buffer;
}

/* Whole percents, with a decimal below 10 and above 99; 0% is nothing at all, and 100% all of it. */
const char *iol__human_share(char buffer[IOL_HUMAN], double share) {
    const double percent = share * 100;
    if (unknown(buffer, share)) return buffer;
    if (percent > 0 && percent < 0.1)
        memcpy(buffer, "<0.1", 5);
    else if (percent > 99.9 && percent < 100)
        memcpy(buffer, ">99.9", 6);
    else if (percent >= 9999.5)
        memcpy(buffer, ">9999", 6);
    else
        number_rounded(buffer, percent, percent < 9.95 || (percent > 99 && percent < 100) ? 1 : 0);
    strcat(buffer, "%");
    return buffer;
}

static const char *large(char *buffer, double value) {
    static const char *const units[] = {"k", "M", "G", "T", "P", "E"};
    int unit = 0;
    for (value /= 1000; value >= 999.5 && unit < 5; unit++) value /= 1000;
    return with_unit(buffer, value, units[unit]);
}

const char *iol__human_count(char buffer[IOL_HUMAN], double count) {
    return count < 99999.5 || !isfinite(count) ? iol__human_number(buffer, count) : large(buffer, count);
}

const char *iol__human_number(char buffer[IOL_HUMAN], double value) {
    if (unknown(buffer, value)) return buffer;
    if (value >= 1e15) return large(buffer, value);
    three_digits(buffer, value);
    group(buffer);
    return buffer;
}

const char *iol__human_exact(char buffer[IOL_HUMAN], double value) {
    if (!(value < 1e15)) return iol__human_number(buffer, value);
    if (unknown(buffer, value)) return buffer;
    number_rounded(buffer, value, value < 1e6 ? 9 : 3);
    group(buffer);
    return buffer;
}

const char *iol__human_coefficient(char buffer[IOL_HUMAN], double value) {
    const double size = fabs(value);
    if (!(size <= 1)) return unknown(buffer, NAN), buffer;
    snprintf(buffer, IOL_HUMAN, "%c%.4f", value < 0 ? '-' : '+', floor(size * 1e4 + 0.5) / 1e4);
    return buffer;
}

/* In percent up to twice as much; then as a factor. */
const char *iol__human_id(char buffer[IOL_HUMAN], double number) {
    if (number >= 0 && number < 1e19)
        snprintf(buffer, IOL_HUMAN, "%.0f", number);
    else
        snprintf(buffer, IOL_HUMAN, "-");
    return buffer;
}

const char *iol__human_change(char buffer[IOL_HUMAN], double from, double to) {
    const bool known = from >= 0 && to >= 0 && isfinite(from) && isfinite(to);
    const char *word = !known ? "-" : from == to ? "same" : from == 0 ? "new" : to == 0 ? "gone" : NULL;
    const double ratio = to / from, factor = ratio < 1 ? from / to : ratio;
    char number[IOL_HUMAN];
    if (word)
        snprintf(buffer, IOL_HUMAN, "%s", word);
    else if (ratio >= 1.995 || ratio < 0.001)
        snprintf(buffer, IOL_HUMAN, "%c%.20s", ratio < 1 ? '/' : 'x', iol__human_count(number, factor));
    else
        snprintf(buffer, IOL_HUMAN, "%c%.20s", ratio < 1 ? '-' : '+', iol__human_share(number, fabs(ratio - 1)));
    return buffer;
}
