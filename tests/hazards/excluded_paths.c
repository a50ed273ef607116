/* System files are not recorded: neither their opens nor their transfers, nor those of descriptors that lead there.
   ABSENT POSIX /proc/
   ABSENT POSIX /dev/
   ABSENT POSIX /etc/
   ABSENT STDIO /etc/
   ABSENT STDIO /dev/
   EXPECT POSIX out.dat POSIX_WRITES = 1 */
#include "tests/hazards/hazard.h"

static void read_some(const char *path) {
    char bytes[64];
    int fd = open(path, O_RDONLY);
    CHECK(fd >= 0);
    say("%s %d", path, read(fd, bytes, sizeof bytes) >= 0);
    CHECK(close(fd) == 0);
}

int main(void) {
    char line[256];
    struct stat status;
    read_some("/proc/self/status");
    read_some("/dev/null");
    read_some("/etc/passwd");
    CHECK(stat("/etc/passwd", &status) == 0);
    CHECK(read(0, line, 1) == 0);
    FILE *stream = fopen("/etc/passwd", "r");
    CHECK(stream && fgets(line, sizeof line, stream) && fclose(stream) == 0);
    stream = fopen("/dev/null", "w");
    CHECK(stream && fputs("text", stream) >= 0 && fclose(stream) == 0);
    put(fresh("out.dat"), 3);
    return 0;
}
