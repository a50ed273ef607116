/* Requests in flight: every result finds the first request of its number that has none yet, however many there are. */
#include "runtime/posix/pending.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#include "tests/support/runtime_stubs.h"

static void equal_numbers_come_back_in_order(void **state) {
    (void)state;
    iol__pending p = {0};
    iol__rt_request taken;
    assert_false(iol__pending_take(&p, 7, &taken)); /* nothing was ever there */
    assert_true(iol__pending_begin(&p, 4));
    for (int i = 0; i < 30; i++) iol__pending_add(&p, 7)->offset = i;
    iol__pending_add(&p, 8)->offset = 100;
    assert_int_equal(p.waiting, 31);
    assert_int_equal(iol__pending_find(&p, 7)->offset, 0);
    for (int i = 0; i < 30; i++) {
        assert_true(iol__pending_take(&p, 7, &taken));
        assert_int_equal(taken.offset, i);
    }
    assert_false(iol__pending_take(&p, 7, &taken));
    assert_null(iol__pending_find(&p, 7));
    assert_true(iol__pending_take(&p, 8, &taken));
    assert_int_equal(taken.offset, 100);
    assert_int_equal(p.waiting, 0);
}

/* Against a plain list, with few different numbers so that lists get long. */
static void any_order(void **state) {
    (void)state;
    enum { MOST = 64, ROUNDS = 20000 };
    static struct {
        uint64_t number;
        int64_t mark;
    } list[MOST];
    iol__pending p = {0};
    iol__rt_request taken;
    size_t n = 0;
    assert_true(iol__pending_begin(&p, MOST));
    assert_int_equal(p.room, MOST);
    for (int64_t round = 0; round < ROUNDS; round++) {
        const uint64_t number = runtime_random(9) << 56 | runtime_random(2);
        if (runtime_random(2)) {
            iol__rt_request *r = iol__pending_add(&p, number);
            assert_int_equal(r != NULL, n < MOST);
            if (!r) continue;
            r->offset = round;
            list[n].number = number;
            list[n++].mark = round;
            continue;
        }
        size_t i = 0;
        while (i < n && list[i].number != number) i++;
        assert_int_equal(iol__pending_take(&p, number, &taken), i < n);
        if (i == n) continue;
        assert_int_equal(taken.offset, list[i].mark);
        for (n--; i < n; i++) list[i] = list[i + 1];
    }
    assert_int_equal(p.waiting, n);
    assert_true(iol__pending_begin(&p, 10)); /* the same room, and empty */
    for (size_t i = 0; i < n; i++) assert_false(iol__pending_take(&p, list[i].number, &taken));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_numbers_come_back_in_order),
        cmocka_unit_test(any_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
