/* Rows that are older than a centre wants to keep: logs with all that hangs on them, jobs, and what the batch system said. Sums
   by day stay, and so do the places of files, so that logs that are still there are not read again. */
#ifndef IOL_SITE_EXPIRE_H
#define IOL_SITE_EXPIRE_H

#include "site/store/store.h"

/* All that began before this day (20261231). From then on the store takes no log and no job of such a day, and its
   sums are not made again. */
iol_status iol__expire(iol__store *store, int64_t day, int64_t *logs);
/* The day that was asked for last; 0: never. */
iol_status iol__expired_before(iol__store *store, int64_t *day);

#endif
