/* A ring of io_uring without a library, for the programs that need one. */
#ifndef IOL_TESTS_HAZARDS_RING_H
#define IOL_TESTS_HAZARDS_RING_H

#include <linux/io_uring.h>
#include <stdbool.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include "tests/hazards/hazard.h"

typedef struct raw_ring {
    int fd;
    struct io_uring_params params;
    char *sq, *cq;
    size_t sq_bytes, cq_bytes;
    struct io_uring_sqe *sqes;
} raw_ring;

static inline unsigned *ring_word(char *base, unsigned offset) { return (unsigned *)(void *)(base + offset); }

/* False if the kernel has no rings for us. */
static inline bool ring_make_for(raw_ring *r, unsigned entries, const struct io_uring_params *wanted) {
    memset(r, 0, sizeof *r);
    r->params = *wanted;
    r->fd = (int)syscall(SYS_io_uring_setup, entries, &r->params);
    if (r->fd < 0) return false;
    const struct io_uring_params *p = &r->params;
    r->sq_bytes = p->sq_off.array + p->sq_entries * sizeof(unsigned);
    r->cq_bytes = p->cq_off.cqes + p->cq_entries * sizeof(struct io_uring_cqe);
    r->sq = mmap(NULL, r->sq_bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, r->fd, IORING_OFF_SQ_RING);
    r->cq = mmap(NULL, r->cq_bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, r->fd, IORING_OFF_CQ_RING);
    r->sqes = mmap(NULL, p->sq_entries * sizeof *r->sqes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, r->fd,
                   IORING_OFF_SQES);
    CHECK(r->sq != MAP_FAILED && r->cq != MAP_FAILED && (void *)r->sqes != MAP_FAILED);
    return true;
}

static inline bool ring_make(raw_ring *r, unsigned entries) {
    return ring_make_for(r, entries, &(struct io_uring_params){0});
}

static inline struct io_uring_sqe *ring_add(raw_ring *r, int opcode, int fd, void *memory, unsigned size,
                                            unsigned offset, unsigned flags) {
    unsigned *tail = ring_word(r->sq, r->params.sq_off.tail), at = *tail & (r->params.sq_entries - 1);
    r->sqes[at] = (struct io_uring_sqe){.opcode = (__u8)opcode,
                                        .flags = (__u8)flags,
                                        .fd = fd,
                                        .addr = (__u64)(size_t)memory,
                                        .len = size,
                                        .off = offset};
    ring_word(r->sq, r->params.sq_off.array)[at] = at;
    __atomic_store_n(tail, *tail + 1, __ATOMIC_RELEASE);
    return &r->sqes[at];
}

/* Takes all results that are there, and returns their sum. */
static inline int ring_results(raw_ring *r) {
    unsigned *head = ring_word(r->cq, r->params.cq_off.head), *tail = ring_word(r->cq, r->params.cq_off.tail);
    const struct io_uring_cqe *cqes = (void *)(r->cq + r->params.cq_off.cqes);
    int sum = 0;
    for (; *head != __atomic_load_n(tail, __ATOMIC_ACQUIRE); __atomic_store_n(head, *head + 1, __ATOMIC_RELEASE))
        sum += cqes[*head & (r->params.cq_entries - 1)].res;
    return sum;
}

static inline void ring_close(raw_ring *r) {
    CHECK(munmap(r->sqes, r->params.sq_entries * sizeof *r->sqes) == 0);
    CHECK(munmap(r->cq, r->cq_bytes) == 0);
    CHECK(munmap(r->sq, r->sq_bytes) == 0);
    CHECK(close(r->fd) == 0);
}

#endif
