/* Requests that were handed to the kernel and have no result yet, by the number that the result will come with. Equal
   numbers come back in the order in which they went. */
#ifndef IOL_RUNTIME_PENDING_H
#define IOL_RUNTIME_PENDING_H

#include "runtime/posix/posix.h"

/* What is to be done when the result is there. */
typedef enum iol__request_kind {
    IOL_REQUEST_OTHER, /* nothing, but its number counts */
    IOL_REQUEST_READ,
    IOL_REQUEST_WRITE,
    IOL_REQUEST_SYNC,
    IOL_REQUEST_DATASYNC,
    IOL_REQUEST_OPEN,
    IOL_REQUEST_CLOSE,
    IOL_REQUEST_SPLICE,
    IOL_REQUEST_OPERATION, /* counted in total only */
} iol__request_kind;

/* What the program's block says, copied before the request is handed in: afterwards it may be gone at any moment. */
typedef struct iol__rt_request {
    uint64_t number;
    double begin;
    iol__state *state;   /* of the file; NULL: nothing to record */
    iol__opened *opened; /* the same, as long as the descriptor still stands for it */
    int64_t offset;
    iol__state *source; /* where spliced bytes come from */
    int64_t source_offset;
    iol__file *file;  /* that is opened */
    int32_t fd, slot; /* slot: of a table of registered files, from 1 on, or -1 for any; else 0 */
    uint32_t flags, mode;
    uint8_t kind, operation;
    bool unaligned;
    uint32_t next;
} iol__rt_request;

typedef struct iol__pending {
    iol__rt_request *all;
    uint32_t *heads, *tails; /* of the lists of one hash: index + 1, 0 for none */
    uint32_t room, used;     /* a power of two; all[used..] were never taken */
    uint32_t spare;          /* list of those that are free again, index + 1 */
    uint32_t waiting;        /* for a result */
} iol__pending;

/* Empty, with `room` for that many. What is there from before is used again. False without memory. */
bool iol__pending_begin(iol__pending *pending, uint32_t room);
/* A new one, last among those of its number; NULL if there is no room. */
iol__rt_request *iol__pending_add(iol__pending *pending, uint64_t number);
/* The first of this number, which stays; NULL if there is none. */
iol__rt_request *iol__pending_find(iol__pending *pending, uint64_t number);
/* Takes away the first of this number. */
bool iol__pending_take(iol__pending *pending, uint64_t number, iol__rt_request *taken);

/* Records what a request did: bytes moved, or a negative error. */
void iol__request_done(const iol__rt_request *request, int64_t result);

#endif
