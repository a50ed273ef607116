/* No free descriptor for the program; nor for Iolite, beyond the one that loading needs, in a program that starts so.
   PROCESSES 2
   EXPECT POSIX first.dat POSIX_BYTES_WRITTEN >= 4 */
#include <sys/resource.h>

#include "tests/hazards/hazard.h"

int main(int argc, char **argv) {
    (void)argv;
    if (argc > 1) {
        put(3, 5);
        int fd = open("second.dat", O_WRONLY | O_CREAT, 0644);
        CHECK(fd == 4);
        say("second: %d %s", open("none.dat", O_WRONLY | O_CREAT, 0644), strerrorname_np(errno));
        return 0;
    }
    CHECK(fresh("first.dat") == 3);
    put(3, 4);
    pid_t child = fork();
    CHECK(child >= 0);
    if (child == 0) {
        CHECK(fcntl(3, F_DUPFD_CLOEXEC, 4) == 4);
        CHECK(setrlimit(RLIMIT_NOFILE, &(struct rlimit){5, 5}) == 0);
        say("first: %d %s", open("none.dat", O_WRONLY | O_CREAT, 0644), strerrorname_np(errno));
        again("second");
    }
    collect(child);
    return 0;
}
