/* Whether what a process recorded is worth a log of its own. */
#ifndef IOL_RUNTIME_WORTH_H
#define IOL_RUNTIME_WORTH_H

#include <stdbool.h>

/* A program that a user preloads into all others has nothing to tell of those that print a few lines and end: a process that
   only wrote to its standard streams, and little, leaves nothing. Under `iolite run` everything counts. */
bool iol__worth_a_log(void);

#endif
