/* One thread carries bytes between clients and the library, over a socket pair for each connection:

     client  --up-->  gate (heads are read here)  --inner-->  library
             <------------------down-----------------------

   `up` holds bytes of which `cleared` may go on; the rest waits for its head to be whole. */
#include "serve/gate.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "base/deadline.h"
#include "serve/head.h"

enum { PIECE = 65536, EVENTS = 64, TICK_MS = 200, SHORT_TICK_MS = 5, LEFT_MS = 1000, STOP_SECONDS = 2, ADDRESS = 64 };

typedef enum body_kind { NO_BODY, COUNTED, CHUNKED } body_kind;

typedef struct gate_visit {
    struct gate_visit *next, *before;
    int client, inner; /* -1: not yet, or no more */
    iol__guest *guest;
    struct sockaddr_storage from;
    socklen_t from_length;
    char address[ADDRESS], own[ADDRESS];
    bool exempt;
    char *up, *down;
    size_t up_length, cleared, down_length, down_sent;
    body_kind body;
    uint64_t body_left;
    iol__chunks chunks;
    unsigned asked; /* requests that were passed on */
    bool entered;   /* its first head was whole */
    bool client_ended, inner_ended;
    int64_t head_by, left_at, linger_by; /* times of deadline.h; 0: none */
    int refusal;
    const char *why;
    uint32_t client_events, inner_events;
    bool dead; /* removed at the end of the round: other events may still name it */
} gate_visit;

struct iol__gate {
    iol__gate_options options;
    int poll, wake;
    pthread_t thread;
    pthread_mutex_t lock; /* of the counts */
    iol__gate_counts counts;
    gate_visit *visits; /* latest first */
    gate_visit *dead;
    atomic_bool closing, stopping;
    bool listening;
    bool ending; /* a connection waits for its last answer */
};

void iol__guest_drop(iol__guest *guest) {
    if (guest && atomic_fetch_sub(&guest->holders, 1) == 1) free(guest);
}

static void add_count(iol__gate *g, unsigned long long *count) {
    pthread_mutex_lock(&g->lock);
    ++*count;
    pthread_mutex_unlock(&g->lock);
}

/* Hosts ----------------------------------------------------------------------------------------------------------- */

static bool same_name(const char *name, const char *host, size_t length) {
    return strlen(name) == length && strncasecmp(name, host, length) == 0;
}

static bool is_loopback(const char *host, size_t length) {
    char text[ADDRESS];
    struct in_addr four;
    struct in6_addr six;
    if (same_name("localhost", host, length) || same_name("localhost.", host, length)) return true;
    if (length >= sizeof text) return false;
    memcpy(text, host, length);
    text[length] = 0;
    if (inet_pton(AF_INET, text, &four) == 1) return ntohl(four.s_addr) >> 24 == 127;
    return inet_pton(AF_INET6, text, &six) == 1 && IN6_IS_ADDR_LOOPBACK(&six);
}

bool iol__host_known(const iol__gate_options *o, const char *host, size_t length, const char *own) {
    if (is_loopback(host, length) || (*own && same_name(own, host, length))) return true;
    for (size_t i = 0; i < o->n_hosts; i++)
        if (same_name(o->hosts[i], host, length)) return true;
    return false;
}

/* Connections ----------------------------------------------------------------------------------------------------- */

static void write_address(const struct sockaddr_storage *from, char text[ADDRESS]) {
    *text = 0;
    if (from->ss_family == AF_INET) {
        inet_ntop(AF_INET, &((const struct sockaddr_in *)(const void *)from)->sin_addr, text, ADDRESS);
    } else if (from->ss_family == AF_INET6) {
        const struct in6_addr *six = &((const struct sockaddr_in6 *)(const void *)from)->sin6_addr;
        if (IN6_IS_ADDR_V4MAPPED(six))
            inet_ntop(AF_INET, &six->s6_addr[12], text, ADDRESS);
        else
            inet_ntop(AF_INET6, six, text, ADDRESS);
    }
}

