/* One socket for each pair of ranks. Messages are kept by the receiver until they are asked for; what a full socket does
   not take is sent on whenever somebody asks. */
#include "tests/support/ranks.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

typedef struct head {
    uint64_t tag, length;
} head;

typedef struct message {
    struct message *next;
    head h;
    size_t have; /* of head and bytes together */
    uint8_t *bytes;
} message;

typedef struct sending {
    head h;
    const uint8_t *bytes;
    size_t done;
    int to;
    bool used;
} sending;

typedef struct wires {
    int fds[RANKS_MOST], size;
    bool closed[RANKS_MOST];
    message *first[RANKS_MOST], *coming[RANKS_MOST];
    sending out[IOL_TICKETS];
    int queue[IOL_TICKETS], n_queue; /* in order, so that two messages to one rank do not mix */
} wires;

/* Reading ---------------------------------------------------------------------------------------------------------- */

static bool read_some(wires *w, int from) {
    message *m = w->coming[from];
    if (!m) m = w->coming[from] = calloc(1, sizeof *m);
    const bool in_head = m->have < sizeof m->h;
    uint8_t *to = in_head ? (uint8_t *)&m->h + m->have : m->bytes + (m->have - sizeof m->h);
    const size_t want = in_head ? sizeof m->h - m->have : sizeof m->h + m->h.length - m->have;
    const ssize_t got = want ? recv(w->fds[from], to, want, MSG_DONTWAIT) : 0;
    if (want && got <= 0) {
        if (got == 0 || (errno != EAGAIN && errno != EINTR)) w->closed[from] = true;
        return false;
    }
    m->have += (size_t)got;
    if (in_head && m->have == sizeof m->h) m->bytes = malloc(m->h.length + 1);
    if (m->have < sizeof m->h || m->have < sizeof m->h + m->h.length) return true;
    message **end = &w->first[from];
    while (*end) end = &(*end)->next;
    *end = m;
    w->coming[from] = NULL;
    return true;
}

static message **find(wires *w, int from, int tag) {
    message **m = &w->first[from];
    while (*m && (int)(*m)->h.tag != tag) m = &(*m)->next;
    return m;
}

/* Writing ---------------------------------------------------------------------------------------------------------- */

static void write_some(wires *w) {
    bool blocked[RANKS_MOST] = {false};
    for (int i = 0; i < w->n_queue;) {
        sending *s = &w->out[w->queue[i]];
        while (!blocked[s->to] && s->done < sizeof s->h + s->h.length) {
            const bool in_head = s->done < sizeof s->h;
            const uint8_t *from = in_head ? (const uint8_t *)&s->h + s->done : s->bytes + (s->done - sizeof s->h);
            const size_t left = in_head ? sizeof s->h - s->done : sizeof s->h + s->h.length - s->done;
            const ssize_t put = send(w->fds[s->to], from, left, MSG_DONTWAIT | MSG_NOSIGNAL);
            if (put < 0 && errno != EAGAIN && errno != EINTR) w->closed[s->to] = true;
            if (put <= 0) blocked[s->to] = true;
            if (put > 0) s->done += (size_t)put;
        }
        if (s->done == sizeof s->h + s->h.length)
            memmove(w->queue + i, w->queue + i + 1, (size_t)(--w->n_queue - i) * sizeof *w->queue);
        else
            i++;
    }
}

/* The transport ---------------------------------------------------------------------------------------------------- */

static int send_message(void *self, int to, int tag, const void *bytes, size_t length) {
    wires *w = self;
    for (int i = 0; i < IOL_TICKETS; i++) {
        if (w->out[i].used) continue;
        w->out[i] = (sending){.h = {(uint64_t)tag, length}, .bytes = bytes, .to = to, .used = true};
        w->queue[w->n_queue++] = i;
        write_some(w);
        return i;
    }
    return (int)IOL_BROKEN;
}

static long probe(void *self, int from, int tag) {
    wires *w = self;
    write_some(w);
    while (!w->closed[from] && read_some(w, from)) {}
    const message *m = *find(w, from, tag);
    if (m) return (long)m->h.length;
    return w->closed[from] ? IOL_BROKEN : IOL_NO_MESSAGE;
}

/* Only what a probe has found is asked for, so that it is there. */
static int receive(void *self, int from, int tag, void *bytes, size_t room) {
    wires *w = self;
    message **place = find(w, from, tag), *m = *place;
    if (!m || m->h.length > room) return (int)IOL_BROKEN;
    memcpy(bytes, m->bytes, m->h.length);
    *place = m->next;
    free(m->bytes);
    free(m);
    return IOL_TICKETS;
}

static int done(void *self, int ticket) {
    wires *w = self;
    if (ticket == IOL_TICKETS) return 1;
    write_some(w);
    sending *s = &w->out[ticket];
    if (s->done < sizeof s->h + s->h.length) return w->closed[s->to] ? (int)IOL_BROKEN : 0;
    s->used = false;
    return 1;
}

static void give_up(void *self) { write_some(self); }

/* Processes -------------------------------------------------------------------------------------------------------- */

static double seconds_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* Its own ends stay open, all others are closed, so that a rank that dies is noticed. */
static wires wires_of(int size, int rank, int fds[RANKS_MOST][RANKS_MOST]) {
    wires w = {.size = size};
    for (int i = 0; i < size; i++)
        for (int j = 0; j < size; j++) {
            if (i == rank)
                w.fds[j] = fds[i][j];
            else if (i != j)
                close(fds[i][j]);
        }
    return w;
}

void ranks_run(int size, void (*rank)(const iol__transport *, void *), void *context, double seconds,
               int statuses[RANKS_MOST]) {
    static int fds[RANKS_MOST][RANKS_MOST];
    pid_t pids[RANKS_MOST];
    for (int i = 0; i < size; i++)
        for (int j = i + 1; j < size; j++) {
            int pair[2];
            assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair), 0);
            fds[i][j] = pair[0];
            fds[j][i] = pair[1];
        }
    fflush(NULL);
    for (int i = 0; i < size; i++) {
        pids[i] = fork();
        assert_true(pids[i] >= 0);
        if (pids[i] > 0) continue;
        wires w = wires_of(size, i, fds);
        rank(&(iol__transport){i, size, &w, send_message, receive, probe, done, give_up}, context);
        _exit(0);
    }
    for (int i = 0; i < size; i++)
        for (int j = 0; j < size; j++)
            if (i != j) close(fds[i][j]);
    const double deadline = seconds_now() + seconds;
    int left = 0;
    for (int i = 0; i < size; i++) {
        int status = 0;
        while (waitpid(pids[i], &status, WNOHANG) == 0) {
            if (seconds_now() > deadline) {
                kill(pids[i], SIGKILL);
                left++;
            }
            nanosleep(&(struct timespec){0, 1000000}, NULL);
        }
        statuses[i] = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    }
    assert_int_equal(left, 0);
}
