/* Registered files and buffers, positions, appending, chains, and a program that just ends: its last results are in the
   ring, and in the log.
   NEEDS liburing.h
   LINK -luring
   EXPECT POSIX first.dat POSIX_WRITES = 3
   EXPECT POSIX first.dat POSIX_BYTES_WRITTEN = 3000
   EXPECT POSIX first.dat POSIX_CONSEC_WRITES = 2
   EXPECT POSIX second.dat POSIX_WRITES = 2
   EXPECT POSIX second.dat POSIX_BYTES_WRITTEN = 700
   EXPECT POSIX second.dat POSIX_MAX_BYTE_WRITTEN = 699
   EXPECT POSIX third.dat POSIX_WRITES = 1
   EXPECT POSIX third.dat POSIX_BYTES_WRITTEN = 50
   EXPECT POSIX fourth.dat POSIX_WRITES = 2
   EXPECT POSIX fourth.dat POSIX_MAX_BYTE_WRITTEN = 29 */
#include <liburing.h>

#include "tests/hazards/hazard.h"

static struct io_uring ring;
static char bytes[4096];

static struct io_uring_sqe *entry(uint64_t number) {
    struct io_uring_sqe *sqe = io_uring_get_sqe(&ring);
    CHECK(sqe);
    sqe->user_data = number;
    return sqe;
}

/* Preparing an entry may clear its number. */
static void numbered(struct io_uring_sqe *sqe, uint64_t number) { sqe->user_data = number; }

static void write_by(int fd, unsigned size, uint64_t offset, unsigned flags, uint64_t number) {
    struct io_uring_sqe *sqe = entry(number);
    io_uring_prep_write(sqe, fd, bytes, size, offset);
    sqe->flags = (__u8)flags;
    numbered(sqe, number);
}

static void collect_results(int n) {
    for (int i = 0; i < n; i++) {
        struct io_uring_cqe *cqe;
        CHECK(io_uring_wait_cqe(&ring, &cqe) == 0);
        CHECK(cqe->res > 0);
        io_uring_cqe_seen(&ring, cqe);
    }
}

int main(void) {
    if (io_uring_queue_init(8, &ring, 0) != 0) return CANNOT_RUN_HERE;
    int files[3] = {fresh("first.dat"), fresh("second.dat"), -1};
    CHECK(io_uring_register_files(&ring, files, 3) == 0);
    for (uint64_t i = 0; i < 3; i++) write_by(0, 1000, i * 1000, IOSQE_FIXED_FILE | IOSQE_IO_LINK * (i < 2), i);
    CHECK(io_uring_submit(&ring) == 3);
    collect_results(3);
    CHECK(close(files[1]) == 0); /* the table keeps it open */
    write_by(1, 300, 0, IOSQE_FIXED_FILE, 7);
    write_by(1, 400, 300, IOSQE_FIXED_FILE, 7);
    CHECK(io_uring_submit_and_wait(&ring, 2) == 2);
    collect_results(2);
    int third = fresh("third.dat");
    CHECK(io_uring_register_files_update(&ring, 2, &third, 1) == 1);
    write_by(2, 50, 0, IOSQE_FIXED_FILE, 7);
    CHECK(io_uring_submit(&ring) == 1);
    collect_results(1);
    int fourth = fresh("fourth.dat");
    put(fourth, 10);
    write_by(fourth, 20, (uint64_t)-1, 0, 9); /* at the position */
    CHECK(io_uring_submit(&ring) == 1);
    struct io_uring_cqe *cqe;
    while (io_uring_peek_cqe(&ring, &cqe) != 0) continue; /* never a call that could be seen */
    say("written %d", cqe->res);
    return 0;
}
