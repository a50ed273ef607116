/* Asynchronous requests of Linux, through its library and by system calls: counted when their results are fetched, those
   that the kernel refuses are not.
   NEEDS libaio.h
   LINK -laio
   PLAIN
   EXPECT POSIX aio.dat POSIX_WRITES = 34
   EXPECT POSIX aio.dat POSIX_BYTES_WRITTEN = 17408
   EXPECT POSIX aio.dat POSIX_READS = 2
   EXPECT POSIX aio.dat POSIX_BYTES_READ = 2000
   EXPECT POSIX aio.dat POSIX_FDSYNCS = 1
   EXPECT POSIX aio.dat POSIX_F_WRITE_TIME > 0 */
#include <libaio.h>
#include <sys/syscall.h>
#include <sys/uio.h>

#include "tests/hazards/hazard.h"

enum { REQUESTS = 32, SIZE = 512 };

static char bytes[REQUESTS][SIZE];

static void many(io_context_t context, int fd) {
    struct iocb blocks[REQUESTS], *list[REQUESTS];
    struct io_event events[REQUESTS];
    for (int i = 0; i < REQUESTS; i++) {
        io_prep_pwrite(&blocks[i], fd, bytes[i], SIZE, i * SIZE);
        list[i] = &blocks[i];
    }
    CHECK(io_submit(context, REQUESTS, list) == REQUESTS);
    int got = 0;
    while (got < REQUESTS) {
        int more = io_getevents(context, 1, REQUESTS - got, events, NULL);
        CHECK(more > 0);
        for (int i = 0; i < more; i++) CHECK(events[i].res == SIZE);
        got += more;
    }
}

/* The second one is nonsense, and the kernel takes the first alone. */
static void refused(io_context_t context, int fd) {
    struct iocb good, bad, *list[] = {&good, &bad};
    struct io_event events[2];
    struct iovec vector[2] = {{bytes[0], 500}, {bytes[1], 500}};
    io_prep_preadv(&good, fd, vector, 2, 0);
    io_prep_pwrite(&bad, fd, bytes[0], SIZE, 0);
    bad.aio_fildes = 999;
    CHECK(io_submit(context, 2, list) == 1);
    CHECK(io_getevents(context, 1, 2, events, NULL) == 1 && events[0].res == 1000);
    CHECK(io_submit(context, 1, list + 1) == -EBADF);
}

static void by_system_calls(io_context_t context, int fd) {
    struct iocb blocks[3], *list[] = {&blocks[0], &blocks[1], &blocks[2]};
    struct io_event events[3];
    io_prep_pwrite(&blocks[0], fd, bytes[0], SIZE, 0);
    io_prep_pwrite(&blocks[1], fd, bytes[1], SIZE, SIZE);
    io_prep_pread(&blocks[2], fd, bytes[2], 1000, 1000);
    CHECK(syscall(SYS_io_submit, context, 3L, list) == 3);
    CHECK(syscall(SYS_io_getevents, context, 3L, 3L, events, NULL) == 3);
}

int main(void) {
    io_context_t context = NULL;
    if (io_setup(64, &context) != 0) return CANNOT_RUN_HERE;
    int fd = fresh("aio.dat");
    many(context, fd);
    refused(context, fd);
    struct iocb sync, *list[] = {&sync};
    struct io_event event;
    io_prep_fdsync(&sync, fd);
    CHECK(io_submit(context, 1, list) == 1);
    CHECK(io_getevents(context, 1, 1, &event, NULL) == 1);
    by_system_calls(context, fd);
    CHECK(io_destroy(context) == 0);
    say("done");
    return 0;
}
