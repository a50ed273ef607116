/* A child made by clone shares all memory but not the descriptors: as posix_spawn and runtimes of languages do it.
   EXPECT POSIX out.dat POSIX_WRITES = 3
   EXPECT POSIX out.dat POSIX_BYTES_WRITTEN = 30
   EXPECT POSIX later.dat POSIX_BYTES_WRITTEN = 4 */
#include <sched.h>
#include <sys/mman.h>

#include "tests/hazards/hazard.h"

enum { STACK = 256 * 1024 };

static int child(void *context) {
    int fd = *(int *)context;
    put(fd, 10);
    close(fd);
    _exit(0);
}

int main(void) {
    int fd = fresh("out.dat");
    char *stack = mmap(NULL, STACK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    CHECK(stack != MAP_FAILED);
    put(fd, 10);
    pid_t pid = clone(child, stack + STACK, CLONE_VM | CLONE_VFORK | SIGCHLD, &fd);
    CHECK(pid > 0);
    collect(pid);
    put(fd, 10);
    put(fresh("later.dat"), 4);
    return 0;
}
