/* Between libiolite.so and libiolite-mpi-<abi>.so. What needs an MPI's own types is in the latter (runtime/abi), one
   source compiled for each MPI: it takes a call apart into plain numbers and hands them over here. Both are built from
   the same tree and installed beside each other; the version guards against files that were mixed up. */
#ifndef IOL_RUNTIME_MPI_PLUGIN_H
#define IOL_RUNTIME_MPI_PLUGIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/mpi/transport.h"

enum { IOL_MPI_INTERFACE = 4 };

struct iol__mpiio_calls; /* runtime/mpiio/mpiio.h */
struct iol__apmpi_calls; /* runtime/apmpi/apmpi.h */

typedef struct iol__mpi_world {
    int rank, size;
    bool spawned;        /* by MPI_Comm_spawn */
    bool sessions;       /* no world communicator: nothing can be agreed upon at the end */
    const char *library; /* its version text */
    const char *host;    /* MPI_Get_processor_name */
} iol__mpi_world;

/* What the plugin may call. */
typedef struct iol__mpi_core {
    uint32_t version;
    /* A function, or a variable, of the MPI library that the program uses; NULL: it has none of this name. */
    void *(*find)(const char *name);
    void *(*find_variable)(const char *name);
    double (*now)(void);
    bool (*awake)(void); /* whether calls are recorded now */
    /* MPI's own I/O, while it starts and ends, is not the program's. */
    void (*pause)(void);
    void (*resume)(void);
    void (*started)(const iol__mpi_world *world);
    /* The end. `wanted` is asked first: false if there is nothing that the ranks could have to say to each other. */
    bool (*finalize_wanted)(void);
    void (*finalize)(const iol__transport *transport);
    void (*finalized)(void);          /* MPI has ended, too */
    double (*finalize_seconds)(void); /* how long ranks wait for each other */
    void (*aborts)(int code);         /* this rank is about to end the job */
    void (*verbose)(const char *text, const char *detail);
    const struct iol__mpiio_calls *mpiio;
    const struct iol__apmpi_calls *apmpi; /* NULL: not wanted */
} iol__mpi_core;

/* What it gives. */
typedef struct iol__mpi_plugin {
    uint32_t version;
    const char *abi;
    /* The function to call in place of the one of this name (MPI_File_open); NULL: the real one. */
    void *(*wrapper)(const char *name);
    /* Bytes of a datatype, as a program handed it to another library that was built for the same MPI; -1: unknown. */
    int64_t (*type_bytes)(void *datatype);
    /* Makes ranks reach each other before their end, on all of them; only the benchmark asks for it. */
    bool (*connect)(iol__transport *transport);
} iol__mpi_plugin;

/* The one function that a plugin exports, as "iolite_mpi_plugin": false if the library at hand is not what it knows. */
typedef bool iol__mpi_plugin_start(const iol__mpi_core *core, iol__mpi_plugin *plugin);
iol__mpi_plugin_start iolite_mpi_plugin __attribute__((visibility("default")));

/* Plugins that are linked, and not looked for, tell the core that they are there. False: it does not record. */
bool iolite_mpi_linked(iol__mpi_plugin_start *start, iol__mpi_plugin *plugin) __attribute__((visibility("default")));

#endif
