/* The same, and then another program is started, which has no rights to what the run's owner made.
   EXPECT POSIX root.dat POSIX_WRITES = 1
   EXPECT POSIX nobody.dat POSIX_WRITES = 1
   PROCESSES 1 */
#include <grp.h>

#include "tests/hazards/hazard.h"

int main(int argc, char **argv) {
    if (argc > 1) {
        put(fresh("nobody.dat"), 5);
        return 0;
    }
    if (geteuid() != 0) return CANNOT_RUN_HERE;
    put(fresh("root.dat"), 3);
    CHECK(chmod(".", 0777) == 0);
    CHECK(setgroups(0, NULL) == 0 && setgid(65534) == 0 && setuid(65534) == 0);
    if (access(argv[0], X_OK) != 0) return CANNOT_RUN_HERE;
    again("second");
    return CHECK_FAILED;
}
