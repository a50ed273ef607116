/* Writing entries: a batch of them in one transaction, with everything that follows from them (jobs, stale days). */
#ifndef IOL_SITE_PUT_H
#define IOL_SITE_PUT_H

#include "site/index/entry.h"
#include "site/store/store.h"

/* What was found at one place. */
typedef struct iol__found {
    struct iol__found *next;
    const char *dir, *name; /* keys of the store */
    int64_t device, inode, size, mtime;
    int64_t owner;  /* user of the file; -1: nobody knows */
    int64_t before; /* the log that was there the last time; 0: none */
    bool broken;
    bool closed;  /* broken, because it may not be opened: tried again every time, a change of rights changes no file */
    bool expired; /* older than what the store keeps: its place is noted, and nothing else */
    char *reason; /* NULL: nothing is wrong */
    iol__entry entry; /* unless it is broken */
    bool renamed;     /* out: a known log got an owner */
    bool added;       /* out: the log was not in the store */
    /* While it is written. */
    int64_t log_id;
    bool known, copy, write; /* it is in the store, or in this batch already; its rows have to be written */
    char *known_jobid;       /* that it has in the store */
    char *earlier_jobid, *earlier_cluster; /* of the log that it replaces */
} iol__found;

/* All of them, or none. `again`: rows of known logs are made again. */
iol_status iol__put_batch(iol__store *store, iol__found *batch, bool again, const struct iol__site *site);
/* Files that are no longer there. */
iol_status iol__put_gone(iol__store *store, const char *dir, const char *name);

#endif
