/* The address space is used up in mid-run: new files and threads of I/O must not need memory that is not there.
   EXPECT POSIX before.dat POSIX_WRITES = 1
   EXPECT POSIX after.dat POSIX_WRITES = 1 */
#include <sys/mman.h>
#include <sys/resource.h>

#include "tests/hazards/hazard.h"

int main(void) {
    put(fresh("before.dat"), 4);
    CHECK(setrlimit(RLIMIT_AS, &(struct rlimit){4096, RLIM_INFINITY}) == 0);
    say("no memory: %d", mmap(NULL, 1 << 20, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED);
    put(fresh("after.dat"), 5);
    return 0;
}