/* A client of IPv6 has a whole network of addresses: the first half counts. */
static bool same_client(const gate_visit *a, const gate_visit *b) {
    if (strcmp(a->address, b->address) == 0) return true;
    if (a->from.ss_family != AF_INET6 || b->from.ss_family != AF_INET6) return false;
    const struct in6_addr *x = &((const struct sockaddr_in6 *)(const void *)&a->from)->sin6_addr,
                          *y = &((const struct sockaddr_in6 *)(const void *)&b->from)->sin6_addr;
    return !IN6_IS_ADDR_V4MAPPED(x) && memcmp(x, y, 8) == 0;
}

static void set_left(gate_visit *v) {
    if (v->guest) v->guest->gone = true;
}

/* A child that is just being started has the socket too, until it becomes another program: closing alone would leave it
   among those that are watched, and its events would name a visit that is gone. */
static void close_socket(const iol__gate *g, int *fd) {
    if (*fd < 0) return;
    epoll_ctl(g->poll, EPOLL_CTL_DEL, *fd, NULL);
    close(*fd);
    *fd = -1;
}

static void end_visit(iol__gate *g, gate_visit *v) {
    if (v->dead) return;
    v->dead = true;
    set_left(v);
    close_socket(g, &v->client);
    close_socket(g, &v->inner);
    if (v->next) v->next->before = v->before;
    *(v->before ? &v->before->next : &g->visits) = v->next;
    v->next = g->dead;
    g->dead = v;
    pthread_mutex_lock(&g->lock);
    g->counts.open--;
    g->counts.waiting -= !v->entered;
    pthread_mutex_unlock(&g->lock);
}

static void bury(iol__gate *g) {
    for (gate_visit *v; (v = g->dead);) {
        g->dead = v->next;
        iol__guest_drop(v->guest);
        free(v->up);
        free(v->down);
        free(v);
    }
}

/* The longest of those whose first head is not whole; of the same client if one is given. */
static gate_visit *longest_waiting(const iol__gate *g, const gate_visit *like) {
    gate_visit *found = NULL;
    for (gate_visit *v = g->visits; v; v = v->next)
        if (!v->entered && (!like || (v != like && same_client(v, like)))) found = v;
    return found;
}

static unsigned count_alike(const iol__gate *g, const gate_visit *like) {
    unsigned n = 0;
    for (const gate_visit *v = g->visits; v; v = v->next) n += same_client(v, like);
    return n;
}

/* Room for one more, which is in the list already. Those that never say what they want make place first. */
static bool make_gate_room(iol__gate *g, const gate_visit *v) {
    const iol__gate_options *o = &g->options;
    const bool many_alike = !v->exempt && count_alike(g, v) > o->per_address;
    if (!many_alike && g->counts.open <= o->connections) return true;
    gate_visit *waiting = longest_waiting(g, many_alike ? v : NULL);
    if (!waiting || waiting == v) return false;
    end_visit(g, waiting);
    add_count(g, &g->counts.evicted);
    return true;
}

static void watch_side(const iol__gate *g, gate_visit *v, int fd, uint32_t *now, uint32_t wanted, bool inner) {
    if (fd < 0 || *now == wanted) return;
    /* Visits are aligned, so that the lowest bit can name the side. */
    struct epoll_event event = {.events = wanted, .data.u64 = (uint64_t)(uintptr_t)v | inner};
    epoll_ctl(g->poll, EPOLL_CTL_MOD, fd, &event);
    *now = wanted;
}

static bool watch_new(const iol__gate *g, gate_visit *v, int fd, uint32_t wanted, bool inner) {
    struct epoll_event event = {.events = wanted, .data.u64 = (uint64_t)(uintptr_t)v | inner};
    *(inner ? &v->inner_events : &v->client_events) = wanted;
    return epoll_ctl(g->poll, EPOLL_CTL_ADD, fd, &event) == 0;
}

static bool is_exempt(const iol__gate_options *o, const char *address) {
    for (size_t i = 0; i < o->n_exempt; i++)
        if (strcmp(o->exempt[i], address) == 0) return true;
    return o->local;
}

