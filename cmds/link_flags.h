/* What a compiler has to be told so that a program has Iolite in it. Paths are those of this installation. */
#ifndef IOL_CMDS_LINK_FLAGS_H
#define IOL_CMDS_LINK_FLAGS_H

#include "report/out.h"

typedef enum link_part {
    LINK_DYNAMIC,     /* the shared library, as a dependency of the program */
    LINK_PRE,         /* static: before the program's objects, or anywhere */
    LINK_POST,        /* static: behind the program's objects and libraries */
    LINK_QUEUES,      /* static: functions of libaio and liburing, which have to stand behind it */
    LINK_CFLAGS,      /* to compile with its headers */
    LINK_DIRECTORY,   /* where the libraries are */
    LINK_DIRECTORIES, /* the same, as an option */
    LINK_NAME,        /* the library's name, as an option */
} link_part;

/* Its words, with blanks between them, no newline. False if the installation lacks what they name. */
bool print_link_part(iol__out *out, link_part part);

#endif
