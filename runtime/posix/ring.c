/* What goes through a ring: every entry is paired with its result by its user data, in order, also those that mean
   nothing here, because a program may give many the same number. Memory of a ring is only touched while the program
   itself is at it, or after the kernel was asked whether it is still there. */
#include "runtime/posix/ring.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/uio.h>

#include "runtime/core/files.h"
#include "runtime/posix/operations.h"
#include "runtime/core/sys.h"
#include "runtime/core/store.h"
#include "runtime/posix/peek.h"

enum {
    RINGS = 256,
    FILES_MOST = 1 << 16,
    PATH_ROOM = 4096,
    /* flags of an entry */
    REGISTERED_FILE = 1,
    BUFFER_CHOSEN_LATER = 1 << 5,
    NO_RESULT = 1 << 6,
    /* of a result */
    MORE_TO_COME = 2,
    /* of io_uring_setup */
    ONE_MAPPING = 1,       /* a feature */
    KERNEL_POLLS = 1 << 1, /* the kernel takes entries by itself */
    /* where the parts are mapped */
    MAP_SQ = 0,
    MAP_CQ = 0x8000000,
    MAP_SQES = 0x10000000,
};

typedef struct ring_file {
    iol__state *state;
    iol__opened *opened;
    int fd;
} ring_file;

struct iol__ring {
    iol__guard guard;
    uintptr_t key; /* 0: free */
    iol__ring_view view;
    uint32_t sq_seen, cq_seen;
    iol__pending pending;
    ring_file *files;
    uint32_t n_files, file_room;
    int64_t missed;       /* entries that went by unseen, less results that had no entry */
    char path[PATH_ROOM]; /* of the entry that is looked at */
    /* Of one that was made by a system call: */
    iol__ring_params params;
    const uint8_t *sq, *cq;
    size_t sq_bytes;
};

static iol__ring rings[RINGS];
uint32_t iol__rings;

iol__ring *iol__ring_find(uintptr_t key) {
    for (uint32_t i = 0; i < iol__rings; i++)
        if (rings[i].key == key) return &rings[i];
    return NULL;
}

static iol__ring *find_or_free(uintptr_t key) {
    iol__ring *free = NULL;
    for (uint32_t i = 0; i < iol__rings; i++) {
        if (rings[i].key == key) return &rings[i];
        if (!rings[i].key && !free) free = &rings[i];
    }
    if (!free && iol__rings < RINGS) free = &rings[iol__rings++];
    if (!free) iol__count_lost(); /* what goes through it will not be seen */
    return free;
}

iol__ring *iol__ring_begin(uintptr_t key, uint32_t entries) {
    if (!iol__files_enter()) return NULL;
    iol__ring *ring = find_or_free(key);
    const int saved = errno;
    if (ring && !iol__pending_begin(&ring->pending, 2 * entries)) ring = NULL;
    if (ring) {
        ring->view = (iol__ring_view){0};
        ring->sq_seen = ring->cq_seen = ring->n_files = 0;
        ring->sq = ring->cq = NULL;
        ring->params = (iol__ring_params){0};
        ring->missed = 0;
        ring->guard.owner = 0;
        ring->key = key;
    }
    errno = saved;
    iol__files_leave();
    return ring;
}

void iol__ring_look(iol__ring *ring, const iol__ring_view *view) { ring->view = *view; }

void iol__ring_skip(iol__ring *ring) {
    ring->sq_seen = *ring->view.sq_tail;
    ring->cq_seen = *ring->view.cq_tail;
}

/* Entries ---------------------------------------------------------------------------------------------------------- */

static void set_file(iol__ring *ring, iol__rt_request *r, int fd, bool registered) {
    r->fd = fd;
    if (registered) {
        if ((uint32_t)fd >= ring->n_files) return;
        r->state = ring->files[fd].state;
        r->opened = ring->files[fd].opened;
        r->fd = ring->files[fd].fd;
        return;
    }
    r->opened = iol__descriptor(fd);
    r->state = r->opened ? iol__posix_state(r->opened) : NULL;
}

