/* Logs of a launcher (mpirun and the like) in place of the program that it started. */
#ifndef IOL_LOG_LAUNCHER_H
#define IOL_LOG_LAUNCHER_H

#include <stdbool.h>

#include "iolite/log.h"

/* Whether this is the log of one: a single process that is called so, and moved no bytes of files but a launcher's own, its
   libraries, settings, sockets and streams. */
bool iol__is_launcher_log(iol_log *log);

#define IOL_LAUNCHER_SENTENCE                                                                                        \
    "This is a log of the launcher, not of the program that it started: what that did is in other logs, or was not " \
    "recorded."

#endif
