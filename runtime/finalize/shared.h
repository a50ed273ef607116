/* Records that all ranks have, on their way up the tree to become one. Every rank knows which they are and in which
   order, so a message has their values alone, and of these only the ones that are not zero. Messages are gone through
   side by side, record by record, so that nothing has to be kept but messages.

   The result does not depend on the shape of the tree: times are whole multiples of 2^-28 s, so their sums are exact;
   what variances are made of is kept in integers; and more common values travel than a record has room for. */
#ifndef IOL_RUNTIME_SHARED_H
#define IOL_RUNTIME_SHARED_H

#include "record/reduce.h"
#include "runtime/finalize/exchange.h"
#include "runtime/finalize/layout.h"
#include "runtime/finalize/spread.h"

/* Of one module. */
typedef struct iol__shared_module {
    const iol__layout *layout;
    iol__reduction how;
    size_t count;         /* of its records */
    uint64_t sent[3];     /* words that others need: bits, the first for that behind id and rank */
    uint64_t made[3];     /* of these, what is not simply combined word by word */
    const uint64_t **own; /* those of this rank, by number of the file: on rank 0 records, else as they are sent */
} iol__shared_module;

typedef struct iol__shared_message {
    const uint64_t *at, *end;
    int64_t rank; /* that it is of; -1: of several */
} iol__shared_message;

typedef struct iol__shared {
    iol__shared_module modules[IOL_SLOTS_KNOWN];
    const uint64_t *ids; /* files that all ranks have, and bits for the modules in which they do */
    const uint32_t *masks;
    size_t files;
    int64_t rank;
    double shift;
    uint64_t *own_at;                /* where the next own record goes, as it is sent */
    size_t own_left;                 /* words there */
    size_t own_words;                /* of all of them */
    iol__shared_message messages[3]; /* what was heard, and is not combined yet */
    int n_messages;
    bool first_is_ours; /* the first of them needs no bytes of others */
    uint64_t *folded;   /* where what was combined is */
    size_t folded_bytes;
    bool damaged; /* what was heard makes no sense, or there was no memory for it */
} iol__shared;

/* A list of files, in ascending order of ids, which stays. False without memory. */
bool iol__shared_start(iol__shared *shared, const uint64_t *ids, const uint32_t *masks, size_t files, int64_t rank,
                       double shift);
/* A record of this rank, as it is in the store, and the number of its file. */
void iol__shared_take(iol__shared *shared, int slot, size_t file, const uint64_t *record);
/* What higher ranks say, in order of rank. The bytes stay until what was heard is combined, or all is written. */
void iol__shared_hear(iol__shared *shared, const uint8_t *bytes, size_t length);
/* How many of those that were heard, the last ones, are still needed. */
static inline int iol__shared_needed(const iol__shared *shared) { return shared->n_messages - shared->first_is_ours; }
/* While there is time, before the next message comes: combines what was heard so far. True if something was. */
bool iol__shared_fold(iol__shared *shared);
/* Room for a message, and the message; SIZE_MAX if what was heard makes no sense. */
size_t iol__shared_bound(const iol__shared *shared);
size_t iol__shared_write(iol__shared *shared, uint8_t *to);
/* Instead, on rank 0: every record as it goes into the log. `ranks`: of how many it is. False as above. */
bool iol__shared_each(iol__shared *shared, uint64_t ranks, void (*use)(int slot, const uint64_t *record, void *context),
                      void *context);

#endif
