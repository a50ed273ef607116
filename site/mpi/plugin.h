/* What an MPI must be able to do for `mpirun iolite index`. The command links none: libiolite-index-<abi>.so, one source
   compiled for each MPI, is loaded when the launcher's environment says that there are ranks. */
#ifndef IOL_SITE_MPI_PLUGIN_H
#define IOL_SITE_MPI_PLUGIN_H

#include <stddef.h>

typedef struct iolite_index_mpi {
    /* 0, or what MPI says. All calls come from the thread that called this one. */
    int (*start)(int *rank, int *size);
    /* Begins to send. The bytes stay where they are until `sent` has said so. NULL: it could not. */
    void *(*send)(const void *bytes, size_t length, int to);
    /* 0: not yet, and the other side has to ask for it; 1: done; -1: it failed. The send is over then. */
    int (*sent)(void *send);
    /* Whether a message is there: from whom, and how long. Does not wait. */
    int (*look)(int *from, size_t *length);
    /* 0: it is here. Not 0 either if the rest of it has not come for `seconds`: then MPI keeps the bytes, which must
       stay. */
    int (*receive)(void *bytes, size_t length, int from, double seconds);
    /* With `broken`, others may have died: all are ended. */
    void (*finish)(int broken);
} iolite_index_mpi;

/* The one symbol of a plugin. */
extern const iolite_index_mpi iolite_index_plugin;

#endif
