/* Wrapped functions that start another program: in the place of this one, or beside it. */
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/syscall.h>

#include "runtime/process/carry.h"
#include "runtime/core/core.h"
#include "runtime/process/declarations.h"
#include "runtime/process/exec.h"
#include "runtime/core/process.h"
#include "runtime/core/real.h"

/* In the caller's frame, which lasts as long as it is needed. */
#define HAND_ON(exec) iol__carry_environment(&(exec), (exec).room ? __builtin_alloca((exec).room) : NULL)

/* Once more, without what we added. */
static bool try_again(iol__exec *exec, const char *file, char *const arguments[]) {
    const iol__unseen_why known = exec->why;
    if (!iol__exec_too_much(exec, errno)) return false;
    if (!known) iol__exec_note(exec, file, arguments);
    return true;
}

/* If the new program cannot be started, the old one goes on as if nothing had been. */
#define EXEC(name, parameters, how, at, file, environment, call)                  \
    IOL_EXPORT int name parameters {                                              \
        iol__exec exec;                                                           \
        iol__exec_before();                                                       \
        iol__exec_look(&exec, how, at, file, environment);                        \
        iol__exec_note(&exec, file, arguments);                                   \
        char *const *given = HAND_ON(exec);                                       \
        int result = call;                                                        \
        if (try_again(&exec, file, arguments)) given = exec.given, result = call; \
        iol__exec_take_back_note(&exec, file, arguments);                         \
        iol__exec_failed();                                                       \
        return result;                                                            \
    }
EXEC(execve, (const char *path, char *const arguments[], char *const environment[]), IOL_EXEC_PATH, AT_FDCWD, path,
     environment, real(execve)(path, arguments, given))
EXEC(execv, (const char *path, char *const arguments[]), IOL_EXEC_PATH, AT_FDCWD, path, environ,
     exec.room ? real(execve)(path, arguments, given) : real(execv)(path, arguments))
EXEC(execvp, (const char *file, char *const arguments[]), IOL_EXEC_NAME, AT_FDCWD, file, environ,
     exec.room ? real(execvpe)(file, arguments, given) : real(execvp)(file, arguments))
EXEC(execvpe, (const char *file, char *const arguments[], char *const environment[]), IOL_EXEC_NAME, AT_FDCWD, file,
     environment, real(execvpe)(file, arguments, given))
EXEC(fexecve, (int fd, char *const arguments[], char *const environment[]), IOL_EXEC_DESCRIPTOR, fd, NULL, environment,
     real(fexecve)(fd, arguments, given))

static iol__exec_file named_by(const char *path, int flags) {
    return (flags & AT_EMPTY_PATH) && iol__there(path) && !*path ? IOL_EXEC_DESCRIPTOR : IOL_EXEC_PATH;
}

EXEC(execveat, (int at, const char *path, char *const arguments[], char *const environment[], int flags),
     named_by(path, flags), at, path, environment, real(execveat)(at, path, arguments, given, flags))

long iol__exec_syscall(long number, long a, long b, long c, long d, long e) {
    const bool at = number == SYS_execveat;
    const char *path = (const char *)(at ? b : a);
    iol__exec exec;
    iol__exec_before();
    iol__exec_look(&exec, at ? named_by(path, (int)e) : IOL_EXEC_PATH, at ? (int)a : AT_FDCWD, path,
                   (char *const *)(at ? d : c));
    char *const *arguments = (char *const *)(at ? c : b);
    iol__exec_note(&exec, path, arguments);
    char *const *given = HAND_ON(exec);
    long result = at ? real(syscall)(number, a, b, c, given, e) : real(syscall)(number, a, b, given);
    if (try_again(&exec, path, arguments))
        result = at ? real(syscall)(number, a, b, c, d, e) : real(syscall)(number, a, b, c);
    iol__exec_take_back_note(&exec, path, arguments);
    iol__exec_failed();
    return result;
}

/* The forms with a list put it into an array on the stack first: a child of vfork must not allocate. */
#define LISTED(name, tail, call)                                                                    \
    IOL_EXPORT int name(const char *path, const char *first, ...) {                                 \
        va_list values;                                                                             \
        size_t n = 1;                                                                               \
        va_start(values, first);                                                                    \
        while (iol__there(first) && va_arg(values, char *)) n++;                                    \
        va_end(values);                                                                             \
        char **arguments = __builtin_alloca((n + 1) * sizeof *arguments);                           \
        va_start(values, first);                                                                    \
        arguments[0] = (char *)(uintptr_t)first;                                                    \
        for (size_t i = 1; i <= n && iol__there(first); i++) arguments[i] = va_arg(values, char *); \
        tail;                                                                                       \
        va_end(values);                                                                             \
        return call;                                                                                \
    }
/* The analyser loses sight of va_start in a loop. */
// NOLINTBEGIN(clang-analyzer-valist.Uninitialized)
LISTED(execl, (void)0, execv(path, arguments))
LISTED(execlp, (void)0, execvp(path, arguments))
LISTED(execle, char **environment = va_arg(values, char **), execve(path, arguments, environment))
// NOLINTEND(clang-analyzer-valist.Uninitialized)

#define SPAWN(name, how)                                                                                           \
    IOL_EXPORT int name(pid_t *pid, const char *file, const posix_spawn_file_actions_t *actions,                   \
                        const posix_spawnattr_t *attributes, char *const arguments[], char *const environment[]) { \
        iol__exec exec;                                                                                            \
        iol__exec_look(&exec, how, AT_FDCWD, file, environment);                                                   \
        int result = real(name)(pid, file, actions, attributes, arguments, HAND_ON(exec));                         \
        if (iol__exec_too_much(&exec, result))                                                                     \
            result = real(name)(pid, file, actions, attributes, arguments, environment);                           \
        if (result == 0) iol__exec_spawned(&exec, file, pid);                                                      \
        return result;                                                                                             \
    }
SPAWN(posix_spawn, IOL_EXEC_PATH)
SPAWN(posix_spawnp, IOL_EXEC_NAME)

IOL_EXPORT int system(const char *command) {
    const bool lent = iol__there(command) && iol__exec_lend();
    const int result = real(system)(command);
    iol__exec_take_back(lent);
    return result;
}
