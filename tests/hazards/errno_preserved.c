/* A call that succeeds leaves errno alone, one that fails sets it: as without Iolite, at the first use of a file too.
   EXPECT POSIX out.dat POSIX_OPENS = 2
   EXPECT POSIX out.dat POSIX_WRITES = 1
   EXPECT POSIX out.dat POSIX_READS = 2 */
#include <sys/uio.h>

#include "tests/hazards/hazard.h"

#define TRY(call)                                                            \
    do {                                                                     \
        errno = EXDEV;                                                       \
        long long result = (long long)(call);                                \
        int after = errno;                                                   \
        say("%s: %d, errno %s", #call, result >= 0, strerrorname_np(after)); \
    } while (0)

int main(void) {
    char bytes[16];
    struct stat status;
    int fd = -1, other = -1;
    volatile int minus = -1;
    TRY(fd = open("out.dat", O_RDWR | O_CREAT, 0644));
    TRY(write(fd, "hello", 5));
    TRY(pread(fd, bytes, 5, 0));
    TRY(lseek(fd, 0, SEEK_SET));
    TRY(read(fd, bytes, 16));
    TRY(fstat(fd, &status));
    TRY(stat("out.dat", &status));
    TRY(other = dup(fd));
    TRY(fsync(fd));
    TRY(close(other));
    TRY(close(other));
    TRY(read(other, bytes, 1));
    TRY(open("missing/file", O_RDONLY));
    TRY(open("out.dat", O_RDONLY | O_DIRECTORY));
    TRY(stat("missing", &status));
    TRY(rename("missing", "other"));
    TRY(lseek(fd, -1, SEEK_SET));
    TRY(pread(fd, bytes, 5, -1));
    TRY(writev(fd, NULL, minus));
    TRY(fopen("missing/file", "r") ? 0 : -1);
    TRY(unlink("missing"));
    FILE *stream = NULL;
    TRY((stream = fopen("out.txt", "w")) ? 0 : -1);
    TRY(fputs("text", stream));
    TRY(fgetc(stream));
    TRY(fclose(stream));
    return 0;
}
