/* The functions of liburing, before and after which its ring is looked at. The structure that programs keep has had the
   same layout since version 2.0; an older library has another name, and is called without a look. */
#include "runtime/core/core.h"
#include "runtime/lazy/lazy.h"
#include "runtime/posix/ring.h"

typedef struct liburing {
    struct {
        volatile uint32_t *head, *tail, *mask, *entries, *flags, *dropped, *array;
        const uint8_t *sqes;
        uint32_t sqe_head, sqe_tail; /* entries between these were not handed in yet */
        size_t bytes;
        void *mapping;
        uint32_t padding[4];
    } sq;
    struct {
        volatile uint32_t *head, *tail, *mask, *entries, *flags, *overflow;
        const uint8_t *cqes;
        size_t bytes;
        void *mapping;
        uint32_t padding[4];
    } cq;
    uint32_t flags;
    int32_t fd;
} liburing;

_Static_assert(sizeof(void *) != 8 || offsetof(liburing, flags) == 192, "as in liburing.h");

static iol__ring *begin(const liburing *from) {
    iol__ring *ring = iol__ring_begin((uintptr_t)from, *from->cq.entries);
    if (!ring) return NULL;
    iol__ring_look(ring, &(iol__ring_view){.sq_head = from->sq.head,
                                           .sq_tail = from->sq.tail,
                                           .cq_tail = from->cq.tail,
                                           .sqes = from->sq.sqes,
                                           .cqes = from->cq.cqes,
                                           .sq_mask = *from->sq.mask,
                                           .cq_mask = *from->cq.mask,
                                           .sqe_shift = from->flags & IOL_RING_SQE128 ? 7 : 6,
                                           .cqe_shift = from->flags & IOL_RING_CQE32 ? 5 : 4});
    return ring;
}

static void made(int result, const void *ring) {
    if (result >= 0 && iol__awake()) begin(ring);
}

/* Before a call: results that are there, then entries that are to go. A ring from before a fork has results that are
   not ours. */
static iol__ring *before(const void *address) {
    const liburing *from = address;
    if (!iol__awake() || !from || !from->cq.tail) return NULL;
    iol__ring *ring = iol__ring_find((uintptr_t)from);
    if (!ring && (ring = begin(from)) != NULL) iol__ring_skip(ring);
    if (!ring) return NULL;
    iol__ring_reap(ring);
    iol__ring_submitting(ring, from->sq.sqe_head, from->sq.sqe_tail);
    return ring;
}

static void after(iol__ring *ring) {
    if (ring && iol__awake()) iol__ring_reap(ring);
}

/* Making and ending ------------------------------------------------------------------------------------------------ */

IOL_LAZY int io_uring_queue_init(unsigned entries, void *ring, unsigned flags) {
    const int result = lazy(io_uring_queue_init)(entries, ring, flags);
    made(result, ring);
    return result;
}

IOL_LAZY int io_uring_queue_init_params(unsigned entries, void *ring, void *params) {
    const int result = lazy(io_uring_queue_init_params)(entries, ring, params);
    made(result, ring);
    return result;
}

IOL_LAZY int io_uring_queue_init_mem(unsigned entries, void *ring, void *params, void *memory, size_t size) {
    const int result = lazy(io_uring_queue_init_mem)(entries, ring, params, memory, size);
    made(result, ring);
    return result;
}

IOL_LAZY int io_uring_queue_mmap(int fd, void *params, void *ring) {
    const int result = lazy(io_uring_queue_mmap)(fd, params, ring);
    made(result, ring);
    return result;
}

IOL_LAZY void io_uring_queue_exit(void *ring) {
    iol__ring *known = iol__awake() ? iol__ring_find((uintptr_t)ring) : NULL;
    if (known) iol__ring_end(known);
    lazy(io_uring_queue_exit)(ring);
}

/* Handing in and waiting ------------------------------------------------------------------------------------------- */

#define WATCHED(type, name, parameters, arguments) \
    IOL_LAZY type name parameters {                \
        iol__ring *known = before(ring);           \
        const type result = lazy(name) arguments;  \
        after(known);                              \
        return result;                             \
    }
WATCHED(int, io_uring_submit, (void *ring), (ring))
WATCHED(int, io_uring_submit_and_wait, (void *ring, unsigned n), (ring, n))
WATCHED(int, io_uring_submit_and_wait_timeout,
        (void *ring, void **result_at, unsigned n, void *timeout, sigset_t *mask), (ring, result_at, n, timeout, mask))
WATCHED(int, io_uring_submit_and_wait_min_timeout,
        (void *ring, void **result_at, unsigned n, void *timeout, unsigned least, sigset_t *mask),
        (ring, result_at, n, timeout, least, mask))
WATCHED(int, io_uring_submit_and_get_events, (void *ring), (ring))
WATCHED(int, __io_uring_sqring_wait, (void *ring), (ring))

