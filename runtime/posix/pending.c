/* The table of requests: lists by hash, so that ten thousand in flight cost no more than one; and what to do with a
   result. */
#include "runtime/posix/pending.h"

#include <string.h>

#include "runtime/posix/operations.h"
#include "runtime/core/sys.h"

enum { LEAST = 64, MOST = 1 << 17 };

static uint32_t *list_of(const iol__pending *p, uint32_t *lists, uint64_t number) {
    return &lists[(number * UINT64_C(0x9e3779b97f4a7c15)) >> 32 & (p->room - 1)];
}

bool iol__pending_begin(iol__pending *p, uint32_t room) {
    uint32_t wanted = LEAST;
    while (wanted < room && wanted < MOST) wanted *= 2;
    if (wanted > p->room) {
        uint8_t *memory = iol__sys_memory(wanted * (sizeof *p->all + 2 * sizeof *p->heads));
        if (!memory) return false;
        p->all = (iol__rt_request *)(void *)memory;
        p->heads = (uint32_t *)(void *)(p->all + wanted);
        p->tails = p->heads + wanted;
        p->room = wanted;
    } else if (p->used) {
        memset(p->heads, 0, p->room * sizeof *p->heads);
    }
    p->used = p->spare = p->waiting = 0;
    return true;
}

iol__rt_request *iol__pending_add(iol__pending *p, uint64_t number) {
    uint32_t at = p->spare;
    if (at)
        p->spare = p->all[at - 1].next;
    else if (p->used < p->room)
        at = ++p->used;
    else
        return NULL;
    iol__rt_request *request = &p->all[at - 1];
    *request = (iol__rt_request){.number = number};
    p->waiting++;
    uint32_t *head = list_of(p, p->heads, number), *tail = list_of(p, p->tails, number);
    if (*head)
        p->all[*tail - 1].next = at;
    else
        *head = at;
    *tail = at;
    return request;
}

/* The link that leads to the first of a number; `before` is the one whose link that is, 0 for the head. */
static uint32_t *find(const iol__pending *p, uint64_t number, uint32_t *before) {
    *before = 0;
    if (p->used == 0) return NULL;
    uint32_t *link = list_of(p, p->heads, number);
    for (; *link; link = &p->all[*link - 1].next) {
        if (p->all[*link - 1].number == number) return link;
        *before = *link;
    }
    return NULL;
}

iol__rt_request *iol__pending_find(iol__pending *p, uint64_t number) {
    uint32_t before;
    const uint32_t *link = find(p, number, &before);
    return link ? &p->all[*link - 1] : NULL;
}

bool iol__pending_take(iol__pending *p, uint64_t number, iol__rt_request *taken) {
    uint32_t before, *link = find(p, number, &before);
    if (!link) return false;
    const uint32_t at = *link;
    iol__rt_request *request = &p->all[at - 1];
    *taken = *request;
    p->waiting--;
    *link = request->next;
    uint32_t *tail = list_of(p, p->tails, number);
    if (*tail == at) *tail = before;
    request->next = p->spare;
    p->spare = at;
    return true;
}

/* Results ---------------------------------------------------------------------------------------------------------- */

/* Calls that go to the position, or to the end, need the description, if the descriptor still stands for it. */
static void moved(const iol__rt_request *r, iol__direction direction, int64_t size) {
    if (r->offset >= 0) {
        iol__posix_async(r->state, direction, r->offset, size, r->unaligned, r->begin);
        return;
    }
    iol__opened *now = (unsigned)r->fd < IOL_DESCRIPTORS ? iol__descriptors[r->fd] : NULL;
    if (!r->opened || now != r->opened)
        iol__posix_async(r->state, direction, 0, size, r->unaligned, r->begin);
    else if (direction == IOL_READ)
        iol__posix_read(r->opened, r->fd, r->offset, size, r->unaligned, r->begin);
    else
        iol__posix_write(r->opened, r->fd, r->offset, size, r->unaligned, r->begin);
}

static void spliced(const iol__rt_request *r, int64_t size) {
    iol__rt_request half = *r; /* of the time, if both ends are recorded */
    if (r->source && r->state) half.begin = iol__posix_second_half(r->begin, iol__now());
    if (r->source) iol__posix_async(r->source, IOL_READ, r->source_offset, size, false, half.begin);
    if (r->state && size > 0) moved(&half, IOL_WRITE, size); /* at the end of the source there is nothing to write */
}

void iol__request_done(const iol__rt_request *r, int64_t result) {
    const bool failed = result < 0;
    switch ((iol__request_kind)r->kind) {
    case IOL_REQUEST_READ:
    case IOL_REQUEST_WRITE:
        if (r->state && !failed) moved(r, r->kind == IOL_REQUEST_WRITE ? IOL_WRITE : IOL_READ, result);
        break;
    case IOL_REQUEST_SYNC:
    case IOL_REQUEST_DATASYNC:
        if (r->state) iol__posix_async_sync(r->state, r->kind == IOL_REQUEST_DATASYNC, failed, r->begin);
        break;
    case IOL_REQUEST_OPEN:
        if (failed)
            iol__operation_done(IOL_OPERATION_OPEN, true, r->begin);
        else if (r->slot == 0)
            iol__posix_opened_late((int)result, r->file, (int)r->flags, r->mode, r->begin);
        break;
    case IOL_REQUEST_CLOSE:
        if (r->state) iol__posix_closed(r->state, failed, r->begin);
        break;
    case IOL_REQUEST_SPLICE:
        if (!failed) spliced(r, result);
        break;
    case IOL_REQUEST_OPERATION: iol__operation_done(r->operation, failed, r->begin); break;
    case IOL_REQUEST_OTHER: break;
    }
}
