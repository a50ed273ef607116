/* What an MPI must be able to do for `mpirun iolite index`. The command links none: libiolite-index-<abi>.so, one source
   compiled for each MPI, is loaded when the launcher's environment says that there are ranks. */
#ifndef IOL_SITE_MPI_PLUGIN_H
#define IOL_SITE_MPI_PLUGIN_H

#include <stddef.h>

typedef struct iolite_index_mpi {
    /* 0, or what MPI says. All calls come from the thread that called this one. */
    int (*start)(int *rank, int *size);
    /* Not 0 either if nobody took it for so many seconds (0: wait): then MPI keeps the bytes, which must stay. */
    int (*send)(const void *bytes, size_t length, int to, double seconds);
    /* Whether a message is there: from whom, and how long. Does not wait. */
    int (*look)(int *from, size_t *length);
    int (*receive)(void *bytes, size_t length, int from);
    /* With `broken`, others may have died: all are ended. */
    void (*finish)(int broken);
} iolite_index_mpi;

/* The one symbol of a plugin. */
extern const iolite_index_mpi iolite_index_plugin;

#endif
