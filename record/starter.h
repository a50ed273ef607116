/* Programs that start the ranks of parallel jobs, and pass on what those print. */
#ifndef IOL_RECORD_STARTER_H
#define IOL_RECORD_STARTER_H

#include <stdbool.h>

/* Whether a command line, or the name of a program, is that of one. */
bool iol__is_starter(const char *command);

#endif
