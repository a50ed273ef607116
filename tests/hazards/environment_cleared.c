/* The program empties its environment, forks and starts another program without one, which is recorded all the same in a run.
   LOGS 1
   PROCESSES 2
   EXPECT POSIX first.dat POSIX_WRITES = 1
   EXPECT POSIX child.dat POSIX_WRITES = 1
   EXPECT POSIX second.dat POSIX_WRITES = 1 */
#include "tests/hazards/hazard.h"

int main(int argc, char **argv) {
    if (argc > 1) {
        put(fresh("second.dat"), 5);
        return 0;
    }
    CHECK(clearenv() == 0);
    put(fresh("first.dat"), 3);
    pid_t child = fork();
    CHECK(child >= 0);
    if (child == 0) {
        put(fresh("child.dat"), 4);
        exit(0);
    }
    collect(child);
    char *nothing[] = {NULL};
    execle(argv[0], argv[0], "second", (char *)NULL, nothing);
    return CHECK_FAILED;
}
