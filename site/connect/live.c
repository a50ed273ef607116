/* Sources that are asked instead of read: programs of this machine, servers over HTTP, and servers that listen on a
   socket. Programs may be absent, fail, hang or print without end: time and size are bounded. */
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/count.h"
#include "site/connect/database.h"
#include "site/connect/http.h"
#include "site/connect/unpack.h"

enum { SECONDS = 120, GRACE_MS = 2000, MOST_ARGUMENTS = 16 };

static const struct {
    const char *connector, *command;
} commands[] = {{"slurm", "run:sacct"}, {"pbs", "run:qstat"},       {"lctl", "run:lctl"},  {"failover", "run:lctl"},
                {"lfs-df", "run:lfs"},  {"nodes", "run:xtdb2proc"}, {"md", "/proc/mdstat"}};

const char *iol__live_command(const char *connector) {
    for (size_t i = 0; i < IOL_COUNT(commands); i++)
        if (strcmp(commands[i].connector, connector) == 0) return commands[i].command;
    return NULL;
}

bool iol__is_live(const char *path) {
    return iol__is_url(path) || strncmp(path, "unix:", 5) == 0 || strncmp(path, "run:", 4) == 0;
}

/* Programs --------------------------------------------------------------------------------------------------------- */

static const char *with_time(iol__request *request, const char *option, int64_t seconds) {
    char text[32];
    iol__format_time(seconds, text);
    text[10] = 'T';
    return iol__arena_print(request->arena, "%s=%s", option, text);
}

/* What the program is called with; gives how many there are. */
static size_t arguments_for(iol__request *request, const char *program, const char *to[MOST_ARGUMENTS]) {
    static const struct {
        const char *program;
        const char *arguments[4];
    } usual[] = {
        {"sacct",
         {"--parsable2",
          "--format=JobIDRaw,JobID,User,Account,Partition,QOS,JobName,State,Submit,Start,End,ElapsedRaw,NNodes,"
          "NodeList,NTasks,Cluster"}},
        {"qstat", {"-x", "-f", "-F", "json"}},
        {"lctl", {"dl", "-t"}},
        {"lfs", {"df"}},
        {"xtdb2proc", {"-f", "-"}}};
    size_t count = 0;
    to[count++] = program;
    for (size_t i = 0; i < IOL_COUNT(usual); i++)
        for (size_t k = 0; strcmp(usual[i].program, program) == 0 && k < 4 && usual[i].arguments[k]; k++)
            to[count++] = usual[i].arguments[k];
    bool slurm = strcmp(program, "sacct") == 0, pbs = strcmp(program, "qstat") == 0;
    if (slurm && request->job) to[count++] = iol__arena_print(request->arena, "--jobs=%s", request->job);
    if (slurm && !request->job) to[count++] = "--allusers";
    if (slurm && request->user) to[count++] = iol__arena_print(request->arena, "--user=%s", request->user);
    if (slurm && request->ranged && !request->job) {
        to[count++] = with_time(request, "--starttime", request->start);
        to[count++] = with_time(request, "--endtime", request->end);
    }
    if (pbs && request->job) to[count++] = request->job;
    to[count] = NULL;
    return count;
}

static int live_start(const char *const *arguments, pid_t *child) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) return -1;
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    setenv("SLURM_TIME_FORMAT", "%s", 1);
    /* In a group of its own, so that it can be ended together with what it has started. */
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
    int error = posix_spawnp(child, arguments[0], &actions, &attributes, (char *const *)(uintptr_t)arguments, environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    if (!error) return ends[0];
    close(ends[0]);
    errno = error;
    return -1;
}

static int64_t milliseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* All that comes until the end; NULL, or why it stopped before. */
static const char *live_read_all(int fd, int64_t until, iol__unpacked *to) {
    for (;;) {
        struct pollfd waiting = {.fd = fd, .events = POLLIN};
        int64_t left = until - milliseconds();
        if (left <= 0 || poll(&waiting, 1, (int)left) == 0) return "it ran out of time";
        if (!iol__unpack_room(to, 1 << 16)) return "more than 1 GiB";
        ssize_t got = read(fd, to->bytes + to->length, 1 << 16);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) return got < 0 ? strerror(errno) : NULL;
        to->length += (size_t)got;
    }
}

/* Whether the child has ended by then. */
static bool live_ended(pid_t child, int64_t until, int *state) {
    const struct timespec pause = {.tv_nsec = 5000000};
    pid_t got;
    while ((got = waitpid(child, state, WNOHANG)) != child) {
        if (got < 0 && errno != EINTR) return true;
        if (milliseconds() >= until) return false;
        nanosleep(&pause, NULL);
    }
    return true;
}

