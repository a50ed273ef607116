/* A descriptor is closed by a bare system call; whatever is made next under its number is not that file.
   EXPECT POSIX a.dat POSIX_OPENS = 12
   EXPECT POSIX a.dat POSIX_WRITES = 0
   EXPECT POSIX a.dat POSIX_READS = 0
   EXPECT POSIX b.dat POSIX_WRITES = 1 */
#include <netinet/in.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/mman.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>

#include "tests/hazards/hazard.h"

/* A pair of things that can be written to, or one alone. */
static void make(int which, int fds[2]) {
    sigset_t none;
    sigemptyset(&none);
    fds[1] = -1;
    switch (which) {
    case 0: CHECK(socketpair(AF_UNIX, SOCK_STREAM, 0, fds) == 0); break;
    case 1: CHECK(pipe(fds) == 0); break;
    case 2: CHECK(pipe2(fds, O_CLOEXEC) == 0); break;
    case 3: fds[0] = eventfd(0, 0); break;
    case 4: fds[0] = memfd_create("memory", 0); break;
    case 5: fds[0] = socket(AF_UNIX, SOCK_DGRAM, 0); break;
    case 6: fds[0] = epoll_create1(0); break;
    case 7: fds[0] = epoll_create(1); break;
    case 8: fds[0] = timerfd_create(CLOCK_MONOTONIC, 0); break;
    case 9: fds[0] = signalfd(-1, &none, SFD_NONBLOCK); break;
    case 10: fds[0] = inotify_init1(IN_NONBLOCK); break;
    default: fds[0] = inotify_init(); break;
    }
}

int main(void) {
    char number[8] = {1};
    for (int which = 0; which < 12; which++) {
        int fds[2], fd = fresh("a.dat");
        CHECK(syscall(SYS_close, fd) == 0);
        make(which, fds);
        CHECK(fds[0] == fd);
        int end = which == 0 || which == 1 || which == 2 ? 1 : 0;
        say("%d writes %zd", which, write(fds[end], number, sizeof number));
        if (end == 1) say("%d reads %zd", which, read(fds[0], number, sizeof number));
        close(fds[0]);
        if (fds[1] >= 0) close(fds[1]);
    }
    put(fresh("b.dat"), 3);
    return 0;
}
