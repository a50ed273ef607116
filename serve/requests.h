/* The log of requests: one JSON object per line. Queries are left out, because they may hold tokens and names. */
#ifndef IOL_SERVE_REQUESTS_H
#define IOL_SERVE_REQUESTS_H

#include <time.h>

#include "serve/exchange.h"

typedef struct iol__requests {
    int fd; /* -1: nobody wants it */
} iol__requests;

/* Opens it, or opens it again after it was renamed. NULL: no log; "-": standard error. */
void iol__requests_open(iol__requests *log, const char *path);
void iol__requests_close(iol__requests *log);
void iol__requests_note(const iol__requests *log, const iol__exchange *x, const char *path,
                        const struct timespec *since, size_t bytes);

#endif
