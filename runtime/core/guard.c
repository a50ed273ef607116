/* The rare ends of the record lock: somebody else is inside, or we are, in a signal handler above ourselves. */
#include "runtime/core/guard.h"

#include "runtime/core/core.h"
#include "runtime/core/sys.h"

#include <errno.h>
#include <time.h>

__thread iol__thread_state iol__thread __attribute__((tls_model("initial-exec")));
uint16_t iol__updates_waiting;

static const char not_known;
const char *single_threaded __asm__("iol__single_threaded") __attribute__((visibility("hidden"))) = &not_known;

void iol__single_threaded_set(const char *where) { single_threaded = where; }

iol__thread_state *iol__thread_own(void) {
    iol__thread_state *thread = &iol__thread;
    if (thread->epoch != iol__core_state.epoch) {
        thread->waiting = 0;
        thread->shares_memory = 0;
        __atomic_signal_fence(__ATOMIC_SEQ_CST);
        thread->epoch = iol__core_state.epoch;
    }
    return thread;
}

enum { SPINS = 200, YIELDS = 300, NAP_NS = 50000, NAPS = 40000 }; /* two seconds in all */

static inline void breathe(void) {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

static void rest(int round) {
    if (round < SPINS) {
        breathe();
    } else if (round < SPINS + YIELDS) {
        sys(sched_yield, 0);
    } else {
        struct timespec nap = {0, NAP_NS};
        sys(nanosleep, &nap, NULL);
    }
}

/* Waits for whoever is inside; false if that is ourselves, or nobody has come out for two seconds. */
bool iol__guard_wait(iol__guard *guard, uintptr_t me) {
    const int saved = errno;
    uintptr_t owner = 0;
    bool entered = false;
    for (int round = 0; !entered && owner != me && round < SPINS + YIELDS + NAPS; round++) {
        owner = 0;
        entered = __atomic_compare_exchange_n(&guard->owner, &owner, me, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED);
        if (!entered && owner != me) rest(round);
    }
    errno = saved;
    return entered;
}

/* Ourselves, interrupted by a signal: the update waits. If nobody ever comes to take the updates that wait, the handler
   left by longjmp, and the record is ours. If somebody else has been in there for seconds, that thread is gone, or
   waits for a slow disk: nobody waits for that record any more until it comes out. */
bool iol__record_wait(iol__guard *guard, uintptr_t me) {
    if (__atomic_load_n(&guard->owner, __ATOMIC_RELAXED) == IOL_GUARD_STUCK) return false;
    if (iol__guard_wait(guard, me)) return true;
    uintptr_t owner = __atomic_load_n(&guard->owner, __ATOMIC_RELAXED);
    if (owner == me) return iol__thread_own()->waiting == IOL_WAITING;
    if (owner != 0)
        __atomic_compare_exchange_n(&guard->owner, &owner, IOL_GUARD_STUCK, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED);
    return false;
}

void iol__update_keep(const iol__guard *guard, const iol__update *update) {
    if (__atomic_load_n(&guard->owner, __ATOMIC_RELAXED) != iol__me() || iol__thread_own()->waiting == IOL_WAITING) {
        iol__count_lost();
        return;
    }
    iol__thread.updates[iol__thread.waiting] = *update;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    iol__thread.waiting++;
    __atomic_add_fetch(&iol__updates_waiting, 1, __ATOMIC_RELAXED);
}

/* One round: an update whose record is still occupied, further down this very stack, waits again. */
void iol__updates_apply(void) {
    iol__update updates[IOL_WAITING];
    const uint32_t n = iol__thread_own()->waiting;
    if (n == 0) return;
    for (uint32_t i = 0; i < n; i++) updates[i] = iol__thread.updates[i];
    iol__thread.waiting = 0;
    __atomic_sub_fetch(&iol__updates_waiting, (uint16_t)n, __ATOMIC_RELAXED);
    for (uint32_t i = 0; i < n; i++) updates[i].apply(&updates[i]);
}
