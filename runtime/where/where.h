/* Which chain of callers made a call (docs/where.md). Callers of this header say what a call did; the rest follows from their
   own stack. Without IOLITE_WHERE it is one branch, and none for transfers, which take another way when it is on. */
#ifndef IOL_RUNTIME_WHERE_H
#define IOL_RUNTIME_WHERE_H

#include "record/where.h"
#include "runtime/core/core.h"

extern bool iol__where_on IOL_HIDDEN;

/* `what` is iol__where_what(). Returns the size, so that who calls it last is no frame of the chain. */
int64_t iol__where_add(uint64_t id, unsigned what, int64_t size, double begin, double end);

/* The mark of a traced request that is made now (record/where.h), with IOL_WHERE_MARKED; 0 without the setting. */
uint32_t iol__where_mark_here(void);
static inline uint32_t iol__where_mark(void) {
    return IOL_UNLIKELY(iol__where_on) ? IOL_WHERE_MARKED | iol__where_mark_here() : 0;
}

/* What is recorded for others, who are not on this stack: nobody is asked for, until it is put back. */
typedef struct iol__where_absence {
    uintptr_t inside;
} iol__where_absence;
iol__where_absence iol__where_leave_out(void);
void iol__where_put_back(const iol__where_absence *before);

struct iolite_record;
/* The record of such a name (record/where.h); NULL if it cannot be made now. */
struct iolite_record *iol__where_record(const char *name);

static inline unsigned iol__where_what(unsigned layer, unsigned kind) { return layer * IOL_WHERE_KINDS + kind; }

/* One call on a file (0: none that has a record), with its bytes and its time. Keeps errno. */
static inline void iol__where(uint64_t id, unsigned layer, unsigned kind, int64_t size, double begin, double end) {
    if (IOL_UNLIKELY(iol__where_on)) iol__where_add(id, iol__where_what(layer, kind), size, begin, end);
}

#endif
