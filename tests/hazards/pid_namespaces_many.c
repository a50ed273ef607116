/* Sandboxes in a row: eight processes are number 1 of a namespace each, and may have started in the same instant. All
   are counted, and so is what they did.
   PROCESSES 9
   EXPECT POSIX out.dat POSIX_WRITES = 8
   EXPECT POSIX one.* POSIX_BYTES_WRITTEN = 40
   RECORDS POSIX one.* 8 */
#include <sched.h>
#include <sys/syscall.h>

#include "tests/hazards/hazard.h"

int main(void) {
    char name[16];
    int fd = fresh("out.dat");
    for (int i = 0; i < 8; i++) {
        pid_t child = (pid_t)syscall(SYS_clone, CLONE_NEWPID | SIGCHLD, 0, 0, 0, 0);
        if (child < 0) return CANNOT_RUN_HERE;
        if (child == 0) {
            snprintf(name, sizeof name, "one.%d", i);
            put(fresh(name), 5);
            put_at(fd, 1, i);
            say("number %d", (int)getpid());
            _exit(0);
        }
        collect(child);
    }
    return 0;
}
