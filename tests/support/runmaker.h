/* What processes under `iolite run` leave, for tests: mapped files, spools of packed ones, and the list of
   processes. */
#ifndef IOL_TESTS_RUNMAKER_H
#define IOL_TESTS_RUNMAKER_H

#include "record/mapped.h"
#include "tests/support/logrecords.h"

/* Turn a synthetic log into a mapped file of Iolite, in this machine's byte order. Magic and size of the facts are
   filled in; without a time zero they get the start of the log, and the log gets theirs otherwise. */
void rm_make(lm_log *log, const iol__mapped *facts);
/* Add a chunk of traced operations with room for more. */
void rm_trace(lm_log *log, int slot, uint64_t id, bool write, const lm_segment *segments, uint32_t used, uint32_t room);

/* Finish and free the log, and put it into a spool, which is begun when it is empty; and other bytes, not packed. */
void rm_spool(bytes *spool, lm_log *log);
void rm_spool_bytes(bytes *spool, const uint8_t *frame, size_t length);
/* Add an entry to a list of processes; `how` is one of IOL_STARTED_*, or 0. */
void rm_process(bytes *list, const iol__mapped *facts, const char *command, uint64_t how);

#endif
