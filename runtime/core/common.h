/* What modules that record transfers have in common: directions, buckets of sizes, and the four most common values.
   Some of it is on the way of every read and write, so it is here to be inlined. */
#ifndef IOL_RUNTIME_COMMON_H
#define IOL_RUNTIME_COMMON_H

#include "record/reduce.h"
#include "runtime/core/core.h"

typedef enum iol__direction { IOL_READ, IOL_WRITE, IOL_META } iol__direction;

/* The bucket of a size among the ten of the log. */
static inline int iol__size_bucket(int64_t size) {
    static const int64_t limits[] = {100, 1024, 10240, 102400, 1 << 20, 4 << 20, 10 << 20, 100 << 20, 1 << 30};
    int i = 0;
    while (i < 9 && size > limits[i]) i++;
    return i;
}

enum { IOL_COMMON_PLACES = 4, IOL_COMMON_ALL = 32 };

/* What is behind "the four most common values": 32 different ones at most are counted. The four that lead are counted in
   the record itself, in their order; most files never have more. The others are here, and change places with the last of
   the four as soon as they are ahead of it. */
typedef struct iol__common_pair {
    int64_t value, count;
} iol__common_pair;

typedef struct iol__common_table {
    iol__common_pair *more; /* room for all others, once it was needed; kept for the next record */
    uint8_t others;         /* of them in use */
    bool zero;              /* 0 is one of the 32, but never among the four */
} iol__common_table;

/* So many more of a value. `values` and `counts` are the four of the record. */
void iol__common_more(iol__common_table *table, int64_t value, int64_t more, int64_t *values, int64_t *counts);
static inline void iol__common_count(iol__common_table *table, int64_t value, int64_t *values, int64_t *counts) {
    iol__common_more(table, value, 1, values, counts);
}
/* All that another one counted, with the four of its record. */
void iol__common_merge(iol__common_table *table, int64_t *values, int64_t *counts, const iol__common_table *from,
                       const int64_t *from_values, const int64_t *from_counts);

/* How records of a module are added up. It is found out when that is first done, inside the guard of the record that they
   are added to. */
typedef struct iol__common_sums {
    bool found;
    iol__reduction how;
} iol__common_sums;
const iol__reduction *iol__common_sums_of(iol__common_sums *sums, int slot);

/* The value that leads stays there. False if it is another one. */
static inline __attribute__((always_inline)) bool iol__common_leads(int64_t value, const int64_t *values,
                                                                    int64_t *counts) {
    if (IOL_UNLIKELY(values[0] != value)) return false;
    counts[0]++;
    return true;
}

/* A file's name without the prefix that names the kind of its file system to MPI-IO, as in "ufs:/scratch/a". One
   letter and a colon is not such a prefix. */
static inline const char *iol__path_without_prefix(const char *path) {
    const char *colon = __builtin_strchr(path, ':');
    return colon && colon - path >= 2 ? colon + 1 : path;
}

#endif
