/* Whose turn it is: every connection has a thread, but only a limited number of requests is worked on at a time, and
   fewer of the expensive ones, in all and of each user. So nobody can fill the server with questions, and short
   answers pass long ones. */
#ifndef IOL_SERVE_TURNS_H
#define IOL_SERVE_TURNS_H

#include <pthread.h>
#include <stdbool.h>

struct iol__exchange;

typedef struct iol__turn {
    struct iol__turn *next;
    const char *user;
    bool heavy, running, crowd;
} iol__turn;

typedef struct iol__turns {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    iol__turn *first; /* in the order in which they came */
    unsigned most;    /* at a time */
} iol__turns;

void iol__turns_open(iol__turns *turns, unsigned most);
void iol__turns_close(iol__turns *turns);

/* Waits for its turn. False: it did not come in time, or this user waits for too many already; iol__turn_refuse() says so. */
bool iol__turn_take(struct iol__exchange *x);
void iol__turn_refuse(struct iol__exchange *x);
void iol__turn_end(struct iol__exchange *x);
/* How many work and wait. */
void iol__turns_count(iol__turns *turns, unsigned *running, unsigned *waiting);

/* Whether a route reads series or whole logs, or sums over all jobs. */
bool iol__route_is_heavy(const char *name);

#endif
