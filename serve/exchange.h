/* One request and its answer, whatever brought it: the listener, a test, a fuzzer. Handlers see nothing of HTTP but this. */
#ifndef IOL_SERVE_EXCHANGE_H
#define IOL_SERVE_EXCHANGE_H

#include <pthread.h>
#include <stdatomic.h>

#include "base/arena.h"
#include "serve/access.h"
#include "serve/api/routes.h"
#include "serve/turns.h"
#include "site/store/store.h"
#include "text/json.h"

struct iol__serve;

/* What of the request's headers matters; NULL: not there. */
typedef struct iol__headers {
    const char *authorization, *cookie, *accept_encoding, *if_none_match, *proxy_user, *sec_fetch_site, *accept,
        *forwarded_proto;
    const char *host, *origin, *content_type;
    const char *mcp_revision, *mcp_method, *mcp_name; /* of a message of the Model Context Protocol, repeated */
    const char *log_cluster, *log_name;               /* of a log that is handed in */
    bool proxy_user_twice;
} iol__headers;

typedef struct iol__exchange {
    struct iol__serve *serve;
    /* The request. */
    const char *method;
    const char *path; /* below the prefix, as it came */
    const char *query;
    iol__headers headers;
    iol__peer peer;
    int body_file; /* spooled body of an upload; -1: none */
    size_t body_length;
    /* What is known about it. */
    const iol__route *route;
    iol__piece pieces[IOL_MOST_PARAMS]; /* of its path */
    iol__viewer viewer;
    bool has_session;                    /* the viewer is known by a cookie of ours */
    const char *params[IOL_MOST_PARAMS]; /* in the order of the route's; checked; NULL: not given */
    iol__arena arena;
    iol__arena scratch;    /* emptied by whoever uses it, between steps of its work */
    pthread_mutex_t *held; /* given back at the end, whatever happens */
    struct {
        void (*end)(void *what);
        void *what;
    } ends[4]; /* done at the end of a step, whatever happens, the last first */
    size_t n_ends;
    const atomic_bool *gone; /* becomes true when the client leaves; NULL: it cannot */
    iol__turn turn;
    bool reading;      /* a whole log: counted, see reading.h */
    int64_t deadline;  /* the answer is made by then, or it is an error; 0: takes what it takes. See base/deadline.h */
    iol__store *store; /* borrowed until the end */
    bool store_failed;
    /* The answer. */
    int status;
    const char *type;
    iol__out body;
    iol__json json;
    int file; /* instead of a body; -1: none */
    size_t file_length;
    struct {
        const char *name, *value;
    } extra[8];
    size_t n_extra;
    const char *policy; /* Content-Security-Policy, if another than the usual one */
    bool keep;          /* may be kept by caches for a while: style, scripts */
} iol__exchange;

/* Parameters, after the table's checks. */
const char *iol__param(const iol__exchange *x, const char *name); /* NULL: not given */
int64_t iol__param_int(const iol__exchange *x, const char *name, int64_t missing);
double iol__param_real(const iol__exchange *x, const char *name, double missing);
/* Microseconds since the epoch. */
int64_t iol__param_time(const iol__exchange *x, const char *name, int64_t missing);
/* A choice; the first of the table if it is not given. */
const char *iol__param_choice(const iol__exchange *x, const char *name);
/* `format`; where it is not given, what of its values the header Accept asks for first. */
const char *iol__param_form(const iol__exchange *x);
/* -1: not given. */
int iol__param_flag(const iol__exchange *x, const char *name);

/* Errors: the form of all of them. The format is followed by what it takes; nothing in it may be another's. */
void iol__answer_error(iol__exchange *x, int status, const char *format, ...) __attribute__((format(printf, 3, 4)));
void iol__answer_param(iol__exchange *x, const char *name, const char *why);
/* What is not there, and what is not yours. */
void iol__not_found(iol__exchange *x);
/* Whether there is no time left; the answer is made then. */
bool iol__too_late(iol__exchange *x);
/* The store for this exchange; NULL after an error was answered. */
iol__store *iol__exchange_store(iol__exchange *x);
/* False, with the answer made, if a question to the store failed. */
bool iol__store_ok(iol__exchange *x, iol_status status);

/* One lock at a time. False if others had it for all the time that there is: then the answer will say so. */
bool iol__hold(iol__exchange *x, pthread_mutex_t *lock);
void iol__release(iol__exchange *x);
/* What is to be closed or freed when the step is over, also if it ends for lack of memory. */
void iol__at_end(iol__exchange *x, void (*end)(void *what), void *what);
/* Does it now, but for the first `n`. */
void iol__end_to(iol__exchange *x, size_t n);

/* A header line; both texts live as long as the exchange. */
void iol__header_add(iol__exchange *x, const char *name, const char *value);
/* Begins a JSON object as the answer; the caller fills x->json, then ends it. */
void iol__one_begin(iol__exchange *x);
void iol__one_end(iol__exchange *x);

/* The first half of the path of a request, before its body is taken: route, who asks, whether they may. False: the answer is
   made. */
bool iol__exchange_admit(iol__exchange *x);
/* The second half: parameters, handler, form. Fills the answer, also after a refusal. */
void iol__exchange_run(iol__exchange *x, bool admitted);
void iol__exchange_begin(iol__exchange *x, struct iol__serve *serve);
void iol__exchange_free(iol__exchange *x);

#endif
