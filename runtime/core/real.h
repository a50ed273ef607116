/* The next function of each name that Iolite wraps: libc's, or that of another preloaded library behind us. Each is
   found when it is first called; before the start there is nothing at all, and whoever calls us earlier begins with that. */
#ifndef IOL_RUNTIME_REAL_H
#define IOL_RUNTIME_REAL_H

#include <aio.h>
#include <dirent.h>
#include <fcntl.h>
#include <fts.h>
#include <ftw.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/statvfs.h>
#include <sys/time.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utime.h>
#include <wchar.h>

/* The tables, with every kind of line as FUNCTION. */
typedef struct iol__functions {
#define FUNCTION(type, name, parameters) type(*name) parameters;
#include "runtime/functions.h"
#undef FUNCTION
    FILE **open_streams; /* libc's list of them, NULL if it does not show it */
} iol__functions;

extern iol__functions iol__real __attribute__((visibility("hidden")));

/* What an error means, as libc says it, without translation; NULL: it does not say. */
const char *iol__error_text(int error);

/* Makes them ready to be called; only needed by calls that come before the start. */
const iol__functions *iol__real_find(void);
/* Now instead of at their first calls, which may come from two threads at once. Not in static programs. */
void iol__real_bind_all(void);

#define real(name) (__builtin_expect(iol__real.name != NULL, 1) ? iol__real.name : iol__real_find()->name)

#endif
