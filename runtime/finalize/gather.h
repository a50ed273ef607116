/* The second exchange: records up the tree, once for all modules. Shared ones are combined on the way, all others are
   put one after the other, in order of rank, until they reach the rank that writes them. */
#ifndef IOL_RUNTIME_GATHER_H
#define IOL_RUNTIME_GATHER_H

#include "runtime/finalize/exchange.h"
#include "runtime/finalize/lists.h"
#include "runtime/finalize/pile.h"
#include "runtime/finalize/shared.h"
#include "runtime/finalize/survey.h"

/* Region 0 are the names, the others are the slots. */
typedef struct iol__rt_gathered {
    int rank;
    double shift; /* from this rank's time to that of the job */
    bool exact_times;
    const iol__survey *survey;
    iol__rt_pile piles[IOL_SLOTS_KNOWN];
    iol__rt_pile behind[IOL_SLOTS_KNOWN]; /* on rank 0: of other ranks, where shared records come before them */
    iol__shared shared;
    iol__message heard[IOL_CHILDREN]; /* messages with shared records, until these are gone through */
    int n_heard;
    iol__lists lists;
    iol__pack_spread communication, synchronisation; /* of ranks with APMPI records */
    uint64_t communicators;
    uint64_t partial;              /* slots that lost something on the way */
    bool unable;                   /* there is no memory: this rank has nothing to say */
    int64_t took[IOL_SLOTS_KNOWN]; /* nanoseconds that this rank spent on each region */
} iol__rt_gathered;

/* What this rank has, without what it has together with all others. Without memory that is nothing, and marked. */
void iol__gather_own(iol__rt_gathered *g, const iol__survey *survey, const iol__rt_exchange *x, const char *host);
/* Takes in what is below this rank; on a rank that does not write, sends everything on. */
bool iol__gather_pass(iol__rt_gathered *g, iol__rt_exchange *x);
/* On rank 0: shared records are combined, and take their place behind its own. False if that fails. */
bool iol__gather_end(iol__rt_gathered *g, uint64_t ranks);

/* Records of this rank into its piles (own_records.c). */
void iol__unique_records(iol__rt_gathered *g, const char *host);
/* On rank 0: whether its own part of a region is not complete before it has heard all others. */
bool iol__gather_waits(const iol__rt_gathered *g, int slot);
/* Whether a record goes into the log: standard streams that were neither read nor written do not. */
bool iol__record_wanted(int slot, const uint64_t *record);

#endif
