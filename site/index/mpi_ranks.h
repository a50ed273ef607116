/* Reading on many nodes: `mpirun iolite index` and `srun iolite index`. Rank 0 walks the tree, hands out a few files at a
   time to whoever is idle, reads too, and writes. A rank that dies loses nothing: what it had is read by rank 0. */
#ifndef IOL_SITE_RANKS_H
#define IOL_SITE_RANKS_H

#include "site/index/found.h"

typedef struct iol__ranks iol__ranks;

/* Whether a launcher started this process, perhaps as the only one: who wants to use more cores starts more ranks. */
bool iol__ranks_launched(void);
/* NULL without an error: this process is not one of several. With a reason: the launcher started several, but there is no
   plugin for its MPI, or MPI failed. */
iol__ranks *iol__ranks_join(char why[300]);
int iol__ranks_rank(const iol__ranks *ranks);
size_t iol__ranks_size(const iol__ranks *ranks);
void iol__ranks_leave(iol__ranks *ranks);

/* Of ranks other than 0: reads what it is given, until there is no more. */
void iol__ranks_serve(iol__ranks *ranks, const iol__ingest_options *options);

/* A file, as rank 0 hands it out. */
typedef struct iol__errand {
    const iol__walk_dir *dir;
    const char *name;
    int64_t before;
} iol__errand;

/* What rank 0 does with its list. */
typedef struct iol__errands {
    /* Up to `most`, few if they are large or if `readers` have little left to share; returns how many there are. */
    size_t (*next)(void *context, iol__errand *list, size_t most, size_t readers);
    /* What was found, NULL: it is gone. */
    void (*take)(void *context, iol__found *found);
    /* Of a rank that does not answer: read it here. */
    void (*read_here)(void *context, const iol__errand *errand);
    void *context;
} iol__errands;

/* Until the list is empty and everybody has answered. */
void iol__ranks_hand_out(iol__ranks *ranks, const iol__errands *errands);

#endif
