/* Standard error is a terminal that stops whoever writes to it from the background (`stty tostop`), and a wrong setting
   gives a reason to speak: a program that writes nothing must not be stopped.
   ENV IOLITE_MEMORY=banana
   TALK
   PLAIN
   EXPECT POSIX out.dat POSIX_WRITES = 1 */
#include <termios.h>

#include "tests/hazards/hazard.h"

/* In a session of its own whose terminal this is: starts the second stage in the background. */
static void be_shell(const char *terminal) {
    struct termios mode;
    int status;
    CHECK(setsid() > 0);
    int fd = open(terminal, O_RDWR);
    CHECK(fd >= 0 && tcgetattr(fd, &mode) == 0);
    mode.c_lflag |= TOSTOP;
    CHECK(tcsetattr(fd, TCSANOW, &mode) == 0);
    pid_t child = fork();
    CHECK(child >= 0);
    if (child == 0) {
        CHECK(setpgid(0, 0) == 0 && dup2(fd, 2) == 2);
        CHECK(setenv("IOLITE_VERBOSE", "1", 1) == 0);
        again("second");
        _exit(CHECK_FAILED);
    }
    CHECK(waitpid(child, &status, WUNTRACED) == child);
    say("stopped %d, status %d", WIFSTOPPED(status), WEXITSTATUS(status));
    if (WIFSTOPPED(status)) CHECK(kill(child, SIGKILL) == 0 && waitpid(child, &status, 0) == child);
    _exit(0);
}

int main(int argc, char **argv) {
    (void)argv;
    if (argc > 1) {
        put(fresh("out.dat"), 3);
        return 0;
    }
    int master = posix_openpt(O_RDWR | O_NOCTTY);
    if (master < 0 || grantpt(master) != 0 || unlockpt(master) != 0) return CANNOT_RUN_HERE;
    pid_t child = fork();
    CHECK(child >= 0);
    if (child == 0) be_shell(ptsname(master));
    collect(child);
    return 0;
}
