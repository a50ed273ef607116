/* "The four most common values" where a value is a whole access to a dataset or a variable: its size, five lengths and
   five strides. Up to 32 different ones are counted in private memory; the four at the top stand in the record, four
   groups of eleven numbers and then four counts. With the record's guard held. */
#ifndef IOL_RUNTIME_TUPLES_H
#define IOL_RUNTIME_TUPLES_H

#include <stdint.h>

enum { IOL_TUPLE_DIMENSIONS = 5, IOL_TUPLES_FIRST = 4, IOL_TUPLES_ALL = 32 };

/* As it stands in a record. */
typedef struct iol__tuple {
    int64_t size;
    int64_t lengths[IOL_TUPLE_DIMENSIONS], strides[IOL_TUPLE_DIMENSIONS];
} iol__tuple;

enum { IOL_TUPLE_NUMBERS = (int)(sizeof(iol__tuple) / sizeof(int64_t)) };

typedef struct iol__tuple_count {
    iol__tuple value;
    int64_t count;
} iol__tuple_count;

/* Part of a module's state. All zero is an empty one. */
typedef struct iol__tuples {
    uint32_t known;
    uint32_t last; /* the one that was seen last: the next access is mostly like it */
    iol__tuple_count first[IOL_TUPLES_FIRST];
    iol__tuple_count *more; /* made when the first ones are taken */
} iol__tuples;

/* Counts an access and puts it where it belongs among the four: `values` are their 44 numbers, `counts` their four. */
void iol__tuples_add(iol__tuples *table, const iol__tuple *access, int64_t *values, int64_t *counts);
/* Forgets what was counted, for a new record. */
void iol__tuples_clear(iol__tuples *table);

#endif