static void gate_refuse(gate_visit *v, int status, const char *why) {
    v->refusal = status;
    v->why = why;
}

static void carry(iol__gate *g, gate_visit *v, bool client_ready, bool inner_ready);

static void receive_visitor(iol__gate *g, int client, const struct sockaddr_storage *from, socklen_t length) {
    gate_visit *v = calloc(1, sizeof *v);
    if (!v || !(v->up = malloc(PIECE)) || !(v->down = malloc(PIECE)) || !(v->guest = calloc(1, sizeof *v->guest))) {
        if (v) free(v->up), free(v->down), free(v);
        close(client);
        return;
    }
    atomic_init(&v->guest->holders, 1);
    v->client = client;
    v->inner = -1;
    v->from = *from;
    v->from_length = length;
    write_address(from, v->address);
    struct sockaddr_storage own = {0};
    socklen_t own_length = sizeof own;
    if (getsockname(client, (struct sockaddr *)&own, &own_length) == 0) write_address(&own, v->own);
    v->exempt = is_exempt(&g->options, v->address);
    v->head_by = iol__deadline_in(g->options.header_seconds);
    int one = 1;
    setsockopt(client, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    if ((v->next = g->visits)) v->next->before = v;
    g->visits = v;
    pthread_mutex_lock(&g->lock);
    g->counts.open++;
    g->counts.waiting++;
    g->counts.accepted++;
    pthread_mutex_unlock(&g->lock);
    if (!make_gate_room(g, v)) {
        gate_refuse(v, 429, "there are too many connections");
        add_count(g, &g->counts.refused);
    }
    if (!watch_new(g, v, client, EPOLLIN | EPOLLRDHUP, false)) end_visit(g, v);
    if (v->refusal) carry(g, v, false, false);
}

static void accept_all(iol__gate *g) {
    for (int i = 0; i < EVENTS; i++) {
        struct sockaddr_storage from = {0};
        socklen_t length = sizeof from;
        int client = accept4(g->options.socket, (struct sockaddr *)&from, &length, SOCK_NONBLOCK | SOCK_CLOEXEC);
        if (client < 0 && (errno == EMFILE || errno == ENFILE)) {
            gate_visit *waiting = longest_waiting(g, NULL);
            if (waiting) end_visit(g, waiting);
        }
        if (client < 0) return;
        receive_visitor(g, client, &from, length);
    }
}

/* Heads ----------------------------------------------------------------------------------------------------------- */

static bool gate_enter(iol__gate *g, gate_visit *v) {
    int pair[2];
    if (v->entered) return v->inner >= 0;
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, pair) != 0) return false;
    v->inner = pair[0];
    v->entered = true;
    pthread_mutex_lock(&g->lock);
    g->counts.waiting--;
    pthread_mutex_unlock(&g->lock);
    if (!watch_new(g, v, v->inner, EPOLLIN, true)) {
        close(pair[1]);
        return false;
    }
    return g->options.enter(g->options.context, pair[1], v->guest, (const struct sockaddr *)&v->from, v->from_length);
}

/* The head at the end of what is cleared. False: nothing more can be said now. */
static bool read_gate_head(iol__gate *g, gate_visit *v) {
    iol__head head;
    const char *why = NULL;
    const size_t rest = v->up_length - v->cleared;
    if (!rest) return false;
    const int status = iol__head_read(v->up + v->cleared, rest, &head, &why);
    if (status > 0) return gate_refuse(v, status, why), false;
    const size_t most = g->options.header_bytes;
    if ((status < 0 ? rest : head.length) > most) return gate_refuse(v, 431, "the header is too large"), false;
    if (status < 0) return false;
    if (!v->exempt && head.strange_host) return gate_refuse(v, 400, "the host is malformed"), false;
    if (!v->exempt && head.host && !iol__host_known(&g->options, head.host, head.host_length, v->own))
        return gate_refuse(v, 421, "this server is not known under that host; see --host"), false;
    if (!gate_enter(g, v)) return gate_refuse(v, 503, "there are too many connections"), false;
    v->cleared += head.length;
    v->asked++;
    v->body = head.chunked ? CHUNKED : head.body_length ? COUNTED : NO_BODY;
    v->body_left = head.body_length;
    v->chunks = (iol__chunks){0};
    v->head_by = 0;
    return true;
}

