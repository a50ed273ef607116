/* The program takes the processor's time counter away from itself: reading it raises a signal from then on.
   PLAIN
   EXPECT POSIX before.dat POSIX_WRITES = 1
   EXPECT POSIX after.dat POSIX_WRITES = 2
   EXPECT POSIX after.dat POSIX_F_CLOSE_END_TIMESTAMP >= POSIX_F_OPEN_START_TIMESTAMP
   EXPECT STDIO after.txt STDIO_WRITES = 1 */
#include <sys/prctl.h>

#include "tests/hazards/hazard.h"

int main(void) {
    int fd = fresh("before.dat");
    put(fd, 3);
    if (prctl(PR_SET_TSC, PR_TSC_SIGSEGV) != 0) return CANNOT_RUN_HERE;
    CHECK(close(fd) == 0);
    fd = fresh("after.dat");
    for (int i = 0; i < 2; i++) put(fd, 3);
    CHECK(close(fd) == 0);
    FILE *stream = fopen("after.txt", "w");
    CHECK(stream && fputs("text", stream) >= 0 && fclose(stream) == 0);
    say("done");
    return 0;
}
