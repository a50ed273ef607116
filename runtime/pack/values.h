/* The most common values of many ranks: a set, in no order, until at the end the four most common ones are chosen. It has
   room for twice as many as a record, so that none is lost where ranks have few in common; past that the rarest goes. */
#ifndef IOL_RUNTIME_VALUES_H
#define IOL_RUNTIME_VALUES_H

#include <stddef.h>
#include <stdint.h>

enum {
    IOL_VALUES_RECORD = 4, /* that a record has */
    IOL_VALUES_BEYOND = 4,
    IOL_VALUES_MOST = IOL_VALUES_RECORD + IOL_VALUES_BEYOND,
    IOL_VALUES_WIDEST = 11, /* words of a value */
};

typedef struct iol__values {
    size_t n;
    uint64_t counts[IOL_VALUES_MOST], values[IOL_VALUES_MOST * IOL_VALUES_WIDEST];
} iol__values;

/* A value of `width` words that occurred so often. */
void iol__values_add(iol__values *set, const uint64_t *value, uint64_t count, size_t width);
/* The most common ones come first, as in the records of single ranks. */
void iol__values_choose(iol__values *set, size_t width);

#endif
