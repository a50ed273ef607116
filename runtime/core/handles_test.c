/* Handles against a plain list, with many that come and go; and looking up while another thread changes the map. */
#include "runtime/core/handles.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/support/runtime_stubs.h"

enum { DIFFERENT = 3000, STEPS = 200000 };

static int things[DIFFERENT];

/* Like addresses: far apart, their last bits all alike. */
static uint64_t handle_of(size_t i) { return UINT64_C(0x7f0000000000) + i * 192; }

static void maps_like_a_list(void **state) {
    (void)state;
    static void *expected[DIFFERENT];
    iol__handles handles = {0};
    assert_null(iol__handle_find(&handles, handle_of(1)));
    assert_null(iol__handle_remove(&handles, handle_of(1)));
    for (int step = 0; step < STEPS; step++) {
        const size_t i = (size_t)runtime_random(DIFFERENT), other = (size_t)runtime_random(DIFFERENT);
        if (runtime_random(5) < 2) {
            assert_ptr_equal(iol__handle_remove(&handles, handle_of(i)), expected[i]);
            expected[i] = NULL;
        } else {
            expected[i] = &things[runtime_random(DIFFERENT)];
            assert_true(iol__handle_set(&handles, handle_of(i), expected[i]));
        }
        assert_ptr_equal(iol__handle_find(&handles, handle_of(i)), expected[i]);
        assert_ptr_equal(iol__handle_find(&handles, handle_of(other)), expected[other]);
    }
    iol__handles_clear(&handles);
    for (size_t i = 0; i < DIFFERENT; i++) assert_null(iol__handle_find(&handles, handle_of(i)));
}

/* Handles that never come again do not fill the map. */
static void is_not_filled_by_what_is_gone(void **state) {
    (void)state;
    iol__handles handles = {0};
    for (size_t i = 1; i < 3000000; i++) {
        assert_true(iol__handle_set(&handles, handle_of(i), &things[1]));
        assert_ptr_equal(iol__handle_remove(&handles, handle_of(i)), &things[1]);
    }
}

static void zero_is_no_handle(void **state) {
    (void)state;
    iol__handles handles = {0};
    assert_false(iol__handle_set(&handles, 0, &things[0]));
    assert_true(iol__handle_set(&handles, handle_of(0), &things[0]));
    assert_null(iol__handle_find(&handles, 0));
}

static iol__handles shared;
static bool over;

static void *change(void *unused) {
    (void)unused;
    for (size_t i = 1; i < 20000; i++) iol__handle_set(&shared, handle_of(i), &things[i % DIFFERENT]);
    __atomic_store_n(&over, true, __ATOMIC_RELEASE);
    return NULL;
}

static void is_read_while_it_grows(void **state) {
    (void)state;
    pthread_t thread;
    assert_true(iol__handle_set(&shared, handle_of(0), &things[0]));
    assert_int_equal(pthread_create(&thread, NULL, change, NULL), 0);
    while (!__atomic_load_n(&over, __ATOMIC_ACQUIRE)) {
        assert_ptr_equal(iol__handle_find(&shared, handle_of(0)), &things[0]);
        const size_t i = (size_t)runtime_random(20000);
        void *found = iol__handle_find(&shared, handle_of(i));
        assert_true(!found || found == &things[i % DIFFERENT]);
    }
    pthread_join(thread, NULL);
    for (size_t i = 0; i < 20000; i++)
        assert_ptr_equal(iol__handle_find(&shared, handle_of(i)), &things[i % DIFFERENT]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(maps_like_a_list),
        cmocka_unit_test(is_not_filled_by_what_is_gone),
        cmocka_unit_test(zero_is_no_handle),
        cmocka_unit_test(is_read_while_it_grows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
