/* The current directory is gone: it has no name, and relative paths are kept as they were given.
   EXPECT POSIX ../r.dat POSIX_WRITES = 1 */
#include "tests/hazards/hazard.h"

int main(void) {
    CHECK(mkdir("gone", 0755) == 0 && chdir("gone") == 0 && rmdir("../gone") == 0);
    say("inside: %d %s", open("x.dat", O_WRONLY | O_CREAT, 0644), strerrorname_np(errno));
    put(fresh("../r.dat"), 3);
    return 0;
}
