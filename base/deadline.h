/* A time by which something must be done: nanoseconds of a clock that nobody sets. 0: there is none. */
#ifndef IOL_LOG_DEADLINE_H
#define IOL_LOG_DEADLINE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <time.h>

/* Set while this thread works for somebody who may lose interest: when it becomes true, all deadlines of the thread are past.
   NULL: nobody can. */
extern _Thread_local const atomic_bool *iol__nobody_waits;

static inline int64_t iol__monotonic(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

/* The same in seconds, for durations that people see. */
static inline double iol__monotonic_seconds(void) { return (double)iol__monotonic() * 1e-9; }

static inline int64_t iol__deadline_in(double seconds) { return iol__monotonic() + (int64_t)(seconds * 1e9); }

static inline bool iol__is_given_up(void) { return iol__nobody_waits && atomic_load(iol__nobody_waits); }

static inline bool iol__is_past(int64_t deadline) {
    return (deadline && iol__monotonic() >= deadline) || iol__is_given_up();
}

/* What is left, at least 1, as timeouts of others want it: to them 0 is for ever. Rounded up, so that who waited that long
   is past the deadline. `most` if there is none. */
static inline int64_t iol__deadline_ms(int64_t deadline, int64_t most) {
    if (!deadline) return most;
    int64_t left = (deadline - iol__monotonic() + 999999) / 1000000;
    return left < 1 ? 1 : left < most ? left : most;
}

#endif
