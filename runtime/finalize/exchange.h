/* Messages along two trees of ranks. In the deep one a rank whose number, written with base 4, ends with n zeros stands
   for itself and the next 4^n - 1 ranks, so that every branch is a range of ranks, and what comes up from branches, one
   after the other, is in order of rank: records go that way. In the flat one a rank has up to 32 others below it, for
   what is short or has no order: few have to wait for somebody who waits for somebody.

   Nothing blocks: a waiting rank sleeps between two looks, and gives up at the deadline. A rank that cannot go on tells its
   neighbours, so that they need not wait that long. */
#ifndef IOL_RUNTIME_EXCHANGE_H
#define IOL_RUNTIME_EXCHANGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/mpi/transport.h"

enum { IOL_BRANCHES = 4, IOL_CHILDREN = 48, IOL_FLAT_CHILDREN = 32, IOL_MESSAGE_MOST = 1 << 30 };

/* What a message is about. */
enum {
    IOL_TAG_SURVEY = 1, /* up: files and totals */
    IOL_TAG_PLAN,       /* down: what is shared, and who writes */
    IOL_TAG_RECORDS,    /* up: shared records, and all others as far as the next writer */
    IOL_TAG_SIZES,      /* from a writer to rank 0 */
    IOL_TAG_ORDER,      /* from rank 0 to a writer */
    IOL_TAG_ANSWER,     /* and back */
    IOL_TAG_BYTES,      /* of a writer that cannot reach the file */
    IOL_TAG_WORD,       /* down: how it went */
    IOL_TAG_TIMES,      /* up: how long it took */
    IOL_TAG_ABANDONED,  /* the sender does not take part any more */
};

typedef struct iol__rt_exchange {
    const iol__transport *transport; /* NULL: one rank alone */
    int rank, size;
    int parent, children[IOL_CHILDREN], n_children; /* in order of rank */
    int flat_parent, first_flat, n_flat;            /* children follow each other */
    int64_t deadline;                               /* of the monotonic clock, nanoseconds */
    bool busy;                                      /* ranks have work of their own to do */
    bool broken;
    int tickets[IOL_TICKETS]; /* of messages that were sent and may not be done */
    int n_tickets;
    uint64_t sent, sent_bytes; /* messages */
} iol__rt_exchange;

typedef struct iol__message {
    uint8_t *bytes;
    size_t length, room;
} iol__message;

void iol__exchange_start(iol__rt_exchange *x, const iol__transport *transport, double seconds);
void iol__exchange_stop(iol__rt_exchange *x);
/* Whether ranks have work of their own to do now, so that those who wait must not be in their way. */
void iol__exchange_busy(iol__rt_exchange *x, bool busy);
/* Whether a message is there already. */
bool iol__exchange_there(const iol__rt_exchange *x, int from, int tag);
/* Begins; the bytes stay where they are until it is settled. False once the exchange is broken. */
bool iol__exchange_send(iol__rt_exchange *x, int to, int tag, const void *bytes, size_t length);
/* The next message; false once the exchange is broken, or if there is no memory for it, which breaks it. */
bool iol__exchange_receive(iol__rt_exchange *x, int from, int tag, iol__message *message);
void iol__message_free(iol__message *message);
/* All that was sent is done. */
bool iol__exchange_settle(iol__rt_exchange *x);
/* The same message for all children of the flat tree. */
bool iol__exchange_send_down(iol__rt_exchange *x, int tag, const void *bytes, size_t length);
/* This rank cannot go on: those around it, and `others`, are notified. */
void iol__exchange_abandon(iol__rt_exchange *x, const int *others, int n_others);

#endif
