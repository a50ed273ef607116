/* What connectors give: a tree of maps, lists, numbers and texts, built in an arena, with the values as the source had
   them. Every cache form is this tree as JSON, and reading it back gives the same tree. */
#ifndef IOL_SITE_CONNECT_VALUE_H
#define IOL_SITE_CONNECT_VALUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "text/json.h"

typedef enum iol__value_kind {
    IOL__NOTHING,
    IOL__FLAG,
    IOL__INTEGER,
    IOL__REAL,
    IOL__TEXT,
    IOL__LIST,
    IOL__MAP,
} iol__value_kind;

typedef struct iol__value {
    iol__value_kind kind;
    bool flag;
    int64_t integer;
    double real;
    const char *text;
    struct iol__value **items; /* of a list or a map, in the order in which they came */
    const char **keys;         /* of a map */
    size_t count;
    uint32_t *index; /* of a map with many keys */
    size_t index_size;
} iol__value;

iol__value *iol__value_new(iol__arena *arena, iol__value_kind kind);
iol__value *iol__of_integer(iol__arena *arena, int64_t value);
iol__value *iol__of_real(iol__arena *arena, double value);
iol__value *iol__of_text(iol__arena *arena, const char *text);
iol__value *iol__of_flag(iol__arena *arena, bool flag);

void iol__list_add(iol__arena *arena, iol__value *list, iol__value *item);
/* A value under this key; one that was there is replaced. Keys are copied. */
void iol__map_put(iol__arena *arena, iol__value *map, const char *key, iol__value *value);
/* NULL if there is no such key, or if this is not a map. */
iol__value *iol__map_get(const iol__value *map, const char *key);
/* The map or list under this key, made if it is not there. */
iol__value *iol__map_open(iol__arena *arena, iol__value *map, const char *key, iol__value_kind kind);

void iol__map_put_integer(iol__arena *arena, iol__value *map, const char *key, int64_t value);
void iol__map_put_real(iol__arena *arena, iol__value *map, const char *key, double value);
void iol__map_put_text(iol__arena *arena, iol__value *map, const char *key, const char *text);

/* The number behind a key or a value; NAN if there is none. */
double iol__value_number(const iol__value *value);
double iol__map_number(const iol__value *map, const char *key);
/* The text behind a key, or NULL. */
const char *iol__map_text(const iol__value *map, const char *key);

/* A copy in another arena. */
iol__value *iol__value_copy(iol__arena *arena, const iol__value *value);

/* As JSON, with the keys of maps in order. */
void iol__value_json(iol__json *json, iol__arena *arena, const iol__value *value);
/* Numbers of the keys of a map in order of the keys. */
size_t *iol__map_order(iol__arena *arena, const iol__value *map);

/* JSON to a tree. NULL with `wrong` set to what is the matter if the bytes are something else. Depth is bounded. */
iol__value *iol__value_parse(iol__arena *arena, const char *bytes, size_t length, char wrong[120]);

/* The same from a document that was parsed elsewhere. */
struct iol__tree;
iol__value *iol__value_of_tree(iol__arena *arena, const struct iol__tree *tree);

/* What untyped text means: a whole number, a number, hexadecimal with 0x, True, False, null, else the text itself. */
iol__value *iol__value_of_text(iol__arena *arena, const char *text);

/* A number as a whole one: foreign data have any, and what an integer cannot hold becomes the nearest that it can. */
static inline int64_t iol__whole(double number) {
    if (!(number > -0x1p63)) return number <= -0x1p63 ? INT64_MIN : 0;
    return number < 0x1p63 ? (int64_t)number : INT64_MAX;
}

#endif
