/* The listener: the gate passes connections on to libmicrohttpd, whose threads, one per connection, bring requests here, each
   with an exchange of its own. Only this file knows the library. Bodies of uploads go to a file without a name as they come;
   connections that take too long are cut by a watchman, because the library only limits silence. */
#include <arpa/inet.h>
#include <errno.h>
#include <grp.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "serve/gate.h"
#include "serve/requests.h"
#include "serve/serve.h"

#if IOL_HAVE_MICROHTTPD
#include "serve/microhttpd.h"
#include "text/text.h"

enum { SMALL_BODY = 65536, STOP_SECONDS = 10, HEADER_SECONDS = 10, LEAST_PER_ADDRESS = 16 };
static const iol__mhd *mhd;

typedef struct connection {
    struct connection *next, *before;
    int fd;
    time_t deadline; /* 0: none */
    iol__guest *guest;
    struct call
        *call; /* that has not been completed: of some requests that are none the library does not tell the end */
} connection;

/* A connection that the gate has handed over, and the library has not yet told of. */
typedef struct arrival {
    struct arrival *next;
    int fd;
    iol__guest *guest;
} arrival;

typedef struct listener {
    iol__serve *serve;
    iol__gate *gate;
    arrival *arrivals; /* under the lock */
    struct MHD_Daemon *daemon;
    pthread_mutex_t lock;
    connection *connections;
    iol__requests requests; /* the log of them */
    int socket;
    bool local;
    atomic_bool watching;
    char url[512];
} listener;

/* One request on its way. */
typedef struct call {
    iol__exchange x;
    char *uri;
    bool begun, admitted, too_large, broken, counted;
    struct timespec since;
} call;

/* Connections that take too long ------------------------------------------------------------------------------------ */

static time_t now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec;
}

