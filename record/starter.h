/* Programs that start the ranks of parallel jobs, and pass on what those print. */
#ifndef IOL_RECORD_STARTER_H
#define IOL_RECORD_STARTER_H

#include <stdbool.h>

/* Whether a command line, or the path of a program, is that of one that is called so: `name`, or `name.anything`. */
bool iol__is_program(const char *command, const char *name);
/* Whether it is one of them. */
bool iol__is_starter(const char *command);
/* Whether it is a shell, or another program that runs others and has nothing of its own to do. */
bool iol__is_wrapper(const char *command);
/* Whether a program, or the script that it runs (NULL: none), is one of Iolite's own. */
bool iol__is_own(const char *command, const char *script);

#endif
