/* Asynchronous requests of POSIX: remembered when they are handed in, counted when their result is fetched. */
#include "runtime/core/real.h"
#include "runtime/posix/posix.h"

enum { PENDING = 1024 };

/* What the control block says, copied before the request is handed in: afterwards it may be gone at any moment. */
typedef struct request {
    const void *block;
    iol__state *state;
    int64_t offset;
    double begin;
    bool write, unaligned;
} request;

static request pending[PENDING];
static unsigned n_pending;
static iol__guard lock;

/* Where there is no room, the request is not counted, and the log says that something is missing. */
static void remember(const void *block, int fd, bool write, int64_t offset, const volatile void *memory) {
    iol__opened *opened = iol__descriptor(fd);
    iol__state *state = opened ? iol__posix_state(opened) : NULL;
    if (!state || !iol__guard_enter(&lock)) return;
    unsigned at = 0;
    while (at < n_pending && pending[at].block != block) at++; /* one that was never fetched gives way */
    if (at < PENDING) {
        pending[at] = (request){.block = block,
                                .state = state,
                                .offset = offset,
                                .begin = iol__now(),
                                .write = write,
                                .unaligned = iol__posix_unaligned((const void *)(uintptr_t)memory)};
        if (at == n_pending) n_pending++;
    } else {
        iol__count_lost();
    }
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

/* In a forked child: its parent's requests are not its own. */
static void reset(void) {
    lock.owner = 0;
    n_pending = 0;
}

iol__runtime_module iol__aio_module = {.reset = reset};

static void forget(const void *block) {
    request found;
    take(block, &found);
}

static void fetched(const void *block, ssize_t result) {
    request r;
    if (take(block, &r) && result >= 0)
        iol__posix_async(r.state, r.write ? IOL_WRITE : IOL_READ, r.offset, result, r.unaligned, r.begin);
}

#define SUBMIT(name, block_type, write)                                                                 \
    IOL_EXPORT int name(struct block_type *block) {                                                     \
        if (iol__awake()) remember(block, block->aio_fildes, write, block->aio_offset, block->aio_buf); \
        const int result = real(name)(block);                                                           \
        if (result != 0) forget(block);                                                                 \
        return result;                                                                                  \
    }
SUBMIT(aio_read, aiocb, false)
SUBMIT(aio_read64, aiocb64, false)
SUBMIT(aio_write, aiocb, true)
SUBMIT(aio_write64, aiocb64, true)

#define FETCH(name, block_type)                         \
    IOL_EXPORT ssize_t name(struct block_type *block) { \
        const ssize_t result = real(name)(block);       \
        fetched(block, result);                         \
        return result;                                  \
    }
FETCH(aio_return, aiocb)
FETCH(aio_return64, aiocb64)

/* Entries may be null, or ask for nothing. A list of which only a part was taken is not forgotten: the others are never
   fetched. */
#define LIST(name, block_type)                                                                                    \
    IOL_EXPORT int name(int mode, struct block_type *const *list, int n, struct sigevent *event) {                \
        for (int i = 0; i < n && iol__awake(); i++)                                                               \
            if (list[i] && list[i]->aio_lio_opcode != LIO_NOP)                                                    \
                remember(list[i], list[i]->aio_fildes, list[i]->aio_lio_opcode == LIO_WRITE, list[i]->aio_offset, \
                         list[i]->aio_buf);                                                                       \
        return real(name)(mode, list, n, event);                                                                  \
    }
LIST(lio_listio, aiocb)
LIST(lio_listio64, aiocb64)
