/* Daily sums, from which the standard questions are answered. Days that changed are noted in the table `stale` in the same
   transaction as the logs; their sums are made again here, each day at once. A killed indexer leaves days stale, and
   questions are then answered from the logs themselves. */
#ifndef IOL_SITE_ROLLUP_H
#define IOL_SITE_ROLLUP_H

#include "site/store/store.h"

/* Microseconds to two digits: enough to say what is usual, and few different values. */
#define IOL_TOOK_ABOUT                                                                                                \
    "CASE WHEN took < 100 THEN took WHEN took < 1000 THEN took - took % 10 WHEN took < 10000 THEN took - took % 100 " \
    "WHEN took < 100000 THEN took - took % 1000 WHEN took < 1000000 THEN took - took % 10000 "                        \
    "WHEN took < 10000000 THEN took - took % 100000 ELSE took - took % 1000000 END"

enum { IOL_ROLLUP_DAYS = 32 };
iol_status iol__rollup(iol__store *store);
/* The same for these alone, at most IOL_ROLLUP_DAYS. */
iol_status iol__rollup_days(iol__store *store, const int64_t *days, size_t count);
/* Whether the sums can be used: no day is stale. */
iol_status iol__rollup_current(iol__store *store, bool *current);

#endif
