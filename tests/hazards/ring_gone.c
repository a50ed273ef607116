/* Rings whose memory and descriptor go by system calls, or by an instruction of the program's own, and are entered
   again: the kernel refuses, and nobody touches what is not there.
   NEEDS linux/io_uring.h
   EXPECT POSIX out.dat POSIX_WRITES = 2
   EXPECT POSIX out.dat POSIX_BYTES_WRITTEN = 200 */
#include "tests/hazards/hazard.h"
#include "tests/hazards/ring.h"

#if defined(__x86_64__)
static void unmap(void *where, size_t size) {
    long result;
    __asm__ volatile("syscall" : "=a"(result) : "a"(SYS_munmap), "D"(where), "S"(size) : "rcx", "r11", "memory");
    CHECK(result == 0);
}
#else
static void unmap(void *where, size_t size) { CHECK(syscall(SYS_munmap, where, size) == 0); }
#endif

static void use(raw_ring *r, int fd) {
    static char bytes[100];
    ring_add(r, IORING_OP_WRITE, fd, bytes, sizeof bytes, 0, 0);
    CHECK(syscall(SYS_io_uring_enter, r->fd, 1, 1, IORING_ENTER_GETEVENTS, NULL, 0) == 1);
    CHECK(ring_results(r) == sizeof bytes);
}

static void enter_again(const raw_ring *r) {
    CHECK(syscall(SYS_io_uring_enter, r->fd, 0, 0, 0, NULL, 0) == -1 && errno == EBADF);
    say("refused");
}

int main(void) {
    raw_ring r;
    if (!ring_make(&r, 8)) return CANNOT_RUN_HERE;
    int fd = fresh("out.dat");
    use(&r, fd);
    CHECK(syscall(SYS_munmap, r.sq, r.sq_bytes) == 0 && syscall(SYS_munmap, r.cq, r.cq_bytes) == 0);
    CHECK(syscall(SYS_close, r.fd) == 0);
    enter_again(&r);
    CHECK(ring_make(&r, 8));
    use(&r, fd);
    unmap(r.sqes, r.params.sq_entries * sizeof *r.sqes);
    unmap(r.sq, r.sq_bytes);
    unmap(r.cq, r.cq_bytes);
    CHECK(syscall(SYS_io_uring_enter, r.fd, 0, 0, 0, NULL, 0) == 0);
    CHECK(close(r.fd) == 0);
    enter_again(&r);
    return 0;
}
