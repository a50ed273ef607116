/* The trailer of the job's log: what the ranks left out, did beside reading and writing, marked and hinted, and on what
   they ran. */
#ifndef IOL_RUNTIME_JOBTRAILER_H
#define IOL_RUNTIME_JOBTRAILER_H

#include "runtime/finalize/gather.h"

/* All of it, to be written at `at`, which it has to know. The memory stays; 0 if there is none. */
size_t iol__jobtrailer_make(const iol__rt_gathered *g, uint64_t at, const uint8_t **bytes);

#endif
