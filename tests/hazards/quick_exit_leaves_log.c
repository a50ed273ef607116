/* quick_exit runs its own handlers and no destructors.
   STATUS 3
   EXPECT POSIX out.dat POSIX_WRITES = 1
   EXPECT POSIX handler.dat POSIX_WRITES = 1 */
#include "tests/hazards/hazard.h"

static void on_quick_exit(void) { put(fresh("handler.dat"), 2); }

int main(void) {
    CHECK(at_quick_exit(on_quick_exit) == 0);
    put(fresh("out.dat"), 4);
    quick_exit(3);
}
