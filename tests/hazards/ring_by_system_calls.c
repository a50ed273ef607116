/* A ring made and entered by libc's function for system calls, as programs without liburing do it; beside it calls of
   that function that nobody watches, with all of their arguments.
   NEEDS linux/io_uring.h
   EXPECT POSIX raw.dat POSIX_WRITES = 20
   EXPECT POSIX raw.dat POSIX_BYTES_WRITTEN = 2000
   EXPECT POSIX raw.dat POSIX_READS = 2
   EXPECT POSIX raw.dat POSIX_BYTES_READ = 1000
   EXPECT POSIX fixed.dat POSIX_WRITES = 1
   OPERATION ring UNSEEN = 0 */
#include <linux/io_uring.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include "tests/hazards/hazard.h"
#include "tests/hazards/ring.h"

int main(void) {
    static char bytes[1000];
    raw_ring r;
    if (!ring_make(&r, 4)) return CANNOT_RUN_HERE;
    int fd = fresh("raw.dat"), fixed = fresh("fixed.dat");
    for (unsigned i = 0; i < 20; i++) { /* round the ring, in portions */
        ring_add(&r, IORING_OP_WRITE, fd, bytes, 100, i * 100, 0)->user_data = i / 2;
        if (i % 4 != 3) continue;
        CHECK(syscall(SYS_io_uring_enter, r.fd, 4, 4, IORING_ENTER_GETEVENTS, NULL, 0) == 4);
        CHECK(ring_results(&r) == 400);
    }
    ring_add(&r, IORING_OP_READ, fd, bytes, 600, 0, 0);
    ring_add(&r, IORING_OP_READ, fd, bytes, 400, 600, 0);
    CHECK(syscall(SYS_io_uring_enter, r.fd, 2, 2, IORING_ENTER_GETEVENTS, NULL, 0) == 2);
    CHECK(ring_results(&r) == 1000);
    CHECK(syscall(SYS_io_uring_register, r.fd, IORING_REGISTER_FILES, &fixed, 1) == 0);
    ring_add(&r, IORING_OP_WRITE, 0, bytes, 5, 0, IOSQE_FIXED_FILE);
    CHECK(syscall(SYS_io_uring_enter, r.fd, 1, 1, IORING_ENTER_GETEVENTS, NULL, 0) == 1);
    /* six arguments, on their way through an assembly jump */
    char *memory = (char *)syscall(SYS_mmap, NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE, fd, 0);
    CHECK(memory != MAP_FAILED);
    CHECK(syscall(SYS_munmap, memory, 4096) == 0);
    CHECK(syscall(SYS_getpid) == getpid());
    CHECK(syscall(9999) == -1 && errno == ENOSYS);
    CHECK(syscall(-1) == -1 && errno == ENOSYS);
    CHECK(ring_results(&r) == 5);
    ring_close(&r);
    say("done");
    return 0;
}
