/* Memory of the end of a job: from the kernel, noted, and given back all at once when no message needs it any more. Where
   much is needed, most of the time would go into getting it page by page: then it comes in large pages, if there are
   such, and what is asked for stands one after the other. */
#ifndef IOL_RUNTIME_MEMORY_H
#define IOL_RUNTIME_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Zeroed; NULL if there is none. */
void *iol__memory_take(size_t bytes);
/* The same, of which all will be used. */
void *iol__memory_filled(size_t bytes);
/* The same, of which only a part may ever be used: never from a large page. */
void *iol__memory_reserve(size_t bytes);
/* More of it, elsewhere if need be. NULL: it stays as it is. */
void *iol__memory_grow(void *memory, size_t bytes, size_t wanted);
void iol__memory_back(void *memory, size_t bytes);
void iol__memory_all_back(void);
/* A growing block of bytes: there is room for more behind those that are there. False without memory; they stay as they are. */
typedef struct iol__buffer {
    uint8_t *bytes;
    size_t used, room;
} iol__buffer;
bool iol__buffer_room(iol__buffer *buffer, size_t more);
/* Much will be asked for from now on. */
void iol__memory_plenty(bool plenty);

#endif
