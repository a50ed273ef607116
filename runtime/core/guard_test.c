/* The lock of a record: what a signal handler's update does, who gets in, and that nobody waits for ever. */
#include "runtime/core/guard.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#include "tests/support/runtime_stubs.h"

enum { MOST = 64 };

static iol__guard first, second;
static int64_t applied[MOST];
static int n_applied;

static void note(const iol__update *update) {
    iol__guard *guard = update->record;
    if (!iol__guard_enter(guard)) {
        iol__update_keep(guard, update);
        return;
    }
    assert_true(n_applied < MOST);
    applied[n_applied++] = update->size;
    iol__guard_leave(guard);
}

/* As the modules do it: now, or later. */
static void update(iol__guard *guard, int64_t what) {
    note(&(iol__update){.apply = note, .record = guard, .size = what});
}

static int begin(void **state) {
    (void)state;
    first.owner = second.owner = 0;
    n_applied = 0;
    iol__thread.waiting = 0;
    iol__core_state.lost = 0;
    return 0;
}

static void an_update_of_our_own_thread_waits_until_we_leave(void **state) {
    (void)state;
    assert_true(iol__guard_enter(&first));
    for (int i = 0; i < 5; i++) update(&first, i);
    assert_int_equal(n_applied, 0);
    assert_int_equal(iol__thread.waiting, 5);
    iol__guard_leave(&first);
    assert_int_equal(n_applied, 5);
    for (int i = 0; i < 5; i++) assert_int_equal(applied[i], i);
    assert_int_equal(iol__thread.waiting, 0);
    assert_int_equal(first.owner, 0);
    assert_int_equal(iol__core_state.lost, 0);
}

static void another_record_is_free_meanwhile(void **state) {
    (void)state;
    assert_true(iol__guard_enter(&first));
    update(&second, 7);
    assert_int_equal(n_applied, 1);
    iol__guard_leave(&first);
}

/* A handler inside the second record: leaving the second does not let the first one's update in, leaving the first
   does. */
static void a_record_further_down_the_stack_waits_again(void **state) {
    (void)state;
    assert_true(iol__guard_enter(&first));
    assert_true(iol__guard_enter(&second));
    update(&first, 1);
    update(&second, 2);
    iol__guard_leave(&second);
    assert_int_equal(n_applied, 1);
    assert_int_equal(applied[0], 2);
    assert_int_equal(iol__thread.waiting, 1);
    iol__guard_leave(&first);
    assert_int_equal(n_applied, 2);
    assert_int_equal(applied[1], 1);
}

/* Left by longjmp: nobody comes to take the updates, so that the next one after eight gets in and brings them along. */
static void what_was_left_by_longjmp_opens_again(void **state) {
    (void)state;
    assert_true(iol__guard_enter(&first));
    for (int i = 0; i < IOL_WAITING; i++) update(&first, i);
    assert_int_equal(n_applied, 0);
    update(&first, 100);
    assert_int_equal(n_applied, IOL_WAITING + 1);
    assert_int_equal(applied[0], 100);
    for (int i = 0; i < IOL_WAITING; i++) assert_int_equal(applied[1 + i], i);
    assert_int_equal(first.owner, 0);
    update(&first, 101);
    assert_int_equal(applied[n_applied - 1], 101);
    assert_int_equal(iol__core_state.lost, 0);
}

static void what_cannot_wait_is_counted_as_lost(void **state) {
    (void)state;
    const iol__update one = {.apply = note, .record = &first};
    iol__update_keep(&first, &one); /* nobody's, so nobody would ever take it */
    assert_int_equal(iol__core_state.lost, 1);
    first.owner = iol__me();
    for (int i = 0; i < IOL_WAITING + 3; i++) iol__update_keep(&first, &one);
    assert_int_equal(iol__core_state.lost, 4);
    assert_int_equal(iol__thread.waiting, IOL_WAITING);
}

static void *enter_and_end(void *guard) {
    const bool entered = iol__guard_enter(guard);
    return entered ? guard : NULL;
}

/* A thread that was cancelled in the middle never leaves. */
static void what_a_thread_abandoned_is_taken_over(void **state) {
    (void)state;
    pthread_t thread;
    void *result;
    assert_int_equal(pthread_create(&thread, NULL, enter_and_end, &first), 0);
    assert_int_equal(pthread_join(thread, &result), 0);
    assert_ptr_equal(result, &first);
    assert_int_not_equal(first.owner, 0);
    first.owner = 1; /* the stack of a thread that has ended may go to a new one, which would take it for its own */
    assert_true(iol__guard_enter(&first));
    assert_int_equal(first.owner, iol__me());
    iol__guard_leave(&first);
    assert_int_equal(first.owner, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(an_update_of_our_own_thread_waits_until_we_leave, begin),
        cmocka_unit_test_setup(another_record_is_free_meanwhile, begin),
        cmocka_unit_test_setup(a_record_further_down_the_stack_waits_again, begin),
        cmocka_unit_test_setup(what_was_left_by_longjmp_opens_again, begin),
        cmocka_unit_test_setup(what_cannot_wait_is_counted_as_lost, begin),
        cmocka_unit_test_setup(what_a_thread_abandoned_is_taken_over, begin),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
