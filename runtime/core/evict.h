/* Which records give way to others past the budget. With the lock of the files held. */
#ifndef IOL_RUNTIME_EVICT_H
#define IOL_RUNTIME_EVICT_H

#include "runtime/core/core.h"

/* A state with a record for this file, taken from another one; NULL if none gives way. */
iol__state *iol__evict(iol__file *file, iol__runtime_module *module);
/* A state has got a record. */
void iol__evict_note(iol__state *state);
/* Whether this is the first time that a file is counted in <FOLDED>. */
bool iol__evict_first_time(uint64_t id, int slot);
/* Whether it was counted there before, here or in a process that this one was forked from; also true
   if there were more than could be counted. */
bool iol__evict_was_folded(uint64_t id, int slot);
/* In a forked child: nobody has a record. */
void iol__evict_reset(void);

#endif
