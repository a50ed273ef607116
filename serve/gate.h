/* The gate in front of the HTTP library: it accepts connections, reads every head of every request with head.h, and passes on
   only what is well formed. A connection costs the server nothing else until its first head is whole, so clients that begin
   requests and never end them keep nobody out. It also sees when a client leaves. */
#ifndef IOL_SERVE_GATE_H
#define IOL_SERVE_GATE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/socket.h>

/* What the gate and a request know of each other. */
typedef struct iol__guest {
    atomic_bool gone;     /* the client has left: what is made for it may be given up */
    atomic_uint answered; /* requests, as far as the gate can read their answers */
    atomic_int holders;
} iol__guest;
void iol__guest_drop(iol__guest *guest);

typedef struct iol__gate_options {
    int socket;                /* listening, not blocking */
    bool local;                /* a Unix socket: no limit per address, any host */
    const char *const *exempt; /* addresses of trusted proxies, likewise */
    size_t n_exempt;
    const char *const *hosts; /* names under which the server may be asked, beside its own address and loopback */
    size_t n_hosts;
    unsigned connections, per_address;
    unsigned header_bytes, header_seconds;
    /* Takes over one end of a socket pair on behalf of a client, whose address it gets. */
    bool (*enter)(void *context, int inner, iol__guest *guest, const struct sockaddr *address, socklen_t length);
    void *context;
} iol__gate_options;

typedef struct iol__gate iol__gate;

/* NULL with errno: it could not be started. The options stay with the caller. */
iol__gate *iol__gate_start(const iol__gate_options *options);
/* Accepts nobody any more; what was begun goes on. */
void iol__gate_close(iol__gate *gate);
/* Carries what is on its way, then ends; the library has closed its ends before. */
void iol__gate_stop(iol__gate *gate);

/* Whether a client may ask for this host; `own` is the address at which it reached the server. */
bool iol__host_known(const iol__gate_options *options, const char *host, size_t length, const char *own);

typedef struct iol__gate_counts {
    unsigned open, waiting; /* connections, and those of them whose first head is not whole */
    unsigned long long accepted, refused, evicted;
} iol__gate_counts;
iol__gate_counts iol__gate_count(iol__gate *gate);

#endif
