/* Messages between ranks, for both sides: nobody ever waits for the other to take something, because the other may be
   waiting for the same. */
#ifndef IOL_SITE_RANKS_MESSAGES_H
#define IOL_SITE_RANKS_MESSAGES_H

#include "site/mpi/plugin.h"
#include "site/index/mpi_ranks.h"
#include "site/store/rows.h"

/* What was sent and perhaps not taken yet. */
typedef struct iol__outgoing {
    struct iol__outgoing *next;
    iol__rows bytes;
    void *send;
} iol__outgoing;

struct iol__ranks {
    const iolite_index_mpi *mpi;
    int rank, size;
    struct iol__mpi_peer *peers; /* of rank 0 */
    iol__outgoing *outgoing;
    double patience; /* seconds that a rank may be silent */
    bool broken;
};

double iol__ranks_now(void);
/* Takes the bytes, whatever comes of it. */
bool iol__ranks_send(iol__ranks *ranks, iol__rows *bytes, int to);
/* Lets go of what has been taken. False: something could not be sent. */
bool iol__ranks_sent(iol__ranks *ranks);
/* 1: a message, whose bytes are to be freed; 0: there is none; -1: one that did not come whole. */
int iol__ranks_receive(iol__ranks *ranks, int *from, char **bytes, size_t *length);
/* Between two looks: longer and longer, up to 2 ms. Begin with 0. */
void iol__ranks_pause(long *nanoseconds);
void iol__ranks_free(iol__ranks *ranks);

#endif
