/* Bring the counter arrays of an old record version up to the newest, by the edits of schema/upgrades.def. */
#ifndef IOL_RECORD_UPGRADE_H
#define IOL_RECORD_UPGRADE_H

#include <stdbool.h>

#include "schema/schema.h"

/* The arrays must have room for IOL_MAX_INTS and IOL_MAX_REALS. False if the record is to be left out: old POSIX records
   of stream files, which have nothing that the newer layout could hold. */
bool iol__upgrade_counters(int slot, unsigned version, int64_t *ints, unsigned *n_ints, double *reals,
                           unsigned *n_reals);

#endif
