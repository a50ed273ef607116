/* The little JSON that is stored in trailers: printing texts and times, and reading back objects of the same kind.
   Bytes that are read may be anything. */
#ifndef IOL_LOG_PLAIN_JSON_H
#define IOL_LOG_PLAIN_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Where reading stands. Texts are unescaped in place, so the bytes are changed. */
typedef struct iol__plain_json {
    char *at, *end;
} iol__plain_json;

/* The character if it comes next, behind white space. */
bool iol__plain_take(iol__plain_json *json, char c);
/* Each is false, with the place unchanged or lost, if something else comes. A text ends with a NUL in place. */
bool iol__plain_text(iol__plain_json *json, char **text);
bool iol__plain_integer(iol__plain_json *json, int64_t *value);
/* A number, or null, which gives NAN. */
bool iol__plain_number(iol__plain_json *json, double *value);
/* The same; any other value is passed over and gives NAN. */
bool iol__plain_number_if(iol__plain_json *json, double *value);
/* A text; any other value is passed over and gives NULL. */
bool iol__plain_text_if(iol__plain_json *json, char **text);
bool iol__plain_null(iol__plain_json *json);
/* An object, whose values are read one by one by `value`. */
bool iol__plain_object(iol__plain_json *json, void *object, bool (*value)(iol__plain_json *, void *, const char *));
/* Any value, nested up to a point. */
bool iol__plain_skip(iol__plain_json *json);
/* Hexadecimal digits to the bytes they stand for, in place; false if they are not such or hold a NUL. */
bool iol__plain_unhex(char *text);

bool iol__plain_utf8(const char *text);
/* With quotes; what is not UTF-8 becomes U+FFFD. */
void iol__plain_print_text(FILE *to, const char *text);
void iol__plain_print_hex(FILE *to, const char *text);
/* With nanoseconds, whatever the locale; null if it is not a number or no time. */
void iol__plain_print_seconds(FILE *to, double seconds);

#endif
