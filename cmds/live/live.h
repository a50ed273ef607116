/* iolite live: what runs on this node, for Prometheus and for the portal. */
#ifndef IOL_CMDS_LIVE_H
#define IOL_CMDS_LIVE_H

#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>

#include "live/node.h"
#include "text/out.h"

/* Asking for /metrics ----------------------------------------------------------------------------------------------- */

enum { LIVE_CLIENTS = 16, LIVE_HEAD = 2048 };

/* Somebody who asks: the head of the request as it comes, then the answer as it goes. */
typedef struct live_client {
    int fd; /* -1: nobody */
    char head[LIVE_HEAD];
    size_t got;
    char *answer; /* NULL: the head is not complete */
    size_t length, sent;
    double until; /* by then it has to be over, by the monotonic clock */
} live_client;

typedef struct live_door {
    int fd; /* that listens; -1: nobody is to ask */
    live_client clients[LIVE_CLIENTS];
    const char *text; /* what they get */
    size_t length;
} live_door;

/* "ADDRESS:PORT"; says on standard error where it listens, or why it cannot. */
bool open_live_door(live_door *door, const char *where);
/* Answers until that time, or until one of the signals that `waiting` lets through. */
void answer_at_live_door(live_door *door, double until, const sigset_t *waiting);
void close_live_door(live_door *door);

/* Sending to a portal ----------------------------------------------------------------------------------------------- */

/* A thread sends the newest state, so that a portal that does not answer holds nothing up. */
typedef struct live_push {
    char *url, *token;
    pthread_t thread;
    bool running, stop, failing;
    pthread_mutex_t lock;
    pthread_cond_t wake;
    char *document; /* to be sent; NULL: none */
    iol__live_wish wishes[IOL_LIVE_WISHES];
    size_t n_wishes;
} live_push;

/* The address of the portal, and a file with the token of this host. False after saying why. */
bool open_live_push(live_push *push, const char *portal, const char *token_file);
/* The document takes the place of one that was not sent yet; it is freed by the thread. */
void send_live_state(live_push *push, char *document);
/* Jobs whose findings somebody looks at; asked for once, then forgotten. */
size_t take_live_wishes(live_push *push, iol__live_wish wishes[IOL_LIVE_WISHES]);
/* Sends what is left, and ends the thread. */
void close_live_push(live_push *push);

#endif
