/* Mapped files whose programs were killed, and which nobody has made a log of yet. */
#ifndef IOL_CMDS_LEFTOVERS_H
#define IOL_CMDS_LEFTOVERS_H

#include <stddef.h>
#include <stdint.h>

#include "schema/resolve.h"

/* Whether this is a mapped file whose process does not run any more. */
bool mapped_is_dead(const char *path);
/* Calls `each` for every such file of this user, or directory of a run with such files in it. With a job, only for what
   is that job's, and then for runs without such a file as well: their programs have ended, but nobody made the log.
   Runs that are still under way are left out: they make their logs themselves. */
void find_leftovers(const iol__config *config, const int64_t *job, void (*each)(void *context, const char *path),
                    void *context);

#endif
