/* The child in a process namespace of its own is number 1 there, as the first process of a container is; it forks into
   another one, where its child is number 1 too. Each has its own records.
   PROCESSES 3
   EXPECT POSIX out.dat POSIX_OPENS = 1
   EXPECT POSIX out.dat POSIX_WRITES = 115
   EXPECT POSIX inner.dat POSIX_WRITES = 1
   EXPECT POSIX innermost.dat POSIX_WRITES = 1 */
#include <sched.h>

#include "tests/hazards/hazard.h"

static int fd;

/* A child that is number 1, does `work` and ends. */
static void be_first(void (*work)(void)) {
    if (unshare(CLONE_NEWPID) != 0) _exit(CANNOT_RUN_HERE);
    pid_t child = fork();
    CHECK(child >= 0);
    if (child == 0) {
        say("number %d", (int)getpid());
        work();
        _exit(0);
    }
    collect(child);
}

static void innermost(void) {
    for (int i = 0; i < 5; i++) put_at(fd, 1, i);
    put(fresh("innermost.dat"), 5);
}

static void inner(void) {
    put_at(fd, 1, 0);
    put(fresh("inner.dat"), 4);
    be_first(innermost);
    for (int i = 0; i < 9; i++) put_at(fd, 1, i);
}

int main(void) {
    fd = fresh("out.dat");
    be_first(inner);
    for (int i = 0; i < 100; i++) put_at(fd, 1, i);
    return 0;
}
