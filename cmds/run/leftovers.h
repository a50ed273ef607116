/* Mapped files whose programs were killed, and which nobody has made a log of yet. */
#ifndef IOL_CMDS_LEFTOVERS_H
#define IOL_CMDS_LEFTOVERS_H

#include <stddef.h>
#include <stdint.h>

#include "record/mapped.h"
#include "schema/resolve.h"

/* A mapped file, or the directory of a run. */
typedef struct leftover {
    const char *path;
    int64_t job;
    uint64_t run;   /* 0: of none */
    bool batch;     /* the directory of a batch job, or of processes without one that found no place for a log */
    bool session;   /* that of a login session, and `job` its leader */
    bool spared;    /* for who goes through the list */
    uint64_t world; /* the MPI job of its process, 0 if it is of none; a directory may have several, and says 0 */
} leftover;

/* The first bytes of the mapped file that begins at this offset of an open one; false if there is none. */
bool read_mapped_head(int fd, uint64_t offset, uint8_t head[IOL_MAPPED_HEAD]);
/* Calls `each` for every such file of this user, or directory of a run that was killed before it made its log. With a job,
   only for what is that job's. Runs that are still under way are left out: they make their logs themselves. So is what a living process has locked,
   what is of another PID namespace, and, unless it is asked for by its
   number, a job of which somebody who records lives. Where a setting says where mapped files are, nothing else is looked at. */
void find_leftovers(const iol__config *config, const int64_t *job, void (*each)(void *context, const leftover *one),
                    void *context);

#endif
