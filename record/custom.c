/* Combining the values of two records of a custom module, as its schema says. */
#include "record/custom.h"

#include <string.h>

#include "iolite/module.h"

static int64_t custom_combine_ints(int64_t a, int64_t b, int rule) {
    switch (rule) {
    case IOLITE_SUM: return (int64_t)((uint64_t)a + (uint64_t)b);
    case IOLITE_MIN: return b < a ? b : a;
    case IOLITE_MAX: return b > a ? b : a;
    case IOLITE_FIRST: return a == 0 || (b != 0 && b < a) ? b : a;
    default: return a;
    }
}

static double custom_combine_reals(double a, double b, int rule) {
    switch (rule) {
    case IOLITE_SUM: return a + b;
    case IOLITE_MIN: return b < a ? b : a;
    case IOLITE_MAX: return b > a ? b : a;
    case IOLITE_FIRST: return a == 0 || (b != 0 && b < a) ? b : a;
    default: return a;
    }
}

void iol__custom_combine(uint8_t *into, const uint8_t *from, const uint8_t *kinds, const uint8_t *rules, size_t count) {
    for (size_t i = 0; i < count; i++, into += 8, from += 8) {
        if (kinds[i] == IOLITE_INT) {
            int64_t a, b;
            memcpy(&a, into, sizeof a);
            memcpy(&b, from, sizeof b);
            a = custom_combine_ints(a, b, rules[i]);
            memcpy(into, &a, sizeof a);
        } else {
            double a, b;
            memcpy(&a, into, sizeof a);
            memcpy(&b, from, sizeof b);
            a = custom_combine_reals(a, b, rules[i]);
            memcpy(into, &a, sizeof a);
        }
    }
}
