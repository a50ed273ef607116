/* How files with logs are called: NAME.darshan, compressed as a whole or not, and what the reference calls one that is not
   finished. */
#ifndef IOL_LOG_ENDINGS_H
#define IOL_LOG_ENDINGS_H

#include <stdbool.h>

/* ".darshan", ".darshan.gz" or ".darshan.bz2", with a name before it. */
bool iol__ends_as_log(const char *name);
/* ".darshan_partial": a log that was being written. */
bool iol__ends_as_partial_log(const char *name);

#endif
