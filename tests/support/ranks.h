/* Ranks of a job for tests, without an MPI: forked processes that are connected to each other by sockets. */
#ifndef IOL_TESTS_RANKS_H
#define IOL_TESTS_RANKS_H

#include "runtime/mpi/transport.h"

enum { RANKS_MOST = 32 };

/* Runs `rank` in as many processes. Their exit status, or -1 for one that was killed, comes back through `statuses`, in
   order of rank. Fails the test if one of them is still there after `seconds`. */
void ranks_run(int size, void (*rank)(const iol__transport *transport, void *context), void *context, double seconds,
               int statuses[RANKS_MOST]);

#endif
