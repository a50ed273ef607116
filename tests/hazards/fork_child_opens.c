/* A child's new files must not appear in the slots of the parent's next ones, nor the other way round.
   PLAIN
   PROCESSES 2
   RECORDS POSIX child.dat 1
   RECORDS POSIX parent.dat 1
   EXPECT POSIX child.dat POSIX_BYTES_WRITTEN = 700
   EXPECT POSIX parent.dat POSIX_BYTES_WRITTEN = 10
   EXPECT POSIX parent.dat POSIX_WRITES = 1 */
#include "tests/hazards/hazard.h"

int main(void) {
    pid_t child = fork();
    CHECK(child >= 0);
    if (child == 0) {
        int fd = fresh("child.dat");
        for (int i = 0; i < 7; i++) put(fd, 100);
        exit(0);
    }
    collect(child);
    put(fresh("parent.dat"), 10);
    return 0;
}
