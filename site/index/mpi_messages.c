/* A message is in memory of its own until MPI has passed it on. */
#include "site/index/mpi_messages.h"

#include <stdlib.h>
#include <time.h>

double iol__ranks_now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

bool iol__ranks_send(iol__ranks *r, iol__rows *bytes, int to) {
    iol__outgoing *one = bytes->failed ? NULL : calloc(1, sizeof *one);
    if (one) one->send = r->mpi->send(bytes->bytes ? bytes->bytes : "", bytes->length, to);
    if (!one || !one->send) {
        free(one);
        iol__rows_free(bytes);
        *bytes = (iol__rows){0};
        return false;
    }
    one->bytes = *bytes;
    one->next = r->outgoing;
    r->outgoing = one;
    *bytes = (iol__rows){0};
    return true;
}

bool iol__ranks_sent(iol__ranks *r) {
    bool good = true;
    for (iol__outgoing **at = &r->outgoing; *at;) {
        iol__outgoing *one = *at;
        const int how = r->mpi->sent(one->send);
        if (!how) {
            at = &one->next;
            continue;
        }
        good = good && how > 0;
        *at = one->next;
        iol__rows_free(&one->bytes);
        free(one);
    }
    return good;
}

int iol__ranks_receive(iol__ranks *r, int *from, char **bytes, size_t *length) {
    *bytes = NULL;
    if (!r->mpi->look(from, length)) return 0;
    *bytes = malloc(*length + 1);
    if (*bytes && r->mpi->receive(*bytes, *length, *from, r->patience) == 0) return 1;
    *bytes = NULL; /* MPI may hold on to it until the end of the process */
    return -1;
}

void iol__ranks_pause(long *nanoseconds) {
    enum { LEAST = 50000, MOST = 2000000 };
    *nanoseconds = *nanoseconds < LEAST ? LEAST : *nanoseconds < MOST ? *nanoseconds + *nanoseconds / 4 : MOST;
    nanosleep(&(struct timespec){.tv_nsec = *nanoseconds}, NULL);
}

/* Of what was never taken, the bytes stay: MPI may still have them. */
void iol__ranks_free(iol__ranks *r) {
    free(r->peers);
    free(r);
}