/* These hand nothing in that was not handed in before, but for a timeout of their own on old kernels. */
#define REAPING(type, name, parameters, arguments)                                              \
    IOL_LAZY type name parameters {                                                             \
        iol__ring *known = iol__rings && iol__awake() ? iol__ring_find((uintptr_t)ring) : NULL; \
        const type result = lazy(name) arguments;                                               \
        after(known);                                                                           \
        return result;                                                                          \
    }
REAPING(int, io_uring_get_events, (void *ring), (ring))
REAPING(unsigned, io_uring_peek_batch_cqe, (void *ring, void **results, unsigned n), (ring, results, n))
/* With entries to submit it does; those were flushed, and seen, before. */
REAPING(int, __io_uring_get_cqe, (void *ring, void **result_at, unsigned submit, unsigned n, sigset_t *mask),
        (ring, result_at, submit, n, mask))
WATCHED(int, io_uring_wait_cqes, (void *ring, void **result_at, unsigned n, void *timeout, sigset_t *mask),
        (ring, result_at, n, timeout, mask))
WATCHED(int, io_uring_wait_cqes_min_timeout,
        (void *ring, void **result_at, unsigned n, void *timeout, unsigned least, sigset_t *mask),
        (ring, result_at, n, timeout, least, mask))
WATCHED(int, io_uring_wait_cqe_timeout, (void *ring, void **result_at, void *timeout), (ring, result_at, timeout))

/* Registered files ------------------------------------------------------------------------------------------------- */

static iol__ring *registering(int result, const void *ring) {
    return result >= 0 && iol__awake() ? iol__ring_find((uintptr_t)ring) : NULL;
}

static int table(int result, const void *ring, const int *files, unsigned n) {
    iol__ring *known = registering(result, ring);
    if (!known) return result;
    iol__ring_files(known, n);
    iol__ring_files_set(known, 0, files, n);
    return result;
}

static int part(int result, const void *ring, unsigned first, const int *files) {
    iol__ring *known = registering(result, ring);
    if (known) iol__ring_files_set(known, first, files, (unsigned)result);
    return result;
}

IOL_LAZY int io_uring_register_files(void *ring, const int *files, unsigned n) {
    return table(lazy(io_uring_register_files)(ring, files, n), ring, files, n);
}
IOL_LAZY int io_uring_register_files_tags(void *ring, const int *files, const void *tags, unsigned n) {
    return table(lazy(io_uring_register_files_tags)(ring, files, tags, n), ring, files, n);
}
IOL_LAZY int io_uring_register_files_sparse(void *ring, unsigned n) {
    return table(lazy(io_uring_register_files_sparse)(ring, n), ring, NULL, n);
}
IOL_LAZY int io_uring_unregister_files(void *ring) {
    return table(lazy(io_uring_unregister_files)(ring), ring, NULL, 0);
}
IOL_LAZY int io_uring_register_files_update(void *ring, unsigned first, const int *files, unsigned n) {
    return part(lazy(io_uring_register_files_update)(ring, first, files, n), ring, first, files);
}
IOL_LAZY int io_uring_register_files_update_tag(void *ring, unsigned first, const int *files, const void *tags,
                                                unsigned n) {
    return part(lazy(io_uring_register_files_update_tag)(ring, first, files, tags, n), ring, first, files);
}

/* System calls by another name ------------------------------------------------------------------------------------- */

IOL_LAZY int io_uring_setup(unsigned entries, void *params) {
    const int result = lazy(io_uring_setup)(entries, params);
    if (result >= 0 && iol__awake()) iol__ring_made(result, params);
    return result;
}

IOL_LAZY int io_uring_enter(unsigned fd, unsigned submit, unsigned n, unsigned flags, sigset_t *mask) {
    const int ring = flags & IOL_RING_BY_INDEX ? -1 : (int)fd;
    if (iol__awake()) iol__ring_entering(ring);
    const int result = lazy(io_uring_enter)(fd, submit, n, flags, mask);
    if (result >= 0 && iol__awake()) iol__ring_entered(ring);
    return result;
}

IOL_LAZY int io_uring_enter2(unsigned fd, unsigned submit, unsigned n, unsigned flags, void *argument, size_t size) {
    const int ring = flags & IOL_RING_BY_INDEX ? -1 : (int)fd;
    if (iol__awake()) iol__ring_entering(ring);
    const int result = lazy(io_uring_enter2)(fd, submit, n, flags, argument, size);
    if (result >= 0 && iol__awake()) iol__ring_entered(ring);
    return result;
}

IOL_LAZY int io_uring_register(unsigned fd, unsigned opcode, const void *argument, unsigned n) {
    const int result = lazy(io_uring_register)(fd, opcode, argument, n);
    if (result >= 0 && iol__awake()) iol__ring_registered((int)fd, opcode, argument, n);
    return result;
}
