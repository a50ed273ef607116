/* Which staff looked at whose jobs: a line of JSON each in `audit` below the state directory. */
#ifndef IOL_SERVE_AUDIT_H
#define IOL_SERVE_AUDIT_H

#include <pthread.h>
#include <stdint.h>

struct iol__exchange;

/* What was written lately: a page asks for a job several times. */
enum { IOL_AUDIT_LATELY = 512 };
typedef struct iol__audit {
    pthread_mutex_t lock;
    struct {
        uint64_t key;
        int64_t time;
    } lately[IOL_AUDIT_LATELY];
} iol__audit;

void iol__audit_open(iol__audit *audit);
void iol__audit_close(iol__audit *audit);
/* A viewer is about to see the job of a user. Nothing is written of one's own, nor by the only user of a server on loopback. */
void iol__audit_look(struct iol__exchange *x, const char *user, const char *cluster, const char *jobid);

#endif
