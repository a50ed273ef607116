/* Whether the process that made a mapped file is still at it. */
#ifndef IOL_LOG_LIVING_H
#define IOL_LOG_LIVING_H

#include <stdbool.h>

#include "record/mapped.h"

/* Where a file is locked by its mapping, the kernel knows: it drops the lock with the process. Else the process has to
   be there under its number, and have a file of this name mapped; one of another namespace is believed to be. */
bool iol__mapped_lives(int fd, const char *path, const iol__mapped *facts);
/* The same for those who take what the dead have left: a process that is ending is waited for. The kernel takes a while to
   do so, and launchers are often gone before their ranks are. All waiting together ends after two seconds. */
bool iol__mapped_lives_on(int fd, const char *path, const iol__mapped *facts);
/* Whether the process is of another PID namespace or another machine than this one; from the first bytes of a file. */
bool iol__mapped_is_foreign(const uint8_t head[IOL_MAPPED_HEAD]);

#endif
