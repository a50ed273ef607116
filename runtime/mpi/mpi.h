/* The process as one of an MPI job: which plugin speaks for the MPI that it uses, its rank, and its end. */
#ifndef IOL_RUNTIME_MPI_H
#define IOL_RUNTIME_MPI_H

#include <stdbool.h>
#include <stdint.h>

#include "runtime/mpi/plugin.h"

/* Bytes of a datatype that was handed to another library; -1: unknown. */
int64_t iol__mpi_type_bytes(void *datatype);
/* The MPI that the process uses, as its own version text; "" before it was started. */
const char *iol__mpi_library(void);
/* The node that it is on, as MPI calls it. */
const char *iol__mpi_host(void);
/* Reaches the other ranks; for the benchmark, which ends a job several times. */
bool iol__mpi_connect(iol__transport *transport);
/* A forked child is not a rank. */
void iol__mpi_reset(void);
/* What the core offers to a plugin. */
const iol__mpi_core *iol__mpi_services(void);
/* A plugin that is linked in (static programs), or loaded, and has said that it is ready. */
void iol__mpi_use(const iol__mpi_plugin *plugin);

#endif
