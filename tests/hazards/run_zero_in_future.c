/* The time zero of the run is in the future, as on another machine whose clock began earlier: that cannot be our run,
   and the process has a log of its own.
   LOGS 2
   EXPECT POSIX out.dat POSIX_WRITES = 100
   EXPECT POSIX out.dat POSIX_F_OPEN_START_TIMESTAMP >= 0
   EXPECT POSIX out.dat POSIX_F_WRITE_END_TIMESTAMP >= POSIX_F_OPEN_START_TIMESTAMP
   EXPECT POSIX out.dat POSIX_F_WRITE_TIME >= 0
   EXPECT HEATMAP heatmap:POSIX WRITTEN >= 0 */
#include "tests/hazards/hazard.h"

/* NUMBER-KEY:SECONDS.NNNNNNNNN:MONOTONIC:DIRECTORY, an hour later by both clocks. */
static void move_zero(void) {
    const char *run = getenv("IOLITE_RUN");
    char moved[4096], key[33];
    unsigned long long number, seconds, fraction, monotonic;
    int at = 0;
    if (!run) return;
    CHECK(sscanf(run, "%llx-%32[0-9a-f]:%llu.%llu:%llu:%n", &number, key, &seconds, &fraction, &monotonic, &at) == 5 &&
          at > 0);
    int length = snprintf(moved, sizeof moved, "%llx-%s:%llu.%09llu:%llu:%s", number, key, seconds + 3600, fraction,
                          monotonic + 3600 * 1000000000ULL, run + at);
    CHECK(length > 0 && length < (int)sizeof moved);
    CHECK(setenv("IOLITE_RUN", moved, 1) == 0);
}

int main(int argc, char **argv) {
    (void)argv;
    if (argc == 1) {
        move_zero();
        again("second");
        return CHECK_FAILED;
    }
    int fd = fresh("out.dat");
    for (int i = 0; i < 100; i++) put(fd, 1);
    say("done");
    return 0;
}