/* Its children go with it. One that hangs inside the kernel, as tools of file systems do, cannot be ended and is left. */
static void live_end(pid_t child, int *state) {
    kill(-child, SIGKILL);
    live_ended(child, milliseconds() + GRACE_MS, state);
}

/* Lines that are whole; JSON is looked after by those who read it. */
static void drop_half_line(iol__unpacked *body) {
    const char *last = memrchr(body->bytes, '\n', body->length);
    char first = body->bytes[strspn(body->bytes, " \t\r\n")];
    if (first != '{' && first != '[') body->length = last ? (size_t)(last + 1 - body->bytes) : 0;
    body->bytes[body->length] = 0;
}

static iol_status live_run(iol__request *request, const char *program, iol__feed *feed) {
    const char *arguments[MOST_ARGUMENTS];
    pid_t child = 0;
    int state = 0;
    arguments_for(request, program, arguments);
    int fd = live_start(arguments, &child);
    if (fd < 0) return iol__refuse(request, IOL_UNSUPPORTED, "%s cannot be run here: %s", program, strerror(errno));
    iol__unpacked body = {0};
    int64_t until = milliseconds() + (iol__site_patience ? iol__site_patience : SECONDS) * INT64_C(1000);
    const char *stopped = live_read_all(fd, until, &body);
    close(fd);
    if (!stopped && !live_ended(child, until, &state)) stopped = "it ran out of time";
    if (stopped) live_end(child, &state);
    if (!body.bytes && !iol__unpack_room(&body, 1)) return iol__refuse(request, IOL_SYSTEM, "out of memory");
    body.bytes[body.length] = 0;
    if (stopped) drop_half_line(&body);
    request->cut = stopped != NULL;
    if (body.too_large || ((state || stopped) && body.length == 0)) {
        free(body.bytes);
        return stopped ? iol__refuse(request, IOL_SYSTEM, "%s: %s", program, stopped)
                       : iol__refuse(request, IOL_SYSTEM, "%s failed, with status %d", program, WEXITSTATUS(state));
    }
    if (stopped)
        iol__partial(request, "%s: %s", program, stopped);
    else if (state)
        iol__partial(request, "%s ended with status %d", program, WEXITSTATUS(state));
    *feed = (iol__feed){.name = program, .bytes = body.bytes, .length = body.length};
    return IOL_OK;
}

/* Servers ---------------------------------------------------------------------------------------------------------- */

/* IOLITE_SLURM_TOKEN and the like, from the environment or files. */
static bool secret(iol__request *request, const char *what, const char **value) {
    char *name = iol__arena_print(request->arena, "IOLITE_%s_%s", request->source ? request->source : "SITE", what);
    for (char *at = name; *at; at++) *at = *at == '-' ? '_' : (char)toupper((unsigned char)*at);
    return iol__secret(request, name, value);
}

static iol_status live_fetch(iol__request *request, const char *url, const char *socket, iol__feed *feed) {
    iol__http_secrets who = {.socket = socket};
    long code = 0;
    if (!secret(request, "TOKEN", &who.token) || !secret(request, "USER", &who.user) ||
        !secret(request, "PASSWORD", &who.password) || !secret(request, "HEADER", &who.header))
        return IOL_INVALID;
    /* slurmrestd has a header of its own for this. */
    if (who.token && request->source && strcmp(request->source, "slurm") == 0) {
        who.header = iol__arena_print(request->arena, "X-SLURM-USER-TOKEN: %s", who.token);
        who.token = NULL;
    }
    iol_status status = iol__http_get(url, &who, feed, &code, request->why);
    if (status != IOL_OK || code < 300) return status; /* others are not followed: they would get the secrets */
    iol__feed_close(feed);
    return iol__refuse(request, IOL_SYSTEM, "%.200s: status %ld", url, code);
}

iol_status iol__live_open(iol__request *request, const char *path, iol__feed *feed) {
    if (strncmp(path, "run:", 4) == 0) return live_run(request, path + 4, feed);
    if (iol__is_url(path)) return live_fetch(request, path, NULL, feed);
    const char *name = path + 5, *colon = strchr(name, ':');
    if (!colon || colon[1] != '/') return iol__refuse(request, IOL_INVALID, "%.200s: expected unix:SOCKET:/PATH", path);
    return live_fetch(request, iol__arena_print(request->arena, "http://localhost%s", colon + 1),
                      iol__arena_text(request->arena, name, (size_t)(colon - name)), feed);
}
