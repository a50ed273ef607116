/* The path of a request. Nothing is looked at before it is known who asks, except by routes that are for anybody. */
#include "serve/exchange.h"

#include <assert.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/count.h"
#include "base/deadline.h"
#include "serve/api/mcp.h"
#include "serve/finish.h"
#include "serve/cache.h"
#include "serve/login.h"
#include "serve/params.h"
#include "serve/reading.h"
#include "serve/serve.h"
#include "text/number.h"
#include "text/text.h"

enum { MOST_MEMORY = 256 << 20 }; /* of a request, beside the log that it reads; see docs/serve.md */

/* Errors ---------------------------------------------------------------------------------------------------------- */

static const struct {
    int status;
    const char *code;
} codes[] = {{400, "bad_request"},        {401, "unauthorized"},      {403, "forbidden"}, {404, "not_found"},
             {405, "method_not_allowed"}, {406, "not_acceptable"},    {409, "conflict"},  {413, "too_large"},
             {415, "unsupported_type"},   {429, "too_many_requests"}, {500, "internal"},  {503, "unavailable"}};

static const char *code_of(int status) {
    for (size_t i = 0; i < IOL_COUNT(codes); i++)
        if (codes[i].status == status) return codes[i].code;
    return "internal";
}

static void fail(iol__exchange *x, int status, const char *message, const char *param) {
    x->body.length = 0;
    x->n_extra = 0;
    x->policy = NULL;
    x->keep = false;
    x->status = status;
    if (x->file >= 0) close(x->file);
    x->file = -1;
    if (x->route && x->route->shape == IOL_SHAPE_PAGE) {
        iol__page_error(x, status, message);
        return;
    }
    x->type = "application/json";
    iol__json_start(&x->json, &x->body, 0);
    iol__json_open(&x->json, '{');
    iol__json_put_open(&x->json, "error", '{');
    iol__json_put_text(&x->json, "code", code_of(status));
    iol__json_put_text(&x->json, "message", message);
    iol__json_put_open(&x->json, "detail", '{');
    if (param) iol__json_put_text(&x->json, "parameter", param);
    iol__json_close(&x->json, '}');
    iol__json_close(&x->json, '}');
    iol__json_close(&x->json, '}');
    iol__json_finish(&x->json);
}

void iol__answer_error(iol__exchange *x, int status, const char *format, ...) {
    char message[400];
    va_list args;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    fail(x, status, message, NULL);
}

void iol__answer_param(iol__exchange *x, const char *name, const char *why) {
    char message[400];
    snprintf(message, sizeof message, "%.64s: %s", name, why);
    fail(x, 400, message, name);
}

void iol__not_found(iol__exchange *x) { iol__answer_error(x, 404, "there is nothing here"); }

/* Tools of handlers ----------------------------------------------------------------------------------------------- */

bool iol__too_late(iol__exchange *x) {
    if (!iol__is_past(x->deadline)) return false;
    char limit[IOL_HUMAN];
    iol__answer_error(x, 503, "this takes longer than the %s that this server allows; ask for less, or a shorter time",
                      iol__human_seconds(limit, x->serve->options->answer_seconds));
    return true;
}

iol__store *iol__exchange_store(iol__exchange *x) {
    if (!x->store) x->store = iol__serve_borrow(x->serve, x->deadline);
    if (x->store && x->store->reference) {
        iol__serve_return(x->serve, x->store, true);
        x->store = NULL;
    }
    if (!x->store) iol__answer_error(x, 503, "the index cannot be read at the moment");
    return x->store;
}

bool iol__store_ok(iol__exchange *x, iol_status status) {
    if (status == IOL_OK) return true;
    iol__complain("iolite serve: ", "%s: %s", x->route ? x->route->path : "", iol__store_error(x->store));
    x->store_failed = true;
    atomic_fetch_add(&x->serve->store_errors, 1);
    iol__answer_error(x, 503, "the index cannot be read at the moment");
    return false;
}

/* Locks know only the clock on the wall, which may be set meanwhile: hence in steps. */
bool iol__hold(iol__exchange *x, pthread_mutex_t *lock) {
    enum { STEP_MS = 900 };
    struct timespec until;
    do {
        if (iol__is_past(x->deadline)) return false;
        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_nsec += iol__deadline_ms(x->deadline, STEP_MS) * 1000000;
        until.tv_sec += until.tv_nsec / 1000000000;
        until.tv_nsec %= 1000000000;
    } while (pthread_mutex_timedlock(lock, &until) != 0);
    x->held = lock;
    return true;
}

void iol__release(iol__exchange *x) {
    if (x->held) pthread_mutex_unlock(x->held);
    x->held = NULL;
}

void iol__at_end(iol__exchange *x, void (*end)(void *what), void *what) {
    assert(x->n_ends < IOL_COUNT(x->ends));
    x->ends[x->n_ends].end = end;
    x->ends[x->n_ends++].what = what;
}

