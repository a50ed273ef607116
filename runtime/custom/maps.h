/* Memory maps of files, and how much of each this process used. See maps.c. */
#ifndef IOL_RUNTIME_MAPS_H
#define IOL_RUNTIME_MAPS_H

#include "runtime/core/core.h"

/* There is a map that munmap() has to ask for. */
extern bool iol__maps_open IOL_HIDDEN;

/* A file was mapped; `copied`: what the process writes there is its own. */
void iol__maps_mapped(const iol__file *file, void *where, size_t size, bool copied);
/* A range of addresses is about to go. */
void iol__maps_unmapping(void *where, size_t size);
/* What is mapped still, at the end of the process. */
void iol__maps_finish(void);
/* In a forked child, which has the maps and has touched nothing yet. */
void iol__maps_reset(void);

#endif
