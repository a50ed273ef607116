/* Traced operations (DXT_POSIX): each transfer of a file as a segment in the store. */
#ifndef IOL_RUNTIME_TRACE_H
#define IOL_RUNTIME_TRACE_H

#include "runtime/posix/posix.h"

/* With the record's guard held. */
void iol__trace_add(iol__posix *p, iol__way way, int64_t offset, int64_t size, double begin, double end);
/* Whether this file is to be traced. */
bool iol__trace_wanted(const iol__file *file);
/* Takes back the trace of a file that the settings do not want after all, given its counters. */
void iol__trace_filter(iol__posix *p, const int64_t *ints);

#endif
