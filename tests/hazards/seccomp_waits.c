/* A sandbox that may wait for its children and nothing that leads to a file: one that dies of a signal is no reason to
   make a system call that is deadly here.
   STATUS 3
   EXPECT POSIX out.dat POSIX_WRITES = 1 */
#include "tests/hazards/sandbox.h"

static struct sock_filter rules[] =
    SANDBOX(LET(SYS_write), LET(SYS_close), LET(SYS_wait4), LET(SYS_kill), LET(SYS_exit_group));

int main(void) {
    struct sock_fprog filter = {sizeof rules / sizeof *rules, rules};
    int status;
    put(fresh("out.dat"), 5);
    pid_t pid = fork();
    CHECK(pid >= 0);
    if (pid == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
        for (;;) pause();
    }
    CHECK(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0);
    if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) != 0) {
        kill(pid, SIGKILL);
        return CANNOT_RUN_HERE;
    }
    CHECK(kill(pid, SIGKILL) == 0);
    CHECK(waitpid(pid, &status, 0) == pid);
    say("status %#x", status);
    _exit(3);
}
