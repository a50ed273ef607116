/* The lock of a record: what a signal handler's update does, who gets in, and that nobody waits for ever. Waiting takes
   no time here: the naps are system calls, and they fail. */
#undef IOL_FAULTS
#define IOL_FAULTS 1
#include "runtime/core/guard.c"

#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>

#include <cmocka.h>

#include "tests/support/runtime_stubs.h"

enum { MOST = 64 };

static iol__guard first, second;
static int64_t applied[MOST];
static int n_applied;
static int rests, freed_after; /* a wait of this many rests, 0 for never */

int iol__fault(int call) {
    if (++rests == freed_after) first.owner = 0;
    return call == IOL_SYS_nanosleep;
}

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
    n_applied = rests = freed_after = 0;
    iol__thread.waiting = iol__updates_waiting = 0;
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

static sigjmp_buf back;

static void jump_out(int number) {
    (void)number;
    siglongjmp(back, 1);
}

static void note_and_raise(const iol__update *update) {
    note(update);
    raise(SIGUSR1);
}

/* A handler that leaves by longjmp while updates that waited are made takes none of them with it. */
static void updates_that_waited_are_made_undisturbed(void **state) {
    (void)state;
    assert_int_equal(sigaction(SIGUSR1, &(struct sigaction){.sa_handler = jump_out}, NULL), 0);
    assert_true(iol__guard_enter(&first));
    const iol__update one = {.apply = note_and_raise, .record = &first, .size = 3};
    for (int i = 0; i < 5; i++) iol__update_keep(&first, &one);
    if (sigsetjmp(back, 1) == 0) iol__guard_leave(&first);
    assert_int_equal(n_applied, 5);
    assert_int_equal(first.owner, 0);
    assert_int_equal(iol__core_state.lost, 0);
    signal(SIGUSR1, SIG_DFL);
}

/* A handler left by longjmp inside a record, and too little came after it. */
static void updates_that_wait_at_the_end_are_made(void **state) {
    (void)state;
    assert_true(iol__guard_enter(&first));
    assert_true(iol__guard_enter(&second));
    update(&first, 1);
    update(&second, 2);
    update(&first, 3);
    assert_int_equal(n_applied, 0);
    iol__updates_apply_last();
    assert_int_equal(n_applied, 3);
    assert_int_equal(iol__thread.waiting, 0);
    assert_int_equal(iol__core_state.lost, 0);
}

enum { SOMEBODY = 4096 };

static void somebody_else_is_waited_for(void **state) {
    (void)state;
    first.owner = SOMEBODY;
    freed_after = 100;
    update(&first, 5);
    assert_int_equal(rests, 100);
    assert_int_equal(n_applied, 1);
    assert_int_equal(first.owner, 0);
    assert_int_equal(iol__core_state.lost, 0);
}

/* A thread that was cancelled in the middle never leaves; one that waits for a disk does so late. */
static void nobody_waits_twice_for_who_does_not_come_out(void **state) {
    (void)state;
    first.owner = SOMEBODY;
    update(&first, 5);
    assert_in_range(rests, 1000, 1000000);
    assert_int_equal(n_applied, 0);
    assert_int_equal(iol__core_state.lost, 1);
    rests = 0;
    update(&first, 6);
    assert_int_equal(rests, 0);
    assert_int_equal(iol__core_state.lost, 2);
    iol__guard_leave(&first); /* there it is */
    update(&first, 7);
    assert_int_equal(n_applied, 1);
    assert_int_equal(iol__core_state.lost, 2);
}

/* Others gave up on a record while our thread was inside: what its handler does there still waits for it. */
static void an_update_waits_in_a_record_that_others_gave_up(void **state) {
    (void)state;
    first.owner = iol__me() | IOL_GUARD_STUCK;
    update(&first, 1);
    assert_int_equal(iol__thread.waiting, 1);
    iol__guard_leave(&first);
    assert_int_equal(n_applied, 1);
    assert_int_equal(iol__core_state.lost, 0);
}

static void *end_inside(void *guard) {
    iol__mortal_note();
    return (void *)(intptr_t)iol__guard_take(guard, false);
}

/* A thread was held up for so long that others gave up on its record, and was cancelled after that. */
static void what_others_gave_up_is_taken_over_from_who_is_gone(void **state) {
    (void)state;
    pthread_t thread;
    void *taken;
    iol__guard *guard = &iol__heat_maps[0][0].guard;
    iol__core_state.pid = getpid();
    assert_int_equal(pthread_create(&thread, NULL, end_inside, guard), 0);
    assert_int_equal(pthread_join(thread, &taken), 0);
    assert_non_null(taken);
    guard->owner |= IOL_GUARD_STUCK;
    update(guard, 5);
    assert_int_equal(n_applied, 1);
    assert_int_equal(guard->owner, 0);
    assert_int_equal(iol__core_state.lost, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(an_update_of_our_own_thread_waits_until_we_leave, begin),
        cmocka_unit_test_setup(another_record_is_free_meanwhile, begin),
        cmocka_unit_test_setup(a_record_further_down_the_stack_waits_again, begin),
        cmocka_unit_test_setup(what_was_left_by_longjmp_opens_again, begin),
        cmocka_unit_test_setup(what_cannot_wait_is_counted_as_lost, begin),
        cmocka_unit_test_setup(updates_that_waited_are_made_undisturbed, begin),
        cmocka_unit_test_setup(updates_that_wait_at_the_end_are_made, begin),
        cmocka_unit_test_setup(somebody_else_is_waited_for, begin),
        cmocka_unit_test_setup(nobody_waits_twice_for_who_does_not_come_out, begin),
        cmocka_unit_test_setup(an_update_waits_in_a_record_that_others_gave_up, begin),
        cmocka_unit_test_setup(what_others_gave_up_is_taken_over_from_who_is_gone, begin),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
