/* kill -9, as of the out-of-memory killer or at the end of the wall time, while a child lives on.
   STATUS signal 9
   PROCESSES 2
   EXPECT POSIX out.dat POSIX_WRITES = 4
   EXPECT POSIX out.dat POSIX_BYTES_WRITTEN = 20
   EXPECT POSIX child.dat POSIX_WRITES = 1
   EXPECT HEATMAP heatmap:POSIX WRITTEN >= 20
   EXPECT HEATMAP heatmap:POSIX WRITTEN <= 26
   OPERATION open COUNT = 2 */
#include "tests/hazards/hazard.h"

int main(void) {
    int ends[2];
    char end;
    CHECK(pipe(ends) == 0);
    pid_t child = fork();
    CHECK(child >= 0);
    if (child == 0) {
        close(ends[1]);
        CHECK(read(ends[0], &end, 1) == 0);
        put(fresh("child.dat"), 3);
        return 0;
    }
    int fd = fresh("out.dat");
    for (int i = 0; i < 4; i++) put(fd, 5);
    kill(getpid(), SIGKILL);
    return 0;
}
