/* kill-at N FILE COMMAND...: runs a command and kills it at the entry of its N-th system call, so that a death can be
   put between any two steps; children run freely. The number of calls it made goes to the file. N is 0 to let it end.
   */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

_Noreturn static void die(const char *what) {
    fprintf(stderr, "kill-at: %s: %s\n", what, strerror(errno));
    exit(125);
}

_Noreturn static void become(char **command) {
    if (ptrace(PTRACE_TRACEME, 0, NULL, NULL) != 0) _exit(125);
    raise(SIGSTOP);
    execvp(command[0], command);
    _exit(127);
}

/* Counts entries until the process ends, or is at the one where it dies. */
static int follow(pid_t child, long last, long *calls) {
    int status = 0, entering = 1, signal = 0;
    for (;;) {
        if (ptrace(PTRACE_SYSCALL, child, NULL, (void *)(long)signal) != 0 && errno != ESRCH) die("ptrace");
        if (waitpid(child, &status, 0) != child) die("waitpid");
        if (WIFEXITED(status) || WIFSIGNALED(status)) return status;
        signal = WSTOPSIG(status);
        if (signal != (SIGTRAP | 0x80)) {
            if (signal == SIGTRAP) signal = 0; /* the exec */
            continue;
        }
        signal = 0;
        *calls += entering;
        if (entering && *calls == last) kill(child, SIGKILL);
        entering = !entering;
    }
}

int main(int argc, char **argv) {
    if (argc < 4) {
        fputs("usage: kill-at N FILE COMMAND...\n", stderr);
        return 2;
    }
    long calls = 0, options = PTRACE_O_TRACESYSGOOD | PTRACE_O_EXITKILL;
    int status;
    pid_t child = fork();
    if (child == 0) become(argv + 3);
    if (child < 0 || waitpid(child, &status, 0) != child || !WIFSTOPPED(status)) die(argv[3]);
    if (ptrace(PTRACE_SETOPTIONS, child, NULL, (void *)options) != 0) die("ptrace");
    status = follow(child, atol(argv[1]), &calls);
    FILE *file = fopen(argv[2], "w");
    if (!file || fprintf(file, "%ld\n", calls) < 0 || fclose(file) != 0) die(argv[2]);
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}
