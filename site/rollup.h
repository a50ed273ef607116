/* Daily sums, from which the standard questions are answered. Days that changed are noted in the table `stale` in the same
   transaction as the logs; their sums are made again here, each day at once. A killed indexer leaves days stale, and
   questions are then answered from the logs themselves. */
#ifndef IOL_SITE_ROLLUP_H
#define IOL_SITE_ROLLUP_H

#include "site/store/store.h"

iol_status iol__rollup(iol__store *store);
/* Whether the sums can be used: no day is stale. */
iol_status iol__rollup_current(iol__store *store, bool *current);

#endif