static void transfer(iol__ring *ring, iol__rt_request *r, const iol__sqe *e, iol__request_kind kind) {
    set_file(ring, r, e->fd, e->flags & REGISTERED_FILE);
    r->kind = (uint8_t)kind;
    r->offset = (int64_t)e->offset;
    if (kind == IOL_REQUEST_WRITE && (e->op_flags & RWF_APPEND))
        r->offset = e->offset == UINT64_MAX ? IOL_AT_END_MOVING : IOL_AT_END;
    else if (e->offset == UINT64_MAX)
        r->offset = IOL_HERE;
}

static void look_read(iol__ring *ring, iol__rt_request *r, const iol__sqe *e) {
    transfer(ring, r, e, IOL_REQUEST_READ);
    r->unaligned = !(e->flags & BUFFER_CHOSEN_LATER) && iol__posix_unaligned((const void *)(uintptr_t)e->address);
}

static void look_write(iol__ring *ring, iol__rt_request *r, const iol__sqe *e) {
    transfer(ring, r, e, IOL_REQUEST_WRITE);
    r->unaligned = iol__posix_unaligned((const void *)(uintptr_t)e->address);
}

static bool vector_unaligned(const iol__rt_request *r, const iol__sqe *e) {
    return r->state && !(e->flags & BUFFER_CHOSEN_LATER) && iol__peek_vector_unaligned(e->address, e->length);
}

static void look_vector_read(iol__ring *ring, iol__rt_request *r, const iol__sqe *e) {
    transfer(ring, r, e, IOL_REQUEST_READ);
    r->unaligned = vector_unaligned(r, e);
}

static void look_vector_write(iol__ring *ring, iol__rt_request *r, const iol__sqe *e) {
    transfer(ring, r, e, IOL_REQUEST_WRITE);
    r->unaligned = vector_unaligned(r, e);
}

static void look_sync(iol__ring *ring, iol__rt_request *r, const iol__sqe *e) {
    set_file(ring, r, e->fd, e->flags & REGISTERED_FILE);
    r->kind = e->op_flags & 1 ? IOL_REQUEST_DATASYNC : IOL_REQUEST_SYNC;
}

/* The path must be there when the entry is handed in, not later. */
static void open_path(iol__ring *ring, iol__rt_request *r, const iol__sqe *e, uint32_t flags, uint32_t mode) {
    bool excluded = false;
    if (!iol__peek_string(ring->path, e->address, sizeof ring->path)) return;
    r->file = iol__file_at(e->fd, ring->path, &excluded);
    if (!r->file) return;
    r->kind = IOL_REQUEST_OPEN;
    r->slot = e->second_fd;
    r->flags = flags;
    r->mode = mode;
}

static void look_open(iol__ring *ring, iol__rt_request *r, const iol__sqe *e) {
    open_path(ring, r, e, e->op_flags, e->length);
}

static void look_open_how(iol__ring *ring, iol__rt_request *r, const iol__sqe *e) {
    uint64_t how[2];
    if (e->length >= sizeof how && iol__peek(how, e->offset, sizeof how))
        open_path(ring, r, e, (uint32_t)how[0], (uint32_t)how[1]);
}

/* The number may be another file's as soon as the kernel has the entry. */
static void look_close(iol__ring *ring, iol__rt_request *r, const iol__sqe *e) {
    if (e->second_fd > 0) {
        if ((uint32_t)e->second_fd <= ring->n_files) ring->files[e->second_fd - 1] = (ring_file){.fd = -1};
        return;
    }
    r->state = iol__posix_closing(e->fd);
    r->kind = IOL_REQUEST_CLOSE;
}

static void look_splice(iol__ring *ring, iol__rt_request *r, const iol__sqe *e) {
    const bool registered = e->op_flags >> 31;
    iol__rt_request source = {.begin = r->begin};
    set_file(ring, &source, e->second_fd, registered);
    set_file(ring, r, e->fd, e->flags & REGISTERED_FILE);
    r->kind = IOL_REQUEST_SPLICE;
    r->source = source.state;
    r->source_offset = e->address == UINT64_MAX ? 0 : (int64_t)e->address;
    r->offset = e->offset == UINT64_MAX ? IOL_HERE : (int64_t)e->offset;
}

