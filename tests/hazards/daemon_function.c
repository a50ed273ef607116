/* daemon() forks inside the C library and points the standard descriptors to /dev/null.
   PROCESSES 2
   EXPECT POSIX before.dat POSIX_WRITES = 1
   EXPECT POSIX after.dat POSIX_WRITES = 1 */
#include "tests/hazards/hazard.h"

int main(void) {
    put(fresh("before.dat"), 5);
    CHECK(daemon(1, 0) == 0);
    put(fresh("after.dat"), 6);
    put(1, 100);
    return 0;
}
