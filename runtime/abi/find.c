/* MPI's functions and variables, found in the library that the program has loaded. */
#include <string.h>

#include "runtime/abi/abi.h"

iol__abi_functions iol__abi;
#ifdef OPEN_MPI
iol__abi_handles iol__handles;
#endif

bool iol__abi_find(const iol__mpi_core *core) {
    bool found = true;
    void *at;
#define MPI_CALL(name) at = core->find("PMPI_" #name), memcpy(&iol__abi.name, &at, sizeof at);
#define MPI_NEED(name) MPI_CALL(name) found = found && at;
#include "runtime/abi/symbols.def"
#undef MPI_CALL
#undef MPI_NEED
#ifdef OPEN_MPI
#define HANDLE(name) iol__handles.name = core->find_variable(#name), found = found && iol__handles.name;
#include "runtime/abi/handles.def"
#undef HANDLE
#endif
    return found;
}
