/* Nobody reads standard error any more, and a wrong setting gives a reason to speak: no signal may come of it.
   ENV IOLITE_MEMORY=banana
   TALK
   PLAIN
   EXPECT POSIX out.dat POSIX_WRITES = 1 */
#include "tests/hazards/hazard.h"

int main(int argc, char **argv) {
    int ends[2];
    (void)argv;
    if (argc == 1) {
        CHECK(pipe(ends) == 0 && dup2(ends[1], 2) == 2);
        CHECK(close(ends[0]) == 0 && close(ends[1]) == 0);
        CHECK(setenv("IOLITE_VERBOSE", "1", 1) == 0);
        again("second");
        return CHECK_FAILED;
    }
    sigset_t pending, blocked;
    put(fresh("out.dat"), 3);
    CHECK(sigpending(&pending) == 0 && sigprocmask(SIG_BLOCK, NULL, &blocked) == 0);
    say("pending %d, blocked %d", sigismember(&pending, SIGPIPE), sigismember(&blocked, SIGPIPE));
    return 0;
}
