/* Reduction of shared records: what must hold whatever the values are. log/merge/merge_test.c compares the values
   themselves with the rules, log/figures/accumulate_test.c those of totals. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "record/reduce.h"

enum { RANKS = 6 };

typedef struct values {
    int64_t ints[IOL_PNETCDF_VAR_INTS];
    double reals[IOL_POSIX_REALS];
} values;

static int64_t small(void) { return (int64_t)(random() % 5) - 1; }

/* Few different values, so that there are ties, and sums without rounding. Tables of common values are left empty:
   which of many values stay depends on the order. */
static values some_values(int slot) {
    const iol__module *module = &iol__modules[slot];
    values v = {0};
    for (unsigned i = 0; i < module->ints; i++)
        if (module->counters[i].reduce != IOL_REDUCE_COMMON4) v.ints[i] = small();
    for (unsigned i = 0; i < module->ints; i++)
        if (module->counters[i].reduce == IOL_REDUCE_OR) v.ints[i] = random() % 2;
    for (unsigned i = 0; i < module->reals; i++) v.reals[i] = (double)small() / 4;
    return v;
}

static void combine(iol__aggregate *a, int slot, const values *of, const int *order) {
    iol__aggregate_start(a, slot, IOL_RULES_SHARED);
    for (int i = 0; i < RANKS; i++) iol__aggregate_add(a, 7, order[i], of[order[i]].ints, of[order[i]].reals);
}

/* Sums that become -1 on the way may not do so in another order, and of two calls of equal length either may be taken;
   nothing else may differ. */
static void assert_same(const iol__aggregate *x, const iol__aggregate *y) {
    const iol__module *module = &iol__modules[x->how.slot];
    for (unsigned i = 0; i < module->ints; i++)
        if (x->ints[i] != y->ints[i] && module->counters[i].reduce != IOL_REDUCE_SUM_M1 &&
            module->counters[i].reduce != IOL_REDUCE_MAX_WITH)
            fail_msg("%s depends on the order of the ranks", module->counters[i].name);
    for (unsigned i = 0; i < module->reals; i++)
        if (fabs(x->reals[i] - y->reals[i]) > 1e-9)
            fail_msg("%s depends on the order of the ranks", module->counters[module->ints + i].name);
}

static void the_order_of_ranks_does_not_matter(void **state) {
    (void)state;
    srandom(11);
    for (int slot = 1; slot < IOL_SLOTS_KNOWN; slot++) {
        if (!iol__aggregate_possible(slot)) continue;
        for (int round = 0; round < 100; round++) {
            values of[RANKS];
            int order[RANKS] = {0, 1, 2, 3, 4, 5};
            iol__aggregate first, second;
            for (int i = 0; i < RANKS; i++) of[i] = some_values(slot);
            combine(&first, slot, of, order);
            for (int i = RANKS - 1; i > 0; i--) {
                int j = (int)(random() % (i + 1)), other = order[i];
                order[i] = order[j];
                order[j] = other;
            }
            combine(&second, slot, of, order);
            assert_int_equal(first.rank, -1);
            assert_int_equal(first.id, 7);
            assert_same(&first, &second);
        }
    }
}

/* One record alone stays what it is, but for what only shared records have. */
static void one_record_stays_itself(void **state) {
    (void)state;
    for (int slot = 1; slot < IOL_SLOTS_KNOWN; slot++) {
        if (!iol__aggregate_possible(slot)) continue;
        const iol__module *module = &iol__modules[slot];
        values of = some_values(slot);
        iol__aggregate a;
        iol__aggregate_start(&a, slot, IOL_RULES_SHARED);
        iol__aggregate_add(&a, 3, 2, of.ints, of.reals);
        for (unsigned i = 0; i < module->ints; i++) {
            unsigned reduce = module->counters[i].reduce;
            if (reduce != IOL_REDUCE_FASTEST && reduce != IOL_REDUCE_SLOWEST) assert_int_equal(a.ints[i], of.ints[i]);
        }
        if (!module->roles->traffic) continue;
        assert_int_equal(a.ints[module->roles->fastest_rank], 2);
        assert_int_equal(a.ints[module->roles->slowest_rank], 2);
        if (module->roles->variance_time >= 0) assert_true(a.reals[module->roles->variance_time] == 0);
    }
}

static void unknown_times_give_way(void **state) {
    (void)state;
    static const struct {
        double x, y, result;
    } cases[] = {{0, 5, 5},   {5, 0, 5}, {-1, 5, 5}, {5, -1, 5},  {-1, 0, -1},
                 {0, -1, -1}, {7, 5, 5}, {0, 0, 0},  {-1, -1, -1}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        values v = {0};
        iol__aggregate a;
        iol__aggregate_start(&a, IOL_SLOT_POSIX, IOL_RULES_SHARED);
        v.reals[IOL_POSIX_F_OPEN_START_TIMESTAMP] = cases[i].x;
        iol__aggregate_add(&a, 1, 0, v.ints, v.reals);
        v.reals[IOL_POSIX_F_OPEN_START_TIMESTAMP] = cases[i].y;
        iol__aggregate_add(&a, 1, 1, v.ints, v.reals);
        assert_true(a.reals[IOL_POSIX_F_OPEN_START_TIMESTAMP] == cases[i].result);
    }
}

static void flags_become_one(void **state) {
    (void)state;
    values v = {0};
    iol__aggregate a;
    iol__aggregate_start(&a, IOL_SLOT_H5D, IOL_RULES_SHARED);
    v.ints[IOL_H5D_USE_DEPRECATED] = 5;
    iol__aggregate_add(&a, 1, 0, v.ints, v.reals);
    v.ints[IOL_H5D_USE_DEPRECATED] = 0;
    iol__aggregate_add(&a, 1, 1, v.ints, v.reals);
    assert_int_equal(a.ints[IOL_H5D_USE_DEPRECATED], 1);
}

static void sums_wrap_and_do_not_trap(void **state) {
    (void)state;
    values v = {0};
    iol__aggregate a;
    iol__aggregate_start(&a, IOL_SLOT_POSIX, IOL_RULES_SHARED);
    for (unsigned i = 0; i < IOL_POSIX_INTS; i++) v.ints[i] = INT64_MAX;
    for (int rank = 0; rank < 2; rank++) iol__aggregate_add(&a, 1, rank, v.ints, v.reals);
    assert_int_equal(a.ints[IOL_POSIX_OPENS], -1);
    assert_int_equal(a.ints[IOL_POSIX_BYTES_READ], -2);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_order_of_ranks_does_not_matter),
        cmocka_unit_test(one_record_stays_itself),
        cmocka_unit_test(unknown_times_give_way),
        cmocka_unit_test(flags_become_one),
        cmocka_unit_test(sums_wrap_and_do_not_trap),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
