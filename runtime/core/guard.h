/* The tiny lock of a record. It is a word that names its owner. While the process has one thread it is a plain store;
   with more it is one exchange. A signal handler that interrupts its own thread inside finds its own name there: it
   does not wait, it leaves its update with the thread, which makes it when it is done. Nobody waits for ever: the
   update of a thread that cannot get in is dropped, and counted as lost. */
#ifndef IOL_RUNTIME_GUARD_H
#define IOL_RUNTIME_GUARD_H

#include <stdbool.h>
#include <stdint.h>

/* Where libc says that the process has one thread. A C library before 2.32 does not tell: then it is a byte that is 0, and
   locks are always taken. It is set before anything is recorded, so that the compiler need not read it twice. */
extern const char *const iol__single_threaded __attribute__((visibility("hidden")));
void iol__single_threaded_set(const char *where);
#define iol__alone() (*iol__single_threaded)
/* The kernel is asked where libc does not say that there is one. */
bool iol__has_other_threads(void);

/* Adds to a word of a thread that is alone, in one instruction, which no signal handler comes between: of `+=` a compiler may
   make three. */
static inline __attribute__((always_inline)) void iol__add_at_once(uint64_t *word, uint64_t more) {
#if defined(__x86_64__)
    __asm__("addq %1, %0" : "+m"(*word) : "er"(more) : "cc");
#else
    __atomic_fetch_add(word, more, __ATOMIC_RELAXED);
#endif
}

typedef struct iol__guard {
    uintptr_t owner;
} iol__guard;

#define IOL_GUARD_STUCK ((uintptr_t)1) /* set beside the owner, which has not come out for too long */

/* An update that waits for its own thread to leave the record that it is about. */
typedef struct iol__update {
    void (*apply)(const struct iol__update *update);
    void *record;
    int64_t offset, size;
    double begin, end;
    int32_t kind, extra;
} iol__update;

enum { IOL_WAITING = 8 };

/* What Iolite keeps for each thread. */
typedef struct iol__thread_state {
    uint32_t number;       /* from 1 on, 0 before the first operation */
    uint32_t waiting;      /* updates in `updates` */
    uint8_t shares_memory; /* a child of vfork may be running on this thread's stack and memory */
    uint8_t mortal;        /* it may end at any instruction */
    uint8_t ending;        /* the process ends: nothing further down its stack is gone back to */
    uint32_t epoch;        /* that the two above are of: a forked child inherits them, but not what they are about */
    iol__update updates[IOL_WAITING];
} iol__thread_state;

extern __thread iol__thread_state iol__thread __attribute__((tls_model("initial-exec")));

/* Updates that wait, of all threads: cheaper to look at than those of this one, of which there are none if it is 0. */
extern uint16_t iol__updates_waiting __attribute__((visibility("hidden")));

/* The next number that nobody has. */
uint32_t iol__thread_number_take(void);
static inline uint32_t iol__thread_number(void) {
    const uint32_t number = iol__thread.number;
    return __builtin_expect(number != 0, 1) ? number : iol__thread_number_take();
}

/* What this thread keeps, without what a fork made void. */
iol__thread_state *iol__thread_own(void);

/* This thread may end at any instruction, inside a guard too (asynchronous cancellation): who waits for it then looks
   whether it is still there. Or it may not any more. */
void iol__mortal_note(void);
void iol__mortal_forget(void);
/* Whether there was ever one. */
extern bool iol__any_mortals __attribute__((visibility("hidden")));

bool iol__guard_wait(iol__guard *guard, uintptr_t me);
bool iol__record_wait(iol__guard *guard, uintptr_t me);
void iol__updates_apply(void);
/* The same at the end of the process, with nothing left to wait for. */
void iol__updates_apply_last(void);
/* For an update that could not get in: it waits if the thread is in there itself, else it is lost. */
void iol__update_keep(const iol__guard *guard, const iol__update *update);

static inline uintptr_t iol__me(void) {
#if defined(__x86_64__) && !defined(__clang__) && __GNUC__ < 11 /* which has no such function for this processor */
    uintptr_t me;
    __asm__("movq %%fs:0, %0" : "=r"(me));
    return me;
#elif defined(__powerpc64__) && !defined(__clang__) && __GNUC__ < 13
    uintptr_t me;
    __asm__("mr %0, 13" : "=r"(me));
    return me;
#else
    return (uintptr_t)__builtin_thread_pointer();
#endif
}

/* `alone`: this is known to be the only thread. */
static inline __attribute__((always_inline)) bool iol__guard_take(iol__guard *guard, bool alone) {
    const uintptr_t me = iol__me();
    if (alone) {
        if (__builtin_expect(guard->owner != 0, 0)) return false;
        guard->owner = me;
        __atomic_signal_fence(__ATOMIC_SEQ_CST);
        return true;
    }
    uintptr_t none = 0;
    return __atomic_compare_exchange_n(&guard->owner, &none, me, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED);
}

static inline bool iol__guard_try(iol__guard *guard) {
    if (__builtin_expect(iol__alone(), 1)) return iol__guard_take(guard, true);
    return iol__guard_take(guard, false);
}

/* False if the update cannot be made now. */
static inline bool iol__guard_enter(iol__guard *guard) {
    return __builtin_expect(iol__guard_try(guard), 1) || iol__record_wait(guard, iol__me());
}

/* Updates that wait for this thread go on waiting: they are made when it leaves a guard the next time. */
static inline void iol__guard_drop(iol__guard *guard) {
    __atomic_store_n(&guard->owner, 0, __ATOMIC_RELEASE);
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
}

static inline void iol__guard_leave(iol__guard *guard) {
    iol__guard_drop(guard);
    if (__builtin_expect(iol__updates_waiting != 0, 0)) iol__updates_apply();
}

#endif
