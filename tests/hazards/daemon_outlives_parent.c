/* A daemon that lives on after the command has ended gets a log of its own when it ends.
   LINGERS
   LOGS 2
   EXPECT POSIX parent.dat POSIX_WRITES = 1
   EXPECT POSIX daemon.dat POSIX_WRITES = 2
   EXPECT POSIX daemon.dat POSIX_BYTES_WRITTEN = 30 */
#include "tests/hazards/hazard.h"

int main(void) {
    put(fresh("parent.dat"), 5);
    pid_t child = fork();
    CHECK(child >= 0);
    if (child > 0) return 0;
    CHECK(setsid() > 0);
    int out = fresh("daemon.dat");
    put(out, 10);
    for (int i = 0; i < 6000 && access("../go", F_OK) != 0; i++) usleep(10000);
    put(out, 20);
    return 0;
}
