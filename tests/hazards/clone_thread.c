/* A thread made by clone, which the C library does not know: it takes itself for the only one, and both share what is
   meant to be each thread's own. The program must work, and recording, which could not be right from then on, stops: the
   log says so, and nobody else.
   PLAIN
   OPERATION processes STOPPED = 1
   ABSENT POSIX /a.0
   ABSENT POSIX /b.0
   EXPECT POSIX before.dat POSIX_WRITES = 1 */
#include <linux/futex.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include "tests/hazards/hazard.h"

enum { STACK = 256 * 1024, TIMES = 20000, FILES = 500 };

static int shared;
static volatile int alive = 1; /* the system clears it when the thread is gone */

/* No function here may need memory of its own for each thread, not even for errno. */
static int works(void *context) {
    char name[] = "x.000";
    name[0] = *(char *)context;
    for (int i = 0; i < TIMES; i++)
        if (pwrite(shared, "x", 1, i) != 1) _exit(CHECK_FAILED);
    for (int i = 0; i < FILES; i++) {
        for (int digit = 4, rest = i; digit > 1; digit--, rest /= 10) name[digit] = (char)('0' + rest % 10);
        int fd = open(name, O_WRONLY | O_CREAT, 0644);
        if (fd < 0 || write(fd, "x", 1) != 1 || close(fd) != 0) _exit(CHECK_FAILED);
    }
    return 0;
}

int main(void) {
    put(fresh("before.dat"), 3);
    shared = fresh("shared.dat");
    char *stack = mmap(NULL, STACK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    CHECK(stack != MAP_FAILED);
    int flags = CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD | CLONE_SYSVSEM | CLONE_CHILD_CLEARTID;
    CHECK(clone(works, stack + STACK, flags, "a", NULL, NULL, &alive) > 0);
    works("b");
    for (int now; (now = alive) != 0;) syscall(SYS_futex, &alive, FUTEX_WAIT, now, NULL, NULL, 0);
    say("done");
    return 0;
}