static void look_files(iol__ring *ring, iol__rt_request *r, const iol__sqe *e) {
    (void)r;
    iol__ring_files_set(ring, (uint32_t)e->offset, (const int *)(uintptr_t)e->address, e->length);
}

static void look_on_file(iol__ring *ring, iol__rt_request *r, const iol__sqe *e) {
    set_file(ring, r, e->fd, e->flags & REGISTERED_FILE);
    if (r->state) r->kind = IOL_REQUEST_OPERATION;
}

static void on_named(iol__ring *ring, iol__rt_request *r, int directory, uint64_t address) {
    if (iol__peek_string(ring->path, address, sizeof ring->path) && iol__path_watched(directory, ring->path))
        r->kind = IOL_REQUEST_OPERATION;
}

static void look_on_path(iol__ring *ring, iol__rt_request *r, const iol__sqe *e) {
    on_named(ring, r, e->fd, e->address);
}

static void look_on_xattr_path(iol__ring *ring, iol__rt_request *r, const iol__sqe *e) {
    on_named(ring, r, AT_FDCWD, e->third_address);
}

/* symlinkat has its directory where others have the first file, linkat has one for each. */
static void look_on_second_path(iol__ring *ring, iol__rt_request *r, const iol__sqe *e) {
    enum { LINK = 39 };
    on_named(ring, r, e->opcode == LINK ? (int)e->length : e->fd, e->offset);
}

static void look_unlink(iol__ring *ring, iol__rt_request *r, const iol__sqe *e) {
    look_on_path(ring, r, e);
    if (e->op_flags & AT_REMOVEDIR) r->operation = IOL_OPERATION_RMDIR;
}

static const struct {
    void (*look)(iol__ring *ring, iol__rt_request *request, const iol__sqe *entry);
    uint8_t operation;
} opcodes[] = {
#define RING(opcode, function, operation) [opcode] = {look_##function, operation},
#include "runtime/posix/ring.def"
#undef RING
};

/* An entry that asks for no result is taken to have done what it says. */
static void done_unasked(iol__rt_request *r, const iol__sqe *e) {
    iol__request_done(r, r->kind == IOL_REQUEST_READ || r->kind == IOL_REQUEST_WRITE ? (int64_t)e->length : 0);
}

static void look_at(iol__ring *ring, const iol__sqe *e, double begin) {
    iol__rt_request found = {.number = e->user_data, .begin = begin};
    if (e->opcode < sizeof opcodes / sizeof *opcodes && opcodes[e->opcode].look) {
        found.operation = opcodes[e->opcode].operation;
        opcodes[e->opcode].look(ring, &found, e);
    }
    if (e->flags & NO_RESULT) {
        done_unasked(&found, e);
        return;
    }
    iol__rt_request *r = iol__pending_add(&ring->pending, e->user_data);
    if (!r) {
        iol__count_lost();
        return;
    }
    *r = found;
}

static void note_unseen(uint64_t count) {
    if (count && iol__store_state.made) __atomic_add_fetch(&iol__store_facts()->ring_unseen, count, __ATOMIC_RELAXED);
}

static void went_by(iol__ring *ring, uint32_t count) {
    note_unseen(count);
    ring->missed += count;
}

static void look_at_all(iol__ring *ring, uint32_t from, uint32_t to) {
    const iol__ring_view *v = &ring->view;
    const double begin = iol__now();
    if (to - from > v->sq_mask + 1) { /* some went by while we were not asked, and are written over */
        went_by(ring, to - from - (v->sq_mask + 1));
        from = to - (v->sq_mask + 1);
    }
    for (uint32_t i = from; i != to; i++) {
        const uint32_t at = (v->array ? v->array[i & v->sq_mask] : i) & v->sq_mask;
        iol__sqe entry;
        memcpy(&entry, v->sqes + ((size_t)at << v->sqe_shift), sizeof entry);
        look_at(ring, &entry, begin);
    }
    ring->sq_seen = to;
}

void iol__ring_submitting(iol__ring *ring, uint32_t from, uint32_t to) {
    if (from == to || !iol__guard_enter(&ring->guard)) return;
    if (ring->key) look_at_all(ring, from, to);
    iol__guard_leave(&ring->guard);
}

