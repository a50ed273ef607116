/* System calls by libc's `syscall` are counted as libc's own functions are, and those that are not are counted as such.
   PLAIN
   EXPECT POSIX out.dat POSIX_OPENS = 3
   EXPECT POSIX out.dat POSIX_DUPS = 2
   EXPECT POSIX out.dat POSIX_WRITES = 5
   EXPECT POSIX out.dat POSIX_BYTES_WRITTEN = 31
   EXPECT POSIX out.dat POSIX_MAX_BYTE_WRITTEN = 107
   EXPECT POSIX out.dat POSIX_READS = 2
   EXPECT POSIX out.dat POSIX_BYTES_READ = 14
   EXPECT POSIX out.dat POSIX_SEEKS = 1
   EXPECT POSIX out.dat POSIX_FSYNCS = 1
   EXPECT POSIX out.dat POSIX_STATS = 3
   EXPECT POSIX below/inner.dat POSIX_OPENS = 1
   EXPECT POSIX below/inner.dat POSIX_BYTES_WRITTEN = 5
   EXPECT POSIX renamed.dat POSIX_RENAME_TARGETS = 1
   EXPECT POSIX reused.dat POSIX_BYTES_WRITTEN = 6
   OPERATION mkdir COUNT = 1
   OPERATION unlink COUNT = 1
   OPERATION unlink FAILED = 1
   OPERATION calls UNSEEN = 2 */
#include <sys/syscall.h>
#include <sys/uio.h>

#include "tests/hazards/hazard.h"

static char bytes[100];

static int opens(const char *path) { return (int)syscall(SYS_openat, AT_FDCWD, path, O_RDWR | O_CREAT, 0644); }

static void on_file(int fd) {
    struct iovec two[2] = {{bytes, 2}, {bytes, 3}};
    struct stat facts;
    struct statx more;
    CHECK(syscall(SYS_write, fd, bytes, 10L) == 10);
    CHECK(syscall(SYS_pwrite64, fd, bytes, 8L, 100L) == 8);
    CHECK(syscall(SYS_writev, fd, two, 2L) == 5);
    CHECK(syscall(SYS_lseek, fd, 0L, (long)SEEK_SET) == 0);
    CHECK(syscall(SYS_read, fd, bytes, 10L) == 10);
    CHECK(syscall(SYS_pread64, fd, bytes, 4L, 100L) == 4);
    CHECK(syscall(SYS_pwritev2, fd, two, 2L, -1L, 0L, 0L) == 5 || errno == ENOSYS);
    CHECK(syscall(SYS_fsync, fd) == 0);
    CHECK(syscall(SYS_statx, AT_FDCWD, "out.dat", 0L, (long)STATX_BASIC_STATS, &more) == 0 && more.stx_size == 108);
    CHECK(syscall(SYS_newfstatat, AT_FDCWD, "out.dat", &facts, 0L) == 0 && facts.st_size == 108);
    CHECK(syscall(SYS_fstat, fd, &facts) == 0 && facts.st_size == 108);
}

static void on_descriptors(int fd) {
    CHECK(syscall(SYS_dup, fd) == fd + 1);
    CHECK(syscall(SYS_fcntl, fd, (long)F_DUPFD, 20L) == 20);
    CHECK(syscall(SYS_write, fd + 1, bytes, 3L) == 3);
    CHECK(syscall(SYS_close, fd + 1) == 0);
    CHECK(syscall(SYS_close, 20L) == 0);
    CHECK(syscall(SYS_close, fd) == 0);
    CHECK(syscall(SYS_close, fd) == -1 && errno == EBADF);
    int reused = open("reused.dat", O_WRONLY | O_CREAT, 0644);
    CHECK(reused == fd);
    put(reused, 6);
}

static void on_paths(void) {
    char entries[4096];
    CHECK(syscall(SYS_mkdirat, AT_FDCWD, "below", 0755L) == 0);
    CHECK(syscall(SYS_chdir, "below") == 0);
    int fd = opens("inner.dat"), directory = open(".", O_RDONLY | O_DIRECTORY);
    CHECK(syscall(SYS_write, fd, bytes, 5L) == 5);
    CHECK(syscall(SYS_getdents64, directory, entries, sizeof entries) > 0);
    CHECK(syscall(SYS_getdents64, directory, entries, sizeof entries) == 0);
    CHECK(chdir("..") == 0);
    CHECK(syscall(SYS_renameat2, AT_FDCWD, "reused.dat", AT_FDCWD, "renamed.dat", 0L) == 0);
    CHECK(syscall(SYS_unlinkat, AT_FDCWD, "renamed.dat", 0L) == 0);
    CHECK(syscall(SYS_unlinkat, AT_FDCWD, "nowhere.dat", 0L) == -1 && errno == ENOENT);
    CHECK(syscall(SYS_read, 77L, bytes, 1L) == -1 && errno == EBADF);
    CHECK(syscall(SYS_openat, AT_FDCWD, (const char *)8, 0L) == -1 && errno == EFAULT);
}

int main(void) {
    int fd = opens("out.dat");
    CHECK(fd >= 0);
    on_file(fd);
    on_descriptors(fd);
    on_paths();
    say("done");
    syscall(SYS_exit_group, 0L);
    return 1;
}
