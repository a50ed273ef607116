/* How children end. A launcher waits for the ranks of an MPI job, and `iolite run` for the launcher: nobody else hears
   of what a rank died. A process that waits for a child gets what it would get without us; if the child did not end
   well, the run gets a line about it. Programs wait in signal handlers, too: nothing here locks or allocates. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "record/mapped.h"
#include "runtime/core/core.h"
#include "runtime/core/process.h"
#include "runtime/core/real.h"
#include "runtime/core/sys.h"
#include "runtime/core/text.h"

enum { LISTED_MOST = 4096 /* children of one process: the first deaths are those that tell something */ };

static void list(unsigned *listed, pid_t pid, int status) {
    if (__atomic_load_n(listed, __ATOMIC_RELAXED) >= LISTED_MOST) return;
    __atomic_fetch_add(listed, 1, __ATOMIC_RELAXED);
    iol__run_ended(pid, status);
}

/* Waiting --------------------------------------------------------------------------------------------------------- */

static void note(pid_t pid, int status) {
    static unsigned listed;
    if (iol__core_state.run && (WIFEXITED(status) || WIFSIGNALED(status))) list(&listed, pid, status);
}

static inline pid_t seen(pid_t pid, int status) {
    if (IOL_UNLIKELY(pid > 0 && status != 0)) note(pid, status);
    return pid;
}

/* A caller that does not ask for the status does not get it. */
IOL_EXPORT pid_t wait(int *status) {
    int own = 0, *to = status ? status : &own;
    const pid_t pid = real(wait)(to);
    return pid > 0 ? seen(pid, *to) : pid;
}

IOL_EXPORT pid_t waitpid(pid_t which, int *status, int options) {
    int own = 0, *to = status ? status : &own;
    const pid_t pid = real(waitpid)(which, to, options);
    return pid > 0 ? seen(pid, *to) : pid;
}

IOL_EXPORT pid_t wait3(int *status, int options, struct rusage *usage) {
    int own = 0, *to = status ? status : &own;
    const pid_t pid = real(wait3)(to, options, usage);
    return pid > 0 ? seen(pid, *to) : pid;
}

IOL_EXPORT pid_t wait4(pid_t which, int *status, int options, struct rusage *usage) {
    int own = 0, *to = status ? status : &own;
    const pid_t pid = real(wait4)(which, to, options, usage);
    return pid > 0 ? seen(pid, *to) : pid;
}

/* As wait has it. Stopped children, and those that go on, are none that ended. */
static int status_of(const siginfo_t *info) {
    if (info->si_code == CLD_EXITED) return W_EXITCODE(info->si_status & 0xff, 0);
    return info->si_code == CLD_KILLED || info->si_code == CLD_DUMPED ? W_EXITCODE(0, info->si_status & 0x7f) : 0;
}

IOL_EXPORT int waitid(idtype_t what, id_t id, siginfo_t *info, int options) {
    siginfo_t own = {0}, *to = info ? info : &own;
    const int result = real(waitid)(what, id, to, options);
    if (result == 0 && !(options & WNOWAIT) && to->si_signo == SIGCHLD) seen(to->si_pid, status_of(to));
    return result;
}

/* Killing --------------------------------------------------------------------------------------------------------- */

/* A launcher that misses one rank kills all of them and waits afterwards, and then they look alike. The one that it
   missed was about to end before it was killed: the kernel says so before the descriptors of a process are closed. */
static bool child_ends(pid_t pid) {
    enum { PARENT, GROUP, SESSION, TERMINAL, FOREGROUND, FLAGS, FIELDS, EXITING = 4 };
    char path[32], stat[512];
    iol__text text = {path, sizeof path, 0};
    long fields[FIELDS] = {0};
    iol__text_add(&text, "/proc/");
    iol__text_number(&text, pid);
    iol__text_add(&text, "/stat");
    const long got = iol__sys_read_file(path, stat, sizeof stat - 1);
    if (got <= 0) return false;
    stat[got] = 0;
    const char *at = strrchr(stat, ')'); /* its name may have any characters in it, then the state follows */
    if (!at || strlen(at) < 4) return false;
    at += 3;
    for (int i = 0; i < FIELDS; i++) fields[i] = iol__text_take_number(&at);
    return fields[PARENT] == sys(getpid, 0) && (fields[FLAGS] & EXITING);
}

static void before_kill(pid_t pid, int number) {
    static unsigned listed;
    if ((number != SIGKILL && number != SIGTERM) || pid <= 1 || !iol__core_state.run) return;
    const int saved = errno;
    if (child_ends(pid)) list(&listed, pid, 0);
    errno = saved;
}

IOL_EXPORT int kill(pid_t pid, int number) {
    before_kill(pid < -1 ? -pid : pid, number);
    return real(kill)(iol__signal_target(pid), number);
}

IOL_EXPORT int killpg(pid_t group, int number) {
    before_kill(group, number);
    return real(killpg)(group, number);
}
