/* Decompressed bytes of modules, kept for those who read them again: a report goes over records twice, and looks for
   evidence in traces, but the file is read and inflated once. Off unless somebody asks for it. */
#ifndef IOL_LOG_KEPT_H
#define IOL_LOG_KEPT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "iolite/log.h"
#include "schema/schema.h"

typedef struct iol__kept {
    size_t left; /* of the budget */
    struct iol__kept_module {
        uint8_t *bytes;
        size_t length, room;
        bool taken; /* by a stream that reads it right now */
        bool whole; /* to its end, without damage */
        bool large; /* it does not fit */
    } modules[IOL_SLOTS];
} iol__kept;

/* Enough for nearly all logs, and no more than a browser takes for the page. */
enum { IOL_KEPT_USUAL = 64 << 20 };
/* From now on, with at most `budget` bytes; what does not fit is read again. Without memory nothing is kept. */
void iol__log_keep(iol_log *log, size_t budget);
/* The calls of a stream: bytes that it has decompressed, and its end. */
void iol__kept_add(iol__kept *kept, int slot, const uint8_t *bytes, size_t length);
void iol__kept_end(iol__kept *kept, int slot, bool whole);
void iol__kept_free(iol__kept *kept);

#endif
