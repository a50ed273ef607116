/* For the linker, once the preprocessor has seen it: without stubs, the wrappers have both names of a function. */
#define WRAPPED(name) PMPI_##name = MPI_##name;
#define COMPLETES(name)
#include "runtime/abi/wrapped.def"
#if IOL_MPI_4
#define FORMS(name) WRAPPED(name) WRAPPED(name##_c)
#else
#define FORMS(name) WRAPPED(name)
#endif
#define MESSAGE(name, OPERATION, parameters, arguments, bytes) FORMS(name)
#define COLLECTIVE(name, nonblocking, OPERATION, parameters, arguments, bytes) FORMS(name) FORMS(nonblocking)
#define PLAIN(name, OPERATION, parameters, arguments) WRAPPED(name)
#define BARRIER(name, OPERATION, parameters, arguments) WRAPPED(name)
#define REQUESTS(name, OPERATION, parameters, arguments) WRAPPED(name)
#define QUIET(name, parameters, arguments) WRAPPED(name)
#include "runtime/abi/messages.def"
