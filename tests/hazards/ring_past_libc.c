/* A ring that is entered by the program's own instruction: its operations cannot be seen, but the log says how many
   there were.
   NEEDS linux/io_uring.h
   EXPECT POSIX raw.dat POSIX_WRITES = 1
   OPERATION ring UNSEEN = 12 */
#include <linux/io_uring.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include "tests/hazards/hazard.h"
#include "tests/hazards/ring.h"

#if defined(__x86_64__)
static long enter(int fd, unsigned n) {
    register long flags __asm__("r10") = IORING_ENTER_GETEVENTS, mask __asm__("r8") = 0, size __asm__("r9") = 0;
    long result;
    __asm__ volatile("syscall"
                     : "=a"(result)
                     : "a"(SYS_io_uring_enter), "D"(fd), "S"(n), "d"(n), "r"(flags), "r"(mask), "r"(size)
                     : "rcx", "r11", "memory");
    return result;
}
#else
static long enter(int fd, unsigned n) { exit(CANNOT_RUN_HERE + 0 * (fd + (int)n)); }
#endif

int main(void) {
    static char bytes[100];
    raw_ring r;
    if (!ring_make(&r, 4)) return CANNOT_RUN_HERE;
    int fd = fresh("raw.dat");
    put(fd, 10);
    for (unsigned i = 0; i < 12; i += 4) {
        for (unsigned k = 0; k < 4; k++) ring_add(&r, IORING_OP_WRITE, fd, bytes, 100, (i + k) * 100, 0);
        CHECK(enter(r.fd, 4) == 4);
        CHECK(ring_results(&r) == 400);
    }
    ring_close(&r);
    say("done");
    return 0;
}
