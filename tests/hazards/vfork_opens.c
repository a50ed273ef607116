/* Between vfork and exec, or its end, the child opens files: they count, although its descriptors are not the parent's.
   PLAIN
   LOGS 1 2
   EXPECT POSIX child.dat POSIX_OPENS = 2
   EXPECT POSIX before.dat POSIX_WRITES = 1
   EXPECT POSIX after.dat POSIX_WRITES = 1
   EXPECT POSIX after.dat POSIX_BYTES_WRITTEN = 4 */
#include "tests/hazards/hazard.h"

int main(void) {
    put(fresh("before.dat"), 3);
    for (int i = 0; i < 2; i++) {
        pid_t child = vfork();
        CHECK(child >= 0);
        if (child == 0) {
            int fd = open("child.dat", O_WRONLY | O_CREAT, 0644);
            if (fd < 0 || dup2(fd, 1) != 1) _exit(1);
            if (i == 1) execlp("true", "true", (char *)NULL);
            _exit(i);
        }
        collect(child);
    }
    put(fresh("after.dat"), 4);
    say("done");
    return 0;
}
