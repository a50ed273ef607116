/* Chains of callers as paths in a tree: a node is a return address below the ones that lead to it, and knows the step to the next.
   A chain that was seen before is found by going down the tree, reading one word of the stack for each node; it is
   the same chain for certain, because every word that is read is the one that the unwind tables lead to.

       our wrapper -> write_row+12 -> main+80 -> libc      one leaf
                                   -> main+95 -> libc      another one: a second caller of write_row

   The tree has a fixed room, in memory that is touched as it fills up. Nodes are never removed or changed once they can be
   found; adding one takes a lock that nobody waits for who might hold it himself. */
#ifndef IOL_RUNTIME_WHERE_CHAIN_H
#define IOL_RUNTIME_WHERE_CHAIN_H

#include "runtime/core/core.h"
#include "runtime/where/step.h"

struct iol__row;
struct iolite_record;

enum { IOL_NODE_CODE, IOL_NODE_PYTHON };

/* A word of the stack that has to be there: so far from where a chain begins. */
typedef struct iol__check {
    uintptr_t word;
    intptr_t at;
} iol__check;

typedef struct iol__node {
    uintptr_t word; /* the return address; of Python the code object */
    uintptr_t more; /* 0; the instruction in it */
    struct iol__node *parent;
    struct iol__node *recent; /* the one below that was gone to last */
    iol__step step;
    uint32_t bytes;  /* of code before the return address, where other code may come to be there; of Python what tells
                                 a code object from a later one at the same place */
    uint8_t is;      /* IOL_NODE_* */
    bool checked;    /* `bytes` counts */
    bool ends;       /* chains end here: nobody is above, or nobody knows */
    bool unknown;    /* the second of these */
    uint32_t line;   /* of Python */
    uint64_t key;    /* of the object, or of Python's function: both in the log */
    uint64_t offset; /* in the object */
    const iol__object *object;
    uintptr_t first; /* of an end whose chain can be told by words at fixed distances: its first return address */
    const iol__check *checks, *checks_end; /* and the others */
    uintptr_t extent;                      /* how far up they are */
    struct iolite_record *named;           /* the record that names the object, or the function */
    struct iolite_record *chain;           /* of a leaf: the one of the chain */
    struct iol__row *row;                  /* and the row that was used last */
    uint32_t mark, marked;                 /* iol__where_mark(), and in which process it was asked for; 0: not yet */
} iol__node;

/* What a thread keeps. */
typedef struct iol__where_thread {
    uintptr_t low, high; /* the part of its stack that it knows to be there */
    uintptr_t span;      /* how long that is, while it can be relied on: 0 inside */
    uintptr_t
        inside; /* its frame that adds to the tree, 0 if none does: a handler that comes in between is not followed */
} iol__where_thread;
extern __thread iol__where_thread iol__where_own __attribute__((tls_model("initial-exec"))) IOL_HIDDEN;

enum { IOL_WHERE_SITES = 1024 };
/* By return address, the end of the chain that was found there last. */
extern iol__node **iol__where_sites IOL_HIDDEN;
static inline iol__node **iol__where_site(uintptr_t ra) { return &iol__where_sites[ra / 8 % IOL_WHERE_SITES]; }

/* Frames of most programs have a fixed size at each call, so that a chain that begins with a certain return address has its
   others at fixed distances, and is told by them. */
static inline __attribute__((always_inline)) bool iol__chain_is(const iol__node *end, uintptr_t low, uintptr_t span,
                                                                uintptr_t cfa, uintptr_t ra) {
    if (__atomic_load_n(&end->first, __ATOMIC_ACQUIRE) != ra || cfa - low + end->extent > span) return false;
    for (const iol__check *c = end->checks; c < end->checks_end; c++)
        if (*(const uintptr_t *)(cfa + (uintptr_t)c->at) != c->word) return false; // NOLINT(performance-no-int-to-ptr)
    return true;
}

/* Room for the tree; false without memory. */
bool iol__chains_start(void);
/* In a forked child. */
void iol__chains_reset(void);
/* The leaf of the chain that ends in a frame with this base, whose return address is `ra`; NULL if there is no room for it, or it
   cannot be looked for now. */
iol__node *iol__chain_find(uintptr_t cfa, uintptr_t fp, uintptr_t ra);
/* The lock, for those who have something to add. */
bool iol__chains_enter(void);
void iol__chains_leave(void);
/* Chains without room. */
extern uint64_t iol__chains_folded IOL_HIDDEN;

#endif
