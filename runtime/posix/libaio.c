/* Asynchronous requests of Linux (libaio, or io_submit by system call): remembered when they are handed in, recorded
   when their result is fetched. */
#include "runtime/posix/libaio.h"

#include <errno.h>
#include <sys/uio.h>

#include "runtime/core/core.h"
#include "runtime/core/files.h"
#include "runtime/core/store.h"
#include "runtime/lazy/lazy.h"
#include "runtime/posix/peek.h"
#include "runtime/posix/pending.h"

enum { READ = 0, WRITE = 1, SYNC = 2, DATASYNC = 3, READ_VECTOR = 7, WRITE_VECTOR = 8, IN_FLIGHT = 1 << 16 };

/* The kernel's structures. */
typedef struct block {
    uint64_t data;
    uint32_t key, flags;
    int16_t opcode, priority;
    int32_t fd;
    uint64_t memory, length; /* or a vector, and how many */
    int64_t offset;
} block;

typedef struct event {
    uint64_t data, block;
    int64_t result, second;
} event;

static iol__pending pending;
static iol__guard lock;
/* The list that the library is about to hand in for this thread, perhaps by libc's syscall: it was looked at. */
static _Thread_local void *const *in_library;

static void describe(iol__rt_request *r, const block *from) {
    static const uint8_t kinds[] = {
        [READ] = IOL_REQUEST_READ,         [WRITE] = IOL_REQUEST_WRITE,      [SYNC] = IOL_REQUEST_SYNC,
        [DATASYNC] = IOL_REQUEST_DATASYNC, [READ_VECTOR] = IOL_REQUEST_READ, [WRITE_VECTOR] = IOL_REQUEST_WRITE};
    r->begin = iol__now();
    if ((uint16_t)from->opcode >= sizeof kinds) return;
    r->kind = kinds[from->opcode];
    r->fd = from->fd;
    r->opened = iol__descriptor(from->fd);
    r->state = r->opened ? iol__posix_state(r->opened) : NULL;
    r->offset = r->kind == IOL_REQUEST_WRITE && (from->flags & RWF_APPEND) ? IOL_AT_END : from->offset;
    if (from->opcode == READ_VECTOR || from->opcode == WRITE_VECTOR)
        r->unaligned = r->state && iol__peek_vector_unaligned(from->memory, from->length);
    else
        r->unaligned = iol__posix_unaligned((const void *)(uintptr_t)from->memory);
}

/* Requests whose result nobody showed us: libaio's users may fetch them from the memory that the kernel shares. */
static void note_unseen(uint64_t count) {
    if (count && iol__store_state.made) __atomic_add_fetch(&iol__store_facts()->ring_unseen, count, __ATOMIC_RELAXED);
}

static void add(uint64_t number, const block *from) {
    iol__rt_request old, described = {.number = number};
    describe(&described, from);
    if (iol__pending_take(&pending, number, &old)) note_unseen(1); /* one that was never fetched gives way */
    iol__rt_request *r = iol__pending_add(&pending, number);
    if (r)
        *r = described;
    else
        iol__count_lost();
}

/* The next few addresses of a list that may not be there, or may end where a page does: how many there are. */
static size_t next_blocks(uint64_t *numbers, size_t count, void *const *blocks) {
    size_t n = 0;
    if (iol__peek(numbers, (uint64_t)(uintptr_t)blocks, count * sizeof *numbers)) return count;
    while (n < count && iol__peek(&numbers[n], (uint64_t)(uintptr_t)(blocks + n), sizeof *numbers)) n++;
    return n;
}

/* Copied before the kernel has them: afterwards another thread may fetch the result and free the block. What cannot be
   read ends the list, for the kernel as well. */
static void add_list(long n, void *const *blocks) {
    uint64_t numbers[IOL_PEEK_PIECES];
    block copies[IOL_PEEK_PIECES];
    for (long at = 0; at < n; at += IOL_PEEK_PIECES) {
        const size_t count = n - at < IOL_PEEK_PIECES ? (size_t)(n - at) : IOL_PEEK_PIECES;
        const size_t listed = next_blocks(numbers, count, blocks + at);
        const size_t there = listed ? iol__peek_pieces(copies, numbers, listed, sizeof *copies) : 0;
        for (size_t i = 0; i < there; i++) add(numbers[i], &copies[i]);
        if (there < count) return;
    }
}

void iol__libaio_submitting(long n, void *const *blocks) {
    if (!iol__awake() || n <= 0 || !blocks || blocks == in_library || !iol__guard_enter(&lock)) return;
    const int saved = errno;
    if (pending.room == 0) iol__pending_begin(&pending, IN_FLIGHT);
    if (pending.room) add_list(n, blocks);
    errno = saved;
    iol__guard_leave(&lock);
}

static bool take(uint64_t number, iol__rt_request *request) {
    if (!iol__guard_enter(&lock)) return false;
    const bool any = iol__pending_take(&pending, number, request);
    iol__guard_leave(&lock);
    return any;
}

/* Those that the kernel did not accept. */
void iol__libaio_submitted(long result, long n, void *const *blocks) {
    if (!iol__awake() || pending.waiting == 0 || !blocks || blocks == in_library) return;
    iol__rt_request refused;
    uint64_t number;
    for (long i = result < 0 ? 0 : result; i < n; i++) {
        if (!iol__peek(&number, (uint64_t)(uintptr_t)(blocks + i), sizeof number)) return;
        if (!take(number, &refused)) return;
    }
}

void iol__libaio_fetched(long n, const void *events) {
    if (!iol__awake() || pending.waiting == 0) return;
    const event *all = events;
    iol__rt_request request;
    const int saved = errno;
    for (long i = 0; i < n; i++)
        if (take(all[i].block, &request)) iol__request_done(&request, all[i].result);
    errno = saved;
}

static void finish(void) {
    static uint32_t noted; /* an exec that fails lets the process go on */
    if (pending.waiting > noted) note_unseen(pending.waiting - noted);
    noted = pending.waiting;
}

/* In a forked child nothing is in flight: requests stay with the parent. */
static void reset(void) {
    lock.owner = 0;
    if (pending.room) iol__pending_begin(&pending, pending.room);
}

iol__runtime_module iol__libaio_module = {.reset = reset, .finish = finish};

/* The functions of the library ------------------------------------------------------------------------------------- */

IOL_LAZY int io_submit(void *context, long n, void **blocks) {
    iol__libaio_submitting(n, blocks);
    void *const *const outer = in_library; /* a signal handler may submit as well */
    in_library = blocks;
    const int result = lazy(io_submit)(context, n, blocks);
    in_library = outer;
    if (result < n) iol__libaio_submitted(result, n, blocks);
    return result;
}

IOL_LAZY int io_getevents(void *context, long least, long most, void *events, struct timespec *timeout) {
    const int result = lazy(io_getevents)(context, least, most, events, timeout);
    iol__libaio_fetched(result, events);
    return result;
}

IOL_LAZY int io_pgetevents(void *context, long least, long most, void *events, struct timespec *timeout,
                           sigset_t *mask) {
    const int result = lazy(io_pgetevents)(context, least, most, events, timeout, mask);
    iol__libaio_fetched(result, events);
    return result;
}

IOL_LAZY int io_cancel(void *context, void *block_address, void *cancelled) {
    const int result = lazy(io_cancel)(context, block_address, cancelled);
    if (result == 0) iol__libaio_submitted(0, 1, &block_address);
    return result;
}
