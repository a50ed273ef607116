/* A file that is cut, by descriptor, by name or by a system call, ends there for what is appended.
   EXPECT POSIX descriptor.dat POSIX_BYTES_WRITTEN = 105
   EXPECT POSIX descriptor.dat POSIX_MAX_BYTE_WRITTEN = 99
   EXPECT POSIX name.dat POSIX_BYTES_WRITTEN = 105
   EXPECT POSIX name.dat POSIX_MAX_BYTE_WRITTEN = 99
   EXPECT POSIX call.dat POSIX_BYTES_WRITTEN = 105
   EXPECT POSIX call.dat POSIX_MAX_BYTE_WRITTEN = 99
   OPERATION truncate COUNT = 3
   OPERATION truncate FAILED = 1 */
#include <sys/syscall.h>

#include "tests/hazards/hazard.h"

static int appended(const char *path) {
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND, 0600);
    CHECK(fd >= 0);
    put(fd, 100);
    return fd;
}

int main(void) {
    int fd = appended("descriptor.dat");
    CHECK(ftruncate(fd, 10) == 0);
    put(fd, 5);
    fd = appended("name.dat");
    CHECK(truncate("name.dat", 10) == 0);
    put(fd, 5);
    fd = appended("call.dat");
    CHECK(syscall(SYS_truncate, "call.dat", 10L) == 0);
    put(fd, 5);
    say("position %lld", (long long)lseek(fd, 0, SEEK_CUR));
    say("missing: %d %s", truncate("missing.dat", 1), strerrorname_np(errno));
    return 0;
}
