/* Mapped files of Iolite as logs: the facts behind the job record, and traced operations, which lie in chunks and are
   shown as the records that a finished log would have. */
#ifndef IOL_LOG_MAPPED_H
#define IOL_LOG_MAPPED_H

#include "iolite/log.h"
#include "record/mapped.h"

/* The facts, if the log is a mapped file of Iolite, go to log->facts; its chunks become modules. Damage is noted in the
   log. Comes after header and job. */
void iol__mapped_read(iol_log *log);
void iol__mapped_free(iol_log *log);

/* Where reading stands in the traced operations of one module. All zero at the start. */
typedef struct iol__trace_cursor {
    size_t file;
    bool inside; /* the head of the file's record has been delivered */
    bool reads;
    uint32_t chunk, done;
} iol__trace_cursor;

/* True if the records of this module come from chunks. */
bool iol__mapped_has_trace(const iol_log *log, int slot);
/* The next bytes of that module, as a finished log would have them: 0 at the end, minus the status of an error, which
   is noted. `room` is at least 256. */
int64_t iol__mapped_trace(iol_log *log, int slot, iol__trace_cursor *cursor, uint8_t *to, size_t room);

#endif
