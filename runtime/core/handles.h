/* What the handles of a library stand for (MPI_File, MPI_Request): a map from 64 bits to a pointer. Looking up takes no
   lock; those who change it hold one of their own. A handle that is set again stands for the new thing only. */
#ifndef IOL_RUNTIME_HANDLES_H
#define IOL_RUNTIME_HANDLES_H

#include <stdbool.h>
#include <stdint.h>

typedef struct iol__handles {
    struct iol__handle_table *table; /* NULL before the first one */
} iol__handles;

/* NULL if it stands for nothing. */
void *iol__handle_find(const iol__handles *handles, uint64_t handle);
/* False without memory; then it stands for nothing. */
bool iol__handle_set(iol__handles *handles, uint64_t handle, void *value);
/* What it stood for until now, or NULL. */
void *iol__handle_remove(iol__handles *handles, uint64_t handle);
/* None stands for anything any more. */
void iol__handles_clear(iol__handles *handles);

#endif
