/* Computes for a while, then writes what it has in a burst, while nothing else can go on; eight times.
   RUN --trace
   SET phase.duty=0.4
   FINDS phase.burst */
#include "tests/planted/planted.h"

static void burst(int step) {
    static char block[4 * MiB];
    char path[32];
    snprintf(path, sizeof path, "snapshot.%d", step);
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0644);
    NEED(fd >= 0);
    for (double until = seconds() + 0.04; seconds() < until;) NEED(write(fd, block, sizeof block) == sizeof block);
    NEED(close(fd) == 0);
}

int main(void) {
    bool kept = true; /* a machine that does other things as well may not let a program keep time */
    double begin = seconds();
    for (int step = 1; step <= 8; step++) {
        double due = begin + 0.3 * step;
        compute_for(due - seconds());
        kept &= seconds() < due + 0.01;
        burst(step);
        kept &= seconds() < due + 0.07;
    }
    if (!kept) fputs("the machine is too busy for a rhythm\n", stderr);
    return kept ? 0 : 77;
}
