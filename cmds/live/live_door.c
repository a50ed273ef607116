/* /metrics over HTTP, for one reader at a time or a few: no library, because there is one thing to answer and it is in memory.
   A client gets a few seconds and a small head, so that none of them keeps the others or the next look waiting. */
#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/deadline.h"
#include "cmds/live/live.h"
#include "text/text.h"

static const double client_seconds = 5;

static bool cannot_listen(const char *where, const char *why) {
    iol__complain("iolite live: ", "%s: %s", where, why);
    return false;
}

static bool bind_live_door(live_door *door, const char *host, const char *port) {
    struct addrinfo hints = {.ai_socktype = SOCK_STREAM, .ai_flags = AI_PASSIVE | AI_NUMERICSERV}, *found = NULL;
    const int one = 1;
    if (getaddrinfo(*host ? host : NULL, port, &hints, &found) != 0) return errno = EINVAL, false;
    door->fd = socket(found->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    setsockopt(door->fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
    const bool bound =
        door->fd >= 0 && bind(door->fd, found->ai_addr, found->ai_addrlen) == 0 && listen(door->fd, 64) == 0;
    freeaddrinfo(found);
    return bound;
}

static void say_where(const live_door *door, const char *host) {
    struct sockaddr_storage own;
    socklen_t length = sizeof own;
    if (getsockname(door->fd, (struct sockaddr *)&own, &length) != 0) return;
    const in_port_t port = own.ss_family == AF_INET6 ? ((struct sockaddr_in6 *)(void *)&own)->sin6_port
                                                     : ((struct sockaddr_in *)(void *)&own)->sin_port;
    fprintf(stderr, strchr(host, ':') ? "http://[%s]:%u/metrics\n" : "http://%s:%u/metrics\n",
            *host ? host : "localhost", (unsigned)ntohs(port));
}

bool open_live_door(live_door *door, const char *where) {
    char host[256];
    const char *colon = strrchr(where, ':');
    *door = (live_door){.fd = -1};
    for (size_t i = 0; i < LIVE_CLIENTS; i++) door->clients[i].fd = -1;
    if (!colon) return cannot_listen(where, "ADDRESS:PORT is expected");
    snprintf(host, sizeof host, "%.*s", (int)(colon - where), where);
    char *bare = *host == '[' ? host + 1 : host;
    bare[strcspn(bare, "]")] = 0;
    if (!bind_live_door(door, bare, colon + 1)) return cannot_listen(where, strerror(errno));
    say_where(door, bare);
    return true;
}

/* A client -------------------------------------------------------------------------------------------------------- */

static void drop_client(live_client *client) {
    close(client->fd);
    free(client->answer);
    *client = (live_client){.fd = -1};
}

static void welcome(live_door *door) {
    const int fd = accept4(door->fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
    if (fd < 0) return;
    for (size_t i = 0; i < LIVE_CLIENTS; i++) {
        if (door->clients[i].fd >= 0) continue;
        door->clients[i] = (live_client){.fd = fd, .until = iol__monotonic_seconds() + client_seconds};
        return;
    }
    close(fd);
}

static bool begins(const char *text, const char *word) { return strncmp(text, word, strlen(word)) == 0; }

static void make_answer(const live_door *door, live_client *client) {
    const bool head = begins(client->head, "HEAD /metrics "), get = begins(client->head, "GET /metrics ");
    const bool known = begins(client->head, "GET ") || begins(client->head, "HEAD ");
    const char *status = get || head ? "200 OK" : known ? "404 Not Found" : "405 Method Not Allowed";
    const char *text = get || head ? door->text : "The figures are at /metrics.\n";
    const size_t length = get || head ? door->length : strlen(text);
    const int made = asprintf(&client->answer,
                              "HTTP/1.1 %s\r\nContent-Type: text/plain; version=0.0.4; charset=utf-8\r\n"
                              "Content-Length: %zu\r\nX-Content-Type-Options: nosniff\r\nConnection: close\r\n\r\n%.*s",
                              status, length, head ? 0 : (int)length, text ? text : "");
    if (made < 0) client->answer = NULL;
    client->length = made < 0 ? 0 : (size_t)made;
}

/* False: it has left, or what it sends is no head. */
static bool take_head(const live_door *door, live_client *client) {
    const ssize_t n = read(client->fd, client->head + client->got, LIVE_HEAD - 1 - client->got);
    if (n <= 0) return n < 0 && (errno == EAGAIN || errno == EINTR);
    client->got += (size_t)n;
    client->head[client->got] = 0;
    if (strstr(client->head, "\r\n\r\n")) {
        make_answer(door, client);
        return client->answer != NULL;
    }
    return client->got < LIVE_HEAD - 1 && strlen(client->head) == client->got;
}

static bool send_answer(live_client *client) {
    const ssize_t n = send(client->fd, client->answer + client->sent, client->length - client->sent, MSG_NOSIGNAL);
    if (n < 0) return errno == EAGAIN || errno == EINTR;
    client->sent += (size_t)n;
    return client->sent < client->length;
}

static void go_on_with(const live_door *door, live_client *client) {
    bool good = client->answer ? send_answer(client) : take_head(door, client);
    if (good && client->answer) good = send_answer(client);
    if (!good) drop_client(client);
}

/* All of them ----------------------------------------------------------------------------------------------------- */

static nfds_t list_waits(const live_door *door, struct pollfd waits[LIVE_CLIENTS + 1]) {
    nfds_t count = 0;
    if (door->fd < 0) return 0;
    waits[count++] = (struct pollfd){.fd = door->fd, .events = POLLIN};
    for (size_t i = 0; i < LIVE_CLIENTS; i++)
        waits[count++] =
            (struct pollfd){.fd = door->clients[i].fd, .events = door->clients[i].answer ? POLLOUT : POLLIN};
    return count;
}

static double soonest(const live_door *door, double until) {
    for (size_t i = 0; door->fd >= 0 && i < LIVE_CLIENTS; i++)
        if (door->clients[i].fd >= 0 && door->clients[i].until < until) until = door->clients[i].until;
    return until;
}

static void answer_ready(live_door *door, const struct pollfd *waits) {
    const double now = iol__monotonic_seconds();
    for (size_t i = 0; i < LIVE_CLIENTS; i++) {
        live_client *client = &door->clients[i];
        if (client->fd >= 0 && waits[i + 1].revents) go_on_with(door, client);
        if (client->fd >= 0 && now > client->until) drop_client(client);
    }
    if (waits[0].revents) welcome(door);
}

void answer_at_live_door(live_door *door, double until, const sigset_t *waiting) {
    struct pollfd waits[LIVE_CLIENTS + 1];
    for (double left; (left = soonest(door, until) - iol__monotonic_seconds(), until > iol__monotonic_seconds());) {
        if (left < 0.001) left = 0.001;
        const struct timespec time = {.tv_sec = (time_t)left, .tv_nsec = (long)((left - (double)(time_t)left) * 1e9)};
        const nfds_t count = list_waits(door, waits);
        const int ready = ppoll(waits, count, &time, waiting);
        if (ready < 0) return; /* a signal */
        if (count) answer_ready(door, waits);
    }
}

void close_live_door(live_door *door) {
    for (size_t i = 0; door->fd >= 0 && i < LIVE_CLIENTS; i++)
        if (door->clients[i].fd >= 0) drop_client(&door->clients[i]);
    if (door->fd >= 0) close(door->fd);
    door->fd = -1;
}
