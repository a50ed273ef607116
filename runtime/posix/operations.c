/* Operations are counted in ordinary memory until there is a store: a program that only looks for files that are not
   there needs none, unless it does little else. What comes in while the place changes is added up from both. */
#include "runtime/posix/operations.h"

#include <errno.h>
#include <string.h>

#include "runtime/core/files.h"
#include "runtime/core/store.h"
#include "runtime/posix/late.h"
#include "runtime/posix/pages.h"
#include "runtime/posix/posix.h"
#include "runtime/where/where.h"

static iol__operation_group early[IOL_OPERATION_GROUPS];
iol__operation_group *iol__operations = early;

/* Which groups beside the first have counted anything, here or in the store: nobody looks at the others, and most
   processes have one thread. Set before the first addition. */
static uint8_t used[IOL_OPERATION_GROUPS];

static bool counts(int group) { return group == 0 || __atomic_load_n(&used[group], __ATOMIC_RELAXED); }

static const bool leaves_log[IOL_OPERATIONS] = {
#define OPERATION(NAME, name, alone, what) [IOL_OPERATION_##NAME] = alone,
#include "schema/operations.def"
#undef OPERATION
};

static uint64_t enough_calls, enough_time; /* in units of operations; 0: there are never enough */
static uint64_t calls, time_in_them;       /* so far, about: threads do not wait for each other to count here */

/* A program that keeps asking for something that is not there, and does nothing else, waits for it: that is worth
   a log sooner. */
enum { FAILED_WEIGHT = 10 };

static void start(void) {
    const iol__config *config = &iol__core_state.config;
    enough_calls = (uint64_t)iol__setting_number(config, IOL_SET_METADATA_CALLS);
    enough_time = (uint64_t)(iol__setting_number(config, IOL_SET_METADATA_TIME) * (1 / IOL_OPERATION_UNIT));
}

