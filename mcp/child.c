/* Asking this same program in a process of its own: what a log holds can harm that process only, and both its time and what it
   prints are bounded. A server has many threads, so that everything is made before the fork, and the child is given nothing
   but the logs that it is to read. The store's address, which may have a password in it, goes by the environment, which other
   users cannot see. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/deadline.h"
#include "mcp/mcp.h"

enum { SECONDS = 120, STEP_MS = 200, SAID = 4096 };
#define STORE "IOLITE_STORE="

/* The environment with the store in it; to be freed, as is `entry`. NULL: no memory. */
static char **environment_with_store(const char *store, char **entry) {
    size_t n = 0;
    while (environ[n]) n++;
    char **all = malloc((n + 2) * sizeof *all), **to = all;
    *entry = NULL;
    if (!all || (store && asprintf(entry, STORE "%s", store) < 0)) {
        free(all);
        return NULL;
    }
    for (size_t i = 0; i < n; i++)
        if (strncmp(environ[i], STORE, sizeof STORE - 1) != 0) *to++ = environ[i];
    if (*entry) *to++ = *entry;
    *to = NULL;
    return all;
}

static void become_command(const iol__mcp_question *q, char *const *environment, int out, int err) {
    const int nothing = open("/dev/null", O_RDONLY);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    signal(SIGPIPE, SIG_DFL);
    for (size_t i = 0; i < q->n_logs; i++) fcntl(q->logs[i].fd, F_SETFD, 0);
    if (nothing >= 0) dup2(nothing, STDIN_FILENO);
    dup2(out, STDOUT_FILENO);
    dup2(err, STDERR_FILENO);
    execve("/proc/self/exe", q->arguments, environment);
    _exit(127);
}

/* The last line, without the name of the command. */
static void keep_last_line(char *text, size_t length, char said[400]) {
    while (length && text[length - 1] == '\n') length--;
    text[length] = '\0';
    const char *line = strrchr(text, '\n') ? strrchr(text, '\n') + 1 : text, *colon = strstr(line, ": ");
    if (strncmp(line, "iolite", 6) == 0 && colon) line = colon + 2;
    snprintf(said, 400, "%.390s", *line ? line : "the command failed without a word");
}

/* True while there may be more. */
static bool take_child_output(int fd, char *text, size_t room, size_t *length, bool *cut) {
    char rest[4096];
    char *to = *length < room ? text + *length : rest;
    const ssize_t got = read(fd, to, *length < room ? room - *length : sizeof rest);
    if (got < 0) return errno == EINTR || errno == EAGAIN;
    if (got > 0 && to == rest)
        *cut = true;
    else
        *length += (size_t)got;
    return got > 0;
}

typedef struct child {
    pid_t pid;
    int out, err;
    char said[SAID];
    size_t said_length;
} child;

static void collect_child_output(child *c, int64_t deadline, size_t most, iol__mcp_output *output) {
    struct pollfd both[] = {{.fd = c->out, .events = POLLIN}, {.fd = c->err, .events = POLLIN}};
    bool ignored = false;
    while (both[0].fd >= 0 || both[1].fd >= 0) {
        const bool late = iol__is_past(deadline);
        if (late || output->cut) {
            kill(c->pid, SIGKILL);
            if (late) c->said_length = (size_t)snprintf(c->said, SAID, "it took longer than this server allows");
            return;
        }
        if (poll(both, 2, (int)iol__deadline_ms(deadline, STEP_MS)) <= 0) continue;
        if (both[0].revents && !take_child_output(c->out, output->text, most, &output->length, &output->cut))
            both[0].fd = -1;
        if (both[1].revents && !take_child_output(c->err, c->said, SAID - 1, &c->said_length, &ignored))
            both[1].fd = -1;
    }
}

/* Its exit status, or -1. */
static int run_child(const iol__mcp_question *q, char *const *environment, iol__mcp_output *output, child *c) {
    int out[2], err[2], status = -1;
    const int64_t usual = iol__deadline_in(SECONDS), own = q->server->deadline;
    if (pipe2(out, O_CLOEXEC) != 0) return -1;
    if (pipe2(err, O_CLOEXEC) != 0) {
        close(out[0]);
        close(out[1]);
        return -1;
    }
    c->out = out[0];
    c->err = err[0];
    c->pid = fork();
    if (c->pid == 0) become_command(q, environment, out[1], err[1]);
    close(out[1]);
    close(err[1]);
    if (c->pid > 0) {
        collect_child_output(c, own && own < usual ? own : usual, q->most, output);
        while (waitpid(c->pid, &status, 0) < 0 && errno == EINTR) {}
    }
    close(out[0]);
    close(err[0]);
    return c->pid > 0 && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

int iol__mcp_ask(const iol__mcp_question *q, iol__mcp_output *output) {
    child c = {.pid = -1};
    char *entry;
    char **environment = environment_with_store(q->server->store, &entry);
    *output = (iol__mcp_output){.text = malloc(q->most + 1)};
    int status = -1;
    if (environment && output->text) {
        status = run_child(q, environment, output, &c);
        output->text[output->length] = '\0';
    }
    keep_last_line(c.said, c.said_length, output->said);
    free(environment);
    free(entry);
    return status;
}

void iol__mcp_output_free(iol__mcp_output *output) {
    free(output->text);
    output->text = NULL;
}
