/* The end of an MPI job: its ranks find out which files they all used, combine those records, gather the others and
   write one log. Whatever goes wrong, nobody waits longer than a setting says, and every rank keeps its mapped file until
   the log is in place. */
#ifndef IOL_RUNTIME_FINALIZE_H
#define IOL_RUNTIME_FINALIZE_H

#include "runtime/mpi/transport.h"

/* On every rank, when nothing is recorded any more. NULL: the ranks cannot reach each other. */
void iol__finalize(const iol__transport *transport);

#endif
