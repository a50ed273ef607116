/* Processes for slices of work, each with a pipe for what it found. */
#include "cmds/workers.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cmds/cmd.h"

enum { MOST_WORKERS = 64 };

typedef struct workers_worker {
    size_t first, last;
    pid_t pid; /* -1: it could not be started */
    int fd;
} workers_worker;

size_t worth_workers(size_t items, size_t least_each) {
    cpu_set_t set;
    size_t processors = sched_getaffinity(0, sizeof set, &set) == 0 ? (size_t)CPU_COUNT(&set) : 1;
    size_t most = items / least_each;
    if (processors > MOST_WORKERS) processors = MOST_WORKERS;
    return most < processors ? most : processors;
}

static void work_here(const worker_task *task, const workers_worker *is, int to) {
    iol__out out;
    iol__out_open(&out, to);
    int status = task->work(task->context, is->first, is->last, &out);
    if (iol__out_close(&out) != 0 && status == EXIT_DONE) status = EXIT_TROUBLE;
    _exit(status);
}

static void workers_start(const worker_task *task, workers_worker *is) {
    int ends[2];
    is->pid = -1;
    if (pipe2(ends, O_CLOEXEC) != 0) return;
    is->pid = fork();
    if (is->pid == 0) {
        close(ends[0]);
        work_here(task, is, ends[1]);
    }
    close(ends[1]);
    is->fd = ends[0];
    if (is->pid < 0) close(ends[0]);
}

static bool read_rest(int fd, iol__out *into) {
    char block[65536];
    ssize_t got;
    while ((got = read(fd, block, sizeof block)) != 0) {
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return false;
        iol__out_bytes(into, block, (size_t)got);
    }
    return true;
}

static int workers_finish(const worker_task *task, const workers_worker *is) {
    iol__out found;
    int state = 0;
    iol__out_open(&found, -1);
    bool good = read_rest(is->fd, &found);
    close(is->fd);
    while (waitpid(is->pid, &state, 0) < 0 && errno == EINTR) continue;
    if (good && WIFEXITED(state)) good = task->take(task->context, is->first, is->last, found.buffer, found.length);
    iol__out_close(&found);
    if (!WIFEXITED(state) || !good) fputs("iolite: a worker process ended too early\n", stderr);
    return WIFEXITED(state) && good ? WEXITSTATUS(state) : EXIT_TROUBLE;
}

int run_workers(const worker_task *task, size_t items, size_t workers) {
    workers_worker all[MOST_WORKERS];
    int status = EXIT_DONE;
    if (workers > MOST_WORKERS) workers = MOST_WORKERS;
    if (workers > items) workers = items;
    fflush(NULL);
    for (size_t i = 0; i < workers; i++) {
        all[i] = (workers_worker){.first = items * i / workers, .last = items * (i + 1) / workers};
        workers_start(task, &all[i]);
    }
    for (size_t i = 0; i < workers; i++) {
        if (all[i].pid < 0) tell_stderr("cannot start a process for a part of the work: %s", strerror(errno));
        int outcome = all[i].pid < 0 ? EXIT_TROUBLE : workers_finish(task, &all[i]);
        if (outcome > status) status = outcome;
    }
    return status;
}
