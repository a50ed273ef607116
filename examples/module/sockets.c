/* A module for Iolite: what a program sends and receives over sockets, by peer.
 *
 * Build it as a shared object and put it before a program; it counts whenever Iolite is there, too:
 *
 *     cc -shared -fPIC $(pkg-config --cflags iolite-module) sockets.c -o iolite-sockets.so
 *     LD_PRELOAD=$PWD/iolite-sockets.so iolite run -- ./program
 *     iolite show LOG
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <dlfcn.h>
#include <iolite/module.h>
#include <stdio.h>
#include <sys/socket.h>
#include <unistd.h>

/* The values of a record, and what they are, in the same order. */
typedef struct traffic {
    int64_t connections, sends, receives, bytes_sent, bytes_received;
    double first, send_time, receive_time;
} traffic;

static const iolite_counter counters[] = {
    {"SOCKETS_CONNECTIONS", "", "connections, of either side's making", IOLITE_INT, IOLITE_SUM},
    {"SOCKETS_SENDS", "", "calls that sent something", IOLITE_INT, IOLITE_SUM},
    {"SOCKETS_RECEIVES", "", "calls that received something", IOLITE_INT, IOLITE_SUM},
    {"SOCKETS_BYTES_SENT", "bytes", "sent", IOLITE_INT, IOLITE_SUM},
    {"SOCKETS_BYTES_RECEIVED", "bytes", "received", IOLITE_INT, IOLITE_SUM},
    {"SOCKETS_F_FIRST", "s", "when the first connection was made", IOLITE_INSTANT, IOLITE_FIRST},
    {"SOCKETS_F_SEND_TIME", "s", "time in calls that send", IOLITE_REAL, IOLITE_SUM},
    {"SOCKETS_F_RECEIVE_TIME", "s", "time in calls that receive", IOLITE_REAL, IOLITE_SUM},
};

static const iolite_definition definition = {
    .bytes = sizeof definition,
    .name = "SOCKETS",
    .meaning = "traffic over sockets, by peer",
    .version = 1,
    .counters = counters,
    .n_counters = sizeof counters / sizeof *counters,
    .record_bytes = sizeof(traffic),
};

enum { DESCRIPTORS = 1024 };
static iolite_module *module;
static iolite_record *peers[DESCRIPTORS]; /* by descriptor */

__attribute__((constructor)) static void start(void) { module = iolite_module_register(&definition); }

/* The next function of this name: that of Iolite, or of libc. */
#define NEXT(type, name, parameters) \
    static type(*next) parameters;   \
    if (!next) *(void **)(void *)&next = dlsym(RTLD_NEXT, name)

/* A connection is there: its descriptor belongs to the record of the peer. */
static void connected(int fd, const struct sockaddr *address) {
    char name[80] = "unix", host[INET6_ADDRSTRLEN] = "?";
    if (fd < 0 || fd >= DESCRIPTORS || !address) return;
    if (address->sa_family == AF_INET) {
        const struct sockaddr_in *in = (const void *)address;
        inet_ntop(AF_INET, &in->sin_addr, host, sizeof host);
        snprintf(name, sizeof name, "%s port %u", host, ntohs(in->sin_port));
    } else if (address->sa_family == AF_INET6) {
        const struct sockaddr_in6 *in = (const void *)address;
        inet_ntop(AF_INET6, &in->sin6_addr, host, sizeof host);
        snprintf(name, sizeof name, "%s port %u", host, ntohs(in->sin6_port));
    }
    peers[fd] = iolite_module_record(module, name, 0);
    traffic *values = iolite_record_values(peers[fd]);
    if (!values) return;
    if (values->first == 0) values->first = iolite_now();
    iolite_add(&values->connections, 1);
}

static void moved(int fd, ssize_t bytes, double begin, int sent) {
    traffic *values = fd >= 0 && fd < DESCRIPTORS ? iolite_record_values(peers[fd]) : NULL;
    if (!values || bytes <= 0) return;
    iolite_add(sent ? &values->sends : &values->receives, 1);
    iolite_add(sent ? &values->bytes_sent : &values->bytes_received, bytes);
    iolite_add_real(sent ? &values->send_time : &values->receive_time, iolite_now() - begin);
}

int connect(int fd, const struct sockaddr *address, socklen_t length) {
    NEXT(int, "connect", (int, const struct sockaddr *, socklen_t));
    const int result = next(fd, address, length);
    if (result == 0) connected(fd, address);
    return result;
}

int accept4(int fd, struct sockaddr *address, socklen_t *length, int flags) {
    NEXT(int, "accept4", (int, struct sockaddr *, socklen_t *, int));
    const int result = next(fd, address, length, flags);
    if (result >= 0 && address && *length > 0) connected(result, address);
    return result;
}

int close(int fd) {
    NEXT(int, "close", (int));
    if (fd >= 0 && fd < DESCRIPTORS) peers[fd] = NULL;
    return next(fd);
}

ssize_t send(int fd, const void *bytes, size_t length, int flags) {
    NEXT(ssize_t, "send", (int, const void *, size_t, int));
    const double begin = iolite_now();
    const ssize_t result = next(fd, bytes, length, flags);
    moved(fd, result, begin, 1);
    return result;
}

ssize_t recv(int fd, void *bytes, size_t length, int flags) {
    NEXT(ssize_t, "recv", (int, void *, size_t, int));
    const double begin = iolite_now();
    const ssize_t result = next(fd, bytes, length, flags);
    moved(fd, result, begin, 0);
    return result;
}
