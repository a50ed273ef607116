/* The same, before anything was recorded: there is a log that says that there is nothing in it, and why.
   PLAIN
   OPERATION processes STOPPED = 1 */
#include <linux/futex.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include "tests/hazards/hazard.h"

enum { STACK = 256 * 1024 };

static volatile int alive = 1;

static int nothing(void *context) {
    (void)context;
    return 0;
}

int main(void) {
    char *stack = mmap(NULL, STACK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    CHECK(stack != MAP_FAILED);
    int flags = CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD | CLONE_SYSVSEM | CLONE_CHILD_CLEARTID;
    CHECK(clone(nothing, stack + STACK, flags, NULL, NULL, NULL, &alive) > 0);
    for (int now; (now = alive) != 0;) syscall(SYS_futex, &alive, FUTEX_WAIT, now, NULL, NULL, 0);
    put(fresh("later.dat"), 3);
    say("done");
    return 0;
}
