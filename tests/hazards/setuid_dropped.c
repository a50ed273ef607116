/* A program of root gives up its rights in mid-run: its records must still reach the log.
   EXPECT POSIX root.dat POSIX_WRITES = 2
   EXPECT POSIX nobody.dat POSIX_WRITES = 1
   PROCESSES 1 */
#include <grp.h>

#include "tests/hazards/hazard.h"

int main(void) {
    if (geteuid() != 0) return CANNOT_RUN_HERE;
    int fd = fresh("root.dat");
    put(fd, 3);
    CHECK(chmod(".", 0777) == 0);
    CHECK(setgroups(0, NULL) == 0 && setgid(65534) == 0 && setuid(65534) == 0);
    put(fd, 4);
    put(fresh("nobody.dat"), 5);
    say("uid %u", geteuid());
    return 0;
}