/* The largest of all threads stays. */
static inline void raise_to(uint64_t *slowest, uint64_t time) {
    uint64_t so_far = __atomic_load_n(slowest, __ATOMIC_RELAXED);
    while (IOL_UNLIKELY(time > so_far) &&
           !__atomic_compare_exchange_n(slowest, &so_far, time, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
        continue;
}

void iol__operation_shared(int operation, bool failed, uint64_t time) {
    const unsigned group = iol__thread_number() % IOL_OPERATION_GROUPS;
    if (IOL_UNLIKELY(!__atomic_load_n(&used[group], __ATOMIC_RELAXED)))
        __atomic_store_n(&used[group], 1, __ATOMIC_RELAXED);
    iol__operation *o = &__atomic_load_n(&iol__operations, __ATOMIC_ACQUIRE)[group][operation];
    __atomic_fetch_add(failed ? &o->failed : &o->count, 1, __ATOMIC_RELAXED);
    __atomic_fetch_add(&o->time, time, __ATOMIC_RELAXED);
    raise_to(&o->slowest, time);
}

static bool enough(uint64_t n, uint64_t time) {
    return (enough_calls && n >= enough_calls) || (enough_time && time >= enough_time);
}

bool iol__operations_alone(const iol__operation total[IOL_OPERATIONS]) {
    for (int i = 0; i < IOL_OPERATIONS; i++)
        if (leaves_log[i] && total[i].count) return true;
    return false;
}

bool iol__operations_matter(const iol__operation total[IOL_OPERATIONS]) {
    uint64_t n = 0, time = 0;
    for (int i = 0; i < IOL_OPERATIONS; i++) {
        n += total[i].count + FAILED_WEIGHT * total[i].failed;
        time += total[i].time;
    }
    return enough(n, time);
}

/* There is no store yet: whether one must be made because of this call. */
static void look(int operation, bool failed, double took) {
    if (failed || !leaves_log[operation]) {
        const uint64_t more = took > 0 ? (uint64_t)(int64_t)(took * (1 / IOL_OPERATION_UNIT)) : 0;
        const uint64_t n = __atomic_load_n(&calls, __ATOMIC_RELAXED) + (failed ? FAILED_WEIGHT : 1);
        const uint64_t time = __atomic_load_n(&time_in_them, __ATOMIC_RELAXED) + more;
        __atomic_store_n(&calls, n, __ATOMIC_RELAXED);
        __atomic_store_n(&time_in_them, time, __ATOMIC_RELAXED);
        if (IOL_LIKELY(!enough(n, time))) return;
    }
    if (!iol__mine() || !iol__files_enter()) return;
    iol__store_open();
    iol__files_leave();
}

/* Operations that have no record of a file to count in, by name alone. */
static unsigned where_kind(int operation) {
    switch (operation) {
    case IOL_OPERATION_OPEN: return IOL_WHERE_OPEN;
    case IOL_OPERATION_STAT: return IOL_WHERE_STAT;
    case IOL_OPERATION_SYNC: return IOL_WHERE_SYNC;
    case IOL_OPERATION_RENAME: return IOL_WHERE_RENAME;
    case IOL_OPERATION_TRUNCATE:
    case IOL_OPERATION_ALLOCATE: return IOL_WHERE_RESIZE;
    default: return IOL_WHERE_OTHER;
    }
}

static inline __attribute__((always_inline)) void operation_between(int operation, bool failed, int directory,
                                                                    const char *path, double begin, double end) {
    const bool plain = iol__there(path) && iol__path_plain(directory, path);
    if (IOL_UNLIKELY(!plain && !iol__path_watched(directory, path))) {
        if (iol__files_inside() && iol__there(path) &&
            iol__late_operation(operation, failed, directory, path, begin, end))
            iol__lost_found();
        return;
    }
    iol__operation_add(operation, failed, begin, end);
    if (IOL_UNLIKELY(!iol__store_state.made)) look(operation, failed, end - begin);
    if (operation == IOL_OPERATION_UNLINK && !failed) iol__path_removed(directory, path, end);
    iol__where(0, IOL_WHERE_POSIX, where_kind(operation), 0, begin, end);
}

/* A call that failed because its path is no pointer says so, and then nobody else may follow it either. */
void iol__operation_at(int operation, bool failed, int directory, const char *path, double begin) {
    const int saved = errno;
    if (!(failed && saved == EFAULT) && !iol__posix_module.off)
        operation_between(operation, failed, directory, path, begin, iol__now());
    errno = saved;
}

void iol__operation_between(int operation, bool failed, int directory, const char *path, double begin, double end) {
    operation_between(operation, failed, directory, path, begin, end);
}

void iol__operation_done(int operation, bool failed, double begin) {
    const int saved = errno;
    if (!iol__posix_module.off) {
        const double end = iol__now();
        iol__operation_add(operation, failed, begin, end);
        if (IOL_UNLIKELY(!iol__store_state.made)) look(operation, failed, end - begin);
        iol__where(0, IOL_WHERE_POSIX, where_kind(operation), 0, begin, end);
    }
    errno = saved;
}

static void move(iol__operation *from, iol__operation *to) {
    if (__atomic_load_n(&from->count, __ATOMIC_RELAXED) + __atomic_load_n(&from->failed, __ATOMIC_RELAXED) == 0) return;
    __atomic_fetch_add(&to->count, __atomic_exchange_n(&from->count, 0, __ATOMIC_RELAXED), __ATOMIC_RELAXED);
    __atomic_fetch_add(&to->failed, __atomic_exchange_n(&from->failed, 0, __ATOMIC_RELAXED), __ATOMIC_RELAXED);
    __atomic_fetch_add(&to->time, __atomic_exchange_n(&from->time, 0, __ATOMIC_RELAXED), __ATOMIC_RELAXED);
    raise_to(&to->slowest, __atomic_load_n(&from->slowest, __ATOMIC_RELAXED));
}

void iol__operations_move(void) {
    iol__operation_group *to = (iol__operation_group *)(void *)(iol__store_state.base + IOL_MAPPED_OPERATIONS_AT);
    __atomic_store_n(&iol__operations, to, __ATOMIC_RELEASE);
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    for (int group = 0; group < IOL_OPERATION_GROUPS; group++)
        for (int i = 0; counts(group) && i < IOL_OPERATIONS; i++) move(&early[group][i], &to[group][i]);
}

void iol__operations_reset(void) {
    iol__operations = early;
    for (int group = 0; group < IOL_OPERATION_GROUPS; group++)
        if (counts(group)) memset(early[group], 0, sizeof early[group]);
    memset(used, 0, sizeof used);
    calls = time_in_them = 0;
    iol__pages_reset();
}

static void add(iol__operation *total, const iol__operation_group *groups) {
    for (int group = 0; group < IOL_OPERATION_GROUPS; group++)
        for (int i = 0; counts(group) && i < IOL_OPERATIONS; i++) {
            const iol__operation *from = &groups[group][i];
            total[i].count += from->count;
            total[i].failed += from->failed;
            total[i].time += from->time;
            if (from->slowest > total[i].slowest) total[i].slowest = from->slowest;
        }
}

void iol__operations_total(iol__operation total[IOL_OPERATIONS_ROOM]) {
    memset(total, 0, IOL_OPERATIONS_ROOM * sizeof *total);
    add(total, (const iol__operation_group *)iol__operations);
    if (iol__operations != early) add(total, (const iol__operation_group *)early);
    iol__pages_total(&total[IOL_OPERATION_PAGE_FAULT]);
}

iol__runtime_module iol__operations_module = {
    .start = start,
    .reset = iol__operations_reset,
    .stored = iol__operations_move,
};
