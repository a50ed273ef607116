/* Two workers write parts of one file that overlap, at the same time: whose bytes stay is a matter of luck. They go on
   until each has often found the other inside the same write before and after its own, on a slow machine too.
   RUN --trace
   FINDS conflict.overlap */
#include <stdatomic.h>
#include <sys/mman.h>

#include "tests/planted/planted.h"

enum { BLOCK = 1 * MiB, MEETINGS = 20, MOST = 20000 };

/* Odd: the worker is inside a write. */
static struct shared {
    atomic_long writes[2];
    atomic_int meetings;
} * shared;

static void work(int number) {
    static char block[BLOCK];
    int fd = open("domain.dat", O_WRONLY | O_CREAT, 0644);
    NEED(fd >= 0);
    for (long i = 0; i < MOST && shared->meetings < MEETINGS; i++) {
        long before = shared->writes[1 - number];
        shared->writes[number]++;
        NEED(pwrite(fd, block, BLOCK, 0) == BLOCK); /* HERE */
        shared->writes[number]++;
        if (before % 2 && before == shared->writes[1 - number]) shared->meetings++;
    }
    NEED(close(fd) == 0);
}

int main(void) {
    shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    NEED(shared != MAP_FAILED);
    fork_workers(2, work);
    return 0;
}
