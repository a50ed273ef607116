/* Trees of values: building, looking up, printing. Maps keep the order of their keys and get an index once they have
   more than a few. */
#include "site/connect/value.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { INDEX_FROM = 12 };

iol__value *iol__value_new(iol__arena *arena, iol__value_kind kind) {
    iol__value *value = iol__arena_alloc(arena, 1, sizeof *value);
    value->kind = kind;
    return value;
}

iol__value *iol__of_integer(iol__arena *arena, int64_t value) {
    iol__value *made = iol__value_new(arena, IOL__INTEGER);
    made->integer = value;
    return made;
}

iol__value *iol__of_real(iol__arena *arena, double value) {
    iol__value *made = iol__value_new(arena, IOL__REAL);
    made->real = value;
    return made;
}

iol__value *iol__of_text(iol__arena *arena, const char *text) {
    if (!text) return iol__value_new(arena, IOL__NOTHING);
    iol__value *made = iol__value_new(arena, IOL__TEXT);
    made->text = iol__arena_copy(arena, text);
    return made;
}

iol__value *iol__of_flag(iol__arena *arena, bool flag) {
    iol__value *made = iol__value_new(arena, IOL__FLAG);
    made->flag = flag;
    return made;
}

/* Maps and lists ------------------------------------------------------------------------------------------------- */

static size_t value_hash_of(const char *key) {
    uint64_t hash = UINT64_C(1469598103934665603);
    for (; *key; key++) hash = (hash ^ (unsigned char)*key) * UINT64_C(1099511628211);
    return (size_t)(hash ^ hash >> 32);
}

static void index_key(iol__value *map, size_t number) {
    size_t at = value_hash_of(map->keys[number]) & (map->index_size - 1);
    while (map->index[at]) at = (at + 1) & (map->index_size - 1);
    map->index[at] = (uint32_t)number + 1;
}

static void index_again(iol__arena *arena, iol__value *map) {
    map->index_size = map->index_size ? map->index_size * 4 : 64;
    map->index = iol__arena_alloc(arena, map->index_size, sizeof *map->index);
    for (size_t i = 0; i < map->count; i++) index_key(map, i);
}

static size_t find_value_key(const iol__value *map, const char *key) {
    if (!map->index) {
        for (size_t i = 0; i < map->count; i++)
            if (strcmp(map->keys[i], key) == 0) return i;
        return SIZE_MAX;
    }
    for (size_t at = value_hash_of(key) & (map->index_size - 1); map->index[at]; at = (at + 1) & (map->index_size - 1))
        if (strcmp(map->keys[map->index[at] - 1], key) == 0) return map->index[at] - 1;
    return SIZE_MAX;
}

void iol__list_add(iol__arena *arena, iol__value *list, iol__value *item) {
    list->items = iol__arena_grow(arena, list->items, list->count, sizeof *list->items);
    list->items[list->count++] = item;
}

void iol__map_put(iol__arena *arena, iol__value *map, const char *key, iol__value *value) {
    size_t number = find_value_key(map, key);
    if (number != SIZE_MAX) {
        map->items[number] = value;
        return;
    }
    map->items = iol__arena_grow(arena, map->items, map->count, sizeof *map->items);
    map->keys = iol__arena_grow(arena, map->keys, map->count, sizeof *map->keys);
    map->items[map->count] = value;
    map->keys[map->count++] = iol__arena_copy(arena, key);
    if (map->count > INDEX_FROM && map->count * 2 > map->index_size)
        index_again(arena, map);
    else if (map->index)
        index_key(map, map->count - 1);
}

iol__value *iol__map_get(const iol__value *map, const char *key) {
    if (!map || map->kind != IOL__MAP) return NULL;
    size_t number = find_value_key(map, key);
    return number == SIZE_MAX ? NULL : map->items[number];
}

iol__value *iol__map_open(iol__arena *arena, iol__value *map, const char *key, iol__value_kind kind) {
    iol__value *there = iol__map_get(map, key);
    if (there && there->kind == kind) return there;
    there = iol__value_new(arena, kind);
    iol__map_put(arena, map, key, there);
    return there;
}

void iol__map_put_integer(iol__arena *arena, iol__value *map, const char *key, int64_t value) {
    iol__map_put(arena, map, key, iol__of_integer(arena, value));
}

