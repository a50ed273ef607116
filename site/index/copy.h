/* From one store to another, of whatever kinds. */
#ifndef IOL_SITE_COPY_H
#define IOL_SITE_COPY_H

#include "site/store/store.h"

typedef struct iol__copy_counts {
    uint64_t logs, rows;
} iol__copy_counts;

/* Everything that is in `from`; `to` must be new, or hold what an interrupted copy of `from` left. `progress` is called from
   time to time; NULL: nobody wants to know. */
iol_status iol__copy_store(iol__store *from, iol__store *to, void (*progress)(void *context, uint64_t logs),
                           void *context, iol__copy_counts *counts, iol_error *error);

#endif
