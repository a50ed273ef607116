/* _exit, _Exit and the bare system call end a process without destructors: usual for forked workers.
   PROCESSES 5
   EXPECT POSIX one.dat POSIX_WRITES = 1
   EXPECT POSIX two.dat POSIX_WRITES = 1
   EXPECT POSIX three.dat POSIX_WRITES = 1
   EXPECT POSIX four.dat POSIX_WRITES = 1 */
#include <sys/syscall.h>

#include "tests/hazards/hazard.h"

static void leave(int which) {
    static const char *const names[] = {"one.dat", "two.dat", "three.dat", "four.dat"};
    put(fresh(names[which]), 9);
    switch (which) {
    case 0: _exit(10);
    case 1: _Exit(11);
    case 2: syscall(SYS_exit_group, 12); break;
    default: syscall(SYS_exit, 13); break;
    }
}

int main(void) {
    for (int which = 0; which < 4; which++) {
        int status;
        pid_t child = fork();
        CHECK(child >= 0);
        if (child == 0) leave(which);
        CHECK(waitpid(child, &status, 0) == child);
        say("ends with %d", WEXITSTATUS(status));
    }
    return 0;
}
