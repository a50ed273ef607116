/* Memory of the end of a job: from the kernel, noted, and given back all at once when no message needs it any more. */
#ifndef IOL_RUNTIME_MEMORY_H
#define IOL_RUNTIME_MEMORY_H

#include <stddef.h>

/* Zeroed; NULL if there is none. */
void *iol__memory_take(size_t bytes);
/* More of it, elsewhere if need be. NULL: it stays as it is. */
void *iol__memory_grow(void *memory, size_t bytes, size_t wanted);
void iol__memory_back(void *memory, size_t bytes);
void iol__memory_all_back(void);

#endif
