/* Between a shell and a program. All signals are blocked and taken one by one, so that each can be looked at: who sent
   it, and whether the program has it already. The program itself starts with the mask and the handlers that we were
   started with. A signal that kills us is meant for the program: it does not outlive us. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/count.h"
#include "cmds/run/child.h"
#include "cmds/run/descendants.h"
#include "record/runner.h"

enum { STATUS_NOT_FOUND = 127, STATUS_NOT_RUN = 126 };

typedef struct nursery {
    pid_t us, pid;
    bool stopped, ended;
    sigset_t watched, before;
    struct sigaction child_action;
    child_end *end;
} nursery;

/* Start ----------------------------------------------------------------------------------------------------------- */

/* What the program is to find: our own failed writes must not end us. */
static struct sigaction own_pipe, own_size;

void ignore_failed_writes(void) {
    const struct sigaction ignored = {.sa_handler = SIG_IGN};
    sigaction(SIGPIPE, &ignored, &own_pipe);
    sigaction(SIGXFSZ, &ignored, &own_size);
}

void restore_failed_writes(void) {
    sigaction(SIGPIPE, &own_pipe, NULL);
    sigaction(SIGXFSZ, &own_size, NULL);
}

/* Faults of our own must stay what they are. */
static void watched_signals(sigset_t *set) {
    static const int own[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS};
    sigfillset(set);
    for (size_t i = 0; i < IOL_COUNT(own); i++) sigdelset(set, own[i]);
}

/* In the new process, which has borrowed our memory, and sees to it that we learn why there is no program. */
_Noreturn static void become(const nursery *n, const child_start *program) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != n->us) kill(getpid(), SIGKILL); /* it was too late */
    iol__runner_number(program->number, getpid());
    sigaction(SIGCHLD, &n->child_action, NULL);
    restore_failed_writes();
    sigprocmask(SIG_SETMASK, &n->before, NULL);
    execvpe(program->command[0], program->command, program->environment);
    n->end->exec_error = errno;
    _exit(errno == ENOENT ? STATUS_NOT_FOUND : STATUS_NOT_RUN);
}

/* False if there is no program to wait for. A copy of our pages for a process that throws them away at once would cost
   as much as a short program: it borrows them, and we go on when it is the program. */
static bool run_child_start(nursery *n, const child_start *program) {
    struct sigaction plain = {.sa_handler = SIG_DFL};
    watched_signals(&n->watched);
    sigprocmask(SIG_BLOCK, &n->watched, &n->before);
    sigaction(SIGCHLD, &plain, &n->child_action);
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    n->us = getpid();
    const pid_t pid = vfork();
    /* What it calls keeps to system calls and its own stack. NOLINTNEXTLINE(clang-analyzer-unix.Vfork) */
    if (pid == 0) become(n, program);
    n->pid = pid;
    n->end->start_error = n->pid < 0 ? errno : 0;
    n->end->pid = n->pid;
    if (n->end->exec_error) waitpid(n->pid, &n->end->status, 0);
    return n->pid > 0 && !n->end->exec_error;
}

/* Signals --------------------------------------------------------------------------------------------------------- */

/* A process as the kernel shows it; all 0 if there is no such process. */
typedef struct child_process {
    char state;
    pid_t parent;
} child_process;

static child_process child_look_at(pid_t pid) {
    char path[64], text[512];
    child_process found = {0};
    snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t got = fd < 0 ? -1 : read(fd, text, sizeof text - 1);
    if (fd >= 0) close(fd);
    if (got <= 0) return found;
    text[got] = '\0';
    const char *behind = strrchr(text, ')');
    if (!behind || sscanf(behind + 1, " %c %d", &found.state, &found.parent) != 2) return (child_process){0};
    return found;
}

static bool is_descendant(pid_t pid) {
    for (int level = 0; level < 64 && pid > 1; level++, pid = child_look_at(pid).parent)
        if (pid == getpid()) return level > 0;
    return false;
}

/* When a terminal hangs up, the kernel tells the leader of the session, and nobody else until that one ends. */
static bool leads_session(const nursery *n) { return getsid(0) == n->us && getsid(n->pid) == n->us; }

/* The program is in our process group: what a terminal sends has reached it, and so has what it sends to the group. */
static bool has_it_already(const nursery *n, const siginfo_t *info) {
    static const int terminal[] = {SIGINT, SIGQUIT, SIGTSTP, SIGTTIN, SIGTTOU, SIGCONT, SIGWINCH};
    if (info->si_code <= 0) return is_descendant(info->si_pid); /* sent by a process */
    if (info->si_signo == SIGHUP) return !leads_session(n);
    for (size_t i = 0; i < IOL_COUNT(terminal); i++)
        if (info->si_signo == terminal[i]) return true;
    return false;
}

static void child_pass_on(const nursery *n, const siginfo_t *info) {
    /* A continued group is continued as a whole; only a program that still stands needs our help. */
    if (info->si_signo == SIGCONT && !n->stopped) return;
    if (has_it_already(n, info)) return;
    if (info->si_code == SI_QUEUE)
        sigqueue(n->pid, info->si_signo, info->si_value);
    else
        kill(n->pid, info->si_signo);
}

static void take_notice(nursery *n, int status);

/* Somebody may let the program alone go on, which we would not see while we are stopped: a process of its own, which the
   caller ends, lets us go on then. Where it cannot see the program, nothing is assumed. */
static pid_t post_guard(const nursery *n) {
    const pid_t us = getpid(), guard = fork();
    if (guard != 0) return guard;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    struct timespec pause = {.tv_nsec = 15000000}; /* up to half a second: a program may be stopped for days */
    while (getppid() == us) {
        const char state = child_look_at(n->pid).state;
        if (state && state != 'T' && state != 't') kill(us, SIGCONT);
        nanosleep(&pause, NULL);
        if (pause.tv_nsec < 400000000) pause.tv_nsec += pause.tv_nsec / 4;
    }
    _exit(0);
}

