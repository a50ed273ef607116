/* Running jobs: the latest state of each node that sends one (iolite live), in memory, for as long as it is fresh. Where the
   server is a user's own, it looks at that user's programs itself. */
#ifndef IOL_SERVE_RUNNING_H
#define IOL_SERVE_RUNNING_H

#include <pthread.h>

#include "live/node.h"
#include "serve/exchange.h"
#include "site/tree.h"

enum {
    IOL_RUNNING_HOSTS = 16384,      /* at most */
    IOL_RUNNING_BYTES = 256 << 20,  /* of all states together */
    IOL_RUNNING_STATE = 4 << 20,    /* of one, as it comes and as it is kept */
    IOL_RUNNING_WISHES = 64,        /* jobs whose findings people look at */
    IOL_RUNNING_WISH_SECONDS = 30,  /* for so long after they asked */
    IOL_RUNNING_JUDGED_SECONDS = 60 /* findings are not made again before that */
};

/* What a node sent. */
typedef struct iol__running_host {
    char host[IOL_USER_NAME], cluster[IOL_USER_NAME];
    iol__arena arena;
    iol__live_state state;
    double received; /* by the monotonic clock */
} iol__running_host;

/* A job whose findings somebody wants, until then. */
typedef struct iol__running_wish {
    char cluster[IOL_USER_NAME];
    int64_t job;
    uid_t uid;
    double until;
} iol__running_wish;

typedef struct iol__running {
    pthread_mutex_t lock; /* of all below */
    iol__running_host **hosts;
    size_t count, room, held; /* held: bytes of all */
    iol__running_wish wishes[IOL_RUNNING_WISHES];
    size_t n_wishes;
    uint64_t taken, refused; /* states */
    /* Of a server that is a user's own: */
    bool own;
    iol__live_node node;
    iol__running_host here;
    const char *places[4];
} iol__running;

void iol__running_open(iol__running *running, const char *const *places, size_t n_places);
void iol__running_close(iol__running *running);

/* A state from its document; all of it is the arena's, whose owner waits for lack of memory. NULL, or what is wrong with the
   document. */
const char *iol__running_read(iol__arena *arena, const iol__tree *document, iol__live_state *state);

/* How long a state is good, in seconds. */
double iol__running_life(const iol__live_state *state);
/* Puts a state into the place of the one before; it is the server's from now on. False if there is no room. */
bool iol__running_put(iol__running *running, iol__running_host *host);
/* Drops what is no longer good, and looks at the user's own programs if there are any to look at. With the lock held. */
void iol__running_refresh(iol__running *running, const char *cluster);

/* A job over all its hosts, as far as the viewer may see it. */
typedef struct iol__running_part {
    const iol__running_host *host;
    const iol__live_job *job;
} iol__running_part;
typedef struct iol__running_job {
    const char *cluster, *owner, *exe;
    int64_t job, start;
    uid_t uid;
    size_t processes, files, open_files;
    iol__live_figures total, rate;
    double time, age; /* of the oldest of its states */
    const iol__running_part *parts;
    size_t n_parts;
} iol__running_job;

/* Jobs that the viewer may see, the busiest first, in the arena of the exchange. With the lock held, and good while it is. */
iol__running_job *iol__running_jobs(iol__exchange *x, size_t *count);
/* The job that the path of the exchange names: cluster, jobid, and `user` if that is given. NULL: there is none to be seen. */
const iol__running_job *iol__running_find(iol__exchange *x);
/* Files of a job over its hosts, the busiest first. */
iol__live_job_file *iol__running_files(iol__exchange *x, const iol__running_job *job, size_t *count);
/* Findings of a job over its hosts; false: none of them has judged it yet. */
bool iol__running_findings(iol__exchange *x, const iol__running_job *job, iol__live_finding **findings, size_t *count);
/* Asks the hosts of a job for its findings. */
void iol__running_wish_for(iol__running *running, const iol__running_job *job);
/* Seconds since a state came. */
double iol__running_age(const iol__running_host *host);
/* Part of the time of its processes that passes in I/O calls. */
double iol__running_share(const iol__live_figures *rate, size_t processes);

#endif
