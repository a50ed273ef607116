/* A program that only looks at names, but does little else: from a number of calls on it leaves a log, in which what
   failed is counted apart. Its child does so, too; one that looks a few times does not.
   PLAIN
   LOGS 1 2
   OPERATION stat COUNT = 20000
   OPERATION stat FAILED = 60000
   OPERATION access FAILED = 20000 */
#include "tests/hazards/hazard.h"

enum { CALLS = 20000, FEW = 10 };

static void look(int calls) {
    struct stat facts;
    for (int i = 0; i < calls; i++) CHECK(stat("none", &facts) != 0 && errno == ENOENT);
}

static void in_child(int calls) {
    const pid_t child = fork();
    CHECK(child >= 0);
    if (child == 0) {
        look(calls);
        _exit(0);
    }
    collect(child);
}

int main(void) {
    struct stat facts;
    look(2 * CALLS);
    for (int i = 0; i < CALLS; i++) CHECK(access("none", R_OK) != 0 && errno == ENOENT);
    for (int i = 0; i < CALLS; i++) CHECK(stat(".", &facts) == 0);
    in_child(CALLS);
    in_child(FEW);
    say("done");
    return 0;
}
