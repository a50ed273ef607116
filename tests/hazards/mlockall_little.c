/* The same as an ordinary user, who may lock 8 MiB in all: addresses that are set aside count, so there is room for few
   records. A few files have one, and of the others there are totals.
   PLAIN
   PARTIAL POSIX
   EXPECT POSIX file* POSIX_WRITES >= 10
   EXPECT POSIX * POSIX_WRITES >= 400
   EXPECT POSIX <FOLDED> POSIX_WRITES > 0 */
#include <linux/capability.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>

#include "tests/hazards/hazard.h"

enum { FILES = 400, LOCKABLE = 8 << 20 };

/* Root may lock everything, unless it gives that right away. */
static void be_ordinary(void) {
    struct __user_cap_header_struct head = {_LINUX_CAPABILITY_VERSION_3, 0};
    struct __user_cap_data_struct sets[2];
    CHECK(syscall(SYS_capget, &head, sets) == 0);
    sets[0].effective &= ~(1u << CAP_IPC_LOCK);
    sets[0].permitted &= ~(1u << CAP_IPC_LOCK);
    CHECK(syscall(SYS_capset, &head, sets) == 0);
    struct rlimit limit;
    CHECK(getrlimit(RLIMIT_MEMLOCK, &limit) == 0);
    if (limit.rlim_max < LOCKABLE) _exit(CANNOT_RUN_HERE);
    limit.rlim_cur = LOCKABLE;
    CHECK(setrlimit(RLIMIT_MEMLOCK, &limit) == 0);
}

int main(void) {
    be_ordinary();
    if (mlockall(MCL_CURRENT | MCL_FUTURE) != 0) return CANNOT_RUN_HERE;
    for (int i = 0; i < FILES; i++) {
        char name[32];
        snprintf(name, sizeof name, "file%d", i);
        const int fd = fresh(name);
        put(fd, 3);
        CHECK(close(fd) == 0 && unlink(name) == 0);
    }
    say("done");
    return 0;
}
