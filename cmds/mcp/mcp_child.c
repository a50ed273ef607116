/* Asking this same program in a process of its own: what a log holds can harm that process only, and both its time and what it
   prints are bounded. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "cmds/mcp/mcp.h"

enum { SECONDS = 120, SAID = 4096 };

static long long now_ms(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000LL + now.tv_nsec / 1000000;
}

static void become_command(char *const *arguments, int out, int err) {
    const int nothing = open("/dev/null", O_RDONLY);
    if (nothing >= 0) dup2(nothing, STDIN_FILENO);
    dup2(out, STDOUT_FILENO);
    dup2(err, STDERR_FILENO);
    signal(SIGPIPE, SIG_DFL);
    execv("/proc/self/exe", arguments);
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
static bool take_mcp_child_some(int fd, char *text, size_t room, size_t *length, bool *cut) {
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

static void mcp_child_collect(int out, int err, pid_t pid, size_t most, mcp_output *output, char *said,
                              size_t *said_length) {
    struct pollfd both[] = {{.fd = out, .events = POLLIN}, {.fd = err, .events = POLLIN}};
    const long long end = now_ms() + SECONDS * 1000LL;
    bool ignored = false;
    while (both[0].fd >= 0 || both[1].fd >= 0) {
        const long long left = end - now_ms();
        if (left <= 0 || output->cut) {
            kill(pid, SIGKILL);
            if (left <= 0) *said_length = (size_t)snprintf(said, SAID, "it took longer than %d s", SECONDS);
            return;
        }
        if (poll(both, 2, (int)left) <= 0) continue;
        if (both[0].revents && !take_mcp_child_some(out, output->text, most, &output->length, &output->cut))
            both[0].fd = -1;
        if (both[1].revents && !take_mcp_child_some(err, said, SAID - 1, said_length, &ignored)) both[1].fd = -1;
    }
}

int mcp_ask(char *const *arguments, size_t most, mcp_output *output) {
    int out[2], err[2], status = -1;
    char said[SAID] = "";
    size_t said_length = 0;
    *output = (mcp_output){.text = malloc(most + 1)};
    if (!output->text || pipe2(out, O_CLOEXEC) != 0) return -1;
    if (pipe2(err, O_CLOEXEC) == 0) {
        const pid_t pid = fork();
        if (pid == 0) become_command(arguments, out[1], err[1]);
        close(out[1]);
        close(err[1]);
        if (pid > 0) {
            mcp_child_collect(out[0], err[0], pid, most, output, said, &said_length);
            while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {}
        }
        close(err[0]);
    } else {
        close(out[1]);
    }
    close(out[0]);
    output->text[output->length] = '\0';
    keep_last_line(said, said_length, output->said);
    return status >= 0 && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

void mcp_output_free(mcp_output *output) {
    free(output->text);
    output->text = NULL;
}
