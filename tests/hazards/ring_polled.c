/* The kernel takes entries from a ring by itself. Those that nobody sees are counted as unseen, and their results are not taken
   for those of others, though all have one number.
   NEEDS linux/io_uring.h
   EXPECT POSIX out.dat POSIX_READS = 5
   EXPECT POSIX out.dat POSIX_BYTES_READ = 2500
   OPERATION ring UNSEEN > 0 */
#include <sched.h>

#include "tests/hazards/hazard.h"
#include "tests/hazards/ring.h"

static char bytes[1000];

static bool wakes(raw_ring *r) {
    return __atomic_load_n(ring_word(r->sq, r->params.sq_off.flags), __ATOMIC_ACQUIRE) & IORING_SQ_NEED_WAKEUP;
}

static int one(raw_ring *r, int opcode, int fd, unsigned size, unsigned offset, bool enter) {
    ring_add(r, opcode, fd, bytes, size, offset, 0);
    const unsigned *tail = ring_word(r->cq, r->params.cq_off.tail), *head = ring_word(r->cq, r->params.cq_off.head);
    if (enter || wakes(r)) CHECK(syscall(SYS_io_uring_enter, r->fd, 1, 0, IORING_ENTER_SQ_WAKEUP, NULL, 0) >= 0);
    while (__atomic_load_n(tail, __ATOMIC_ACQUIRE) == *head) sched_yield();
    return ring_results(r);
}

int main(void) {
    raw_ring r;
    if (!ring_make_for(&r, 4, &(struct io_uring_params){.flags = IORING_SETUP_SQPOLL, .sq_thread_idle = 60000}))
        return CANNOT_RUN_HERE;
    int fd = fresh("out.dat");
    for (unsigned i = 0; i < 20; i++) CHECK(one(&r, IORING_OP_WRITE, fd, 1000, i * 1000, false) == 1000);
    for (unsigned i = 0; i < 5; i++) CHECK(one(&r, IORING_OP_READ, fd, 500, i * 500, true) == 500);
    CHECK(syscall(SYS_io_uring_enter, r.fd, 0, 0, IORING_ENTER_SQ_WAKEUP, NULL, 0) >= 0);
    ring_close(&r);
    say("done");
    return 0;
}
