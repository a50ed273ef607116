/* _Fork is fork without the handlers; it is allowed in signal handlers.
   PROCESSES 2
   EXPECT POSIX out.dat POSIX_BYTES_WRITTEN = 13
   EXPECT POSIX child.dat POSIX_BYTES_WRITTEN = 20
   EXPECT POSIX parent.dat POSIX_BYTES_WRITTEN = 10
   RECORDS POSIX out.dat 2 */
#include "tests/hazards/hazard.h"

static volatile pid_t child;

static void on_signal(int number) {
    (void)number;
    child = _Fork();
}

int main(void) {
    int fd = fresh("out.dat");
    put(fd, 5);
    signal(SIGUSR1, on_signal);
    raise(SIGUSR1);
    CHECK(child >= 0);
    if (child == 0) {
        put(fd, 8);
        put(fresh("child.dat"), 20);
        _exit(0);
    }
    collect(child);
    put(fresh("parent.dat"), 10);
    return 0;
}
