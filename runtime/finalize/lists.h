/* What goes into the trailer and has to be put together from all ranks: short lists that pass up the tree beside the
   records. Each is bounded; what has no room is left out, and counted. */
#ifndef IOL_RUNTIME_LISTS_H
#define IOL_RUNTIME_LISTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    IOL_LIST_SIZES,   /* iol__file_pair, in ascending order of ids */
    IOL_LIST_REMOVED, /* the same */
    IOL_LIST_CUSTOM,  /* blocks of custom modules */
    IOL_LIST_HINTS,   /* lines of JSON, each once */
    IOL_LIST_HOSTS,   /* iol__host, in order of names */
    IOL_LIST_ABSENT,  /* iol__rt_ranks: those that cannot tell what they did */
    IOL_LISTS
};

typedef struct iol__host {
    uint32_t ranks, bytes; /* of the whole entry: name, NUL, filled up to 8 */
    char name[];
} iol__host;

typedef struct iol__rt_ranks {
    int32_t first, last;
} iol__rt_ranks;

typedef struct iol__list {
    uint8_t *bytes;
    size_t used, room;
    uint64_t dropped; /* bytes that had no room */
} iol__list;

typedef struct iol__lists {
    iol__list of[IOL_LISTS];
} iol__lists;

/* Of this rank, whose times are moved by `shift`. */
void iol__lists_own(iol__lists *lists, int rank, double shift, const char *host, bool absent);
/* Those of higher ranks. */
void iol__lists_merge(iol__lists *lists, int which, const uint8_t *bytes, size_t length, uint64_t dropped);

#endif
