/* Workers claim the next thing as long as it is less than a window ahead of the one that is to be taken next; results
   wait in a ring as long as the window. */
#include "cmds/in_order.h"

#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>

enum { AHEAD = 4, MOST_THREADS = 256 }; /* results per thread that may wait */

typedef struct in_order_slot {
    void *result;
    bool done;
} in_order_slot;

typedef struct in_order_state {
    const in_order *plan;
    pthread_mutex_t lock;
    pthread_cond_t finished, taken; /* a result is there; there is room for another */
    size_t next;                    /* to be claimed */
    size_t out;                     /* to be taken */
    size_t window;
    in_order_slot *ring;
} in_order_state;

static bool in_order_claim(in_order_state *s, size_t *index) {
    pthread_mutex_lock(&s->lock);
    while (s->next < s->plan->count && s->next >= s->out + s->window) pthread_cond_wait(&s->taken, &s->lock);
    bool some = s->next < s->plan->count;
    if (some) *index = s->next++;
    pthread_mutex_unlock(&s->lock);
    return some;
}

static void *work_on(void *data) {
    in_order_state *s = data;
    for (size_t index; in_order_claim(s, &index);) {
        void *result = s->plan->work(index, s->plan->data);
        pthread_mutex_lock(&s->lock);
        s->ring[index % s->window] = (in_order_slot){result, true};
        pthread_cond_signal(&s->finished);
        pthread_mutex_unlock(&s->lock);
    }
    return NULL;
}

static void in_order_take_all(in_order_state *s) {
    for (size_t i = 0; i < s->plan->count; i++) {
        in_order_slot *place = &s->ring[i % s->window];
        pthread_mutex_lock(&s->lock);
        while (!place->done) pthread_cond_wait(&s->finished, &s->lock);
        void *result = place->result;
        place->done = false;
        pthread_mutex_unlock(&s->lock);
        s->plan->take(i, result, s->plan->data);
        /* Only now, so that what is being taken counts as waiting. */
        pthread_mutex_lock(&s->lock);
        s->out = i + 1;
        pthread_cond_broadcast(&s->taken);
        pthread_mutex_unlock(&s->lock);
    }
}

static void alone(const in_order *plan) {
    for (size_t i = 0; i < plan->count; i++) plan->take(i, plan->work(i, plan->data), plan->data);
}

void work_in_order(const in_order *plan) {
    size_t threads = plan->threads < plan->count ? plan->threads : plan->count;
    if (threads > MOST_THREADS) threads = MOST_THREADS;
    pthread_t workers[MOST_THREADS];
    size_t started = 0;
    in_order_state s = {.plan = plan, .window = AHEAD * threads};
    if (threads > 1) s.ring = calloc(s.window, sizeof *s.ring);
    if (!s.ring) {
        alone(plan);
        return;
    }
    pthread_mutex_init(&s.lock, NULL);
    pthread_cond_init(&s.finished, NULL);
    pthread_cond_init(&s.taken, NULL);
    while (started < threads && pthread_create(&workers[started], NULL, work_on, &s) == 0) started++;
    if (started)
        in_order_take_all(&s);
    else
        alone(plan);
    for (size_t i = 0; i < started; i++) pthread_join(workers[i], NULL);
    pthread_cond_destroy(&s.taken);
    pthread_cond_destroy(&s.finished);
    pthread_mutex_destroy(&s.lock);
    free(s.ring);
}

size_t usable_processors(void) {
    cpu_set_t set;
    long count = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : sysconf(_SC_NPROCESSORS_ONLN);
    return count > 0 ? (size_t)count : 1;
}
