/* Opening what was found in a directory and not named by a user. Others may have put it there: it may be a pipe that
   nobody writes to, a link to somewhere else, or a device. */
#ifndef IOL_LOG_FOUND_H
#define IOL_LOG_FOUND_H

#include <sys/stat.h>

/* A regular file, for reading, and what it is; never waits, never follows a link in the last part of the path. -1 with
   errno, which is EINVAL if this is not a regular file. */
int iol__found_open(int directory, const char *path, struct stat *st);

#endif
