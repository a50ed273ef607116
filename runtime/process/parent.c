/* `iolite run` stands between a program and who started it, and is to be as good as not there: a program that asks for its
   parent is given who started `run`, and what it sends to `run` alone goes there. If that one has gone, `run` has a new
   parent, which never heard of the program: it is left alone, and the program is an orphan, as it would be without us. So
   are those whom `run` took in because their own parents ended. Signals to a group are the kernel's business.
   All this happens in signal handlers and between vfork and exec, too. */
#include <errno.h>
#include <fcntl.h>

#include "record/mapped.h"
#include "runtime/core/core.h"
#include "runtime/core/process.h"
#include "runtime/core/real.h"
#include "runtime/core/sys.h"
#include "runtime/core/text.h"

enum { ORPHANAGE = 1 };

typedef enum standing {
    UNKNOWN, /* that number is somebody else's here, or nobody can say whose */
    STANDS_IN,
    LEFT_ALONE, /* who started it has gone */
} standing;

/* Also for a program that has restricted its system calls since: its parent does not change by that. */
static standing latest;

static standing look_at_runner(const iol__runner *runner) {
    char path[32], line[1024], link[64] = "";
    iol__text text = {path, sizeof path, 0};
    int32_t parent;
    uint64_t ticks;
    iol__text_add(&text, "/proc/");
    iol__text_number(&text, runner->outermost);
    iol__text_add(&text, "/stat");
    const long got = iol__sys_read_file(path, line, sizeof line - 1);
    if (got <= 0) return __atomic_load_n(&latest, __ATOMIC_RELAXED);
    line[got] = 0;
    if (!iol__stat_line_read(line, &parent, &ticks)) return UNKNOWN;
    if (sys(readlinkat, AT_FDCWD, "/proc/self/ns/pid", link, sizeof link - 1) <= 0) return UNKNOWN;
    if (iol__born(ticks, iol__name_space_read(link)) != runner->born) return UNKNOWN;
    return parent == runner->caller ? STANDS_IN : LEFT_ALONE;
}

static standing runner_stands(void) {
    const int saved = errno;
    const standing now = look_at_runner(&iol__core_state.runner);
    __atomic_store_n(&latest, now, __ATOMIC_RELAXED);
    errno = saved;
    return now;
}

static bool is_runner(pid_t pid) { return IOL_UNLIKELY(pid > 1 && pid == iol__core_state.runner.pid); }

static bool is_program(void) {
    const iol__core *core = &iol__core_state;
    return (iol__sealed ? core->pid : (int)sys(getpid, 0)) == core->runner.program;
}

/* A caller outside of our namespace has the number 0, which would be our group. */
int iol__signal_target(int pid) {
    if (!is_runner(pid)) return pid;
    const int caller = iol__core_state.runner.caller;
    return caller > 0 && runner_stands() == STANDS_IN ? caller : pid;
}

IOL_EXPORT pid_t getppid(void) {
    const pid_t parent = real(getppid)();
    if (!is_runner(parent)) return parent;
    const standing now = runner_stands();
    if (now == UNKNOWN) return parent;
    return now == STANDS_IN && is_program() ? iol__core_state.runner.caller : ORPHANAGE;
}
