/* Where calls went before that have to be found again because their library was loaded for the caller alone, as Python
   loads everything: to ask the loader takes longer than most functions do. */
#ifndef IOL_RUNTIME_SITES_H
#define IOL_RUNTIME_SITES_H

#include <stdbool.h>
#include <stdint.h>

/* How many objects have been unloaded: what was known before the last one may not be true any more. */
uint64_t iol__objects_gone(void);
/* Where a call of this row from this place goes; NULL: it is not known. */
void *iol__site_find(const void *caller, uintptr_t number, uint64_t gone);
void iol__site_add(const void *caller, uintptr_t number, uint64_t gone, void *go_on);

#endif
