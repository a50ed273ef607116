/* How the ranks of a job talk to each other at the end: messages that are begun and asked after, never waited for
   inside, so that whoever waits can yield the processor and give up in time. */
#ifndef IOL_RUNTIME_MPI_TRANSPORT_H
#define IOL_RUNTIME_MPI_TRANSPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { IOL_TICKETS = 64 /* messages under way at once, of one rank */ };
#define IOL_NO_MESSAGE (-1L)
#define IOL_BROKEN (-2L)

typedef struct iol__transport {
    int rank, size;
    void *self;
    /* Begin a message of at most 2^30 bytes; the bytes stay where they are until it is done. A number >= 0 to ask with,
       or IOL_BROKEN. */
    int (*send)(void *self, int to, int tag, const void *bytes, size_t length);
    int (*receive)(void *self, int from, int tag, void *bytes, size_t room);
    /* Bytes of the next message of that rank and tag, if it is there; IOL_NO_MESSAGE; IOL_BROKEN. */
    long (*probe)(void *self, int from, int tag);
    /* 1 done (and the number is free again), 0 not yet, IOL_BROKEN. */
    int (*done)(void *self, int ticket);
    /* Nobody will ask any more: what is under way is withdrawn as far as that is possible. The memory of messages that
       could not be withdrawn must stay. */
    void (*give_up)(void *self);
} iol__transport;

#endif
