/* Days that no more logs come for, as it seems. Trees of logs have a folder per day, so that days are complete one after the
   other; the sums of such a day can be made while other threads and ranks still read. Nothing depends on the guess: a day
   that gets one more log is stale again, and summed up at the end of the run. */
#ifndef IOL_SITE_QUIET_H
#define IOL_SITE_QUIET_H

#include <stddef.h>
#include <stdint.h>

typedef struct iol__quiet {
    struct iol__quiet_day *days; /* sorted */
    size_t count, room;
    uint64_t logs, patience, taken_at;
} iol__quiet;

/* A day is quiet when this many logs of other days have come since its last one. */
void iol__quiet_start(iol__quiet *quiet, uint64_t patience);
void iol__quiet_note(iol__quiet *quiet, int64_t day);
/* Up to `most` days that have become quiet, none of them twice. A caller that asks soon after the last time gets none:
   it is cheaper to sum up some days together. */
size_t iol__quiet_take(iol__quiet *quiet, int64_t *days, size_t most);
void iol__quiet_free(iol__quiet *quiet);

#endif
