/* The server: what is the same for all requests, and how it is started and stopped. */
#ifndef IOL_SERVE_SERVE_H
#define IOL_SERVE_SERVE_H

#include <pthread.h>
#include <stdatomic.h>

#include "insight/findings/engine.h"
#include "serve/audit.h"
#include "serve/exchange.h"
#include "serve/cache.h"
#include "serve/running.h"
#include "serve/summaries.h"
#include "serve/tokens.h"
#include "serve/turns.h"
#include "site/analyze/places.h"
#include "site/site.h"

/* A place that users share, of which only the own logs are indexed. */
typedef struct iol__shared_logs {
    const char *path;
    bool dated; /* years, months and days: after the first look only new days are looked at */
} iol__shared_logs;

typedef struct iol__serve_options {
    const char *store;        /* URL; NULL: the usual one */
    const char *site_file;    /* NULL: the usual one */
    const char *cluster;      /* NULL: that of the site file */
    const char *state;        /* directory of tokens, keys and uploads */
    const char *listen;       /* "ADDRESS:PORT" or "unix:PATH"; NULL: loopback, a free port, and a token in the URL */
    const char *socket_group; /* of the socket; NULL: that of the process */
    const char *prefix;       /* path that all addresses begin with; "" */
    const char *request_log;  /* file of JSON lines, "-": standard error; NULL: none */
    const char *const *logs;  /* trees to index while serving */
    size_t n_logs;
    const iol__shared_logs *shared_logs;
    size_t n_shared_logs;
    const char *const
        *live_places; /* where programs of this user keep their records while they run; none: not looked at */
    size_t n_live_places;
    iol__trust trust;
    const char *const *hosts; /* names under which it may be asked, beside loopback and its own address */
    size_t n_hosts;
    unsigned threads;      /* that answer */
    unsigned connections;  /* at a time */
    unsigned header_bytes; /* of one request */
    unsigned seconds;      /* for a request to come in, and for an answer to be taken */
    double answer_seconds; /* for an answer to be made; 0: as many as it takes */
    unsigned interval;     /* seconds between two looks for new logs */
    uint64_t upload_bytes; /* of one log */
} iol__serve_options;

enum { IOL_STORES = 64, IOL_STATUSES = 600 };

/* How long answers took to make; bucket i has those up to iol__latency_bounds[i] seconds, the last one the rest. */
enum { IOL_LATENCIES = 12 };
extern const double iol__latency_bounds[IOL_LATENCIES];
typedef struct iol__latencies {
    atomic_ullong counts[IOL_LATENCIES + 1], microseconds;
} iol__latencies;

/* Sums of days that are over. */
enum { IOL_DAYS = 8192 };
typedef struct iol__day_sum {
    uint64_t key; /* of file system, dataset and day; 0: free */
    double sum, missing;
} iol__day_sum;

/* A file system as its latest samples show it; NAN: not known. */
enum { IOL_FS_STATES = 64 };
typedef struct iol__fs_state {
    double last;           /* time of the sample */
    double targets;        /* components of it */
    double missing;        /* part of the last day */
    double capacity, used; /* bytes */
    uint64_t key;          /* of the file system; 0: free */
    int64_t made;          /* seconds since the epoch */
} iol__fs_state;

typedef struct iol__serve {
    const iol__serve_options *options;
    /* Replaced as a whole when the server reads its files again; whoever answers holds it for reading. */
    pthread_rwlock_t files;
    iol__tokens tokens; /* whoever asks who somebody is holds tokens_lock too */
    pthread_mutex_t tokens_lock;
    iol__site *site;
    iol__rulebook *rulebook;
    iol__arena places_arena;
    iol__places places;
    const char **staff;
    size_t n_staff;
    iol__trust trust;
    bool indexing; /* the indexer uses the site and the rules of its beginning, without holding the lock meanwhile */
    struct iol__loaded *retired; /* that were replaced since; freed when it is done */
    /* Stores that nobody uses at the moment. */
    pthread_mutex_t stores_lock;
    iol__store *stores[IOL_STORES];
    size_t n_stores;
    pthread_mutex_t series_lock; /* HDF5 is used by one thread at a time */
    pthread_mutex_t upload_lock; /* one writer */
    pthread_mutex_t days_lock;
    iol__day_sum days[IOL_DAYS];
    iol__fs_state states[IOL_FS_STATES]; /* under the same lock */
    iol__turns turns;
    iol__cache cache;
    iol__summaries summaries;
    iol__running running;
    iol__audit audit;
    unsigned port; /* it listens at; 0: a Unix socket */
    /* What /metrics tells. */
    atomic_ullong requests[IOL_STATUSES];
    atomic_ullong sent_bytes, uploads, uploads_refused, indexed_logs, index_failures;
    atomic_ullong store_errors, dropped; /* questions that failed; answers that nobody waited for */
    iol__latencies latencies[2];         /* of expensive requests, and of others */
    _Atomic(struct iol__gate *) gate;    /* set when it is open: connections are answered before that is known here */
    atomic_int busy;                     /* requests under way */
    atomic_int reading;                  /* whole logs */
} iol__serve;

iol_status iol__serve_open(const iol__serve_options *options, iol__serve *serve, iol_error *error);
/* Reads tokens, key and site file again; on failure everything stays as it was. */
iol_status iol__serve_reload(iol__serve *serve, iol_error *error);
void iol__serve_close(iol__serve *serve);
/* Between these the site and the rules that were there stay, also if files are read again. */
void iol__serve_keep(iol__serve *serve);
void iol__serve_kept(iol__serve *serve);
/* The tokens as their file has them now; held for a moment. */
void iol__serve_hold_tokens(iol__serve *serve);
void iol__serve_release_tokens(iol__serve *serve);
/* A store for reading, and back. If it failed it is closed, and so are those that nobody uses: a server that went away took
   all connections with it. */
iol__store *iol__serve_borrow(iol__serve *serve, int64_t deadline);
void iol__serve_return(iol__serve *serve, iol__store *store, bool failed);
/* Starts of the latest log and of the latest job of the batch system, in microseconds; 0: none. */
iol_status iol__latest_data(iol__store *store, int64_t times[2]);
/* Whether logs and lists of jobs should have come since; 0: there are none to wait for. */
bool iol__is_late_data(int64_t seconds);
const char *iol__serve_cluster(const iol__serve *serve);

/* The tables of routes and answers as a page. */
void iol__serve_describe(iol__out *out);
/* The same of answers, as types of TypeScript. */
void iol__serve_types(iol__out *out);

/* Listens until a signal ends it. `ready` gets the address once it answers. */
int iol__serve_listen(iol__serve *serve, void (*ready)(const iol__serve *serve, const char *url));
/* Looks for new logs until `stop` is set, on a thread of its own. */
void *iol__serve_indexer(void *serve);
extern atomic_int iol__serve_stop;

#endif
