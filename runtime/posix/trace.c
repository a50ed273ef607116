/* Traces grow in chunks, small ones first, until the budget is used up; then the log says how many operations it lacks.
   */
#include "runtime/posix/trace.h"

#include <errno.h>
#include <pthread.h>
#include <string.h>

#include "runtime/core/files.h"
#include "runtime/core/store.h"

enum { FIRST_SEGMENTS = 12, MOST_SEGMENTS = 1600 };

typedef struct segment {
    int64_t offset, size;
    double begin, end;
    uint64_t thread;
} segment;

_Static_assert(sizeof(segment) == 40, "a segment with its thread");

bool iol__trace_wanted(const iol__file *file) {
    return iol__store_state.trace_budget > 0 && !(file->refused >> IOL_SLOT_DXT_POSIX & 1);
}

static iol__trace_chunk *new_chunk(const iol__posix *p, iol__way way) {
    const iol__trace_chunk *last = p->chunks[way];
    uint32_t room = last ? last->room * 2 : FIRST_SEGMENTS;
    if (room > MOST_SEGMENTS) room = MOST_SEGMENTS;
    if (!iol__files_enter()) return NULL;
    iol__trace_chunk *chunk = NULL;
    for (; !chunk && room >= FIRST_SEGMENTS; room /= 2)
        if ((chunk = iol__store_chunk(sizeof *chunk + room * sizeof(segment))) != NULL) break;
    if (chunk) {
        *chunk = (iol__trace_chunk){
            .id = p->state.file->id, .slot = IOL_SLOT_DXT_POSIX, .write = way == IOL_WRITE, .room = room};
        __atomic_signal_fence(__ATOMIC_SEQ_CST);
        iol__store_state.trace.used += sizeof *chunk + room * sizeof(segment);
        iol__store_facts()->trace_bytes = iol__store_state.trace.used;
    }
    iol__files_leave();
    return chunk;
}

void iol__trace_add(iol__posix *p, iol__way way, int64_t offset, int64_t size, double begin, double end) {
    iol__trace_chunk *chunk = p->chunks[way];
    if (IOL_UNLIKELY(!chunk || chunk->used >= chunk->room)) {
        const int saved = errno;
        chunk = new_chunk(p, way);
        errno = saved;
        if (!chunk) {
            __atomic_add_fetch(&iol__store_facts()->trace_lost, 1, __ATOMIC_RELAXED);
            iol__store_partial(IOL_SLOT_DXT_POSIX);
            return;
        }
        if (p->chunks[way])
            p->chunks[way]->next = (uint64_t)((uint8_t *)chunk - iol__store_state.base);
        else
            p->first_chunks[way] = chunk;
        p->chunks[way] = chunk;
    }
    segment *to = (segment *)(void *)(chunk + 1) + chunk->used;
    *to = (segment){offset, size, begin, end, (uint64_t)pthread_self()};
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    chunk->used++;
}

const iol__trace_chunk *iol__trace_following(const iol__trace_chunk *chunk) {
    return chunk->next ? (const iol__trace_chunk *)(const void *)(iol__store_state.base + chunk->next) : NULL;
}

static bool below(double share, int64_t part, int64_t whole) {
    return share >= 0 && (double)part < share * (double)whole;
}

void iol__trace_filter(iol__posix *p, const int64_t *ints) {
    if (!p->chunks[IOL_READ] && !p->chunks[IOL_WRITE]) return;
    const iol__config *config = &iol__core_state.config;
    const int64_t whole = ints[IOL_POSIX_READS] + ints[IOL_POSIX_WRITES];
    int64_t small = 0;
    for (int i = 0; i < 3; i++) small += ints[IOL_POSIX_SIZE_READ_0_100 + i] + ints[IOL_POSIX_SIZE_WRITE_0_100 + i];
    if (!below(iol__setting_number(config, IOL_SET_TRACE_SMALL_IO), small, whole) &&
        !below(iol__setting_number(config, IOL_SET_TRACE_UNALIGNED_IO), ints[IOL_POSIX_FILE_NOT_ALIGNED], whole))
        return;
    for (int way = 0; way < 2; way++)
        for (const iol__trace_chunk *c = p->first_chunks[way]; c; c = iol__trace_following(c))
            ((iol__trace_chunk *)(uintptr_t)c)->used = 0;
}
