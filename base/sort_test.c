/* The sort beside qsort: random items, ordered ones, pieces, equal keys, and none. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/sort.h"

typedef struct item {
    uint32_t key, place;
} item;

static inline bool is_before(const item *a, const item *b) { return a->key < b->key; }
IOL_SORT(sort_items, item, is_before)

static int by_key_and_place(const void *a, const void *b) {
    const item *x = a, *y = b;
    if (x->key != y->key) return x->key < y->key ? -1 : 1;
    return (x->place > y->place) - (x->place < y->place);
}

enum { MOST = 3000 };

static uint32_t key_of(int kind, uint32_t i, uint32_t count, uint32_t random) {
    switch (kind) {
    case 0: return random;
    case 1: return i;                       /* sorted */
    case 2: return count - i;               /* the other way around */
    case 3: return i % 500;                 /* sorted pieces */
    case 4: return random % 3;              /* few keys */
    default: return i == count / 2 ? 0 : i; /* one out of place */
    }
}

static void items_come_in_order_and_equal_ones_as_they_were(void **state) {
    (void)state;
    static item items[MOST], expected[MOST];
    static const uint32_t counts[] = {0, 1, 2, 11, 12, 13, 24, 25, 100, 999, MOST};
    uint32_t random = 1;
    for (size_t c = 0; c < sizeof counts / sizeof *counts; c++)
        for (int kind = 0; kind < 6; kind++) {
            for (uint32_t i = 0; i < counts[c]; i++) {
                random = random * 1664525 + 1013904223;
                expected[i] = items[i] = (item){key_of(kind, i, counts[c], random >> 8), i};
            }
            qsort(expected, counts[c], sizeof *expected, by_key_and_place);
            assert_true(sort_items(items, counts[c]));
            assert_memory_equal(items, expected, counts[c] * sizeof *items);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(items_come_in_order_and_equal_ones_as_they_were)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
