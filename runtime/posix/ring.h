/* Rings of io_uring, seen from outside: entries are looked at when a program hands them in, results when it next comes
   by. So the end of an operation is known to be no later than that. */
#ifndef IOL_RUNTIME_RING_H
#define IOL_RUNTIME_RING_H

#include "runtime/posix/pending.h"

/* The kernel's structures, as far as they are needed; they never change. */
typedef struct iol__sqe {
    uint8_t opcode, flags;
    uint16_t priority;
    int32_t fd;
    uint64_t offset; /* or a second address */
    uint64_t address;
    uint32_t length;
    uint32_t op_flags;
    uint64_t user_data;
    uint16_t buffer, personality;
    int32_t second_fd; /* of splice; or place of a registered file, from 1 on */
    uint64_t third_address, padding;
} iol__sqe;

typedef struct iol__cqe {
    uint64_t user_data;
    int32_t result;
    uint32_t flags;
} iol__cqe;

typedef struct iol__ring_params {
    uint32_t sq_entries, cq_entries, flags, cpu, idle, features, queue_fd, reserved[3];
    struct {
        uint32_t head, tail, mask, entries, flags, dropped, array, reserved;
        uint64_t address;
    } sq;
    struct {
        uint32_t head, tail, mask, entries, overflow, cqes, flags, reserved;
        uint64_t address;
    } cq;
} iol__ring_params;

_Static_assert(sizeof(iol__sqe) == 64 && sizeof(iol__cqe) == 16 && sizeof(iol__ring_params) == 120,
               "as the kernel has them");

/* Of io_uring_enter: its first argument is not a descriptor. */
enum { IOL_RING_BY_INDEX = 1 << 4 };
enum { IOL_RING_SQE128 = 1 << 10, IOL_RING_CQE32 = 1 << 11, IOL_RING_NO_ARRAY = 1 << 16 };

/* Where the parts of a ring are. */
typedef struct iol__ring_view {
    const volatile uint32_t *sq_head, *sq_tail, *cq_tail;
    const volatile uint32_t *array; /* NULL: entries are taken in order */
    const uint8_t *sqes, *cqes;
    uint32_t sq_mask, cq_mask;
    uint8_t sqe_shift, cqe_shift;
} iol__ring_view;

typedef struct iol__ring iol__ring;

/* How many rings are known. */
extern uint32_t iol__rings;

/* By the address of the structure of liburing, or by descriptor + 1. NULL if it is not known. */
iol__ring *iol__ring_find(uintptr_t key);
/* A ring from now on; one of the same key is gone. NULL if there are too many. */
iol__ring *iol__ring_begin(uintptr_t key, uint32_t entries);
void iol__ring_look(iol__ring *ring, const iol__ring_view *view);
/* What is in it already is not ours. */
void iol__ring_skip(iol__ring *ring);
/* Its memory is about to go, or nobody will come by any more: the last results, and what never passed by here. */
void iol__ring_end(iol__ring *ring);

/* Entries from..to, by number, are about to be handed in. */
void iol__ring_submitting(iol__ring *ring, uint32_t from, uint32_t to);
/* All that the program has put into the ring and that was not looked at before. */
void iol__ring_submitting_all(iol__ring *ring);
/* Results that are there by now. */
void iol__ring_reap(iol__ring *ring);
/* The table of registered files: `fds` NULL for empty places. */
void iol__ring_files(iol__ring *ring, uint32_t count);
void iol__ring_files_set(iol__ring *ring, uint32_t first, const int *fds, uint32_t count);

/* Rings that a program makes by system calls. */
void iol__ring_made(int fd, const iol__ring_params *params);
void iol__ring_mapped(int fd, int64_t offset, const void *where, size_t size);
void iol__ring_unmapping(const void *where, size_t size);
void iol__ring_entering(int fd);
void iol__ring_entered(int fd);
/* Its descriptor is about to go. */
void iol__ring_closing(int fd);
void iol__ring_registered(int fd, unsigned opcode, const void *argument, unsigned count);

/* In a forked child. */
void iol__rings_reset(void);

#endif
