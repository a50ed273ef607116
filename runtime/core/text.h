/* Text put together in a fixed place. What does not fit is cut; the end is always marked. Safe everywhere, which
   snprintf is not: it may allocate. */
#ifndef IOL_RUNTIME_TEXT_H
#define IOL_RUNTIME_TEXT_H

#include <stddef.h>
#include <stdint.h>

typedef struct iol__text {
    char *to;
    size_t room, length;
} iol__text;

static inline void iol__text_bytes(iol__text *text, const char *bytes, size_t length) {
    for (size_t i = 0; i < length && text->length + 1 < text->room; i++) text->to[text->length++] = bytes[i];
    text->to[text->length] = 0;
}

static inline void iol__text_add(iol__text *text, const char *more) {
    iol__text_bytes(text, more, __builtin_strlen(more));
}

static inline void iol__text_number(iol__text *text, int64_t value) {
    char digits[24], *at = digits + sizeof digits;
    uint64_t rest = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
    do *--at = (char)('0' + rest % 10);
    while (rest /= 10);
    if (value < 0) *--at = '-';
    iol__text_bytes(text, at, (size_t)(digits + sizeof digits - at));
}

/* The decimal number at *text, behind blanks, and *text behind it; 0 where there is none. strtol has another name in
   newer C libraries, which older ones do not know. */
static inline long iol__text_take_number(const char **text) {
    const char *at = *text;
    while (*at == ' ') at++;
    const int sign = *at == '-' ? -1 : 1;
    if (sign < 0) at++;
    long value = 0;
    for (; *at >= '0' && *at <= '9' && value < 100000000000000000; at++) value = value * 10 + (*at - '0');
    *text = at;
    return sign * value;
}

/* Nanoseconds, with six decimals. */
static inline void iol__text_seconds(iol__text *text, int64_t ns) {
    const int64_t micros = ns / 1000;
    iol__text_number(text, micros / 1000000);
    iol__text_add(text, ".");
    for (int64_t digit = 100000, rest = micros % 1000000; digit > 0; digit /= 10)
        iol__text_number(text, rest / digit % 10);
}

static inline void iol__text_hex(iol__text *text, uint64_t value) {
    char digits[16];
    for (int i = 0; i < 16; i++) digits[i] = "0123456789abcdef"[value >> (60 - 4 * i) & 15];
    iol__text_bytes(text, digits, sizeof digits);
}

#endif
