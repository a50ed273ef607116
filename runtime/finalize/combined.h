/* A record of a file that all ranks have, while it becomes that of all of them: as in the log, with room beside it for
   sums and further common values. In messages it is a map of the words that are not zero, those words, and the common
   values that the record itself has no room for.

   The result does not depend on who is combined with whom first: times are whole multiples of 2^-28 s, so their sums are
   exact; what variances are made of is kept in integers; and more common values travel than a record has room for. */
#ifndef IOL_RUNTIME_COMBINED_H
#define IOL_RUNTIME_COMBINED_H

#include "record/reduce.h"
#include "runtime/pack/layout.h"
#include "runtime/pack/spread.h"
#include "runtime/pack/values.h"
#include "runtime/pack/words.h"

enum {
    IOL_COMBINED_WORDS = 168, /* of a record and the sums behind it */
    IOL_COMBINED_MAPS = 3,    /* words of a map */
    IOL_COMBINED_SUMS = 2 * IOL_SPREAD_WORDS /* of time, then of bytes */,
    IOL_COMBINED_TABLES = 2,
    IOL_COMBINED_BEYOND = IOL_VALUES_BEYOND * (1 + IOL_VALUES_WIDEST), /* words of further values in one table */
    IOL_COMBINED_MOST =                                                /* bytes in a message */
    8 * IOL_COMBINED_MAPS + 1 + IOL_WORD_MOST * (IOL_COMBINED_WORDS + IOL_COMBINED_TABLES * IOL_COMBINED_BEYOND),
};

/* How records of one module are combined. Bits stand for words of a record, the first for that behind id and rank, and
   for the sums behind it. */
typedef struct iol__combining {
    const iol__layout *layout;
    iol__reduction how;
    uint64_t sent[IOL_COMBINED_MAPS];   /* what others need of one rank */
    uint64_t joined[IOL_COMBINED_MAPS]; /* and of several */
    uint64_t reals[IOL_COMBINED_MAPS];  /* times and the like */
    uint64_t stamps[IOL_COMBINED_MAPS]; /* of these, points in time */
    uint64_t words[IOL_COMBINED_MAPS];  /* whatever there can be */
} iol__combining;

typedef struct iol__combined {
    uint64_t record[IOL_COMBINED_WORDS];                       /* as in the log, and sums of times and bytes */
    uint64_t beyond[IOL_COMBINED_TABLES][IOL_COMBINED_BEYOND]; /* as it came: count and value, one after the other */
    uint8_t n_beyond[IOL_COMBINED_TABLES];
    iol__values sets[IOL_COMBINED_TABLES]; /* all common values, once it is opened */
} iol__combined;

/* `lowest`: this rank is the one whose word counts where only one can say something. */
void iol__combining_start(iol__combining *combining, int slot, bool lowest);

/* One rank's record, with its times moved. Every `to` has room for IOL_COMBINED_MOST bytes. */
uint8_t *iol__combined_pack(const iol__combining *combining, const uint64_t *record, double shift, uint8_t *to);
/* From a message: of one rank, or of several if that is negative. False if it makes no sense. */
bool iol__combined_read(const iol__combining *combining, iol__combined *c, const uint8_t **at, const uint8_t *end,
                        int64_t rank);
/* Before others are merged with it, one after the other; these are higher ranks. */
void iol__combined_open(const iol__combining *combining, iol__combined *c);
void iol__combined_merge(const iol__combining *combining, iol__combined *ours, const iol__combined *theirs);
/* Then either into a message, or as it is in the log, for `ranks` ranks. */
uint8_t *iol__combined_write(const iol__combining *combining, iol__combined *c, uint8_t *to);
void iol__combined_finish(const iol__combining *combining, iol__combined *c, uint64_t ranks);

#endif
