/* What servers saw while a job ran, kept: reading it out of series takes tens of milliseconds a job, and analyses want hundreds
   of jobs. An answer makes as many as it has time for and leaves the rest to a thread of its own, so that the next one finds
   them. What was made is also written to the state directory. */
#ifndef IOL_SERVE_SUMMARIES_H
#define IOL_SERVE_SUMMARIES_H

#include <pthread.h>
#include <stdint.h>

#include "serve/exchange.h"
#include "site/connect/value.h"

enum { IOL_SUMMARIES = 16384, IOL_SUMMARIES_WANTED = 4096 };

typedef struct iol__server_summary {
    uint64_t key; /* of file system, start and end; 0: free */
    char *json;
} iol__server_summary;

typedef struct iol__summary_wish {
    char fs[64];
    int64_t start, end;
} iol__summary_wish;

typedef struct iol__summaries {
    pthread_mutex_t lock;
    pthread_cond_t wished;
    iol__server_summary list[IOL_SUMMARIES]; /* each at the place that its key gives */
    iol__summary_wish wishes[IOL_SUMMARIES_WANTED];
    size_t n_wishes;
    int file; /* -1: not kept beyond this process */
    pthread_t thread;
    bool running, stopping;
} iol__summaries;

void iol__summaries_open(struct iol__serve *serve);
void iol__summaries_close(struct iol__serve *serve);

/* Adds what is known to the row: fs_*, fshealth_* and coverage_* keys. Where nothing is kept, it is made until the deadline,
   and wished for after it. */
void iol__summary_add(iol__exchange *x, const char *fs, int64_t start, int64_t end, int64_t by, iol__value *row);

#endif
