/* With a limit on file sizes the program gets its signal for its own file only, also when the limit was there first.
   TALK
   PROCESSES 2
   EXPECT POSIX first.dat POSIX_BYTES_WRITTEN = 1000
   EXPECT POSIX first.dat POSIX_WRITES = 1 */
#include <sys/resource.h>

#include "tests/hazards/hazard.h"

static volatile sig_atomic_t signals;

static void on_signal(int number) {
    (void)number;
    signals = signals + 1;
}

static void work(const char *name) {
    signal(SIGXFSZ, on_signal);
    int fd = fresh(name);
    put(fd, 1000);
    CHECK(lseek(fd, 4096, SEEK_SET) == 4096);
    say("beyond: %zd %s, signals %d", write(fd, "x", 1), strerrorname_np(errno), signals);
}

int main(int argc, char **argv) {
    (void)argv;
    if (argc > 1) {
        work("second.dat");
        return 0;
    }
    CHECK(setrlimit(RLIMIT_FSIZE, &(struct rlimit){4096, 4096}) == 0);
    work("first.dat");
    pid_t child = fork();
    CHECK(child >= 0);
    if (child == 0) {
        signal(SIGXFSZ, SIG_DFL);
        again("second");
    }
    collect(child);
    return 0;
}