static bool read_body(gate_visit *v) {
    const size_t rest = v->up_length - v->cleared;
    size_t taken = v->body_left < rest ? (size_t)v->body_left : rest;
    if (v->body == CHUNKED) taken = iol__chunks_take(&v->chunks, v->up + v->cleared, rest);
    if (taken == SIZE_MAX) return gate_refuse(v, 400, "the chunks of the body are malformed"), false;
    v->cleared += taken;
    v->body_left -= v->body == COUNTED ? taken : 0;
    if (v->body == CHUNKED ? v->chunks.state == IOL_CHUNKS_DONE : !v->body_left) v->body = NO_BODY;
    return v->body == NO_BODY;
}

static void clear_bytes(iol__gate *g, gate_visit *v) {
    while (!v->refusal && (v->body == NO_BODY ? read_gate_head(g, v) : read_body(v))) continue;
    /* A later head has its time too, from its first byte on. */
    if (v->body == NO_BODY && v->up_length > v->cleared && !v->head_by)
        v->head_by = iol__deadline_in(g->options.header_seconds);
}

/* Refusals ---------------------------------------------------------------------------------------------------------- */

static const struct {
    int status;
    const char *words, *code;
} refusals[] = {{400, "Bad Request", "bad_request"},
                {408, "Request Timeout", "timeout"},
                {421, "Misdirected Request", "misdirected"},
                {429, "Too Many Requests", "too_many_requests"},
                {431, "Request Header Fields Too Large", "too_large"},
                {503, "Service Unavailable", "unavailable"}};

/* What was begun before is answered first: the library sees the end of what it may have. */
static void say_refusal(gate_visit *v) {
    char body[512];
    size_t i = 0;
    while (refusals[i].status != v->refusal) i++;
    v->up_length = v->cleared; /* and nothing behind it */
    if (v->inner >= 0 || v->down_length || v->linger_by) return;
    int length = snprintf(body, sizeof body, "{\"error\": {\"code\": \"%s\", \"message\": \"%s\", \"detail\": {}}}\n",
                          refusals[i].code, v->why);
    v->down_length = (size_t)snprintf(v->down, PIECE,
                                      "HTTP/1.1 %d %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\n"
                                      "Cache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\n"
                                      "Connection: close\r\n\r\n%s",
                                      v->refusal, refusals[i].words, length, body);
    v->down_sent = 0;
    v->inner_ended = true;
}

/* Carrying ---------------------------------------------------------------------------------------------------------- */

static bool would_block(void) { return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR; }

static void note_gate_end(gate_visit *v) {
    if (!v->client_ended) v->left_at = iol__deadline_in(LEFT_MS / 1e3);
    v->client_ended = true;
}

static bool read_client(iol__gate *g, gate_visit *v) {
    if (v->refusal || v->client_ended || v->up_length == PIECE) return true;
    ssize_t n = recv(v->client, v->up + v->up_length, PIECE - v->up_length, 0);
    if (n < 0) return would_block();
    if (!n) note_gate_end(v);
    v->up_length += (size_t)n;
    clear_bytes(g, v);
    return true;
}

static bool feed_inner(gate_visit *v) {
    while (v->cleared && v->inner >= 0) {
        ssize_t n = send(v->inner, v->up, v->cleared, MSG_NOSIGNAL);
        if (n < 0 && would_block()) return true;
        if (n < 0) { /* the library has closed it: what it said before is still to be read */
            v->cleared = v->up_length = 0;
            return true;
        }
        memmove(v->up, v->up + n, v->up_length - (size_t)n);
        v->up_length -= (size_t)n;
        v->cleared -= (size_t)n;
    }
    return true;
}

