/* Asynchronous requests of POSIX: remembered when they are handed in, counted when their result is fetched. */
#include "runtime/core/real.h"
#include "runtime/posix/posix.h"

enum { PENDING = 1024 };

typedef struct request {
    const void *block;
    iol__opened *opened;
    double begin;
} request;

static request pending[PENDING];
static unsigned n_pending;
static iol__guard lock;

/* Where there is no room, the request is not counted. */
static void remember(const void *block, int fd, double begin) {
    iol__opened *opened = iol__descriptor(fd);
    if (!opened || !iol__guard_enter(&lock)) return;
    if (n_pending < PENDING) pending[n_pending++] = (request){block, opened, begin};
    iol__guard_leave(&lock);
}

static bool take(const void *block, request *found) {
    if (n_pending == 0 || !iol__awake() || !iol__guard_enter(&lock)) return false;
    bool any = false;
    for (unsigned i = 0; i < n_pending && !any; i++) {
        if (pending[i].block != block) continue;
        *found = pending[i];
        pending[i] = pending[--n_pending];
        any = true;
    }
    iol__guard_leave(&lock);
    return any;
}

static void fetched(const void *block, int fd, int operation, int64_t offset, const volatile void *memory,
                    ssize_t result) {
    request found;
    if (!take(block, &found) || result < 0) return;
    const bool unaligned = iol__posix_unaligned((const void *)(uintptr_t)memory);
    if (operation == LIO_WRITE)
        iol__posix_write(found.opened, fd, offset, result, unaligned, found.begin);
    else
        iol__posix_read(found.opened, fd, offset, result, unaligned, found.begin);
}

/* The control block knows what it was for only if we say so: aio_read and aio_write leave the field alone. */
#define SUBMIT(name, block_type, operation)                 \
    IOL_EXPORT int name(struct block_type *block) {         \
        const int result = real(name)(block);               \
        if (result == 0 && iol__awake()) {                  \
            block->aio_lio_opcode = operation;              \
            remember(block, block->aio_fildes, iol__now()); \
        }                                                   \
        return result;                                      \
    }
SUBMIT(aio_read, aiocb, LIO_READ)
SUBMIT(aio_read64, aiocb64, LIO_READ)
SUBMIT(aio_write, aiocb, LIO_WRITE)
SUBMIT(aio_write64, aiocb64, LIO_WRITE)

/* The block may be used again as soon as it is fetched, so it is read before. */
#define FETCH(name, block_type)                                                                      \
    IOL_EXPORT ssize_t name(struct block_type *block) {                                              \
        const struct block_type copy = *block;                                                       \
        const ssize_t result = real(name)(block);                                                    \
        fetched(block, copy.aio_fildes, copy.aio_lio_opcode, copy.aio_offset, copy.aio_buf, result); \
        return result;                                                                               \
    }
FETCH(aio_return, aiocb)
FETCH(aio_return64, aiocb64)

/* Entries may be null, or ask for nothing. */
#define LIST(name, block_type)                                                                                \
    IOL_EXPORT int name(int mode, struct block_type *const *list, int n, struct sigevent *event) {            \
        const int result = real(name)(mode, list, n, event);                                                  \
        if (result != 0 || !iol__awake()) return result;                                                      \
        const double begin = iol__now();                                                                      \
        for (int i = 0; i < n; i++)                                                                           \
            if (list[i] && list[i]->aio_lio_opcode != LIO_NOP) remember(list[i], list[i]->aio_fildes, begin); \
        return result;                                                                                        \
    }
LIST(lio_listio, aiocb)
LIST(lio_listio64, aiocb64)
