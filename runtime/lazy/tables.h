/* Every function of a library that is not libc and that Iolite stands before, as LAZY lines: the type of its result,
   name, parameters, arguments, and the library by its name in library.def. The functions of MPI have a list of their
   own, runtime/mpi/names.def, because their types are not known here. */
#include "runtime/posix/queues.def"
#include "runtime/hdf5/hdf5.def"
#include "runtime/pnetcdf/pnetcdf.def"