void iol__end_to(iol__exchange *x, size_t n) {
    while (x->n_ends > n) {
        x->n_ends--;
        x->ends[x->n_ends].end(x->ends[x->n_ends].what);
    }
}

void iol__header_add(iol__exchange *x, const char *name, const char *value) {
    if (x->n_extra == IOL_COUNT(x->extra)) return;
    x->extra[x->n_extra].name = name;
    x->extra[x->n_extra++].value = value;
}

void iol__one_begin(iol__exchange *x) {
    iol__json_start(&x->json, &x->body, 1);
    iol__json_open(&x->json, '{');
}

void iol__one_end(iol__exchange *x) {
    iol__json_close(&x->json, '}');
    iol__json_finish(&x->json);
}

/* Who asks -------------------------------------------------------------------------------------------------------- */

/* A password that a browser gave to the proxy comes with the request (Basic, Digest): it is the proxy's, which names the user. */
static bool is_for_proxy(const iol__exchange *x) {
    const iol__headers *h = &x->headers;
    return h->proxy_user && strncasecmp(h->authorization, "Bearer ", 7) != 0 &&
           iol__access_proxied(&x->serve->trust, &x->peer);
}

/* A page elsewhere must not make a browser hand something in: not with a cookie of ours, nor with what the proxy knows. */
static bool is_from_other_page(const iol__exchange *x) {
    const char *site = x->headers.sec_fetch_site;
    return site && strcmp(site, "same-origin") != 0 && strcmp(x->method, "POST") == 0;
}

/* False, with the answer made, for proofs that are wrong; no proof at all is not an error. */
static bool find_viewer(iol__exchange *x) {
    iol__serve *s = x->serve;
    const iol__headers *h = &x->headers;
    int64_t now = (int64_t)time(NULL);
    if (h->authorization && !is_for_proxy(x)) {
        iol__serve_hold_tokens(s);
        const bool good = strncasecmp(h->authorization, "Bearer ", 7) == 0 &&
                          iol__token_viewer(&s->tokens, &s->trust, h->authorization + 7, now, &x->viewer);
        iol__serve_release_tokens(s);
        if (good) return true;
        iol__answer_error(x, 401, "this token is not known, or has expired");
        iol__header_add(x, "WWW-Authenticate", "Bearer");
        return false;
    }
    if (iol__access_proxied(&s->trust, &x->peer) && h->proxy_user) {
        if (h->proxy_user_twice || !iol__access_user(&s->trust, h->proxy_user, &x->viewer)) {
            iol__answer_error(x, 401, "the proxy does not say who you are");
            return false;
        }
        if (is_from_other_page(x)) x->viewer = (iol__viewer){0};
        return true;
    }
    const char *session = iol__login_session(x);
    iol__serve_hold_tokens(s);
    x->has_session = session && iol__session_viewer(&s->tokens, &s->trust, session, now, &x->viewer);
    iol__serve_release_tokens(s);
    if (is_from_other_page(x)) x->viewer = (iol__viewer){0};
    return true;
}

/* The other pieces of a query, as they came. */
static const char *without_token(iol__arena *arena, const char *query) {
    char *rest = iol__arena_alloc(arena, strlen(query) + 1, 1), *to = rest;
    while (*query) {
        size_t piece = strcspn(query, "&");
        if (piece && strncmp(query, "token=", 6) != 0) {
            if (to != rest) *to++ = '&';
            memcpy(to, query, piece);
            to += piece;
        }
        query += piece + (query[piece] == '&');
    }
    return rest;
}

/* A token in an address becomes a cookie at once, and the address loses it. */
static bool exchange_token(iol__exchange *x) {
    const char *token = x->query ? iol__query_value(&x->arena, x->query, "token") : NULL;
    if (!token || strcmp(x->method, "GET") != 0) return false;
    const char *rest = without_token(&x->arena, x->query);
    iol__login_with(x, token, iol__arena_print(&x->arena, "%s%s%s", x->path, *rest ? "?" : "", rest));
    return true;
}

/* The path -------------------------------------------------------------------------------------------------------- */

/* HEAD is GET without a body. */
static const char *method_of(const iol__exchange *x) { return strcmp(x->method, "HEAD") == 0 ? "GET" : x->method; }

/* Methods of other routes with this path go to `others`. */
static bool find_route(iol__exchange *x, const char **others) {
    *others = NULL;
    for (size_t i = 0; i < iol__routes_count; i++) {
        iol__piece found[IOL_MOST_PARAMS] = {{0}};
        if (!iol__route_fits(&iol__routes[i], x->path, found)) continue;
        if (strcmp(iol__routes[i].method, method_of(x)) != 0) {
            *others = strcmp(iol__routes[i].method, "GET") == 0 ? "GET, HEAD" : iol__routes[i].method;
            continue;
        }
        x->route = &iol__routes[i];
        memcpy(x->pieces, found, sizeof found);
        return true;
    }
    return false;
}

