/* The plugin on processors without stubs (runtime/lazy/stubs.S): it is preloaded behind libiolite.so, has the functions
   of MPI under their own names, and is linked with that MPI, so that the real ones stand behind it for the loader. */
#include <dlfcn.h>
#include <string.h>

#include "runtime/abi/abi.h"

iol__abi_functions iol__abi;

bool iol__abi_find(const iol__mpi_core *core) { return core; }

/* Also where nothing is recorded: calls come here all the same. The core, which this is linked to, has started. */
__attribute__((constructor)) static void start(void) {
    iol__mpi_plugin plugin;
    void *at;
#define MPI_CALL(name) at = dlsym(RTLD_NEXT, "PMPI_" #name), memcpy(&iol__abi.name, &at, sizeof at);
#define MPI_NEED(name) MPI_CALL(name)
#include "runtime/abi/symbols.def"
#undef MPI_CALL
#undef MPI_NEED
    dlerror();
    iolite_mpi_linked(iolite_mpi_plugin, &plugin);
}