/* What the kernel has already, though it was never handed in here, has results that may be gone; but where it takes
   entries by itself, that is how it is. */
void iol__ring_submitting_all(iol__ring *ring) {
    const iol__ring_view *v = &ring->view;
    if (!iol__guard_enter(&ring->guard)) return;
    if (ring->key && v->sq_tail) {
        const uint32_t ahead = __atomic_load_n(v->sq_head, __ATOMIC_ACQUIRE) - ring->sq_seen;
        if (!(ring->params.flags & KERNEL_POLLS) && ahead <= INT32_MAX) {
            went_by(ring, ahead);
            ring->sq_seen += ahead;
        }
        look_at_all(ring, ring->sq_seen, __atomic_load_n(v->sq_tail, __ATOMIC_ACQUIRE));
    }
    iol__guard_leave(&ring->guard);
}

/* Results ---------------------------------------------------------------------------------------------------------- */

/* A file that is opened straight into the table of registered ones. */
static void opened_into_table(iol__ring *ring, const iol__rt_request *r, int32_t result) {
    const uint32_t slot = r->slot < 0 ? (uint32_t)result : (uint32_t)r->slot - 1;
    iol__state *state = iol__state_of(r->file, &iol__posix_module);
    if (slot < ring->n_files) ring->files[slot] = (ring_file){.state = state, .fd = -1};
    iol__operation_done(IOL_OPERATION_OPEN, false, r->begin);
}

/* Results come in about the order of their entries: those of entries that nobody saw come first. */
static void finished(iol__ring *ring, const iol__cqe *result) {
    iol__rt_request request;
    if (ring->missed > 0) {
        if (!(result->flags & MORE_TO_COME)) ring->missed--;
        return;
    }
    if (result->flags & MORE_TO_COME) {
        const iol__rt_request *stays = iol__pending_find(&ring->pending, result->user_data);
        if (!stays) return;
        request = *stays;
    } else if (!iol__pending_take(&ring->pending, result->user_data, &request)) {
        ring->missed--;
        return;
    }
    if (request.kind == IOL_REQUEST_OPEN && request.slot != 0 && result->result >= 0)
        opened_into_table(ring, &request, result->result);
    else
        iol__request_done(&request, result->result);
}

/* Results that are gone: of entries that went by first, then of some that we know. */
static void overwritten(iol__ring *ring, uint32_t gone) {
    const uint32_t unknown = ring->missed <= 0 ? 0 : ring->missed < gone ? (uint32_t)ring->missed : gone;
    ring->missed -= unknown;
    for (uint32_t i = unknown; i < gone && i - unknown < ring->pending.waiting; i++) iol__count_lost();
    ring->cq_seen += gone;
}

static void reap(iol__ring *ring) {
    const iol__ring_view *v = &ring->view;
    const int saved = errno;
    const uint32_t tail = __atomic_load_n(v->cq_tail, __ATOMIC_ACQUIRE);
    if (tail - ring->cq_seen > v->cq_mask + 1) overwritten(ring, tail - ring->cq_seen - (v->cq_mask + 1));
    for (; ring->cq_seen != tail; ring->cq_seen++) {
        iol__cqe result;
        memcpy(&result, v->cqes + ((size_t)(ring->cq_seen & v->cq_mask) << v->cqe_shift), sizeof result);
        finished(ring, &result);
    }
    errno = saved;
}

/* Another thread may have ended the ring while this one waited in it: its memory is only there as long as it has a key,
   which is taken away under the guard. */
void iol__ring_reap(iol__ring *ring) {
    if (!iol__guard_enter(&ring->guard)) return;
    if (ring->key && ring->view.cq_tail) reap(ring);
    iol__guard_leave(&ring->guard);
}