void iol__map_put_real(iol__arena *arena, iol__value *map, const char *key, double value) {
    iol__map_put(arena, map, key, iol__of_real(arena, value));
}

void iol__map_put_text(iol__arena *arena, iol__value *map, const char *key, const char *text) {
    iol__map_put(arena, map, key, iol__of_text(arena, text));
}

double iol__value_number(const iol__value *value) {
    if (value && value->kind == IOL__INTEGER) return (double)value->integer;
    return value && value->kind == IOL__REAL ? value->real : NAN;
}

double iol__map_number(const iol__value *map, const char *key) { return iol__value_number(iol__map_get(map, key)); }

const char *iol__map_text(const iol__value *map, const char *key) {
    const iol__value *value = iol__map_get(map, key);
    return value && value->kind == IOL__TEXT ? value->text : NULL;
}

iol__value *iol__value_copy(iol__arena *arena, const iol__value *value) {
    iol__value *copy = iol__value_new(arena, value->kind);
    if (value->kind != IOL__LIST && value->kind != IOL__MAP) {
        *copy = *value;
        if (value->kind == IOL__TEXT) copy->text = iol__arena_copy(arena, value->text);
        return copy;
    }
    for (size_t i = 0; i < value->count; i++) {
        iol__value *item = iol__value_copy(arena, value->items[i]);
        if (value->kind == IOL__MAP)
            iol__map_put(arena, copy, value->keys[i], item);
        else
            iol__list_add(arena, copy, item);
    }
    return copy;
}

/* Printing ------------------------------------------------------------------------------------------------------- */

static int value_by_key(const void *a, const void *b, void *keys) {
    return strcmp(((const char **)keys)[*(const size_t *)a], ((const char **)keys)[*(const size_t *)b]);
}

size_t *iol__map_order(iol__arena *arena, const iol__value *map) {
    size_t *order = iol__arena_alloc(arena, map->count + 1, sizeof *order);
    for (size_t i = 0; i < map->count; i++) order[i] = i;
    qsort_r(order, map->count, sizeof *order, value_by_key, map->keys);
    return order;
}

static void map_json(iol__json *json, iol__arena *arena, const iol__value *map) {
    size_t *order = iol__map_order(arena, map);
    iol__json_open(json, '{');
    for (size_t i = 0; i < map->count; i++) {
        iol__json_key_text(json, map->keys[order[i]]);
        iol__value_json(json, arena, map->items[order[i]]);
    }
    iol__json_close(json, '}');
}

void iol__value_json(iol__json *json, iol__arena *arena, const iol__value *value) {
    switch (value->kind) {
    case IOL__NOTHING: iol__json_real(json, NAN); break;
    case IOL__FLAG: iol__json_bool(json, value->flag); break;
    case IOL__INTEGER: iol__json_i64(json, value->integer); break;
    case IOL__REAL: iol__json_real(json, value->real); break;
    case IOL__TEXT: iol__json_text(json, value->text); break;
    case IOL__MAP: map_json(json, arena, value); break;
    case IOL__LIST:
        iol__json_open(json, '[');
        for (size_t i = 0; i < value->count; i++) iol__value_json(json, arena, value->items[i]);
        iol__json_close(json, ']');
        break;
    }
}

/* Untyped text --------------------------------------------------------------------------------------------------- */

iol__value *iol__value_of_text(iol__arena *arena, const char *text) {
    char *end;
    errno = 0;
    long long integer = strtoll(text, &end, 10);
    bool starts_well = *text && !isspace((unsigned char)*text);
    if (starts_well && end != text && !*end && !errno) return iol__of_integer(arena, integer);
    if (strcmp(text, "True") == 0 || strcmp(text, "False") == 0) return iol__of_flag(arena, *text == 'T');
    if (strcmp(text, "null") == 0) return iol__value_new(arena, IOL__NOTHING);
    bool hexadecimal = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
    if (hexadecimal) {
        errno = 0;
        integer = strtoll(text, &end, 16);
        if (end > text + 2 && !*end && !errno) return iol__of_integer(arena, integer);
    }
    double real = strtod(text, &end);
    if (starts_well && !hexadecimal && end != text && !*end && isfinite(real)) return iol__of_real(arena, real);
    return iol__of_text(arena, text);
}