static bool read_inner(const iol__gate *g, gate_visit *v) {
    if (v->inner < 0 || v->inner_ended || v->down_length == PIECE) return true;
    ssize_t n = recv(v->inner, v->down + v->down_length, PIECE - v->down_length, 0);
    if (n < 0 && would_block()) return true;
    if (n > 0) {
        v->down_length += (size_t)n;
        return true;
    }
    close_socket(g, &v->inner);
    v->inner_ended = !v->refusal; /* else the refusal is still to be said */
    return true;
}

static bool feed_client(gate_visit *v) {
    while (v->down_sent < v->down_length) {
        ssize_t n = send(v->client, v->down + v->down_sent, v->down_length - v->down_sent, MSG_NOSIGNAL);
        if (n < 0) return would_block();
        v->down_sent += (size_t)n;
    }
    v->down_length = v->down_sent = 0;
    return true;
}

/* Whether all is said. A client that still sends would lose the answer to a reset: it gets the end first, and a moment. */
static bool is_over(gate_visit *v) {
    if (v->down_length) return false;
    if (v->inner < 0 && !v->inner_ended && !v->refusal) return v->client_ended;
    if (!v->inner_ended) return false;
    if (v->client_ended) return true;
    if (!v->linger_by) {
        shutdown(v->client, SHUT_WR);
        v->linger_by = iol__deadline_in(1);
    }
    return false;
}

static bool drain_client(gate_visit *v) {
    char waste[4096];
    ssize_t n;
    while ((n = recv(v->client, waste, sizeof waste, 0)) > 0) continue;
    return n < 0 && would_block();
}

static void choose_events(iol__gate *g, gate_visit *v) {
    uint32_t client = 0, inner = 0;
    if (!v->client_ended && (v->linger_by || (!v->refusal && v->up_length < PIECE))) client = EPOLLIN | EPOLLRDHUP;
    if (v->down_length) client |= EPOLLOUT;
    if (v->down_length < PIECE && !v->inner_ended) inner |= EPOLLIN;
    if (v->cleared) inner |= EPOLLOUT;
    watch_side(g, v, v->client, &v->client_events, client, false);
    watch_side(g, v, v->inner, &v->inner_events, inner, true);
}

/* Nothing more will be passed on. The library ends when it sees that, so it may see it only after its last answer. */
static bool wants_end(const gate_visit *v) { return (v->refusal || v->client_ended) && v->inner >= 0; }

/* All that can be done for a connection at the moment. */
static void carry(iol__gate *g, gate_visit *v, bool client_ready, bool inner_ready) {
    if (v->dead) return;
    bool good = true;
    if (client_ready) good = v->linger_by ? drain_client(v) : read_client(g, v);
    good = good && feed_inner(v);
    if (good && !v->refusal && v->up_length > v->cleared) clear_bytes(g, v);
    if (wants_end(v) && !v->cleared && v->guest->answered == v->asked) shutdown(v->inner, SHUT_WR);
    if (good && (inner_ready || v->inner >= 0)) good = read_inner(g, v);
    if (good && v->refusal && !v->linger_by) say_refusal(v);
    good = good && feed_client(v);
    if (good && v->refusal && !v->linger_by && !v->inner_ended) say_refusal(v), good = feed_client(v);
    if (!good || is_over(v))
        end_visit(g, v);
    else
        choose_events(g, v);
}

static void handle_event(iol__gate *g, const struct epoll_event *event) {
    const bool inner = event->data.u64 & 1;
    gate_visit *v = (gate_visit *)(uintptr_t)(event->data.u64 & ~UINT64_C(1)); /* NOLINT(performance-no-int-to-ptr) */
    if (v->dead) return;
    if (!inner && (event->events & (EPOLLERR | EPOLLHUP)) && !v->linger_by) {
        end_visit(g, v); /* reset, or closed on both sides */
        return;
    }
    carry(g, v, !inner && (event->events & (EPOLLIN | EPOLLRDHUP | EPOLLHUP)), inner);
}

