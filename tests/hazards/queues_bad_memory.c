/* Lists, blocks, vectors, paths and tables that are not there: the kernel says so, and nothing else happens.
   NEEDS libaio.h liburing.h
   LINK -laio -luring
   EXPECT POSIX some.dat POSIX_OPENS = 1
   EXPECT POSIX some.dat POSIX_WRITES = 1
   EXPECT POSIX some.dat POSIX_BYTES_WRITTEN = 512 */
#include <libaio.h>
#include <liburing.h>
#include <sys/syscall.h>

#include "tests/hazards/hazard.h"

static void *const bad = (void *)0x1000;
static char bytes[512];

static void libaio(int fd) {
    io_context_t context = NULL;
    struct iocb good, *list[2] = {&good, NULL}, *nowhere[1] = {bad};
    struct io_event event;
    if (io_setup(8, &context) != 0) exit(CANNOT_RUN_HERE);
    io_prep_pwrite(&good, fd, bytes, sizeof bytes, 0);
    say("list %d", io_submit(context, 1, bad));
    say("block %d", io_submit(context, 1, nowhere));
    say("context %d", io_submit((io_context_t)bad, 1, bad));
    CHECK(syscall(SYS_io_submit, context, 1L, bad) == -1 && errno == EFAULT);
    say("second block %d", io_submit(context, 2, list));
    CHECK(io_getevents(context, 1, 1, &event, NULL) == 1 && event.res == sizeof bytes);
    io_prep_pwritev(&good, fd, bad, 1, 0);
    say("vector %d", io_submit(context, 1, list));
    CHECK(io_destroy(context) == 0);
}

static void one(struct io_uring *ring, const char *what) {
    struct io_uring_cqe *result;
    CHECK(io_uring_submit(ring) == 1);
    CHECK(io_uring_wait_cqe(ring, &result) == 0);
    say("%s %d", what, result->res);
    io_uring_cqe_seen(ring, result);
}

static void uring(int fd) {
    struct io_uring ring;
    int none[4] = {-1, -1, -1, -1};
    if (io_uring_queue_init(8, &ring, 0) != 0) exit(CANNOT_RUN_HERE);
    CHECK(io_uring_register_files(&ring, none, 4) == 0);
#define ONE(what, ...)                                          \
    io_uring_prep_##what(io_uring_get_sqe(&ring), __VA_ARGS__); \
    one(&ring, #what)
    ONE(openat, AT_FDCWD, bad, O_RDONLY, 0);
    ONE(openat2, AT_FDCWD, "some.dat", bad);
    ONE(writev, fd, bad, 1, 0);
    ONE(files_update, bad, 4, 0);
    ONE(unlink, bad, 0);
    ONE(statx, AT_FDCWD, bad, 0, 0, bad);
    ONE(link, "nope", bad, 0);
    ONE(rename, bad, "nope");
    io_uring_queue_exit(&ring);
}

int main(void) {
    int fd = fresh("some.dat");
    libaio(fd);
    uring(fd);
    return 0;
}
