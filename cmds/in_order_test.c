/* Results come in the order of the things, from any number of threads, and never more of them wait than the window
   allows. */
#include "cmds/in_order.h"

#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/count.h"

enum { THINGS = 500 };

typedef struct watched {
    pthread_mutex_t lock;
    size_t taken, alive, most; /* results: taken in order so far; made and not yet taken, now and at most */
    int order_broken;
} watched;

static void *work(size_t index, void *data) {
    watched *w = data;
    size_t *result = malloc(sizeof *result);
    *result = index * index;
    /* Later ones are ready sooner. */
    for (size_t i = index % 7; i < 7; i++) sched_yield();
    pthread_mutex_lock(&w->lock);
    w->alive++;
    if (w->alive > w->most) w->most = w->alive;
    pthread_mutex_unlock(&w->lock);
    return result;
}

static void take(size_t index, void *result, void *data) {
    watched *w = data;
    if (index != w->taken || *(size_t *)result != index * index) w->order_broken++;
    w->taken++;
    pthread_mutex_lock(&w->lock);
    w->alive--;
    pthread_mutex_unlock(&w->lock);
    free(result);
}

static watched run(size_t count, size_t threads) {
    watched w = {.lock = PTHREAD_MUTEX_INITIALIZER};
    const in_order plan = {.count = count, .threads = threads, .work = work, .take = take, .data = &w};
    work_in_order(&plan);
    return w;
}

static void results_come_in_order(void **state) {
    (void)state;
    static const size_t threads[] = {0, 1, 2, 3, 8, 1000};
    for (size_t i = 0; i < IOL_COUNT(threads); i++) {
        watched w = run(THINGS, threads[i]);
        assert_int_equal(w.taken, THINGS);
        assert_int_equal(w.order_broken, 0);
        assert_int_equal(w.alive, 0);
    }
    assert_int_equal(run(0, 4).taken, 0);
    assert_int_equal(run(1, 4).taken, 1);
}

static void few_results_wait(void **state) {
    (void)state;
    assert_int_equal(run(THINGS, 1).most, 1);
    assert_true(run(THINGS, 2).most <= 8);
    assert_true(run(THINGS, 4).most <= 16);
}

static void there_is_a_processor(void **state) {
    (void)state;
    assert_true(usable_processors() >= 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(results_come_in_order),
        cmocka_unit_test(few_results_wait),
        cmocka_unit_test(there_is_a_processor),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
