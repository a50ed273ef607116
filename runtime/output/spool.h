/* Where a process leaves its records for others to make a log of: the spool of its run, or that of its job on this node
   (runtime/output/jobspool.c). */
#ifndef IOL_RUNTIME_SPOOL_H
#define IOL_RUNTIME_SPOOL_H

#include <stdbool.h>
#include <stdint.h>

typedef enum iol__spooled {
    IOL_SPOOLED,
    IOL_SPOOL_OVER,   /* there is no spool any more: somebody has made a log of it */
    IOL_SPOOL_FULL,   /* records past its room are dropped */
    IOL_SPOOL_FAILED, /* it cannot be written to */
} iol__spooled;

/* Of the run. */
iol__spooled iol__spool_append(void);
/* Any other one, by its path. `charge` is asked, with the spool locked, whether there is room for that number of bytes. */
iol__spooled iol__spool_append_to(const char *path, bool (*charge)(uint64_t bytes));
/* An open spool that is new. */
bool iol__spool_begin(int fd);
/* One process more whose records are dropped. */
void iol__spool_count_dropped(const char *path);
/* Writers hold it for an instant only; one that was stopped there must not hold up the others. */
bool iol__lock_briefly(int fd);

#endif
