/* The four most common accesses against a plain account of all of them. */
#include "runtime/core/tuples.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "runtime/core/files.h"
#include "tests/support/runtime_stubs.h"

static iol__tuples table;
static iol__tuple values[4];
static int64_t counts[4];

static int begin(void **state) {
    (void)state;
    iol__tuples_clear(&table);
    memset(values, 0, sizeof values);
    memset(counts, 0, sizeof counts);
    return 0;
}

static void add(int64_t size, int64_t length, int64_t stride) {
    const iol__tuple access = {size, {length, 0, 0, 0, 7}, {stride, 0, 0, 0, 9}};
    iol__tuples_add(&table, &access, &values[0].size, counts);
}

static void assert_slot(int slot, int64_t size, int64_t length, int64_t count) {
    assert_int_equal(values[slot].size, size);
    assert_int_equal(values[slot].lengths[0], length);
    assert_int_equal(counts[slot], count);
}

static void by_count_and_then_by_size(void **state) {
    (void)state;
    static const int64_t sizes[] = {1, 1, 10, 12, 0, 0, 100, 100, 100, 100, 30, 30};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) add(sizes[i], 1, 1);
    assert_slot(0, 100, 1, 4);
    assert_slot(1, 30, 1, 2);
    assert_slot(2, 1, 1, 2);
    assert_slot(3, 12, 1, 1);
}

static void differs_by_any_number(void **state) {
    (void)state;
    add(8, 1, 1);
    add(8, 2, 1);
    add(8, 2, 1);
    add(8, 1, 5);
    assert_slot(0, 8, 2, 2);
    assert_slot(1, 8, 1, 1);
    assert_int_equal(values[1].strides[0], 5); /* among equals the latest is first */
    assert_int_equal(values[2].strides[0], 1);
    assert_int_equal(values[0].lengths[4], 7);
    assert_int_equal(values[0].strides[4], 9);
    assert_slot(3, 0, 0, 0);
}

static void the_thirty_third_is_not_known(void **state) {
    (void)state;
    add(0, 0, 0); /* has a place, and never shows */
    for (int64_t size = 1; size <= 31; size++) add(size, 0, 0);
    for (int i = 0; i < 10; i++) add(1000, 0, 0);
    assert_slot(0, 31, 0, 1);
    assert_slot(3, 28, 0, 1);
    add(1, 0, 0);
    assert_slot(0, 1, 0, 2);
    assert_slot(1, 31, 0, 1);
}

/* Whatever comes, in whatever order, the counts of those that show are those of the account. */
static void many_in_any_order(void **state) {
    (void)state;
    int64_t account[32] = {0}; /* sizes 1 to 31 */
    for (int i = 0; i < 5000; i++) {
        const int64_t size = 1 + (int64_t)(runtime_random(31) * runtime_random(31) / 31);
        add(size, size, 1);
        account[size]++;
    }
    for (int slot = 0; slot < 4; slot++) {
        int best = 31;
        for (int size = 31; size > 0; size--)
            if (account[size] > account[best]) best = size;
        assert_slot(slot, best, best, account[best]);
        account[best] = -1;
    }
}

static void memory_is_used_again_for_a_new_record(void **state) {
    (void)state;
    for (int64_t size = 1; size <= 32; size++) add(size, 0, 0);
    const iol__tuple_count *more = table.more;
    assert_non_null(more);
    begin(NULL);
    add(5, 0, 0);
    assert_slot(0, 5, 0, 1);
    assert_ptr_equal(table.more, more);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(by_count_and_then_by_size, begin),
        cmocka_unit_test_setup(differs_by_any_number, begin),
        cmocka_unit_test_setup(the_thirty_third_is_not_known, begin),
        cmocka_unit_test_setup(many_in_any_order, begin),
        cmocka_unit_test_setup(memory_is_used_again_for_a_new_record, begin),
    };
    return cmocka_run_group_tests_name("accesses", tests, NULL, NULL);
}
