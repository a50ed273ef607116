/* Anchors of the clock. A program starts on the system's clock; after ten milliseconds the counter's rate is known well
   enough, and from then on a new anchor is set every second. Anchors are never changed once they are published; eight
   of them take turns, so a thread that was held up between two loads would have to sleep for eight seconds to see a
   torn one. */
#include "runtime/core/clock.h"

#include "runtime/core/sys.h"

#include <stdbool.h>
#include <time.h>
#if defined(__x86_64__)
#include <cpuid.h>
#include <sys/prctl.h>
#endif

enum { ANCHORS = 8 };
#define NS 1e9
#define FIRST_LOOK 0.01 /* seconds until the rate is believed */
#define UNITS (1 / (IOL_GRAIN * NS))

static iol__anchor anchors[ANCHORS]; /* the first one has span 0: nothing is calibrated */
const iol__anchor *iol__clock = &anchors[0];
static unsigned turn;
static int setting; /* somebody is at it */
static bool usable;
static int64_t frozen_ns; /* not 0: nobody may be asked any more, and time stands still */
static bool given_up;     /* libc's own way to the time reads the counter too; then the kernel is asked */
static double trust;      /* seconds for which an anchor is believed; 0: not known yet */
static int64_t zero_ns, first_ns;
static uint64_t first_ticks;

int64_t iol__clock_monotonic(void) {
    struct timespec now = {0, 0};
    if (frozen_ns) return frozen_ns;
    if (given_up)
        sys(clock_gettime, CLOCK_MONOTONIC, &now);
    else
        clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

/* Whether the counter can be read at all, and whether it is known to run at one rate on all cores. */
static bool counter_readable(void) {
#if defined(__x86_64__)
    int mode = PR_TSC_ENABLE;
    return prctl(PR_GET_TSC, &mode) != 0 || mode == PR_TSC_ENABLE;
#elif defined(__aarch64__)
    return true;
#else
    return false;
#endif
}

static bool counter_steady(void) {
#if defined(__x86_64__)
    unsigned a, b, c, d;
    return __get_cpuid(0x80000007, &a, &b, &c, &d) && (d & 1u << 8);
#else
    return true;
#endif
}

void iol__clock_start(int64_t zero) {
    usable = counter_readable();
    first_ns = iol__clock_monotonic();
    zero_ns = zero < first_ns ? zero : first_ns; /* times are never negative */
    first_ticks = usable ? iol__ticks() : 0;
}

/* A counter that changes its pace, or differs between cores, does not end up where the last anchor says. */
static bool as_foretold(int64_t ns, uint64_t ticks) {
    const iol__anchor *last = iol__clock;
    if (last->span == 0) return true;
    const double since = (double)(int64_t)(ticks - last->ticks) * last->scale;
    const double error = (double)(ns - zero_ns) / NS - (last->time + since), allowed = 0.01 * since + 1e4 * IOL_GRAIN;
    return error < allowed && -error < allowed;
}

static void set_anchor(void) {
    if (__atomic_exchange_n(&setting, 1, __ATOMIC_ACQUIRE)) return;
    if (trust == 0) trust = counter_steady() ? 1 : FIRST_LOOK; /* a virtual machine takes its time to answer */
    const int64_t ns = iol__clock_monotonic();
    const uint64_t ticks = iol__ticks();
    const double passed = (double)(ns - first_ns), rate = passed / (double)(int64_t)(ticks - first_ticks);
    if (ticks <= first_ticks || rate <= 0 || !as_foretold(ns, ticks)) {
        usable = false; /* the system's clock from now on */
        __atomic_store_n(&iol__clock, &anchors[0], __ATOMIC_RELEASE);
    } else {
        turn = turn % (ANCHORS - 1) + 1;
        anchors[turn] = (iol__anchor){
            .ticks = ticks,
            .span = (uint64_t)(trust * NS / rate),
            .time = (ns > zero_ns ? (double)(ns - zero_ns) / NS : IOL_GRAIN) - IOL_GRAIN / 2,
            .scale = rate / NS,
        };
        __atomic_store_n(&iol__clock, &anchors[turn], __ATOMIC_RELEASE);
    }
    __atomic_store_n(&setting, 0, __ATOMIC_RELEASE);
}

void iol__clock_move(int64_t zero) {
    zero_ns = zero;
    __atomic_store_n(&iol__clock, &anchors[0], __ATOMIC_RELEASE);
}

void iol__clock_freeze(void) {
    frozen_ns = iol__clock_monotonic();
    iol__clock_give_up();
}

/* The system's clock goes on. */
void iol__clock_thaw(void) { frozen_ns = 0; }

void iol__clock_give_up(void) {
    usable = false;
    given_up = true;
    __atomic_store_n(&iol__clock, &anchors[0], __ATOMIC_RELEASE);
}

double iol__clock_slow(void) {
    const int64_t now = iol__clock_monotonic();
    if (usable && (double)(now - first_ns) > FIRST_LOOK * NS) set_anchor();
    const double time = (double)(int64_t)((double)(now - zero_ns) * UNITS) * IOL_GRAIN;
    return time > 0 ? time : IOL_GRAIN; /* 0 would mean that nothing happened */
}
