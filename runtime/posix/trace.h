/* Which traces are kept after all. */
#ifndef IOL_RUNTIME_TRACE_H
#define IOL_RUNTIME_TRACE_H

#include "runtime/posix/posix.h"

/* Takes back the traces of a file, in all modules, that the settings do not want, given its POSIX counters. */
void iol__trace_filter(const iol__posix *p, const int64_t *ints);

#endif
