/* The rare ends of the record lock: somebody else is inside, or we are, in a signal handler above ourselves. */
#include "runtime/core/guard.h"

#include "runtime/core/core.h"
#include "runtime/core/files.h"
#include "runtime/core/heatmap.h"
#include "runtime/core/sys.h"

#include <errno.h>
#include <time.h>

__thread iol__thread_state iol__thread __attribute__((tls_model("initial-exec")));
uint16_t iol__updates_waiting;

static const char not_known;
const char *single_threaded __asm__("iol__single_threaded") __attribute__((visibility("hidden"))) = &not_known;

void iol__single_threaded_set(const char *where) { single_threaded = where; }

uint32_t iol__thread_number_take(void) {
    static uint32_t threads;
    const uint32_t number = __atomic_add_fetch(&threads, 1, __ATOMIC_RELAXED);
    return iol__thread.number = number ? number : 1;
}

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

enum { SPINS = 200, YIELDS = 300, NAP_NS = 50000, NAPS = 40000, FEW_NAPS = 10 };

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

/* Threads that can be cancelled anywhere: who they are here, and for the kernel. The oldest give way. */
enum { MORTALS = 256 };
static struct mortal {
    uintptr_t who;
    int tid;
} mortals[MORTALS];
static uint32_t n_mortals;
bool iol__any_mortals;

void iol__mortal_note(void) {
    const uintptr_t me = iol__me();
    const int saved = errno, tid = (int)sys(gettid, 0);
    for (uint32_t i = 0; i < MORTALS; i++)
        if (__atomic_load_n(&mortals[i].who, __ATOMIC_ACQUIRE) == me) mortals[i].who = 0; /* of a thread before us */
    struct mortal *m = &mortals[__atomic_fetch_add(&n_mortals, 1, __ATOMIC_RELAXED) % MORTALS];
    m->tid = tid;
    __atomic_store_n(&m->who, me, __ATOMIC_RELEASE);
    iol__thread.mortal = iol__any_mortals = true;
    errno = saved;
}

void iol__mortal_forget(void) { iol__thread.mortal = false; }

static bool of_state(const iol__guard *guard) {
    for (const iol__state *s = iol__files_states(); s; s = s->next)
        if (&s->guard == guard) return true;
    return false;
}

/* Whether a thread was cancelled inside the guard of a state or a heat map: counters are whole words, so what it left can be
   used. */
static bool died_inside(const iol__guard *guard, uintptr_t owner) {
    bool gone = false;
    if (!__atomic_load_n(&iol__any_mortals, __ATOMIC_RELAXED)) return false;
    const bool usable = of_state(guard) || iol__heat_usable(guard);
    for (uint32_t i = 0; usable && i < MORTALS; i++)
        if (__atomic_load_n(&mortals[i].who, __ATOMIC_ACQUIRE) == owner)
            gone = sys(tgkill, iol__core_state.pid, mortals[i].tid, 0) != 0 && errno == ESRCH;
    return gone;
}

/* Waits for whoever is inside; false if that is ourselves, or nobody has come out in these rounds. */
static bool wait_rounds(iol__guard *guard, uintptr_t me, int from, int to) {
    const int saved = errno;
    uintptr_t owner = 0;
    bool entered = false;
    for (int round = from; !entered && owner != me && round < to; round++) {
        owner = 0;
        entered = __atomic_compare_exchange_n(&guard->owner, &owner, me, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED);
        if (!entered && owner != me) rest(round);
    }
    errno = saved;
    return entered;
}

/* Two seconds or more. */
bool iol__guard_wait(iol__guard *guard, uintptr_t me) { return wait_rounds(guard, me, 0, SPINS + YIELDS + NAPS); }

static bool take_over(iol__guard *guard, uintptr_t me) {
    const int saved = errno;
    uintptr_t owner = __atomic_load_n(&guard->owner, __ATOMIC_RELAXED);
    const bool died = owner && owner != me && died_inside(guard, owner & ~IOL_GUARD_STUCK);
    errno = saved;
    return died && __atomic_compare_exchange_n(&guard->owner, &owner, me, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED);
}

/* As long, and now and then a look whether there is somebody to wait for. */
static bool wait_for_record(iol__guard *guard, uintptr_t me) {
    int from = 0;
    for (int to = SPINS + YIELDS + FEW_NAPS; to <= SPINS + YIELDS + NAPS; from = to, to += FEW_NAPS) {
        if (wait_rounds(guard, me, from, to) || take_over(guard, me)) return true;
        if (__atomic_load_n(&guard->owner, __ATOMIC_RELAXED) == me) return false;
    }
    return false;
}

static uintptr_t owner_of(const iol__guard *guard) {
    return __atomic_load_n(&guard->owner, __ATOMIC_RELAXED) & ~IOL_GUARD_STUCK;
}

/* Ourselves, interrupted by a signal: the update waits. If nobody ever comes to take the updates that wait, the handler
   left by longjmp, and the record is ours. If somebody else has been in there for seconds, that thread waits for a slow
   disk or for a processor: nobody waits for that record any more until it comes out, or is found to be gone. */
bool iol__record_wait(iol__guard *guard, uintptr_t me) {
    const bool stuck = __atomic_load_n(&guard->owner, __ATOMIC_RELAXED) & IOL_GUARD_STUCK;
    if (stuck ? take_over(guard, me) : wait_for_record(guard, me)) return true;
    uintptr_t owner = owner_of(guard);
    if (owner == me) return iol__thread_own()->waiting == IOL_WAITING || iol__thread.ending;
    if (owner != 0)
        __atomic_compare_exchange_n(&guard->owner, &owner, owner | IOL_GUARD_STUCK, false, __ATOMIC_ACQUIRE,
                                    __ATOMIC_RELAXED);
    return false;
}

void iol__update_keep(const iol__guard *guard, const iol__update *update) {
    if (owner_of(guard) != iol__me() || iol__thread_own()->waiting == IOL_WAITING) {
        iol__count_lost();
        return;
    }
    iol__thread.updates[iol__thread.waiting] = *update;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    iol__thread.waiting++;
    __atomic_add_fetch(&iol__updates_waiting, 1, __ATOMIC_RELAXED);
}

static void apply_one_round(void) {
    iol__update updates[IOL_WAITING];
    const uint32_t n = iol__thread.waiting;
    for (uint32_t i = 0; i < n; i++) updates[i] = iol__thread.updates[i];
    iol__thread.waiting = 0;
    __atomic_sub_fetch(&iol__updates_waiting, (uint16_t)n, __ATOMIC_RELAXED);
    for (uint32_t i = 0; i < n; i++) updates[i].apply(&updates[i]);
}

/* One round: an update whose record is still occupied, further down this very stack, waits again. A handler that came in
   between and left by longjmp would take the rest with it, so handlers wait, too. */
void iol__updates_apply(void) {
    uint64_t before;
    if (iol__thread_own()->waiting == 0) return;
    const int saved = errno;
    const bool held = iol__signals_keep_waiting(&before);
    apply_one_round();
    if (held) iol__signals_let_in(before);
    errno = saved;
}

void iol__updates_apply_last(void) {
    iol__thread.ending = true;
    iol__updates_apply();
    iol__thread.ending = false;
}
