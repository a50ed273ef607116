/* An environment as long as the kernel takes it, and not a byte longer: what is added for us must not be too much.
   EXPECT POSIX out.dat POSIX_WRITES = 1 */
#include <sys/resource.h>

#include "tests/hazards/hazard.h"

enum { STACK = 1 << 20, LONGEST = 100000 };

static int can_start(char *self, size_t bytes) {
    static char first[LONGEST + 8] = "A=", second[LONGEST + 8] = "B=", third[LONGEST + 8] = "C=";
    char *words[] = {self, (char *)(size_t) "second", NULL}, *list[] = {first, second, third, NULL};
    int status;
    pid_t child = fork();
    CHECK(child >= 0);
    if (child == 0) {
        CHECK(setrlimit(RLIMIT_STACK, &(struct rlimit){STACK, STACK}) == 0);
        for (int i = 0; i < 3; i++) {
            const size_t part = bytes < LONGEST ? bytes : LONGEST;
            memset(list[i] + 2, 'x', part);
            bytes -= part;
        }
        execve(self, words, list);
        _exit(errno == E2BIG ? 1 : CHECK_FAILED);
    }
    CHECK(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) <= 1);
    return WEXITSTATUS(status) == 0;
}

int main(int argc, char **argv) {
    size_t fits = 1000, too_long = 300000;
    if (argc > 1) return 0;
    put(fresh("out.dat"), 3);
    while (too_long - fits > 1) {
        const size_t bytes = fits + (too_long - fits) / 2;
        *(can_start(argv[0], bytes) ? &fits : &too_long) = bytes;
    }
    CHECK(fits > 200000);
    say("%zu bytes", fits);
    return 0;
}
