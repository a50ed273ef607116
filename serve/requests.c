/* Each line is written at once, so that threads do not mix theirs. */
#include "serve/requests.h"
#include "text/text.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

void iol__requests_close(iol__requests *log) {
    if (log->fd > STDERR_FILENO) close(log->fd);
    log->fd = -1;
}

void iol__requests_open(iol__requests *log, const char *path) {
    int fd = !path                    ? -1
             : strcmp(path, "-") == 0 ? STDERR_FILENO
                                      : open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0640);
    if (path && fd < 0) iol__complain("iolite serve: ", "%s: %s", path, strerror(errno));
    if (path && fd < 0 && log->fd >= 0) return;
    if (fd > STDERR_FILENO && log->fd > STDERR_FILENO) {
        /* Threads go on writing to the number that they know. */
        dup3(fd, log->fd, O_CLOEXEC);
        close(fd);
        return;
    }
    log->fd = fd;
}

void iol__requests_note(const iol__requests *log, const iol__exchange *x, const char *path,
                        const struct timespec *since, size_t bytes) {
    if (log->fd < 0) return;
    struct timespec wall, now;
    struct tm tm;
    char when[40];
    clock_gettime(CLOCK_REALTIME, &wall);
    clock_gettime(CLOCK_MONOTONIC, &now);
    gmtime_r(&wall.tv_sec, &tm);
    size_t length = strftime(when, sizeof when, "%Y-%m-%dT%H:%M:%S", &tm);
    snprintf(when + length, sizeof when - length, ".%03ldZ", wall.tv_nsec / 1000000);
    iol__out out;
    iol__json json;
    iol__out_open(&out, -1);
    iol__json_start(&json, &out, 0);
    iol__json_open(&json, '{');
    iol__json_put_text(&json, "time", when);
    iol__json_put_text(&json, "peer", x->peer.local ? "unix" : x->peer.address);
    iol__json_put_text(&json, "user", *x->viewer.user ? x->viewer.user : NULL);
    iol__json_put_text(&json, "role", iol__role_name(x->viewer.role));
    iol__json_put_text(&json, "method", x->method);
    iol__json_put_text(&json, "path", path);
    iol__json_put_text(&json, "route", x->route ? x->route->name : NULL);
    iol__json_put_i64(&json, "status", x->status);
    iol__json_put_u64(&json, "bytes", bytes);
    iol__json_put_real(&json, "ms",
                       (double)(now.tv_sec - since->tv_sec) * 1e3 + (double)(now.tv_nsec - since->tv_nsec) / 1e6);
    iol__json_close(&json, '}');
    iol__json_finish(&json);
    if (write(log->fd, out.buffer, out.length) < 0) errno = 0; /* a full disk ends no answer */
    iol__out_close(&out);
}
