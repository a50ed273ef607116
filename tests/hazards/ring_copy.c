/* A copy by io_uring as liburing's own example does it: results are fetched by inlined code, without any call that could
   be seen, and all requests have one number. Files are opened, synced and closed through the ring as well.
   NEEDS liburing.h
   LINK -luring
   PLAIN
   EXPECT POSIX source.dat POSIX_WRITES = 1
   EXPECT POSIX source.dat POSIX_READS = 16
   EXPECT POSIX source.dat POSIX_BYTES_READ = 65536
   EXPECT POSIX source.dat POSIX_CONSEC_READS = 15
   EXPECT POSIX source.dat POSIX_MAX_BYTE_READ = 65535
   EXPECT POSIX target.dat POSIX_OPENS = 1
   EXPECT POSIX target.dat POSIX_WRITES = 16
   EXPECT POSIX target.dat POSIX_BYTES_WRITTEN = 65536
   EXPECT POSIX target.dat POSIX_SIZE_WRITE_1K_10K = 16
   EXPECT POSIX target.dat POSIX_FSYNCS = 1
   EXPECT POSIX target.dat POSIX_FDSYNCS = 1
   EXPECT POSIX target.dat POSIX_MODE = 420
   EXPECT POSIX target.dat POSIX_F_WRITE_TIME > 0
   EXPECT POSIX target.dat POSIX_F_CLOSE_END_TIMESTAMP > 0
   OPERATION sync COUNT = 2
   OPERATION open COUNT = 2
   OPERATION open FAILED = 1
   OPERATION close COUNT = 2
   OPERATION mkdir COUNT = 1
   OPERATION mkdir FAILED = 1
   OPERATION unlink COUNT = 1
   OPERATION rename COUNT = 1
   OPERATION rmdir COUNT = 1
   OPERATION ring UNSEEN = 0 */
#include <liburing.h>

#include "tests/hazards/hazard.h"

enum { BLOCK = 4096, BLOCKS = 16 };

static struct io_uring ring;

/* The next result, whatever its number. */
static int result(void) {
    struct io_uring_cqe *cqe;
    CHECK(io_uring_wait_cqe(&ring, &cqe) == 0);
    int value = cqe->res;
    io_uring_cqe_seen(&ring, cqe);
    return value;
}

static struct io_uring_sqe *entry(void) {
    struct io_uring_sqe *sqe = io_uring_get_sqe(&ring);
    CHECK(sqe);
    return sqe;
}

static int alone(void) {
    CHECK(io_uring_submit(&ring) == 1);
    return result();
}

/* Names, which only the kernel can change. */
static void names(void) {
    io_uring_prep_mkdirat(entry(), AT_FDCWD, "made", 0700);
    int made = alone();
    if (made == -EINVAL) exit(CANNOT_RUN_HERE); /* an old kernel */
    CHECK(made == 0);
    io_uring_prep_mkdirat(entry(), AT_FDCWD, "made", 0700);
    CHECK(alone() == -EEXIST);
    io_uring_prep_renameat(entry(), AT_FDCWD, "made", AT_FDCWD, "moved", 0);
    CHECK(alone() == 0);
    io_uring_prep_unlinkat(entry(), AT_FDCWD, "moved", AT_REMOVEDIR);
    CHECK(alone() == 0);
    io_uring_prep_unlinkat(entry(), AT_FDCWD, "copy.dat", 0);
    CHECK(alone() == 0);
    io_uring_prep_openat(entry(), AT_FDCWD, "none/none", O_RDONLY, 0);
    CHECK(alone() == -ENOENT);
}

static void move(int from, int to) {
    static char blocks[BLOCKS][BLOCK];
    for (int i = 0; i < BLOCKS; i++) io_uring_prep_read(entry(), from, blocks[i], BLOCK, (unsigned)(i * BLOCK));
    CHECK(io_uring_submit_and_wait(&ring, BLOCKS) == BLOCKS);
    for (int i = 0; i < BLOCKS; i++) CHECK(result() == BLOCK);
    for (int i = 0; i < BLOCKS; i++) {
        if (i % 2)
            io_uring_prep_write(entry(), to, blocks[i], BLOCK, (unsigned)(i * BLOCK));
        else
            io_uring_prep_writev(entry(), to, &(struct iovec){blocks[i], BLOCK}, 1, (unsigned)(i * BLOCK));
        CHECK(alone() == BLOCK);
    }
    io_uring_prep_fsync(entry(), to, 0);
    io_uring_prep_fsync(entry(), to, IORING_FSYNC_DATASYNC);
    CHECK(io_uring_submit(&ring) == 2);
    CHECK(result() == 0 && result() == 0);
}

int main(void) {
    static char bytes[BLOCK * BLOCKS];
    if (io_uring_queue_init(32, &ring, 0) != 0) return CANNOT_RUN_HERE;
    int from = fresh("source.dat");
    CHECK(write(from, bytes, sizeof bytes) == (ssize_t)sizeof bytes);
    make_unknown("copy.dat");
    names();
    char path[] = "target.dat";
    io_uring_prep_openat(entry(), AT_FDCWD, path, O_WRONLY | O_CREAT | O_TRUNC, 0644);
    CHECK(io_uring_submit(&ring) == 1);
    memset(path, 'x', sizeof path - 1); /* it is the program's again */
    int to = result();
    CHECK(to >= 0);
    move(from, to);
    io_uring_prep_close(entry(), to);
    CHECK(alone() == 0);
    CHECK(close(from) == 0);
    say("copied");
    io_uring_queue_exit(&ring);
    return 0;
}