static void refuse_stranger(iol__exchange *x) {
    if (x->viewer.role)
        iol__answer_error(x, 403, "this is not for the role '%s'", iol__role_name(x->viewer.role));
    else
        iol__answer_error(
            x, 401, "please log in: with the address that the server printed, a bearer token, or your centre's portal");
    if (!x->viewer.role) iol__header_add(x, "WWW-Authenticate", "Bearer");
}

static void refuse_method(iol__exchange *x, const char *others) {
    iol__answer_error(x, 405, "this address does not take %.16s", x->method);
    iol__header_add(x, "Allow", others);
}

static bool admit(iol__exchange *x) {
    const char *others;
    bool known = find_route(x, &others);
    if (known && x->route->handle == iol__serve_mcp && !iol__origin_is_ours(x)) {
        iol__answer_error(x, 403, "pages of other servers may not ask this one");
        return false;
    }
    if ((known && exchange_token(x)) || !find_viewer(x)) return false;
    if (known && iol__access_route(&x->viewer, x->route)) return true;
    if (known || !x->viewer.role)
        refuse_stranger(x);
    else if (others)
        refuse_method(x, others);
    else
        iol__not_found(x);
    return false;
}

/* Steps run with the files held, and wait here for lack of memory. */
static bool step(iol__exchange *x, bool (*what)(iol__exchange *x)) {
    jmp_buf exhausted;
    volatile bool outcome = false;
    x->arena.exhausted = x->scratch.exhausted = &exhausted;
    pthread_rwlock_rdlock(&x->serve->files);
    if (setjmp(exhausted)) {
        x->store_failed = true; /* it may have been left in the middle of a question */
        iol__answer_error(x, 503, "out of memory");
    } else {
        outcome = what(x);
    }
    iol__release(x);
    iol__end_to(x, 0);
    iol__reading_end(x);
    pthread_rwlock_unlock(&x->serve->files);
    x->arena.exhausted = x->scratch.exhausted = NULL;
    return outcome;
}

static bool answer(iol__exchange *x) {
    if (!iol__params_read(x, x->pieces)) return false;
    x->type = x->route->shape == IOL_SHAPE_PAGE ? "text/html; charset=utf-8" : "application/json";
    if (iol__cache_find(x)) return true;
    x->route->handle(x);
    if (!iol__too_late(x)) iol__cache_add(x); /* else what was made may lack what there was no time for */
    return true;
}

static bool refuse_turn(iol__exchange *x) {
    iol__turn_refuse(x);
    return true;
}

static bool finish(iol__exchange *x) {
    iol__finish(x);
    return true;
}

bool iol__exchange_admit(iol__exchange *x) {
    x->status = 200;
    return step(x, admit);
}

static void note_latency(iol__exchange *x, int64_t since) {
    const int64_t took = iol__monotonic() - since;
    iol__latencies *kind = &x->serve->latencies[x->route && iol__route_is_heavy(x->route->name)];
    size_t bucket = 0;
    while (bucket < IOL_LATENCIES && (double)took / 1e9 > iol__latency_bounds[bucket]) bucket++;
    atomic_fetch_add(&kind->counts[bucket], 1);
    atomic_fetch_add(&kind->microseconds, (unsigned long long)took / 1000);
    if (x->gone && atomic_load(x->gone)) atomic_fetch_add(&x->serve->dropped, 1);
}

void iol__exchange_run(iol__exchange *x, bool admitted) {
    const int64_t since = iol__monotonic();
    x->deadline = x->serve->options->answer_seconds > 0 ? iol__deadline_in(x->serve->options->answer_seconds) : 0;
    iol__nobody_waits = x->gone;
    if (admitted) step(x, iol__turn_take(x) ? answer : refuse_turn);
    iol__turn_end(x);
    iol__nobody_waits = NULL;
    if (x->store) iol__serve_return(x->serve, x->store, x->store_failed);
    x->store = NULL;
    step(x, finish);
    atomic_fetch_add(&x->serve->requests[x->status < IOL_STATUSES ? x->status : 0], 1);
    note_latency(x, since);
}

void iol__exchange_begin(iol__exchange *x, struct iol__serve *serve) {
    *x = (iol__exchange){.serve = serve, .body_file = -1, .file = -1, .query = ""};
    x->arena.limit = x->scratch.limit = MOST_MEMORY;
    iol__out_open(&x->body, -1);
}

void iol__exchange_free(iol__exchange *x) {
    if (x->file >= 0) close(x->file);
    if (x->body_file >= 0) close(x->body_file);
    iol__out_close(&x->body);
    iol__arena_free(&x->arena);
    iol__arena_free(&x->scratch);
}
