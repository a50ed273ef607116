/* What the runtime says: at most one line per process, on the standard error that was there at the start. Under
   `iolite run` what went wrong is noted in the run's directory, and the run says it once for all of its processes. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>

#include "record/held.h"
#include "record/mapped.h"
#include "runtime/core/core.h"
#include "runtime/core/real.h"
#include "runtime/core/sys.h"
#include "runtime/core/text.h"

static bool said;

/* Past the limit for file sizes a write raises a signal. */
bool iol__may_write(int fd, uint64_t bytes) {
    struct rlimit limit = {0};
    struct stat now = {0};
    if (sys(prlimit64, 0, RLIMIT_FSIZE, NULL, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return true;
    if (sys(fstat, fd, &now) != 0) return false;
    return !S_ISREG(now.st_mode) || (uint64_t)now.st_size + bytes <= limit.rlim_cur;
}

/* A reader that is gone would raise a signal which the program does not expect; it is taken back. So would a terminal
   that wants to be left alone by programs in the background; to who blocks that signal it listens. */
void iol__write_stderr(const char *bytes, size_t length) {
    enum { SET = sizeof(uint64_t) }; /* the kernel's own sets of signals are smaller than libc's */
    const uint64_t pipe = UINT64_C(1) << (SIGPIPE - 1), both = pipe | UINT64_C(1) << (SIGTTOU - 1);
    uint64_t before = 0, pending = 0;
    if (iol__stderr_changed || !iol__may_write(2, length) || sys(rt_sigprocmask, SIG_BLOCK, &both, &before, SET) != 0)
        return;
    sys(rt_sigpending, &pending, SET);
    if (sys(write, 2, bytes, length) < 0 && errno == EPIPE && !(pending & pipe)) {
        const struct timespec now = {0, 0};
        sys(rt_sigtimedwait, &pipe, NULL, &now, SET);
    }
    sys(rt_sigprocmask, SIG_SETMASK, &before, NULL, SET);
}

void iol__say(const char *text, const char *detail) {
    static char line[1024]; /* not on the stack, which may be that of a signal handler */
    if (__atomic_exchange_n(&said, true, __ATOMIC_ACQ_REL)) return;
    iol__text to = {line, sizeof line - 1, 0};
    iol__text_add(&to, "iolite: ");
    iol__text_add(&to, text);
    iol__text_add(&to, detail);
    line[to.length++] = '\n';
    iol__write_stderr(line, to.length);
}

void iol__trouble(const char *text, const char *detail) {
    static char path[sizeof iol__core_state.directory + 16], line[512];
    const iol__core *core = &iol__core_state;
    if (!core->run) {
        iol__say(text, detail);
        return;
    }
    iol__text to = {path, sizeof path, 0};
    iol__text_add(&to, core->directory);
    iol__text_add(&to, "/" IOL_RUN_MESSAGES);
    const int fd = iol__run_open(path, O_WRONLY | O_APPEND | O_CREAT);
    if (fd < 0) return;
    to = (iol__text){line, sizeof line - 1, 0};
    iol__text_add(&to, text);
    iol__text_add(&to, detail);
    line[to.length++] = '\n';
    if (iol__may_write(fd, to.length)) sys(write, fd, line, to.length);
    sys(close, fd);
}

/* What a program's limits forbid, or the rights that it gave up, is its own affair and no reason to speak in its name. */
static bool own_doing(int why) {
    if (why == EFBIG || why == EMFILE || why == ENFILE || why == ENOMEM) return true;
    return (why == EACCES || why == EPERM) && (unsigned long)sys(geteuid, 0) != getauxval(AT_EUID);
}

void iol__say_place(const char *wanted, int why, const char *found) {
    static char line[900];
    if (!iol__core_state.run && !iol__core_state.verbose && own_doing(why)) return;
    iol__text text = {line, sizeof line, 0};
    if (why == EFBIG) {
        iol__text_add(&text, "the limit for file sizes is too low for a log");
    } else if (*wanted) {
        iol__text_add(&text, "cannot write ");
        iol__text_add(&text, wanted);
        iol__text_add(&text, " (");
        iol__text_add(&text, iol__error_text(why) ? iol__error_text(why) : "unknown error");
        iol__text_add(&text, ")");
    } else {
        iol__text_add(&text, "there is no place for a log: neither a setting nor HOME names one");
    }
    iol__text_add(&text, *found ? "; what was recorded is in " : "; there is no log");
    iol__text_add(&text, found);
    if (strstr(found, IOL_JOB_DIRECTORY)) iol__text_add(&text, ": iolite merge --leftovers makes a log of it");
    iol__trouble(line, "");
}
