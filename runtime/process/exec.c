/* Another program is about to be started: which one it is, and what it should find in its environment. */
#include "runtime/process/exec.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/stat.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <unistd.h>

#include "record/program.h"
#include "runtime/process/carry.h"
#include "runtime/core/core.h"
#include "runtime/core/sys.h"
#include "runtime/core/text.h"

enum {
    SCRIPTS = 5,         /* that the kernel follows */
    PATH_ROOM = 1024,    /* longer ones are not looked at: the stack may be small */
    ROOM_MOST = 1 << 16, /* of an environment on the stack */
};

/* Looking at files ------------------------------------------------------------------------------------------------- */

static int look_open(int at, const char *path) { return iol__sys_open(at, path, O_RDONLY | O_NONBLOCK | O_NOCTTY, 0); }

static long look_read(int fd, void *to, size_t bytes, uint64_t offset) {
    const long got = sys(pread64, fd, to, bytes, offset);
    return got < 0 ? -errno : got;
}

static int look_status(int fd, struct stat *facts) { return (int)sys(fstat, fd, facts); }

static void look_close(int fd) { sys(close, fd); }

static int look_may_run(int at, const char *path) {
    struct statx facts = {0};
    if (sys(statx, at, path, 0, STATX_TYPE, &facts) != 0) return errno;
    if (!S_ISREG(facts.stx_mode)) return EACCES;
    return sys(faccessat, at, path, 1 /* X_OK */) == 0 ? 0 : errno;
}