/* Whether all that we read of a ring is mapped, without reading it ourselves. */
static bool is_there(const iol__ring *ring) {
    const iol__ring_view *v = &ring->view;
    uint32_t copies[8], n = 0;
    uint64_t words[8];
    if (!v->cq_tail) return false;
    words[n++] = (uint64_t)(uintptr_t)v->cq_tail;
    words[n++] = (uint64_t)(uintptr_t)v->cqes;
    words[n++] = (uint64_t)(uintptr_t)(v->cqes + ((size_t)v->cq_mask << v->cqe_shift));
    if (ring->sq) {
        words[n++] = (uint64_t)(uintptr_t)v->sq_head;
        words[n++] = (uint64_t)(uintptr_t)v->sq_tail;
        words[n++] = (uint64_t)(uintptr_t)v->sqes;
        words[n++] = (uint64_t)(uintptr_t)(v->sqes + ((size_t)v->sq_mask << v->sqe_shift));
        if (v->array) words[n++] = (uint64_t)(uintptr_t)(v->array + v->sq_mask);
    }
    return iol__peek_pieces(copies, words, n, sizeof *copies) == n;
}

void iol__ring_end(iol__ring *ring) {
    const iol__ring_view *v = &ring->view;
    if (!iol__guard_enter(&ring->guard)) {
        ring->key = 0;
        return;
    }
    if (ring->key && is_there(ring)) {
        reap(ring);
        /* what the kernel has taken, but nobody showed us */
        const uint32_t ahead = ring->sq ? __atomic_load_n(v->sq_head, __ATOMIC_ACQUIRE) - ring->sq_seen : 0;
        if (ahead <= INT32_MAX) note_unseen(ahead);
    }
    ring->key = 0;
    iol__guard_leave(&ring->guard);
}

/* Registered files ------------------------------------------------------------------------------------------------- */

void iol__ring_files(iol__ring *ring, uint32_t count) {
    if (count > FILES_MOST) count = FILES_MOST;
    if (count > ring->file_room) {
        const int saved = errno;
        ring_file *grown = iol__sys_memory(count * sizeof *grown);
        errno = saved;
        if (!grown) count = 0;
        ring->files = grown;
        ring->file_room = count;
    }
    ring->n_files = count;
    for (uint32_t i = 0; i < count; i++) ring->files[i] = (ring_file){.fd = -1};
}

void iol__ring_files_set(iol__ring *ring, uint32_t first, const int *fds, uint32_t count) {
    enum { SKIP = -2, STEP = 64 };
    int some[STEP];
    if (!fds || first >= ring->n_files) return;
    if (count > ring->n_files - first) count = ring->n_files - first;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t left = count - i < STEP ? count - i : STEP, at = i % STEP;
        if (at == 0 && !iol__peek(some, (uint64_t)(uintptr_t)(fds + i), left * sizeof *fds)) return;
        if (some[at] == SKIP) continue;
        iol__opened *opened = some[at] >= 0 ? iol__descriptor(some[at]) : NULL;
        iol__state *state = opened ? iol__posix_state(opened) : NULL;
        ring->files[first + i] = (ring_file){state, opened, some[at]};
    }
}

/* Rings by system calls -------------------------------------------------------------------------------------------- */

static iol__ring *raw(int fd) { return fd >= 0 && iol__rings ? iol__ring_find((uintptr_t)fd + 1) : NULL; }

void iol__ring_made(int fd, const iol__ring_params *params) {
    iol__descriptor_no_file(fd);
    iol__ring *ring = iol__ring_begin((uintptr_t)fd + 1, params->cq_entries);
    if (ring) ring->params = *params;
}

static const volatile uint32_t *word(const uint8_t *base, uint32_t offset) {
    return (const volatile uint32_t *)(const void *)(base + offset);
}

static void look_at_mappings(iol__ring *ring) {
    const iol__ring_params *p = &ring->params;
    const uint8_t *sq = ring->sq, *cq = ring->cq;
    if (!sq || !cq || !ring->view.sqes) return;
    const bool array = !(p->flags & IOL_RING_NO_ARRAY);
    ring->view = (iol__ring_view){.sq_head = word(sq, p->sq.head),
                                  .sq_tail = word(sq, p->sq.tail),
                                  .cq_tail = word(cq, p->cq.tail),
                                  .array = array ? word(sq, p->sq.array) : NULL,
                                  .sqes = ring->view.sqes,
                                  .cqes = cq + p->cq.cqes,
                                  .sq_mask = p->sq_entries - 1,
                                  .cq_mask = p->cq_entries - 1,
                                  .sqe_shift = p->flags & IOL_RING_SQE128 ? 7 : 6,
                                  .cqe_shift = p->flags & IOL_RING_CQE32 ? 5 : 4};
}

