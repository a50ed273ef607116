/* All memory of the future is locked: what we reserve without using it must not become resident, and ordinary users may
   not lock so much.
   PLAIN
   EXPECT POSIX out.dat POSIX_WRITES = 1 */
#include <sys/mman.h>

#include "tests/hazards/hazard.h"

static long resident_kib(void) {
    char text[4096];
    int fd = open("/proc/self/status", O_RDONLY);
    CHECK(fd >= 0);
    ssize_t length = read(fd, text, sizeof text - 1);
    CHECK(length > 0 && close(fd) == 0);
    text[length] = '\0';
    const char *line = strstr(text, "VmRSS:");
    CHECK(line);
    return strtol(line + 6, NULL, 10);
}

int main(void) {
    if (mlockall(MCL_CURRENT | MCL_FUTURE) != 0) return CANNOT_RUN_HERE;
    long before = resident_kib();
    put(fresh("out.dat"), 3);
    CHECK(resident_kib() - before < 4096);
    say("done");
    return 0;
}
