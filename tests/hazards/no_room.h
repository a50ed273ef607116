/* A program whose child starts its second stage when no file may grow any more (`ulimit -f 0`). NO_ROOM_VERBOSE, set by
   the program, says whether the runtime of the second stage may speak. */
#ifndef IOL_TESTS_HAZARDS_NO_ROOM_H
#define IOL_TESTS_HAZARDS_NO_ROOM_H

#include <sys/resource.h>

#include "tests/hazards/hazard.h"

static inline int second_stage(void) {
    char bytes[16];
    int in = open("out.dat", O_RDONLY), empty = fresh("empty.dat");
    return in >= 0 && empty >= 0 && read(in, bytes, sizeof bytes) == 5 ? 0 : CHECK_FAILED;
}

int main(int argc, char **argv) {
    (void)argv;
    if (argc > 1) return second_stage();
    put(fresh("out.dat"), 5);
    pid_t child = fork();
    CHECK(child >= 0);
    if (child == 0) {
        put(fresh("before.dat"), 3);
        CHECK(setrlimit(RLIMIT_FSIZE, &(struct rlimit){0, 0}) == 0);
        if (NO_ROOM_VERBOSE) CHECK(setenv("IOLITE_VERBOSE", "1", 1) == 0);
        again("second");
        _exit(CHECK_FAILED);
    }
    collect(child);
    say("done");
    return 0;
}

#endif