void iol__ring_mapped(int fd, int64_t offset, const void *where, size_t size) {
    iol__ring *ring = raw(fd);
    if (!ring) return;
    if (offset == MAP_SQ) {
        ring->sq = where;
        ring->sq_bytes = size;
        if (ring->params.features & ONE_MAPPING) ring->cq = where;
    } else if (offset == MAP_CQ) {
        ring->cq = where;
    } else if (offset == MAP_SQES) {
        ring->view.sqes = where;
    }
    look_at_mappings(ring);
}

static bool inside(const void *point, const void *where, size_t size) {
    return point && (uintptr_t)point - (uintptr_t)where < size;
}

void iol__ring_unmapping(const void *where, size_t size) {
    for (uint32_t i = 0; i < iol__rings; i++) {
        iol__ring *ring = &rings[i];
        if (!ring->key || !ring->sq) continue;
        if (inside(ring->sq, where, size) || inside(ring->cq, where, size) || inside(ring->view.sqes, where, size))
            iol__ring_end(ring);
    }
}

/* Its memory may have gone by ways that do not pass here. */
static iol__ring *raw_there(int fd) {
    iol__ring *ring = raw(fd);
    if (!ring || !ring->view.cq_tail) return NULL;
    if (is_there(ring)) return ring;
    ring->key = 0;
    return NULL;
}

/* Results first: an entry may be about a file that one of them has opened. But where the kernel takes entries by itself
   there are results of entries that were not looked at. */
void iol__ring_entering(int fd) {
    iol__ring *ring = raw_there(fd);
    if (!ring) return;
    if (!(ring->params.flags & KERNEL_POLLS)) iol__ring_reap(ring);
    iol__ring_submitting_all(ring);
    iol__ring_reap(ring);
}

void iol__ring_entered(int fd) {
    iol__ring *ring = raw_there(fd);
    if (ring) iol__ring_reap(ring);
}

void iol__ring_closing(int fd) {
    iol__ring *ring = raw(fd);
    if (ring) iol__ring_end(ring);
}

/* io_uring_register: tables of files, whole or in part, with the numbers of the kernel. */
void iol__ring_registered(int fd, unsigned opcode, const void *argument, unsigned count) {
    enum { FILES = 2, NO_FILES = 3, UPDATE = 6, FILES_TAGGED = 13, UPDATE_TAGGED = 14 };
    struct update { /* also of the tagged forms, whose list of tags comes behind */
        uint32_t offset, flags;
        uint64_t list, tags;
        uint32_t count;
    } update;
    iol__ring *ring = raw(fd);
    if (!ring) return;
    if (opcode == FILES) {
        iol__ring_files(ring, count);
        iol__ring_files_set(ring, 0, argument, count);
    } else if (opcode == NO_FILES) {
        iol__ring_files(ring, 0);
    } else if (opcode == UPDATE && argument) {
        memcpy(&update, argument, offsetof(struct update, tags));
        iol__ring_files_set(ring, update.offset, (const int *)(uintptr_t)update.list, count);
    } else if (opcode == UPDATE_TAGGED && argument) {
        memcpy(&update, argument, sizeof update);
        iol__ring_files_set(ring, update.offset, (const int *)(uintptr_t)update.list, update.count);
    } else if (opcode == FILES_TAGGED && argument) {
        struct {
            uint32_t count, flags;
            uint64_t reserved, list;
        } made;
        memcpy(&made, argument, sizeof made);
        iol__ring_files(ring, made.count);
        iol__ring_files_set(ring, 0, (const int *)(uintptr_t)made.list, made.count);
    }
}

/* The process ------------------------------------------------------------------------------------------------------ */

void iol__rings_reset(void) {
    for (uint32_t i = 0; i < iol__rings; i++) {
        rings[i].key = 0;
        rings[i].guard.owner = 0;
    }
}

/* A program that just ends has not asked for its last results. */
static void finish(void) {
    for (uint32_t i = 0; i < iol__rings; i++)
        if (rings[i].key) iol__ring_end(&rings[i]);
}

iol__runtime_module iol__rings_module = {.reset = iol__rings_reset, .finish = finish};
