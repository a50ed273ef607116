/* Pointers that lead nowhere get EFAULT from the kernel; whoever looks at them before crashes.
   EXPECT POSIX out.dat POSIX_OPENS = 1
   EXPECT POSIX out.dat POSIX_WRITES = 1
   EXPECT POSIX out.dat POSIX_READS = 0 */
#include <limits.h>
#include <sys/sendfile.h>
#include <sys/uio.h>

#include "tests/hazards/hazard.h"

#define TRY(call) say("%s: %lld %s", #call, (long long)(call), strerrorname_np(errno))

int main(void) {
    void *volatile bad = (void *)8;
    char *volatile path = (char *)8, *volatile null = NULL;
    volatile int minus = -1;
    int fd = fresh("out.dat");
    put(fd, 5);
    CHECK(lseek(fd, 0, SEEK_SET) == 0);
    TRY(open(null, O_RDONLY));
    TRY(open(path, O_RDONLY));
    TRY(openat(AT_FDCWD, path, O_RDONLY));
    TRY(creat(path, 0600));
    TRY(stat(path, bad));
    TRY(stat("out.dat", bad));
    TRY(lstat(null, bad));
    TRY(statx(AT_FDCWD, path, 0, 0, bad));
    TRY(rename(path, "x"));
    TRY(rename("out.dat", path));
    TRY(unlink(path));
    TRY(read(fd, bad, 5));
    TRY(pread(fd, bad, 5, 0));
    TRY(write(fd, bad, 5));
    TRY(readv(fd, bad, 2));
    TRY(writev(fd, bad, 2));
    TRY(preadv(fd, bad, 2, 0));
    TRY(pwritev2(fd, bad, 2, -1, 0));
    TRY(readv(fd, bad, minus));
    TRY(sendfile(fd, fd, bad, 5));
    TRY(read(-1, bad, 5));
    TRY(read(INT_MAX, bad, 5));
    TRY(write(INT_MIN, bad, 5));
    TRY(close(-1));
    TRY(close(INT_MAX));
    TRY(dup(INT_MAX));
    TRY(dup2(fd, INT_MAX));
    TRY(lseek(-5, 0, SEEK_SET));
    TRY(fsync(INT_MAX));
    TRY(fcntl(INT_MAX, F_DUPFD, 0));
    return 0;
}
