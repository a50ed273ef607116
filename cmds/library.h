/* Where the library is that goes into recorded programs. */
#ifndef IOL_CMDS_LIBRARY_H
#define IOL_CMDS_LIBRARY_H

#include <limits.h>
#include <stdbool.h>

#include "cmds/run/program.h"

/* The program with all commands, below the prefix. bin/iolite is a small one that starts fast, for `run`, and hands the
   rest over to it. */
#define IOLITE_ALL_COMMANDS "libexec/iolite/iolite"

/* Directories as the build was told, below the prefix or whole. */
#ifndef IOLITE_LIBDIR
#define IOLITE_LIBDIR "lib"
#endif
#ifndef IOLITE_INCLUDEDIR
#define IOLITE_INCLUDEDIR "include"
#endif
#ifndef IOLITE_DATADIR
#define IOLITE_DATADIR "share"
#endif

/* IOLITE_LIBRARY, else libiolite.so beside this command. False if there is none; the path is what was looked for. */
bool find_library(char path[PATH_MAX]);
/* Why the loader would not take the library, as what is said of it, or NULL. The loader would complain on the standard
   error of every program, and nothing would be recorded. */
const char *library_refused(const char *path);
/* The directory that this command is installed below: /usr for /usr/bin/iolite and /usr/libexec/iolite/iolite. */
bool find_prefix(char path[PATH_MAX]);
/* A file below the prefix, or below a directory that the build was given whole. False if the name is too long. */
bool installed_path(char path[PATH_MAX], const char *prefix, const char *directory, const char *file);
/* Why the library cannot be in a program, or NULL. */
const char *unseen_because(const program *facts);
/* Why setting LD_PRELOAD would do harm, or NULL. A static program takes no notice of it, but what it starts does; one
   with more rights than its user drops it. */
const char *harmed_because(const program *facts);

#endif
