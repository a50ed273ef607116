/* Open addressing over an array of keys. The hash is seeded by the map's address, so nobody can prepare a log of ids
   that all collide. */
#include "base/idmap.h"

#include <stdlib.h>

static size_t idmap_spread(const iol__idmap *map, uint64_t key) {
    uint64_t h = key ^ (uintptr_t)map;
    h = (h ^ h >> 33) * UINT64_C(0xff51afd7ed558ccd);
    h = (h ^ h >> 33) * UINT64_C(0xc4ceb9fe1a85ec53);
    return (size_t)(h ^ h >> 33) & (map->index_size - 1);
}

static uint32_t *find_slot(const iol__idmap *map, uint64_t key) {
    size_t at = idmap_spread(map, key);
    while (map->index[at] && map->keys[map->index[at] - 1] != key) at = (at + 1) & (map->index_size - 1);
    return &map->index[at];
}

size_t iol__idmap_find(const iol__idmap *map, uint64_t key) {
    if (!map->count) return IOL_IDMAP_NONE;
    uint32_t number = *find_slot(map, key);
    return number ? number - 1 : IOL_IDMAP_NONE;
}

static bool idmap_grow(iol__idmap *map) {
    if (map->count == map->capacity) {
        size_t capacity = map->capacity ? map->capacity + map->capacity / 2 : 64;
        uint64_t *keys = realloc(map->keys, capacity * sizeof *keys);
        if (!keys) return false;
        map->keys = keys;
        map->capacity = capacity;
    }
    if (3 * map->count < 2 * map->index_size) return true;
    size_t size = map->index_size ? 2 * map->index_size : 128;
    if (map->count >= UINT32_MAX / 2) return false;
    free(map->index);
    map->index = calloc(size, sizeof *map->index);
    if (!map->index) {
        map->count = map->index_size = 0;
        return false;
    }
    map->index_size = size;
    for (size_t i = 0; i < map->count; i++) *find_slot(map, map->keys[i]) = (uint32_t)i + 1;
    return true;
}

size_t iol__idmap_add(iol__idmap *map, uint64_t key) {
    size_t known = iol__idmap_find(map, key);
    if (known != IOL_IDMAP_NONE) return known;
    if (!idmap_grow(map)) return IOL_IDMAP_NONE;
    map->keys[map->count] = key;
    *find_slot(map, key) = (uint32_t)++map->count;
    return map->count - 1;
}

void iol__idmap_free(iol__idmap *map) {
    free(map->keys);
    free(map->index);
    *map = (iol__idmap){0};
}
