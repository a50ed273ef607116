/* What modules that record transfers have in common: directions, buckets of sizes, and the four most common values.
   Some of it is on the way of every read and write, so it is here to be inlined. */
#ifndef IOL_RUNTIME_COMMON_H
#define IOL_RUNTIME_COMMON_H

#include "runtime/core/core.h"

typedef enum iol__way { IOL_READ, IOL_WRITE, IOL_META } iol__way;

/* The bucket of a size among the ten of the log. */
static inline int iol__size_bucket(int64_t size) {
    static const int64_t limits[] = {100, 1024, 10240, 102400, 1 << 20, 4 << 20, 10 << 20, 100 << 20, 1 << 30};
    int i = 0;
    while (i < 9 && size > limits[i]) i++;
    return i;
}

enum { IOL_COMMON_FIRST = 4, IOL_COMMON_ALL = 32 };

/* The private table behind "the four most common values": 32 different ones at most, the first ones in place. */
typedef struct iol__common_pair {
    int64_t value, count;
} iol__common_pair;

typedef struct iol__common_table {
    iol__common_pair *last; /* the one that was seen last */
    uint32_t known;
    iol__common_pair first[IOL_COMMON_FIRST];
    iol__common_pair *more;
} iol__common_table;

/* An empty table, whatever was in it; it is all zero but for this. */
static inline void iol__common_begin(iol__common_table *table) {
    table->last = table->first;
    table->first[0].value = INT64_MIN; /* like none that will ever come */
}

/* A value that is not the one of last time; NULL if it is a new one and there are 32 already. */
iol__common_pair *iol__common_find(iol__common_table *table, int64_t value);
/* Puts a value in its place among the four of a record: by count, then by size. */
void iol__common_place(int64_t *values, int64_t *counts, int64_t value, int64_t count);

static inline __attribute__((always_inline)) void iol__common_add(iol__common_table *table, int64_t value,
                                                                  int64_t *values, int64_t *counts) {
    iol__common_pair *p = table->last;
    if (IOL_UNLIKELY(p->value != value) && !(p = iol__common_find(table, value))) return;
    const int64_t count = ++p->count;
    if (value == 0) return;
    if (IOL_LIKELY(values[0] == value))
        counts[0] = count;
    else
        iol__common_place(values, counts, value, count);
}

/* A file's name without the prefix by which MPI-IO is told the kind of its file system, as in "ufs:/scratch/a". One
   letter and a colon is not such a prefix. */
static inline const char *iol__path_without_prefix(const char *path) {
    const char *colon = __builtin_strchr(path, ':');
    return colon && colon - path >= 2 ? colon + 1 : path;
}

#endif
