/* What launchers do: close everything, then start the program. The program must still be seen.
   PROCESSES 2
   EXPECT POSIX before.dat POSIX_WRITES = 1
   EXPECT POSIX after.dat POSIX_WRITES = 1 */
#include "tests/hazards/hazard.h"

int main(int argc, char **argv) {
    (void)argv;
    if (argc > 1) {
        put(fresh("after.dat"), 7);
        return 0;
    }
    pid_t child = fork();
    CHECK(child >= 0);
    if (child == 0) {
        put(fresh("before.dat"), 3);
        for (int number = 3; number < 4096; number++) close(number);
        again("child");
    }
    collect(child);
    return 0;
}
