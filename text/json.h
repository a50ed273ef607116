/* A streaming JSON writer on the output buffer: nothing is kept, so documents may be larger than memory.
   Containers down to a chosen depth put each item on a line of its own; deeper ones are one line, so that a dump reads
   well and still greps by record. */
#ifndef IOL_TEXT_JSON_H
#define IOL_TEXT_JSON_H

#include <stdbool.h>
#include <stdint.h>

#include "text/out.h"

typedef struct iol__json {
    iol__out *out;
    int depth;      /* containers open */
    int lines;      /* containers down to this depth have a line an item */
    bool comma;     /* the open container has an item already */
    bool after_key; /* a value belongs to the key just written */
} iol__json;

void iol__json_start(iol__json *json, iol__out *out, int lines);
/* End the line of a document, if there is one; another may follow. */
void iol__json_finish(iol__json *json);

/* `bracket` is '{' or '[' for open, '}' or ']' for close. */
void iol__json_open(iol__json *json, char bracket);
void iol__json_close(iol__json *json, char bracket);
/* A key that needs no escaping. */
void iol__json_key(iol__json *json, const char *key);
void iol__json_key_bytes(iol__json *json, const char *key, size_t length);
/* A key from outside. */
void iol__json_key_text(iol__json *json, const char *key);

void iol__json_i64(iol__json *json, int64_t value);
void iol__json_u64(iol__json *json, uint64_t value);
void iol__json_real(iol__json *json, double value); /* null for NaN and infinities */
void iol__json_bool(iol__json *json, bool value);
/* A string, or null for NULL. Bytes that are no UTF-8 become U+FFFD. */
void iol__json_text(iol__json *json, const char *text);
/* A 64-bit id as a string, because readers of JSON lose digits above 2^53. */
void iol__json_id(iol__json *json, uint64_t id);

/* Key and value at once. */
void iol__json_put_open(iol__json *json, const char *key, char bracket);
void iol__json_put_i64(iol__json *json, const char *key, int64_t value);
void iol__json_put_u64(iol__json *json, const char *key, uint64_t value);
void iol__json_put_real(iol__json *json, const char *key, double value);
void iol__json_put_bool(iol__json *json, const char *key, bool value);
void iol__json_put_id(iol__json *json, const char *key, uint64_t id);
/* A text from outside: when it is not valid UTF-8, its bytes follow as "<key>_hex". */
void iol__json_put_text(iol__json *json, const char *key, const char *text);

#endif
