/* Children that die by signals are waited for in a handler, on a small stack of its own, while the program works on its
   files: none is missed, and the handler leaves errno and the records alone.
   EXPECT POSIX main.dat POSIX_BYTES_WRITTEN > 0 */
#include <sys/resource.h>

#include "tests/hazards/hazard.h"

enum { CHILDREN = 40, STACK = 8192 };

static volatile sig_atomic_t died, exited, other;

static void on_child(int number) {
    int status;
    (void)number;
    errno = ENOTTY;
    while (waitpid(-1, &status, WNOHANG) > 0) {
        if (errno != ENOTTY) other++;
        if (WIFSIGNALED(status) && WTERMSIG(status) == SIGSEGV)
            died++;
        else if (WIFEXITED(status) && WEXITSTATUS(status) == 7)
            exited++;
        else
            other++;
    }
}

int main(void) {
    static char stack[STACK];
    const stack_t own = {.ss_sp = stack, .ss_size = sizeof stack};
    struct sigaction action = {.sa_handler = on_child, .sa_flags = SA_RESTART | SA_ONSTACK};
    CHECK(setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0}) == 0);
    CHECK(sigaltstack(&own, NULL) == 0 && sigaction(SIGCHLD, &action, NULL) == 0);
    int fd = fresh("main.dat");
    for (int i = 0; i < CHILDREN; i++) {
        pid_t pid = fork();
        CHECK(pid >= 0);
        if (pid == 0) {
            if (i % 2) raise(SIGSEGV);
            _exit(7);
        }
        put_at(fd, 1, 0);
    }
    while (died + exited + other < CHILDREN) put_at(fd, 1, 0);
    say("died %d, exited %d, otherwise %d", (int)died, (int)exited, (int)other);
    return 0;
}