/* By the signal that stopped the program, which shells show. One of a terminal stops nobody whose group no shell looks
   after; that we were stopped is seen by the SIGCONT that waits for us, since a signal to stop takes older ones away. */
static void stop_by(int signal_number) {
    const struct sigaction plain = {.sa_handler = SIG_DFL};
    struct sigaction before;
    sigset_t one, pending;
    sigemptyset(&one);
    sigaddset(&one, signal_number);
    sigemptyset(&pending);
    if (signal_number != SIGSTOP && sigaction(signal_number, &plain, &before) == 0) {
        kill(getpid(), signal_number);
        sigprocmask(SIG_UNBLOCK, &one, NULL);
        sigprocmask(SIG_BLOCK, &one, NULL);
        sigaction(signal_number, &before, NULL);
        sigpending(&pending);
    }
    if (!sigismember(&pending, SIGCONT)) kill(getpid(), SIGSTOP);
}

/* The program was stopped: so are we, that the shell sees it, until both go on. Meanwhile it may even have ended. */
static void stop_too(nursery *n, int signal_number) {
    int status;
    n->stopped = true;
    const pid_t guard = post_guard(n);
    stop_by(signal_number);
    if (guard > 0 && kill(guard, SIGKILL) == 0) waitpid(guard, NULL, 0);
    if (waitpid(n->pid, &status, WNOHANG | WCONTINUED) == n->pid)
        take_notice(n, status);
    else
        kill(n->pid, SIGCONT);
}

static void take_notice(nursery *n, int status) {
    if (WIFSTOPPED(status))
        stop_too(n, WSTOPSIG(status));
    else if (WIFCONTINUED(status))
        n->stopped = false;
    else {
        n->ended = true;
        n->end->status = status;
    }
}

/* Children that ended, adopted ones too. False when there are none left. */
static bool child_reap(nursery *n) {
    int status;
    pid_t pid;
    while ((pid = waitpid(-1, &status, WNOHANG | (n->ended ? 0 : WUNTRACED | WCONTINUED))) > 0)
        if (pid == n->pid && !n->ended) take_notice(n, status);
    return pid == 0;
}

static void wait_for_program(nursery *n) {
    while (!n->ended) {
        siginfo_t info;
        int signal_number = sigwaitinfo(&n->watched, &info);
        if (signal_number == SIGCHLD)
            child_reap(n);
        else if (signal_number > 0)
            child_pass_on(n, &info);
    }
}

static double child_now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

/* What the program left running. Whoever is impatient need not wait, nor does anybody for long where nothing was
   recorded by processes that sleep, and go on sleeping. */
static void wait_for_rest(nursery *n, const child_rest *rest) {
    static const double moment = 0.02, stillness = 0.6;
    double until = child_now() + rest->seconds, still_since = child_now();
    descendants before = {0};
    while (child_reap(n)) {
        const double left = until - child_now(), step = left < moment ? left : moment;
        const descendants found = look_at_descendants(getpid());
        if (!found.all_asleep || found.mark != before.mark) still_since = child_now();
        const bool still = child_now() - still_since >= stillness;
        if (left <= 0 || (still && !rest->records(rest->context))) {
            n->end->someone_left = true;
            return;
        }
        before = found;
        const struct timespec time = {.tv_nsec = (long)(step * 1e9)};
        int got = sigtimedwait(&n->watched, NULL, &time);
        if (got == SIGINT || got == SIGTERM || got == SIGQUIT || got == SIGHUP) until = 0;
    }
}

static void ignore_once(int signal_number) { (void)signal_number; }

/* The log is about to be written: the first signal to end us is passed over from here on, a second one counts. */
static void be_patient(const nursery *n) {
    static const int ends[] = {SIGINT, SIGTERM, SIGQUIT, SIGHUP};
    struct sigaction once = {.sa_handler = ignore_once, .sa_flags = (int)(SA_RESETHAND | SA_RESTART)};
    struct timespec zero = {0};
    while (sigtimedwait(&n->watched, NULL, &zero) > 0) continue;
    for (size_t i = 0; i < IOL_COUNT(ends); i++) {
        struct sigaction before;
        if (sigaction(ends[i], NULL, &before) == 0 && before.sa_handler != SIG_IGN) sigaction(ends[i], &once, NULL);
    }
    sigprocmask(SIG_SETMASK, &n->before, NULL);
}

void run_child(const child_start *program, const child_rest *rest, child_end *end) {
    nursery n = {.end = end};
    *end = (child_end){0};
    if (run_child_start(&n, program)) {
        wait_for_program(&n);
        clock_gettime(CLOCK_REALTIME, &end->ended);
        wait_for_rest(&n, rest);
        if (!end->someone_left) clock_gettime(CLOCK_REALTIME, &end->ended);
    }
    be_patient(&n);
}

/* End ------------------------------------------------------------------------------------------------------------- */

void end_like(int status) {
    if (!WIFSIGNALED(status)) exit(WEXITSTATUS(status));
    int signal_number = WTERMSIG(status);
    sigset_t one;
    /* The program has left its core; ours would only take its place. */
    setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
    prctl(PR_SET_DUMPABLE, 0);
    signal(signal_number, SIG_DFL);
    sigemptyset(&one);
    sigaddset(&one, signal_number);
    fflush(NULL);
    kill(getpid(), signal_number);
    sigprocmask(SIG_UNBLOCK, &one, NULL);
    /* A process that the kernel protects, as the first one of a container, does not die of a signal. */
    exit(128 + signal_number);
}
