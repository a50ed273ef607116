/* A handler that forks in the middle of a write, and whose child does I/O of its own before it goes back to where the
   signal came: that is in the middle of an update of the parent's record.
   PROCESSES 101
   EXPECT POSIX handler.dat POSIX_WRITES = 100
   EXPECT POSIX main.dat POSIX_WRITES >= 300
   EXPECT POSIX after.dat POSIX_WRITES = 1000 */
#include <sys/time.h>

#include "tests/hazards/hazard.h"

enum { CHILDREN = 100, AFTER = 10 };

static int here, there;
static volatile sig_atomic_t forked, in_child;

static void on_alarm(int number) {
    (void)number;
    if (in_child || forked == CHILDREN) return;
    forked++;
    const pid_t child = fork();
    CHECK(child >= 0);
    if (child > 0) {
        collect(child);
        return;
    }
    in_child = 1;
    put_at(there, 1, 0);
}

int main(void) {
    const struct itimerval soon = {{0, 300}, {0, 300}};
    here = fresh("main.dat");
    there = fresh("handler.dat");
    CHECK(signal(SIGALRM, on_alarm) != SIG_ERR);
    CHECK(setitimer(ITIMER_REAL, &soon, NULL) == 0);
    int writes = 0;
    for (; !in_child && (forked < CHILDREN || writes < 300); writes++) put_at(here, 1, writes % 100);
    if (in_child) {
        const int after = open("after.dat", O_RDWR | O_CREAT, 0644);
        CHECK(after >= 0);
        for (int i = 0; i < AFTER; i++) put_at(after, 1, i);
        _exit(0);
    }
    say("done");
    return 0;
}