/* A mount, or the process itself, may refuse them; then the loader takes libraries as usual. */
static bool rights_refused(int fd) {
    enum { NO_SETUID = 2 };
    struct statfs mount = {0};
    if (sys(prctl, PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 1) return true;
    return sys(fstatfs, fd, &mount) == 0 && (mount.f_flags & NO_SETUID);
}

static bool look_rights(int fd, const struct stat *facts) {
    const bool user = (facts->st_mode & S_ISUID) && facts->st_uid != (uid_t)sys(geteuid, 0);
    const bool group = (facts->st_mode & S_ISGID) && facts->st_gid != (gid_t)sys(getegid, 0);
    const bool more = user || group || (sys(geteuid, 0) != 0 && sys(fgetxattr, fd, "security.capability", NULL, 0) > 0);
    return more && !rights_refused(fd);
}

static const iol__program_calls calls = {look_open, look_read, look_status, look_close, look_may_run, look_rights};

static int open_descriptor(int fd) {
    char path[32];
    iol__text text = {path, sizeof path, 0};
    iol__text_add(&text, "/proc/self/fd/");
    iol__text_number(&text, fd);
    return look_open(AT_FDCWD, path); /* again: it may be open without the right to read */
}

static const char *list_of_paths(void) {
    for (char **at = environ; at && *at; at++)
        if (strncmp(*at, "PATH=", 5) == 0) return *at + 5;
    return NULL;
}

static int open_program(iol__exec_file how, int at, const char *file, char *path, size_t room) {
    if (how == IOL_EXEC_DESCRIPTOR) return open_descriptor(at);
    if (how == IOL_EXEC_PATH || strchr(file, '/')) return look_open(at, file);
    return iol__program_search(&calls, file, list_of_paths(), path, room) == 0 ? look_open(AT_FDCWD, path) : -1;
}

/* The program that runs in the end, if this is a script. False if it cannot be found out. */
static bool find_program(iol__exec_file how, int at, const char *file, iol__program *program) {
    char path[PATH_ROOM] = "", start[IOL_PROGRAM_START];
    struct stat facts = {0};
    int fd = open_program(how, at, file, path, sizeof path);
    bool found = false;
    for (int level = 0; fd >= 0 && level < SCRIPTS; level++) {
        long got =
            sys(fstat, fd, &facts) == 0 && S_ISREG(facts.st_mode) ? sys(pread64, fd, start, sizeof start, 0) : -1;
        const bool script = got > 0 && iol__program_script(start, (size_t)got, path, sizeof path);
        if (!script && got > 0) {
            iol__program_look(&calls, fd, path[0] || how == IOL_EXEC_DESCRIPTOR ? path : file, program);
            found = program->elf;
        }
        sys(close, fd);
        fd = script ? look_open(AT_FDCWD, path) : -1;
    }
    if (fd >= 0) sys(close, fd);
    return found;
}

/* Deciding --------------------------------------------------------------------------------------------------------- */

/* Whether our library would be loaded, and whether the program then finds its environment as it should be. */
static bool can_carry(const iol__program *program) {
    return !program->privileged && (program->libc == IOL_PROGRAM_GLIBC || program->carried[0]);
}

static iol__unseen_why unseen_because(const iol__exec *exec, const iol__program *program, bool reach) {
    if (exec->disabled) return IOL_UNSEEN_DISABLED;
    if (!exec->ours && !iol__carry_wanted()) return IOL_UNSEEN_OPTED_OUT;
    if (!program->native) return IOL_UNSEEN_MACHINE;
    if (iol__program_harmed(program)) return IOL_UNSEEN_LIBC;
    if (program->libc == IOL_PROGRAM_STATIC && !program->carried[0]) return IOL_UNSEEN_STATIC;
    if (program->privileged) return IOL_UNSEEN_PRIVILEGED;
    if (!reach) return IOL_UNSEEN_LIBRARY;
    return program->go ? IOL_UNSEEN_GO : IOL_UNSEEN_NOT;
}

static bool limits_allow(void) {
    for (size_t i = 0; i < IOL_PROGRAM_LIMITS; i++) {
        struct rlimit now = {0};
        if (sys(prlimit64, 0, iol__program_limits[i].what, NULL, &now) == 0 &&
            now.rlim_cur < iol__program_limits[i].least)
            return false;
    }
    return true;
}

static void decide(iol__exec *exec, const iol__program *program, bool room) {
    const bool wanted = !exec->disabled && (exec->ours || iol__carry_wanted());
    const bool harmed = iol__program_harmed(program), fits = !harmed && can_carry(program) && wanted;
    const bool reach = !fits || (room && iol__carry_in_reach() && iol__run_in_reach());
    exec->why = unseen_because(exec, program, reach);
    if (exec->ours && (harmed || !reach)) exec->change = IOL_EXEC_TAKE_OUT;
    if ((!exec->ours || exec->astray) && fits && reach) exec->change = IOL_EXEC_ADD;
}

static void look(iol__exec *exec, iol__exec_file how, int at, const char *file) {
    uintptr_t page = IOL_NO_PAGE;
    iol__program program;
    if (how != IOL_EXEC_DESCRIPTOR && !iol__carry_there(file, &page)) return;
    if (!iol__carry_read(exec)) return;
    const bool room = limits_allow();
    if (find_program(how, at, file, &program))
        decide(exec, &program, room);
    else if (exec->ours && !room) /* not even the program can be opened here */
        exec->why = IOL_UNSEEN_LIBRARY, exec->change = IOL_EXEC_TAKE_OUT;
    if (exec->change == IOL_EXEC_AS_GIVEN) return;
    exec->room = iol__carry_room(exec);
    if (exec->room <= ROOM_MOST) return;
    exec->room = 0;
    if (exec->change == IOL_EXEC_ADD) exec->why = IOL_UNSEEN_ENVIRONMENT;
}

void iol__exec_look(iol__exec *exec, iol__exec_file how, int at, const char *file, char *const environment[]) {
    const int saved = errno;
    *exec = (iol__exec){.given = environment};
    /* A program that has restricted its system calls is left alone. */
    if (iol__carry_active() && !iol__sealed) look(exec, how, at, file);
    errno = saved;
}

bool iol__exec_too_much(iol__exec *exec, int error) {
    if (error != E2BIG || !exec->room || exec->change != IOL_EXEC_ADD) return false;
    exec->room = 0;
    if (!exec->why) exec->why = IOL_UNSEEN_ENVIRONMENT;
    return true;
}

/* The list of the run ---------------------------------------------------------------------------------------------- */

static const char *name_of(const char *file, char *const arguments[]) {
    uintptr_t list = IOL_NO_PAGE, text = IOL_NO_PAGE;
    const int saved = errno;
    if (!file || !*file) {
        const bool named = iol__carry_there(arguments, &list) && arguments[0] && iol__carry_there(arguments[0], &text);
        file = named ? arguments[0] : "unknown";
    }
    errno = saved;
    return file;
}

void iol__exec_note(const iol__exec *exec, const char *file, char *const arguments[]) {
    if (exec->why) iol__run_unseen(iol__unseen_how(exec->why), (int)sys(getpid, 0), name_of(file, arguments));
}

void iol__exec_take_back_note(const iol__exec *exec, const char *file, char *const arguments[]) {
    const uint64_t how = iol__unseen_how(exec->why) | IOL_STARTED_NOT_AFTER;
    if (exec->why) iol__run_unseen(how, (int)sys(getpid, 0), name_of(file, arguments));
}

void iol__exec_spawned(const iol__exec *exec, const char *file, const int *pid) {
    if (exec->why) iol__run_unseen(iol__unseen_how(exec->why), pid ? *pid : 0, file);
}

/* Shells of libc --------------------------------------------------------------------------------------------------- */

/* Not on the stack: a signal handler may jump out of the call. */
static struct {
    bool lent;
    char **before; /* the program's; NULL after clearenv() */
    void *room[1024];
} shell;

bool iol__exec_lend(void) {
    static const char path[] = "/bin/sh";
    iol__exec exec;
    char **before = environ;
    iol__exec_look(&exec, IOL_EXEC_PATH, AT_FDCWD, path, before);
    const bool can = !iol__has_other_threads() && !shell.lent && exec.room <= sizeof shell.room;
    if (exec.change == IOL_EXEC_ADD && !can) exec.why = IOL_UNSEEN_ENVIRONMENT;
    iol__exec_spawned(&exec, path, NULL);
    if (!exec.room || !can) return false;
    shell.lent = true;
    shell.before = before;
    environ = (char **)(uintptr_t)iol__carry_environment(&exec, shell.room);
    return true;
}

void iol__exec_take_back(bool lent) {
    if (!lent) return;
    if (environ == (char **)shell.room) environ = shell.before;
    shell.lent = false;
}
