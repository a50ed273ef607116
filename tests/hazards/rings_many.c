/* More rings than are remembered: what goes through the others is not counted, and the log says that it lacks something.
   NEEDS linux/io_uring.h
   EXPECT POSIX out.dat POSIX_WRITES = 256
   OPERATION updates LOST = 4 */
#include "tests/hazards/hazard.h"
#include "tests/hazards/ring.h"

enum { RINGS = 260 };

int main(void) {
    static raw_ring rings[RINGS];
    static char bytes[10];
    int fd = fresh("out.dat");
    for (int i = 0; i < RINGS; i++)
        if (!ring_make(&rings[i], 1)) return CANNOT_RUN_HERE;
    for (int i = 0; i < RINGS; i++) {
        ring_add(&rings[i], IORING_OP_WRITE, fd, bytes, sizeof bytes, 0, 0);
        CHECK(syscall(SYS_io_uring_enter, rings[i].fd, 1, 1, IORING_ENTER_GETEVENTS, NULL, 0) == 1);
        CHECK(ring_results(&rings[i]) == sizeof bytes);
    }
    for (int i = 0; i < RINGS; i++) ring_close(&rings[i]);
    say("done");
    return 0;
}
