/* Programs are started under limits that leave room for them and not for one more library: they run as without Iolite, and
   the loader says nothing about a library that it had to leave out. */
#include <sys/resource.h>

#include "tests/hazards/hazard.h"

static void start_under(int what, rlim_t most, const char *program) {
    const struct rlimit limit = {most, most};
    const pid_t child = fork();
    CHECK(child >= 0);
    if (child == 0) {
        CHECK(dup2(1, 2) == 2);
        CHECK(setrlimit((__rlimit_resource_t)what, &limit) == 0);
        execl(program, program, NULL);
        _exit(126);
    }
    int status;
    CHECK(waitpid(child, &status, 0) == child);
    say("%d of %llu: %x", what, (unsigned long long)most, (unsigned)status);
}

int main(void) {
    for (rlim_t mebibytes = 2; mebibytes <= 20; mebibytes++) {
        start_under(RLIMIT_AS, mebibytes << 20, "/bin/true");
        start_under(RLIMIT_DATA, mebibytes << 19, "/bin/true");
    }
    start_under(RLIMIT_NOFILE, 3, "/bin/true");
    put(fresh("r.dat"), 1);
    return 0;
}
