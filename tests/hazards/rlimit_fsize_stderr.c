/* Standard error is a file, no file may grow any more (`ulimit -f 0`), and a wrong setting gives a reason to speak: the
   line would raise a signal that the program does not expect.
   ENV IOLITE_MEMORY=banana
   TALK
   PLAIN recover
   PROCESSES 2
   EXPECT POSIX out.dat POSIX_BYTES_WRITTEN = 5 */
#include <sys/resource.h>

#include "tests/hazards/hazard.h"

static int second(void) {
    char bytes[16];
    int in = open("out.dat", O_RDONLY), empty = fresh("empty.dat");
    return in >= 0 && empty >= 0 && read(in, bytes, sizeof bytes) == 5 ? 0 : CHECK_FAILED;
}

int main(int argc, char **argv) {
    (void)argv;
    if (argc > 1) return second();
    put(fresh("out.dat"), 5);
    pid_t child = fork();
    CHECK(child >= 0);
    if (child == 0) {
        CHECK(setrlimit(RLIMIT_FSIZE, &(struct rlimit){0, 0}) == 0);
        CHECK(setenv("IOLITE_VERBOSE", "1", 1) == 0);
        again("second");
        _exit(CHECK_FAILED);
    }
    collect(child);
    say("done");
    return 0;
}
