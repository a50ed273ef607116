/* For archive.sh, which has it preprocessed: NEED name other, where the wrapper of a name calls the real other;
   LATER name LIBRARY, for wrapped functions of other libraries than libc, and NEWER for those of them that the oldest
   version that we know does not have, or need not have; ASK name LIBRARY, for further ones that are asked for by name,
   and MAY_ASK, where there may be none. */
#define FUNCTION(type, name, parameters)
#define READS(type, name, parameters, arguments, stream, done, bytes)
#define WRITES(type, name, parameters, arguments, stream, done, bytes)
#define BLOCKS_IN(name)
#define BLOCKS_OUT(name)
#define GETS(type, name, parameters, arguments, stream, end, bytes)
#define PUTS(type, name, parameters, arguments, stream, end, bytes)
#define SEEKS(type, name, parameters, arguments, done)
#define SCANS_LIST(name, parameters, arguments, stream)
#define NEEDS(name, function) NEED name function
#define PRINTS(name, parameters, last, function, arguments, stream) NEEDS(name, function)
#define SCANS(name, parameters, last, function, arguments, stream) NEEDS(name, function)
// clang-format off
#include "runtime/stdio/functions.def"
NEEDS(execv, execve)
NEEDS(execvp, execvpe)
NEEDS(execl, execv)
NEEDS(execl, execve)
NEEDS(execlp, execvp)
NEEDS(execlp, execvpe)
NEEDS(execle, execve)
NEEDS(dprintf, vdprintf)
NEEDS(__dprintf_chk, __vdprintf_chk)
NEEDS(__vfork, vfork)
#define LAZY(type, name, parameters, arguments, library) LATER name library
#include "runtime/lazy/tables.h"
NEWER H5Dcreate1 HDF5
NEWER H5Dopen1 HDF5
NEWER H5Oopen_by_token HDF5
NEWER H5Dread_multi HDF5
NEWER H5Dwrite_multi HDF5
NEWER H5Dread_chunk HDF5
NEWER H5Dread_chunk1 HDF5
NEWER H5Dread_chunk2 HDF5
NEWER H5Dwrite_chunk HDF5
#define NEEDED(type, name, parameters) ASK name HDF5
#define USEFUL(type, name, parameters) MAY_ASK name HDF5
#include "runtime/hdf5/asked.def"
ASK H5get_libversion HDF5
#define ASKED(name, parameters) ASK name PNETCDF
#include "runtime/pnetcdf/asked.def"
ASK ncmpi_inq_libvers PNETCDF
ASK PMPI_Type_size PNETCDF
