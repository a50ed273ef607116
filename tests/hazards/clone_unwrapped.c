/* A child that shares all memory, made by the other name of clone: it closes a descriptor, which stays open with us.
   EXPECT POSIX out.dat POSIX_WRITES = 101
   EXPECT POSIX later.dat POSIX_WRITES = 1 */
#include <sched.h>
#include <sys/mman.h>

#include "tests/hazards/hazard.h"

enum { STACK = 256 * 1024 };

int __clone(int (*function)(void *), void *stack, int flags, void *context, ...);

static int child(void *context) {
    close(*(int *)context);
    _exit(0);
}

int main(void) {
    int fd = fresh("out.dat");
    put(fd, 10);
    char *stack = mmap(NULL, STACK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    CHECK(stack != MAP_FAILED);
    pid_t pid = __clone(child, stack + STACK, CLONE_VM | CLONE_VFORK | SIGCHLD, &fd);
    CHECK(pid > 0);
    collect(pid);
    for (int i = 0; i < 100; i++) put_at(fd, 1, i);
    put(fresh("later.dat"), 4);
    say("done");
    return 0;
}
