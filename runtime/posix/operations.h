/* Totals of operations beyond reading and writing: how often, how many failed, how long (schema/operations.def). They
   are kept for a few groups of threads, so that threads that seek or open do not fight for a cache line, and live in the
   head of the store as soon as there is one. */
#ifndef IOL_RUNTIME_OPERATIONS_H
#define IOL_RUNTIME_OPERATIONS_H

#include "record/mapped.h"
#include "runtime/core/core.h"

typedef iol__operation iol__operation_group[IOL_OPERATIONS_ROOM];

/* Where they are counted now. */
extern iol__operation_group *iol__operations IOL_HIDDEN;

/* By one thread of several. */
void iol__operation_shared(int operation, bool failed, uint64_t time);

/* One more. */
static inline void iol__operation_add(int operation, bool failed, double begin, double end) {
    const int64_t took = (int64_t)((end - begin) * (1 / IOL_OPERATION_UNIT));
    const uint64_t time = took > 0 ? (uint64_t)took : 0;
    if (IOL_UNLIKELY(!iol__alone())) {
        iol__operation_shared(operation, failed, time);
        return;
    }
    iol__operation *o = &iol__operations[0][operation];
    iol__add_at_once(failed ? &o->failed : &o->count, 1);
    iol__add_at_once(&o->time, time);
    if (IOL_UNLIKELY(time > o->slowest)) o->slowest = time;
}

/* The same, now, for a call on a path that the program gave. Keeps errno, which also says whether the path may be
   looked at. */
void iol__operation_at(int operation, bool failed, int directory, const char *path, double begin);
/* The same of an earlier time. */
void iol__operation_between(int operation, bool failed, int directory, const char *path, double begin, double end);
/* On something that is known to be watched. */
void iol__operation_done(int operation, bool failed, double begin);

/* The store is there: counting goes on in it. */
void iol__operations_move(void);
/* Nothing was counted yet, in a forked child. */
void iol__operations_reset(void);
/* Whether there is one that leaves a log by itself. */
bool iol__operations_alone(const iol__operation total[IOL_OPERATIONS]);
/* Whether their number or their time is worth a log if there is nothing else. */
bool iol__operations_matter(const iol__operation total[IOL_OPERATIONS]);
/* All groups together. */
void iol__operations_total(iol__operation total[IOL_OPERATIONS_ROOM]);

#endif
