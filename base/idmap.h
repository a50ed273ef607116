/* From 64-bit keys to numbers 0, 1, 2, ... in order of first appearance. Names, files and ranks are kept in arrays beside
   it. Costs at most 24 bytes per key. */
#ifndef IOL_LOG_IDMAP_H
#define IOL_LOG_IDMAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct iol__idmap {
    uint64_t *keys;
    uint32_t *index; /* number + 1, 0 is free */
    size_t count, capacity, index_size;
} iol__idmap;

/* Such keys by their number, where nobody needs to find them. */
typedef struct iol__id_list {
    uint64_t *ids;
    size_t count, room;
    bool loaded;
} iol__id_list;

enum { IOL_IDMAP_COST = 24 };
#define IOL_IDMAP_NONE SIZE_MAX

/* The number of a key, or IOL_IDMAP_NONE. */
size_t iol__idmap_find(const iol__idmap *map, uint64_t key);
/* The number of a key, new (then equal to the count before) or known; IOL_IDMAP_NONE without memory. */
size_t iol__idmap_add(iol__idmap *map, uint64_t key);
void iol__idmap_free(iol__idmap *map);

#endif
