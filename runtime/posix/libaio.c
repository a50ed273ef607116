/* Asynchronous requests of Linux (libaio, or io_submit by system call): remembered when they are handed in, recorded
   when their result is fetched. */
#include "runtime/posix/libaio.h"

#include <errno.h>
#include <sys/uio.h>

#include "runtime/core/core.h"
#include "runtime/core/files.h"
#include "runtime/posix/late.h"
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

static void describe(iol__request *r, const block *from) {
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
    const void *memory = (const void *)(uintptr_t)from->memory;
    if (from->opcode == READ_VECTOR || from->opcode == WRITE_VECTOR)
        r->unaligned = r->state && iol__posix_vector_unaligned(memory, (int)from->length);
    else
        r->unaligned = iol__posix_unaligned(memory);
}

void iol__libaio_submitting(long n, void *const *blocks) {
    if (n <= 0 || !blocks || !iol__awake() || !iol__guard_enter(&lock)) return;
    const int saved = errno;
    if (pending.room == 0) iol__pending_begin(&pending, IN_FLIGHT);
    for (long i = 0; i < n && pending.room; i++) {
        iol__request old, described = {.number = (uint64_t)(uintptr_t)blocks[i]};
        describe(&described, blocks[i]);
        iol__pending_take(&pending, described.number, &old); /* one that was never fetched gives way */
        iol__request *r = iol__pending_add(&pending, described.number);
        if (r)
            *r = described;
        else
            iol__count_lost();
    }
    errno = saved;
    iol__guard_leave(&lock);
}

static bool take(const void *number, iol__request *request) {
    if (pending.used == 0 || !iol__awake() || !iol__guard_enter(&lock)) return false;
    const bool any = iol__pending_take(&pending, (uint64_t)(uintptr_t)number, request);
    iol__guard_leave(&lock);
    return any;
}

/* Those that the kernel did not accept. */
void iol__libaio_submitted(long result, long n, void *const *blocks) {
    iol__request refused;
    for (long i = result < 0 ? 0 : result; i < n && blocks; i++) take(blocks[i], &refused);
}

void iol__libaio_fetched(long n, const void *events) {
    const event *all = events;
    iol__request request;
    const int saved = errno;
    for (long i = 0; i < n; i++)
        if (take((const void *)(uintptr_t)all[i].block, &request)) iol__request_done(&request, all[i].result);
    errno = saved;
}

/* In a forked child nothing is in flight: requests stay with the parent. */
void iol__libaio_reset(void) {
    lock.owner = 0;
    if (pending.room) iol__pending_begin(&pending, pending.room);
}

/* The functions of the library ------------------------------------------------------------------------------------- */

IOL_EXPORT int io_submit(void *context, long n, void **blocks) {
    iol__libaio_submitting(n, blocks);
    const int result = late(io_submit)(context, n, blocks);
    if (result < n) iol__libaio_submitted(result, n, blocks);
    return result;
}

IOL_EXPORT int io_getevents(void *context, long least, long most, void *events, struct timespec *timeout) {
    const int result = late(io_getevents)(context, least, most, events, timeout);
    iol__libaio_fetched(result, events);
    return result;
}

IOL_EXPORT int io_pgetevents(void *context, long least, long most, void *events, struct timespec *timeout,
                             sigset_t *mask) {
    const int result = late(io_pgetevents)(context, least, most, events, timeout, mask);
    iol__libaio_fetched(result, events);
    return result;
}

IOL_EXPORT int io_cancel(void *context, void *block_address, void *cancelled) {
    const int result = late(io_cancel)(context, block_address, cancelled);
    if (result == 0) iol__libaio_submitted(0, 1, &block_address);
    return result;
}
