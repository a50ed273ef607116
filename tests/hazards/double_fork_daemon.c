/* A daemon forks twice and leaves its session; its parents are gone when it writes.
   PROCESSES 3
   EXPECT POSIX daemon.dat POSIX_WRITES = 2
   EXPECT POSIX daemon.dat POSIX_BYTES_WRITTEN = 30 */
#include "tests/hazards/hazard.h"

static void become_daemon(int fd) {
    char end;
    CHECK(read(fd, &end, 1) == 0);
    int out = fresh("daemon.dat");
    put(out, 10);
    put(out, 20);
    exit(0);
}

int main(void) {
    int ends[2];
    CHECK(pipe(ends) == 0);
    pid_t middle = fork();
    CHECK(middle >= 0);
    if (middle == 0) {
        CHECK(setsid() > 0);
        pid_t daemon = fork();
        CHECK(daemon >= 0);
        close(ends[1]);
        if (daemon == 0) become_daemon(ends[0]);
        _exit(0);
    }
    collect(middle);
    return 0;
}
