/* A running program lowers its limits until nothing is left for records: no address, no private memory, no descriptor. It
   goes on as without Iolite, which says nothing on its standard error. With an argument, one of them alone.
   EXPECT POSIX first.dat POSIX_WRITES = 1
   EXPECT POSIX memory POSIX_WRITES = 100 */
#include <sys/resource.h>

#include "tests/hazards/hazard.h"

static void lower(int what, rlim_t most) {
    CHECK(setrlimit((__rlimit_resource_t)what, &(struct rlimit){most, most}) == 0);
}

static void use_files(const char *name) {
    for (int i = 0; i < 100; i++) {
        const int fd = open(name, O_WRONLY | O_CREAT | O_APPEND, 0644);
        if (fd < 0) continue;
        put(fd, 3);
        CHECK(close(fd) == 0);
    }
}

/* What the program has now, and nothing beyond. */
static rlim_t addresses(void) {
    char text[64] = "";
    const int fd = open("/proc/self/statm", O_RDONLY);
    CHECK(fd >= 0 && read(fd, text, sizeof text - 1) > 0 && close(fd) == 0);
    return (rlim_t)strtoull(text, NULL, 10) * 4096 + 65536;
}

static int live_with(const char *what) {
    if (strcmp(what, "addresses") == 0) lower(RLIMIT_AS, addresses());
    if (strcmp(what, "memory") == 0) lower(RLIMIT_DATA, 0);
    if (strcmp(what, "descriptors") == 0) {
        const int fd = open("few.dat", O_WRONLY | O_CREAT, 0644);
        lower(RLIMIT_NOFILE, 0);
        put(fd, 3);
    }
    use_files(what);
    return 0;
}

int main(int argc, char **argv) {
    static const char *const all[] = {"addresses", "memory", "descriptors"};
    if (argc > 1) return live_with(argv[1]);
    put(fresh("first.dat"), 4);
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        const pid_t child = fork();
        CHECK(child >= 0);
        if (child == 0) again(all[i]);
        collect(child);
    }
    return 0;
}
