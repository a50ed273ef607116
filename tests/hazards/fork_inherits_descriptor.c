/* A forked child goes on with the descriptors of its parent. Its I/O must be in the log, as its own, and not twice.
   PLAIN
   PROCESSES 2
   RECORDS POSIX out.dat 2
   EXPECT POSIX out.dat POSIX_OPENS = 1
   EXPECT POSIX out.dat POSIX_WRITES = 3
   EXPECT POSIX out.dat POSIX_BYTES_WRITTEN = 35 */
#include "tests/hazards/hazard.h"

int main(void) {
    int fd = fresh("out.dat");
    put(fd, 10);
    pid_t child = fork();
    CHECK(child >= 0);
    if (child == 0) {
        put(fd, 20);
        exit(0);
    }
    collect(child);
    put(fd, 5);
    say("position %lld", (long long)lseek(fd, 0, SEEK_CUR));
    return 0;
}
