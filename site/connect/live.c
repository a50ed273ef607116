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

#include "site/connect/database.h"
#include "site/connect/http.h"
#include "site/connect/unpack.h"

enum { SECONDS = 120, MOST_ARGUMENTS = 16 };

static const struct {
    const char *connector, *command;
} commands[] = {{"slurm", "run:sacct"}, {"pbs", "run:qstat"},       {"lctl", "run:lctl"},  {"failover", "run:lctl"},
                {"lfs-df", "run:lfs"},  {"nodes", "run:xtdb2proc"}, {"md", "/proc/mdstat"}};

const char *iol__live_command(const char *connector) {
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
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
    for (size_t i = 0; i < sizeof usual / sizeof *usual; i++)
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

static int start(const char *const *arguments, pid_t *child) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) return -1;
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    setenv("SLURM_TIME_FORMAT", "%s", 1);
    int error = posix_spawnp(child, arguments[0], &actions, NULL, (char *const *)(uintptr_t)arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    if (!error) return ends[0];
    close(ends[0]);
    errno = error;
    return -1;
}

/* All that comes until the end; NULL, or why it stopped before. */
static const char *read_all(int fd, iol__unpacked *to) {
    time_t until = time(NULL) + SECONDS;
    for (;;) {
        struct pollfd waiting = {.fd = fd, .events = POLLIN};
        time_t left = until - time(NULL);
        if (left <= 0 || poll(&waiting, 1, (int)left * 1000) == 0) return "no end after two minutes";
        if (!iol__unpack_room(to, 1 << 16)) return "more than 1 GiB";
        ssize_t got = read(fd, to->bytes + to->length, 1 << 16);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) return got < 0 ? strerror(errno) : NULL;
        to->length += (size_t)got;
    }
}

static iol_status run(iol__request *request, const char *program, iol__feed *feed) {
    const char *arguments[MOST_ARGUMENTS];
    pid_t child = 0;
    int state = 0;
    arguments_for(request, program, arguments);
    int fd = start(arguments, &child);
    if (fd < 0) return iol__refuse(request, IOL_UNSUPPORTED, "%s cannot be run here: %s", program, strerror(errno));
    iol__unpacked body = {0};
    const char *stopped = read_all(fd, &body);
    close(fd);
    if (stopped) kill(child, SIGKILL);
    while (waitpid(child, &state, 0) < 0 && errno == EINTR) continue;
    if (!body.bytes && !iol__unpack_room(&body, 1)) stopped = "out of memory";
    if (stopped) {
        free(body.bytes);
        return iol__refuse(request, IOL_SYSTEM, "%s: %s", program, stopped);
    }
    body.bytes[body.length] = 0;
    if (state && body.length == 0) {
        free(body.bytes);
        return iol__refuse(request, IOL_SYSTEM, "%s failed, with status %d", program, WEXITSTATUS(state));
    }
    if (state) iol__partial(request, "%s ended with status %d", program, WEXITSTATUS(state));
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

static iol_status fetch(iol__request *request, const char *url, const char *socket, iol__feed *feed) {
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
    if (status != IOL_OK || code < 400) return status;
    iol__feed_close(feed);
    return iol__refuse(request, IOL_SYSTEM, "%.200s: status %ld", url, code);
}

iol_status iol__live_open(iol__request *request, const char *path, iol__feed *feed) {
    if (strncmp(path, "run:", 4) == 0) return run(request, path + 4, feed);
    if (iol__is_url(path)) return fetch(request, path, NULL, feed);
    const char *name = path + 5, *colon = strchr(name, ':');
    if (!colon || colon[1] != '/') return iol__refuse(request, IOL_INVALID, "%.200s: unix:SOCKET:/PATH, please", path);
    return fetch(request, iol__arena_print(request->arena, "http://localhost%s", colon + 1),
                 iol__arena_text(request->arena, name, (size_t)(colon - name)), feed);
}
