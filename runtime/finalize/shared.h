/* Records that all ranks have, on their way up the tree to become one. Every rank knows which they are and in which
   order, so a message has their values alone. Messages are gone through side by side, record by record, so that nothing
   has to be kept but messages; and several at a time, so that little is written that is only read again. */
#ifndef IOL_RUNTIME_SHARED_H
#define IOL_RUNTIME_SHARED_H

#include "runtime/finalize/combined.h"
#include "runtime/finalize/exchange.h"
#include "runtime/finalize/memory.h"
#include "runtime/finalize/survey.h"

enum { IOL_SHARED_MESSAGES = IOL_BRANCHES /* that wait to be combined */ };

/* Of one module. */
typedef struct iol__shared_module {
    iol__combining how;
    size_t count;  /* of its records */
    size_t places; /* where in a message of one rank it says where they are */
} iol__shared_module;

typedef struct iol__shared_message {
    const uint8_t *begin, *at, *end;
    int64_t rank; /* that it is of; -1: of several */
} iol__shared_message;

typedef struct iol__shared {
    iol__shared_module modules[IOL_SLOTS_KNOWN];
    const iol__file_list *files;
    size_t records;    /* of all modules */
    size_t records_at; /* where they begin in a message of one rank */
    int64_t rank;
    double shift;
    size_t front;
    iol__buffer own; /* as a message, which it is on ranks that hear nobody */
    iol__shared_message messages[IOL_SHARED_MESSAGES];
    int n_messages;
    iol__buffer folded; /* those that were combined already, which are then the first message */
    bool damaged;       /* what was heard makes no sense, or there was no memory for it */
} iol__shared;

/* Files that all ranks have, in ascending order of ids; they stay. `shift`: what is added to times. `front`: bytes before
   every message, for others. False without memory. */
bool iol__shared_start(iol__shared *shared, const iol__file_list *files, int64_t rank, double shift, size_t front);
/* A record of this rank, as it is in the store, and the number of its file. */
void iol__shared_take(iol__shared *shared, int slot, size_t file, const uint64_t *record);
/* What higher ranks say, in order of rank. The bytes stay as long as they are needed. */
void iol__shared_hear(iol__shared *shared, const uint8_t *bytes, size_t length);
/* How many of those that were heard, the last ones, are. */
static inline int iol__shared_needed(const iol__shared *shared) {
    return shared->n_messages - (shared->folded.used > 0);
}
/* Several of them become one. Done anyway when there are too many; before, where there is nothing better to do. */
void iol__shared_fold(iol__shared *shared);
/* The message of this rank and all that were heard, behind the front, with room for `behind` bytes after it. False if
   what was heard makes no sense, or without memory. */
bool iol__shared_write(iol__shared *shared, size_t behind, iol__buffer *to);
/* Instead, on rank 0: every record as it goes into the log. `ranks`: of how many it is. False as above. */
bool iol__shared_each(iol__shared *shared, uint64_t ranks, void (*use)(int slot, const uint64_t *record, void *context),
                      void *context);

#endif