/* Clients that take too long for a head, and those that left. */
static void look_at_clock(iol__gate *g) {
    g->ending = false;
    for (gate_visit *v = g->visits, *next; v; v = next) {
        next = v->next;
        if (wants_end(v)) carry(g, v, false, false);
        if (v->dead) continue;
        g->ending = g->ending || wants_end(v);
        if (v->linger_by && iol__is_past(v->linger_by)) {
            end_visit(g, v);
        } else if (v->head_by && !v->refusal && iol__is_past(v->head_by)) {
            gate_refuse(v, 408, "the header did not arrive in time");
            carry(g, v, false, false);
        } else if (v->left_at && iol__is_past(v->left_at)) {
            set_left(v);
        }
    }
}

static void wake(const iol__gate *g) {
    const uint64_t one = 1;
    if (write(g->wake, &one, sizeof one) < 0) return; /* it is awake */
}

static void sleep_again(const iol__gate *g) {
    uint64_t times;
    if (read(g->wake, &times, sizeof times) < 0) return;
}

/* Whether bytes of an answer are still on their way. */
static bool is_carrying(const iol__gate *g) {
    for (const gate_visit *v = g->visits; v; v = v->next)
        if (v->down_length || v->inner >= 0) return true;
    return false;
}

static void *gate_guard(void *context) {
    iol__gate *g = context;
    struct epoll_event events[EVENTS];
    int64_t stop_by = 0;
    while (!g->stopping || (is_carrying(g) && !iol__is_past(stop_by))) {
        if (g->stopping && !stop_by) stop_by = iol__deadline_in(STOP_SECONDS);
        int n = epoll_wait(g->poll, events, EVENTS, g->ending ? SHORT_TICK_MS : TICK_MS);
        for (int i = 0; i < n; i++) {
            if (events[i].data.u64 == 0)
                accept_all(g);
            else if (events[i].data.u64 == 1)
                sleep_again(g);
            else
                handle_event(g, &events[i]);
        }
        if (g->closing && g->listening) {
            epoll_ctl(g->poll, EPOLL_CTL_DEL, g->options.socket, NULL);
            g->listening = false;
        }
        look_at_clock(g);
        bury(g);
    }
    while (g->visits) end_visit(g, g->visits);
    bury(g);
    return NULL;
}

iol__gate *iol__gate_start(const iol__gate_options *options) {
    iol__gate *g = calloc(1, sizeof *g);
    if (!g) return NULL;
    g->options = *options;
    g->poll = epoll_create1(EPOLL_CLOEXEC);
    g->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    g->listening = true;
    pthread_mutex_init(&g->lock, NULL);
    struct epoll_event listening = {.events = EPOLLIN, .data.u64 = 0}, waking = {.events = EPOLLIN, .data.u64 = 1};
    if (g->poll >= 0 && g->wake >= 0 && epoll_ctl(g->poll, EPOLL_CTL_ADD, options->socket, &listening) == 0 &&
        epoll_ctl(g->poll, EPOLL_CTL_ADD, g->wake, &waking) == 0 &&
        pthread_create(&g->thread, NULL, gate_guard, g) == 0)
        return g;
    if (g->poll >= 0) close(g->poll);
    if (g->wake >= 0) close(g->wake);
    pthread_mutex_destroy(&g->lock);
    free(g);
    return NULL;
}

void iol__gate_close(iol__gate *g) {
    g->closing = true;
    wake(g);
}

void iol__gate_stop(iol__gate *g) {
    g->stopping = true;
    wake(g);
    pthread_join(g->thread, NULL);
    close(g->poll);
    close(g->wake);
    pthread_mutex_destroy(&g->lock);
    free(g);
}

iol__gate_counts iol__gate_count(iol__gate *g) {
    pthread_mutex_lock(&g->lock);
    const iol__gate_counts counts = g->counts;
    pthread_mutex_unlock(&g->lock);
    return counts;
}
