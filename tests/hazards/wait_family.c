/* Waiting for children, and killing them, by every function there is: results, statuses and errno are the kernel's, also
   where nobody asks for the status, nobody has ended, a signal comes, or a child is only looked at, stopped or continued.
   EXPECT POSIX open.dat POSIX_WRITES = 1 */
#include <stdbool.h>
#include <sys/resource.h>

#include "tests/hazards/hazard.h"

static int go[2];

/* A child that ends so when `go` is closed. */
static pid_t child(int status, int number) {
    char byte;
    pid_t pid = fork();
    CHECK(pid >= 0);
    if (pid) return pid;
    close(go[1]);
    while (read(go[0], &byte, 1) < 0 && errno == EINTR) continue;
    if (number) raise(number);
    _exit(status);
}

static void hold(void) { CHECK(pipe(go) == 0); }

static void let_go(void) {
    close(go[1]);
    close(go[0]);
}

/* By address: arguments have no order. */
static void tell(const char *what, bool right, const int *status) {
    say("%s: %s, status %#x, errno %s", what, right ? "as expected" : "otherwise", status ? *status : 0,
        strerrorname_np(errno));
}

/* One that has ended for certain. */
static pid_t ended(int status, int number) {
    siginfo_t info = {0};
    hold();
    pid_t pid = child(status, number);
    let_go();
    CHECK(waitid(P_PID, (id_t)pid, &info, WEXITED | WNOWAIT) == 0 && info.si_pid == pid);
    say("looked at: code %d, status %d", info.si_code, info.si_status);
    return pid;
}

static void each_way(int code, int number) {
    struct rusage usage = {0};
    siginfo_t info = {0};
    int status = -1;
    pid_t pid = ended(code, number);
    errno = 0;
    tell("wait", wait(&status) == pid, &status);
    pid = ended(code, number);
    tell("waitpid", waitpid(pid, &status, 0) == pid, &status);
    pid = ended(code, number);
    tell("wait3", wait3(&status, WNOHANG, &usage) == pid && usage.ru_maxrss > 0, &status);
    pid = ended(code, number);
    tell("wait4", wait4(pid, &status, 0, NULL) == pid, &status);
    pid = ended(code, number);
    tell("waitid", waitid(P_PID, (id_t)pid, &info, WEXITED) == 0 && info.si_pid == pid, &info.si_status);
}

static void nobody_asks(void) {
    pid_t pid = ended(3, 0);
    tell("wait without", wait(NULL) == pid, NULL);
    pid = ended(3, 0);
    tell("waitpid without", waitpid(-1, NULL, 0) == pid, NULL);
    pid = ended(0, SIGKILL);
    tell("wait3 without", wait3(NULL, 0, NULL) == pid, NULL);
    pid = ended(0, SIGKILL);
    tell("wait4 without", wait4(pid, NULL, 0, NULL) == pid, NULL);
    pid = ended(3, 0);
    tell("waitid without", waitid(P_ALL, 0, NULL, WEXITED) == 0, NULL);
}

static void nobody_ended(void) {
    siginfo_t info;
    int status = 77;
    memset(&info, 0x55, sizeof info);
    hold();
    pid_t pid = child(0, 0);
    errno = 0;
    tell("waitpid not yet", waitpid(pid, &status, WNOHANG) == 0, &status);
    tell("waitid not yet", waitid(P_PID, (id_t)pid, &info, WEXITED | WNOHANG) == 0 && info.si_pid == 0, &info.si_signo);
    CHECK(kill(pid, SIGSTOP) == 0);
    tell("stopped", waitpid(pid, &status, WUNTRACED) == pid, &status);
    CHECK(kill(pid, SIGCONT) == 0);
    tell("continued", waitpid(pid, &status, WCONTINUED) == pid, &status);
    let_go();
    tell("ended", waitpid(pid, &status, 0) == pid, &status);
    tell("no child", wait(&status) == -1, &status);
    tell("no such child", waitpid(pid, &status, 0) == -1, &status);
    tell("no child, too", waitid(P_ALL, 0, &info, WEXITED) == -1, NULL);
    tell("no such option", waitpid(pid, &status, 0x10000) == -1, &status);
    tell("no such choice", waitid(P_ALL, 0, &info, 0) == -1, NULL);
}

static void on_alarm(int number) { (void)number; }

static void interrupted(void) {
    struct sigaction action = {.sa_handler = on_alarm};
    int status = 77;
    CHECK(sigaction(SIGALRM, &action, NULL) == 0);
    hold();
    pid_t pid = child(0, 0);
    ualarm(20000, 20000); /* again, should the first come before the wait */
    tell("interrupted", waitpid(pid, &status, 0) == -1, &status);
    ualarm(0, 0);
    let_go();
    while (waitpid(pid, &status, 0) < 0) CHECK(errno == EINTR);
}

static void killing(void) {
    int status;
    pid_t pid = ended(0, SIGTERM);
    errno = 0;
    tell("kill one that has ended", kill(pid, SIGKILL) == 0 && kill(pid, 0) == 0 && killpg(pid, SIGTERM) == -1, NULL);
    CHECK(waitpid(pid, &status, 0) == pid);
    tell("kill", kill(pid, SIGKILL) == -1, NULL);
    tell("kill with no signal", kill(getpid(), 1000) == -1, NULL);
    tell("killpg", killpg(pid, SIGTERM) == -1, NULL);
    tell("killpg with no group", killpg(-5, SIGTERM) == -1, NULL);
    hold();
    pid = child(0, 0);
    CHECK(setpgid(pid, pid) == 0);
    tell("killpg", killpg(pid, SIGKILL) == 0 && waitpid(pid, &status, 0) == pid, &status);
    let_go();
}

int main(void) {
    CHECK(setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0}) == 0);
    put(fresh("open.dat"), 1);
    each_way(0, 0);
    each_way(3, 0);
    each_way(0, SIGSEGV);
    nobody_asks();
    nobody_ended();
    interrupted();
    killing();
    return 0;
}
