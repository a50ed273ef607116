/* The options a compiler needs so that a program has Iolite in it. Paths are those of this installation. */
#ifndef IOL_CMDS_LINK_FLAGS_H
#define IOL_CMDS_LINK_FLAGS_H

#include "text/out.h"

typedef enum link_part {
    LINK_DYNAMIC,     /* the shared library, as a dependency of the program */
    LINK_PRE,         /* static: before the program's objects, or anywhere */
    LINK_POST,        /* static: behind the program's objects and libraries */
    LINK_QUEUES,      /* static: functions of libaio and liburing, which have to stand behind it */
    LINK_HDF5,        /* static: functions of HDF5, the same */
    LINK_PNETCDF,     /* static: functions of PnetCDF, the same */
    LINK_MPI,         /* static: MPI, anywhere, for programs that use it */
    LINK_MPI_PRE,     /* static: MPI, for any program, if the next one follows behind its libraries */
    LINK_MPI_POST,    /* static: MPI, behind the program's objects and libraries */
    LINK_CFLAGS,      /* to compile with its headers */
    LINK_DIRECTORY,   /* where the libraries are */
    LINK_DIRECTORIES, /* the same, as an option */
    LINK_NAME,        /* the library's name, as an option */
} link_part;

/* Its words, with blanks between them, no newline; `mpi` is "mpich" or "openmpi", for those parts that are about MPI.
   False if the installation lacks what they name. */
bool print_link_part(iol__out *out, link_part part, const char *mpi);

/* The one MPI that the installation has a static library for; "" if there is none, or a choice. */
const char *only_static_mpi(void);

#endif
