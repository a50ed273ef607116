/* Operations are counted in ordinary memory until there is a store: a program that only looks for files that are not
   there needs none. What comes in while the place changes is added up from both. */
#include "runtime/core/operations.h"

#include <errno.h>
#include <string.h>

#include "runtime/core/files.h"
#include "runtime/core/store.h"
#include "runtime/posix/posix.h"

static iol__operation_group early[IOL_OPERATION_GROUPS];
iol__operation_group *iol__operations = early;

const bool iol__operation_leaves_log[IOL_OPERATIONS] = {
#define OPERATION(NAME, name, alone, what) [IOL_OPERATION_##NAME] = alone,
#include "schema/operations.def"
#undef OPERATION
};

void iol__operation_alone(void) {
    if (!iol__mine() || !iol__files_enter()) return;
    iol__store_open();
    iol__files_leave();
}

/* A call that failed because its path is no pointer says so, and then nobody else may follow it either. */
void iol__operation_at(int operation, bool failed, int directory, const char *path, double begin) {
    const int saved = errno;
    const double end = iol__now();
    if (!(failed && saved == EFAULT) && !iol__posix_module.off && iol__path_watched(directory, path)) {
        iol__operation_add(operation, failed, begin, end);
        if (!iol__store_state.made && !failed && iol__operation_leaves_log[operation]) iol__operation_alone();
    }
    errno = saved;
}

void iol__operation_done(int operation, bool failed, double begin) {
    const int saved = errno;
    if (!iol__posix_module.off) {
        iol__operation_add(operation, failed, begin, iol__now());
        if (!iol__store_state.made && !failed && iol__operation_leaves_log[operation]) iol__operation_alone();
    }
    errno = saved;
}

void iol__operations_move(void) {
    iol__operations = (iol__operation_group *)(void *)(iol__store_state.base + IOL_MAPPED_OPERATIONS_AT);
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    for (int group = 0; group < IOL_OPERATION_GROUPS; group++)
        for (int i = 0; i < IOL_OPERATIONS; i++) {
            iol__operation *from = &early[group][i], *to = &iol__operations[group][i];
            __atomic_fetch_add(&to->count, __atomic_exchange_n(&from->count, 0, __ATOMIC_RELAXED), __ATOMIC_RELAXED);
            __atomic_fetch_add(&to->failed, __atomic_exchange_n(&from->failed, 0, __ATOMIC_RELAXED), __ATOMIC_RELAXED);
            __atomic_fetch_add(&to->time, __atomic_exchange_n(&from->time, 0, __ATOMIC_RELAXED), __ATOMIC_RELAXED);
            if (from->slowest > to->slowest) to->slowest = from->slowest;
        }
}

void iol__operations_reset(void) {
    iol__operations = early;
    memset(early, 0, sizeof early);
}

static void add(iol__operation *total, const iol__operation_group *groups) {
    for (int group = 0; group < IOL_OPERATION_GROUPS; group++)
        for (int i = 0; i < IOL_OPERATIONS; i++) {
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
}