static connection *connection_of(struct MHD_Connection *from) {
    const union MHD_ConnectionInfo *info = mhd->get_connection_info(from, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    return info ? info->socket_context : NULL;
}

static void free_call(const listener *l, call *c) {
    if (!c) return;
    if (c->counted) atomic_fetch_sub(&l->serve->busy, 1);
    if (c->begun) iol__exchange_free(&c->x);
    free(c->uri);
    free(c);
}

/* With the lock held. */
static iol__guest *take_arrival(listener *l, int fd) {
    for (arrival **at = &l->arrivals; *at; at = &(*at)->next) {
        arrival *a = *at;
        if (a->fd != fd) continue;
        iol__guest *guest = a->guest;
        *at = a->next;
        free(a);
        return guest;
    }
    return NULL;
}

static void on_connection(void *context, struct MHD_Connection *from, void **own,
                          enum MHD_ConnectionNotificationCode code) {
    listener *l = context;
    connection *c = *own;
    pthread_mutex_lock(&l->lock);
    if (code == MHD_CONNECTION_NOTIFY_STARTED && (c = calloc(1, sizeof *c))) {
        const union MHD_ConnectionInfo *info = mhd->get_connection_info(from, MHD_CONNECTION_INFO_CONNECTION_FD);
        *c = (connection){.next = l->connections, .fd = info ? info->connect_fd : -1};
        c->deadline = now() + l->serve->options->seconds;
        c->guest = take_arrival(l, c->fd);
        if (c->next) c->next->before = c;
        l->connections = c;
        *own = c;
    } else if (code == MHD_CONNECTION_NOTIFY_CLOSED && c) {
        if (c->next) c->next->before = c->before;
        *(c->before ? &c->before->next : &l->connections) = c->next;
        free_call(l, c->call);
        iol__guest_drop(c->guest);
        free(c);
        *own = NULL;
    }
    pthread_mutex_unlock(&l->lock);
}

static void set_deadline(listener *l, struct MHD_Connection *from, time_t seconds) {
    connection *c = connection_of(from);
    pthread_mutex_lock(&l->lock);
    if (c) c->deadline = seconds ? now() + seconds : 0;
    pthread_mutex_unlock(&l->lock);
}

/* The library closes a connection whose socket has come to its end. */
static void *watch(void *context) {
    listener *l = context;
    while (l->watching) {
        struct timespec pause = {.tv_nsec = 250000000};
        nanosleep(&pause, NULL);
        pthread_mutex_lock(&l->lock);
        time_t time = now();
        for (connection *c = l->connections; c; c = c->next)
            if (c->deadline && c->deadline <= time) shutdown(c->fd, SHUT_RDWR);
        pthread_mutex_unlock(&l->lock);
    }
    return NULL;
}

/* Requests -------------------------------------------------------------------------------------------------------- */

static void *on_uri(void *context, const char *uri, struct MHD_Connection *from) {
    const listener *l = context;
    connection *own = connection_of(from);
    call *c = calloc(1, sizeof *c);
    if (c) c->uri = strdup(uri);
    if (c) clock_gettime(CLOCK_MONOTONIC, &c->since);
    if (!own) return c;
    free_call(l, own->call);
    own->call = c;
    return c;
}

/* Addresses stay as they came: the exchange takes them apart. */
static size_t leave_escaped(void *context, struct MHD_Connection *from, char *text) {
    (void)context;
    (void)from;
    return strlen(text);
}

static const char *header(struct MHD_Connection *from, const char *name) {
    return mhd->lookup_connection_value(from, MHD_HEADER_KIND, name);
}

typedef struct counting {
    const char *name;
    int count;
} counting;

static enum MHD_Result count_header(void *context, enum MHD_ValueKind kind, const char *key, const char *value) {
    counting *c = context;
    (void)kind;
    (void)value;
    c->count += strcasecmp(key, c->name) == 0;
    return MHD_YES;
}

static void read_peer(const listener *l, struct MHD_Connection *from, iol__peer *peer) {
    const union MHD_ConnectionInfo *info = mhd->get_connection_info(from, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
    const struct sockaddr *address = info ? info->client_addr : NULL;
    peer->local = l->local;
    if (peer->local || !address) return;
    if (address->sa_family == AF_INET)
        inet_ntop(AF_INET, &((const struct sockaddr_in *)(const void *)address)->sin_addr, peer->address,
                  sizeof peer->address);
    else if (address->sa_family == AF_INET6)
        inet_ntop(AF_INET6, &((const struct sockaddr_in6 *)(const void *)address)->sin6_addr, peer->address,
                  sizeof peer->address);
}

/* The path below the prefix; a request beside it fits no route. */
static const char *below_prefix(const char *uri, const char *prefix) {
    size_t length = strlen(prefix);
    if (strncmp(uri, prefix, length) != 0) return "";
    return uri[length] == '/' ? uri + length : uri[length] ? "" : "/";
}

static void begin(listener *l, call *c, struct MHD_Connection *from, const char *method) {
    iol__exchange *x = &c->x;
    const iol__trust *trust = &l->serve->options->trust;
    iol__exchange_begin(x, l->serve);
    char *query = strchr(c->uri, '?');
    if (query) *query++ = 0;
    x->method = method;
    x->path = below_prefix(c->uri, l->serve->options->prefix);
    x->query = query ? query : "";
    x->headers = (iol__headers){.authorization = header(from, "Authorization"),
                                .cookie = header(from, "Cookie"),
                                .accept = header(from, "Accept"),
                                .accept_encoding = header(from, "Accept-Encoding"),
                                .log_cluster = header(from, "X-Iolite-Cluster"),
                                .log_name = header(from, "X-Iolite-Name"),
                                .if_none_match = header(from, "If-None-Match"),
                                .sec_fetch_site = header(from, "Sec-Fetch-Site"),
                                .forwarded_proto = header(from, "X-Forwarded-Proto"),
                                .host = header(from, "Host"),
                                .origin = header(from, "Origin"),
                                .content_type = header(from, "Content-Type"),
                                .mcp_revision = header(from, "MCP-Protocol-Version"),
                                .mcp_method = header(from, "Mcp-Method"),
                                .mcp_name = header(from, "Mcp-Name"),
                                .proxy_user = trust->proxy_header ? header(from, trust->proxy_header) : NULL};
    counting count = {trust->proxy_header ? trust->proxy_header : "", 0};
    if (x->headers.proxy_user) mhd->get_connection_values(from, MHD_HEADER_KIND, count_header, &count);
    x->headers.proxy_user_twice = count.count > 1;
    read_peer(l, from, &x->peer);
    const connection *own = connection_of(from);
    x->gone = own && own->guest ? &own->guest->gone : NULL;
    c->begun = true;
    c->admitted = iol__exchange_admit(x);
}

/* Bodies ---------------------------------------------------------------------------------------------------------- */

static uint64_t most_bytes(const listener *l, const call *c) {
    const bool large = c->admitted && strcmp(c->x.route->method, "POST") == 0 && c->x.route->shape == IOL_SHAPE_ONE;
    return large ? l->serve->options->upload_bytes : SMALL_BODY;
}

/* A file without a name: nothing is left of what never becomes a log. */
static int open_spool(const listener *l) {
    char path[4096];
    snprintf(path, sizeof path, "%s/uploads", l->serve->options->state);
    int fd = open(path, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    if (fd >= 0) return fd;
    snprintf(path, sizeof path, "%s/uploads/.XXXXXX", l->serve->options->state);
    fd = mkostemp(path, O_CLOEXEC);
    if (fd >= 0) unlink(path);
    return fd;
}

static void take_body(listener *l, call *c, const char *bytes, size_t length) {
    iol__exchange *x = &c->x;
    if (!c->admitted || c->too_large || c->broken) return;
    if (x->body_length + length > most_bytes(l, c)) {
        c->too_large = true;
        return;
    }
    if (strcmp(x->route->method, "POST") != 0) return;
    if (x->body_file < 0) x->body_file = open_spool(l);
    for (size_t done = 0; done < length && !c->broken;) {
        ssize_t n = x->body_file < 0 ? -1 : write(x->body_file, bytes + done, length - done);
        if (n < 0 && errno == EINTR) continue;
        c->broken = n <= 0;
        done += n > 0 ? (size_t)n : 0;
    }
    x->body_length += length;
}

/* Answers --------------------------------------------------------------------------------------------------------- */

static const char usual_policy[] =
    "default-src 'none'; script-src 'self'; style-src 'self'; style-src-attr 'unsafe-inline'; img-src 'self' data: "
    "blob:; "
    "font-src 'self'; connect-src 'self'; worker-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors "
    "'none'";

static struct MHD_Response *response_of(iol__exchange *x) {
    struct MHD_Response *r;
    if (x->file >= 0) {
        r = mhd->create_response_from_fd64(x->file_length, x->file);
        if (r) x->file = -1;
    } else {
        r = mhd->create_response_from_buffer(x->body.length, x->body.buffer, MHD_RESPMEM_MUST_FREE);
        if (r) x->body = (iol__out){.fd = -1};
    }
    if (!r) return NULL;
    if (x->type && x->status != 303 && x->status != 304) mhd->add_response_header(r, "Content-Type", x->type);
    for (size_t i = 0; i < x->n_extra; i++) mhd->add_response_header(r, x->extra[i].name, x->extra[i].value);
    mhd->add_response_header(r, "Content-Security-Policy", x->policy ? x->policy : usual_policy);
    mhd->add_response_header(r, "X-Content-Type-Options", "nosniff");
    mhd->add_response_header(r, "Referrer-Policy", "no-referrer");
    if (!x->policy) mhd->add_response_header(r, "X-Frame-Options", "DENY");
    mhd->add_response_header(r, "Cross-Origin-Resource-Policy", "same-origin");
    return r;
}

static enum MHD_Result reply(listener *l, call *c, struct MHD_Connection *from) {
    iol__exchange *x = &c->x;
    set_deadline(l, from, 0);
    c->counted = true;
    atomic_fetch_add(&l->serve->busy, 1); /* until the answer was taken */
    if (c->admitted && c->too_large) iol__answer_error(x, 413, "the body is larger than this address takes");
    if (c->admitted && c->broken) iol__answer_error(x, 503, "there is no room for the body");
    iol__exchange_run(x, c->admitted && !c->too_large && !c->broken);
    size_t bytes = x->file >= 0 ? x->file_length : x->body.length;
    atomic_fetch_add(&l->serve->sent_bytes, bytes);
    iol__requests_note(&l->requests, x, c->uri, &c->since, bytes);
    struct MHD_Response *r = response_of(x);
    enum MHD_Result result = r ? mhd->queue_response(from, (unsigned)x->status, r) : MHD_NO;
    if (r) mhd->destroy_response(r);
    set_deadline(l, from, 10 * (time_t)l->serve->options->seconds);
    return result;
}

static bool announced_too_much(const listener *l, const call *c, struct MHD_Connection *from) {
    const char *length = header(from, "Content-Length");
    return length && strtoull(length, NULL, 10) > most_bytes(l, c);
}

static enum MHD_Result on_request(void *context, struct MHD_Connection *from, const char *url, const char *method,
                                  const char *version, const char *body, size_t *length, void **own) {
    listener *l = context;
    call *c = *own;
    (void)url;
    (void)version;
    if (!c || !c->uri) return MHD_NO;
    if (!c->begun) {
        begin(l, c, from, method);
        /* Refused before the body comes. */
        if (announced_too_much(l, c, from)) c->too_large = true;
        bool has_body = header(from, "Content-Length") || header(from, "Transfer-Encoding");
        if (has_body && (!c->admitted || c->too_large)) return reply(l, c, from);
        set_deadline(l, from, has_body ? 10 * (time_t)l->serve->options->seconds : l->serve->options->seconds);
        return MHD_YES;
    }
    if (*length) {
        take_body(l, c, body, *length);
        *length = 0;
        return MHD_YES;
    }
    return reply(l, c, from);
}

static void on_completed(void *context, struct MHD_Connection *from, void **own, enum MHD_RequestTerminationCode code) {
    listener *l = context;
    call *c = *own;
    (void)code;
    connection *of = connection_of(from);
    set_deadline(l, from, l->serve->options->seconds);
    if (of && of->call == c) of->call = NULL;
    if (of && of->guest) atomic_fetch_add(&of->guest->answered, 1);
    free_call(l, c);
    *own = NULL;
}

/* Called by the gate. */
static bool enter(void *context, int inner, iol__guest *guest, const struct sockaddr *address, socklen_t length) {
    listener *l = context;
    arrival *a = malloc(sizeof *a);
    if (!a) return close(inner), false;
    *a = (arrival){NULL, inner, guest};
    atomic_fetch_add(&guest->holders, 1);
    pthread_mutex_lock(&l->lock);
    a->next = l->arrivals;
    l->arrivals = a;
    pthread_mutex_unlock(&l->lock);
    if (mhd->add_connection(l->daemon, inner, address, length) == MHD_YES) return true;
    pthread_mutex_lock(&l->lock);
    iol__guest *left = take_arrival(l, inner);
    pthread_mutex_unlock(&l->lock);
    iol__guest_drop(left);
    return false;
}

/* Listening ------------------------------------------------------------------------------------------------------- */

static int complain(const char *what) {
    iol__complain("iolite serve: ", "%s: %s", what, strerror(errno));
    return -1;
}

/* Whoever may open the socket can be any user (--proxy-header): that is a group of its own, so that the proxy need not be in the
   server's, which reads the index. */
static bool hand_to_group(const char *path, const char *name) {
    const struct group *group = getgrnam(name);
    if (!group) iol__complain("iolite serve: ", "there is no group %s", name);
    if (group && chown(path, (uid_t)-1, group->gr_gid) != 0) {
        iol__complain("iolite serve: ", "%s cannot be given to the group %s (%s): the server has to be a member of it",
                      path, name, strerror(errno));
        return false;
    }
    return group;
}

static int listen_local(listener *l, const char *path, const char *group) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    if (strlen(path) >= sizeof address.sun_path) return errno = ENAMETOOLONG, complain(path);
    memcpy(address.sun_path, path, strlen(path) + 1);
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    struct stat status;
    if (lstat(path, &status) == 0 && S_ISSOCK(status.st_mode)) unlink(path);
    mode_t mask = umask(0117);
    bool bound = fd >= 0 && bind(fd, (struct sockaddr *)&address, sizeof address) == 0;
    umask(mask);
    if (!bound || listen(fd, 128) != 0) return complain(path);
    if (group && !hand_to_group(path, group)) return -1;
    l->local = true;
    snprintf(l->url, sizeof l->url, "unix:%s", path);
    return fd;
}

static int listen_at(listener *l, const char *where) {
    char host[256];
    const char *colon = strrchr(where, ':');
    if (!colon) return errno = EINVAL, complain(where);
    snprintf(host, sizeof host, "%.*s", (int)(colon - where), where);
    char *bare = *host == '[' ? host + 1 : host;
    bare[strcspn(bare, "]")] = 0;
    struct addrinfo hints = {.ai_socktype = SOCK_STREAM, .ai_flags = AI_PASSIVE | AI_NUMERICSERV}, *found = NULL;
    if (getaddrinfo(*bare ? bare : NULL, colon + 1, &hints, &found) != 0) return errno = EINVAL, complain(where);
    int one = 1, fd = socket(found->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
    bool bound = fd >= 0 && bind(fd, found->ai_addr, found->ai_addrlen) == 0 && listen(fd, 512) == 0;
    freeaddrinfo(found);
    if (!bound) return complain(where);
    struct sockaddr_storage own;
    socklen_t length = sizeof own;
    getsockname(fd, (struct sockaddr *)&own, &length);
    in_port_t port = own.ss_family == AF_INET6 ? ((struct sockaddr_in6 *)(void *)&own)->sin6_port
                                               : ((struct sockaddr_in *)(void *)&own)->sin_port;
    snprintf(l->url, sizeof l->url, strchr(bare, ':') ? "http://[%s]:%u" : "http://%s:%u", *bare ? bare : "localhost",
             (unsigned)ntohs(port));
    l->serve->port = ntohs(port);
    return fd;
}

/* A thread for each connection: one that works for long keeps no other waiting. How many work at a time is for turns.h. */
static struct MHD_Daemon *start(listener *l) {
    const iol__serve_options *o = l->serve->options;
    const unsigned flags = MHD_USE_THREAD_PER_CONNECTION | MHD_USE_INTERNAL_POLLING_THREAD | MHD_USE_POLL |
                           MHD_USE_NO_LISTEN_SOCKET | MHD_USE_ITC;
    return mhd->start_daemon(
        flags, 0, NULL, NULL, on_request, l, MHD_OPTION_CONNECTION_LIMIT, o->connections, MHD_OPTION_CONNECTION_TIMEOUT,
        o->seconds, MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)o->header_bytes, MHD_OPTION_URI_LOG_CALLBACK, on_uri, l,
        MHD_OPTION_UNESCAPE_CALLBACK, leave_escaped, NULL, MHD_OPTION_NOTIFY_COMPLETED, on_completed, l,
        MHD_OPTION_NOTIFY_CONNECTION, on_connection, l, MHD_OPTION_STRICT_FOR_CLIENT, 1, MHD_OPTION_END);
}

static iol__gate *start_gate(listener *l) {
    const iol__serve_options *o = l->serve->options;
    const unsigned quarter = o->connections / 4;
    const iol__gate_options options = {
        .socket = l->socket,
        .local = l->local,
        .exempt = o->trust.proxy_addresses,
        .n_exempt = o->trust.n_proxy_addresses,
        .hosts = o->hosts,
        .n_hosts = o->n_hosts,
        .connections = o->connections,
        .per_address = quarter < LEAST_PER_ADDRESS ? LEAST_PER_ADDRESS : quarter,
        .header_bytes = o->header_bytes,
        .header_seconds = o->seconds < HEADER_SECONDS ? o->seconds : HEADER_SECONDS,
        .enter = enter,
        .context = l,
    };
    return iol__gate_start(&options);
}

/* Three descriptors per connection, and those of logs, series and stores. */
static void allow_descriptors(const listener *l) {
    struct rlimit limit;
    const rlim_t wanted = 4 * (rlim_t)l->serve->options->connections + 1024;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= wanted) return;
    limit.rlim_cur = limit.rlim_max < wanted ? limit.rlim_max : wanted;
    setrlimit(RLIMIT_NOFILE, &limit);
}

/* What was begun is answered; then the rest is cut. */
static void finish(listener *l) {
    iol__gate_close(l->gate);
    for (int i = 0; i < STOP_SECONDS * 20 && atomic_load(&l->serve->busy); i++) {
        struct timespec pause = {.tv_nsec = 50000000};
        nanosleep(&pause, NULL);
    }
    mhd->stop_daemon(l->daemon);
    atomic_store(&l->serve->gate, NULL);
    iol__gate_stop(l->gate);
    close(l->socket);
    if (l->local) unlink(l->url + 5);
}

static void reload(listener *l) {
    iol_error error;
    if (iol__serve_reload(l->serve, &error) == IOL_OK)
        fputs("iolite serve: read its files again\n", stderr);
    else
        iol__complain("iolite serve: ", "goes on with what it has: %s", error.message);
    iol__requests_open(&l->requests, l->serve->options->request_log);
}

static void wait_for_signals(listener *l, const sigset_t *signals) {
    for (int number; !iol__serve_stop;) {
        if (sigwait(signals, &number) != 0) continue;
        if (number == SIGHUP)
            reload(l);
        else
            iol__serve_stop = number;
    }
}

int iol__serve_listen(iol__serve *serve, void (*ready)(const iol__serve *serve, const char *url)) {
    listener l = {.serve = serve, .watching = true, .requests.fd = -1};
    const char *where = serve->options->listen;
    sigset_t signals;
    pthread_t watchman;
    if (!(mhd = iol__mhd_load())) {
        fputs("iolite serve: libmicrohttpd is not on this machine (Debian: libmicrohttpd12)\n", stderr);
        return -1;
    }
    sigemptyset(&signals);
    sigaddset(&signals, SIGTERM);
    sigaddset(&signals, SIGINT);
    sigaddset(&signals, SIGHUP);
    pthread_sigmask(SIG_BLOCK, &signals, NULL);
    signal(SIGPIPE, SIG_IGN);
    pthread_mutex_init(&l.lock, NULL);
    iol__requests_open(&l.requests, serve->options->request_log);
    l.socket = strncmp(where, "unix:", 5) == 0 ? listen_local(&l, where + 5, serve->options->socket_group)
                                               : listen_at(&l, where);
    if (l.socket < 0) return -1;
    allow_descriptors(&l);
    if (!(l.daemon = start(&l)) || !(l.gate = start_gate(&l)) || pthread_create(&watchman, NULL, watch, &l) != 0)
        return complain("starting");
    atomic_store(&serve->gate, l.gate);
    ready(serve, l.url);
    wait_for_signals(&l, &signals);
    finish(&l);
    l.watching = false;
    pthread_join(watchman, NULL);
    iol__requests_close(&l.requests);
    return 0;
}
#else
int iol__serve_listen(iol__serve *serve, void (*ready)(const iol__serve *serve, const char *url)) {
    (void)serve;
    (void)ready;
    fputs("iolite serve: this build has no HTTP server: libmicrohttpd was not there\n", stderr);
    return -1;
}
#endif
