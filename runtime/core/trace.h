/* Traced operations (DXT): each transfer of a file as a segment in the store. The state of a file, in a module that
   traces, has one of these; the module says where (iol__runtime_module.trace). */
#ifndef IOL_RUNTIME_CORE_TRACE_H
#define IOL_RUNTIME_CORE_TRACE_H

#include "record/mapped.h"
#include "runtime/core/common.h"

typedef struct iol__trace {
    uint8_t slot;                                  /* in the log; 0: the file is not traced */
    bool written_out;                              /* while the log is written: it is there */
    iol__trace_chunk *chunks[2], *first_chunks[2]; /* the one that is being filled, and where to begin; read, written */
} iol__trace;

enum { IOL_SEGMENT = 40, IOL_SHORT_SEGMENT = 32 /* without the thread */ };

/* What stands before the segments of a file in the log. */
typedef struct iol__trace_head {
    uint64_t id;
    int64_t rank, shared;
    char host[64];
    int64_t writes, reads;
} iol__trace_head;
_Static_assert(sizeof(iol__trace_head) == 104, "as the format has it");

/* Whether a file is to be traced, in this slot. */
void iol__trace_begin(iol__trace *trace, const iol__state *state, int slot);
/* With the record's guard held, if the file is traced. `mark`: iol__where_mark(). */
void iol__trace_add(iol__trace *trace, uint64_t id, iol__direction direction, int64_t offset, int64_t size,
                    double begin, double end, uint32_t mark);
/* Takes it back. */
void iol__trace_drop(iol__trace *trace);
/* The chunk that goes on where this one ends, or NULL. */
const iol__trace_chunk *iol__trace_following(const iol__trace_chunk *chunk);
/* The head of a file's trace; false if it is empty. */
bool iol__trace_head_of(const iol__trace *trace, uint64_t id, int64_t rank, const char *host, iol__trace_head *head);
/* The trace of a file's state; NULL if its module has none. */
iol__trace *iol__trace_of(iol__state *state);
/* The state that a chunk belongs to; NULL if it is not known. */
iol__state *iol__trace_owner(const iol__trace_chunk *chunk);

#endif
