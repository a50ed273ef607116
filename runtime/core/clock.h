/* Time, in seconds since the zero of the run: the processor's own counter, set right against the system's monotonic
   clock once a second, so that reading it costs a few instructions and never drifts. */
#ifndef IOL_RUNTIME_CLOCK_H
#define IOL_RUNTIME_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

typedef struct iol__anchor {
    uint64_t ticks; /* of the counter at `time` */
    uint64_t span;  /* ticks for which this anchor holds; 0 while the counter is not calibrated */
    double time;    /* seconds, less half a grain (iol__now) */
    double scale;   /* seconds per tick */
} iol__anchor;

extern const iol__anchor *iol__clock __attribute__((visibility("hidden")));

/* Times are whole multiples of this many seconds: fine enough for a system call, and the zeros at the end of the
   numbers make logs a third smaller. */
#define IOL_GRAIN 0x1p-28
/* A number of this size has no bits below the grain: what is added to it and taken away again is rounded to whole
   grains, which takes two instructions. Good for times up to 97 days; longer ones have larger grains. */
#define IOL_GRAIN_ROUNDER (0x1.8p52 * IOL_GRAIN)

static inline uint64_t iol__ticks(void) {
#if defined(__x86_64__)
    return __builtin_ia32_rdtsc();
#elif defined(__aarch64__)
    uint64_t ticks;
    __asm__ volatile("mrs %0, cntvct_el0" : "=r"(ticks));
    return ticks;
#else
    return 0;
#endif
}

double iol__clock_slow(void);

/* The time by the counter; false if the system has to be asked. Calls nothing. An anchor is half a grain early, so that
   rounding to the nearest grain cuts off what is less than one. */
static inline bool iol__now_quick(double *now) {
    const iol__anchor *anchor = iol__clock;
    if (__builtin_expect(anchor->span == 0, 0)) return false;
    const uint64_t since = iol__ticks() - anchor->ticks;
    if (__builtin_expect(since >= anchor->span, 0)) return false;
    const double exact = anchor->time + (double)(int64_t)since * anchor->scale;
    *now = exact + IOL_GRAIN_ROUNDER - IOL_GRAIN_ROUNDER;
    return true;
}

static inline double iol__now(void) {
    double now;
    return __builtin_expect(iol__now_quick(&now), 1) ? now : iol__clock_slow();
}

/* The time of a call, less what overlaps with an earlier one of its class on the same record. */
static inline void iol__add_time(double *last, double *total, double begin, double end) {
    const double before = *last;
    if (__builtin_expect(begin < before, 0)) begin = before;
    if (__builtin_expect(end < begin, 0)) return;
    *total += end - begin;
    *last = end;
}

/* First start and last end. Times are never negative, so their bits have their order; 0 means none yet. */
static inline void iol__stamp(double *start, double *finish, double begin, double end) {
    uint64_t first, now;
    __builtin_memcpy(&first, start, sizeof first);
    __builtin_memcpy(&now, &begin, sizeof now);
    if (__builtin_expect(first - 1 >= now, 0)) *start = begin;
    *finish = end;
}

/* `zero` is the monotonic clock, in nanoseconds, at the run's time zero. */
void iol__clock_start(int64_t zero);
/* Time begins at another instant. */
void iol__clock_move(int64_t zero);
int64_t iol__clock_monotonic(void);
/* The counter is not to be read any more. */
void iol__clock_give_up(void);
/* Neither the counter nor the system may be asked any more. */
void iol__clock_freeze(void);
/* Goes on after all. */
void iol__clock_thaw(void);

#endif
