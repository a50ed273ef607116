/* Traces grow in chunks, small ones first, until the budget is used up; then the log says how many operations it lacks.
   */
#include "runtime/core/trace.h"

#include <errno.h>
#include <pthread.h>
#include <string.h>

#include "record/where.h"
#include "runtime/core/files.h"
#include "runtime/core/store.h"

enum { FIRST_SEGMENTS = 12, MOST_SEGMENTS = 1600 };

typedef struct segment {
    int64_t offset, size;
    double begin, end;
    uint64_t thread;
} segment;

_Static_assert(sizeof(segment) == 40, "a segment with its thread");

void iol__trace_begin(iol__trace *trace, const iol__state *state, int slot) {
    const bool traced = iol__store_state.trace_budget > 0 && !state->folded && !(state->file->refused >> slot & 1) &&
                        iol__module_enabled(&iol__core_state.config, slot);
    *trace = (iol__trace){.slot = traced ? (uint8_t)slot : 0};
}

static iol__trace_chunk *new_chunk(const iol__trace *trace, uint64_t id, iol__direction direction) {
    const iol__trace_chunk *last = trace->chunks[direction];
    uint32_t room = last ? last->room * 2 : FIRST_SEGMENTS;
    if (room > MOST_SEGMENTS) room = MOST_SEGMENTS;
    if (!iol__files_enter()) return NULL;
    iol__trace_chunk *chunk = NULL;
    for (; !chunk && room >= FIRST_SEGMENTS; room /= 2)
        if ((chunk = iol__store_chunk(sizeof *chunk + room * sizeof(segment))) != NULL) break;
    if (chunk) {
        *chunk = (iol__trace_chunk){.id = id, .slot = trace->slot, .write = direction == IOL_WRITE, .room = room};
        iol__store_chunk_commit(trace->slot, sizeof *chunk + room * sizeof(segment));
    }
    iol__files_leave();
    return chunk;
}

void iol__trace_add(iol__trace *trace, uint64_t id, iol__direction direction, int64_t offset, int64_t size,
                    double begin, double end, uint32_t mark) {
    iol__trace_chunk *chunk = trace->chunks[direction];
    if (IOL_UNLIKELY(!chunk || chunk->used >= chunk->room)) {
        const int saved = errno;
        chunk = new_chunk(trace, id, direction);
        errno = saved;
        if (!chunk) {
            __atomic_add_fetch(&iol__store_facts()->trace_lost, 1, __ATOMIC_RELAXED);
            iol__store_partial(trace->slot);
            return;
        }
        if (trace->chunks[direction])
            trace->chunks[direction]->next = (uint64_t)((uint8_t *)chunk - iol__store_state.base);
        else
            trace->first_chunks[direction] = chunk;
        trace->chunks[direction] = chunk;
    }
    segment *to = (segment *)(void *)(chunk + 1) + chunk->used;
    if (IOL_UNLIKELY(mark != 0)) iol__where_put_mark(&begin, &end, mark & 0xffff);
    *to = (segment){offset, size, begin, end, (uint64_t)pthread_self()};
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    chunk->used++;
}

const iol__trace_chunk *iol__trace_following(const iol__trace_chunk *chunk) {
    return chunk->next ? (const iol__trace_chunk *)(const void *)(iol__store_state.base + chunk->next) : NULL;
}

static int64_t count_segments(const iol__trace_chunk *chunk) {
    int64_t n = 0;
    for (; chunk; chunk = iol__trace_following(chunk)) n += chunk->used;
    return n;
}

bool iol__trace_head_of(const iol__trace *trace, uint64_t id, int64_t rank, const char *host, iol__trace_head *head) {
    *head = (iol__trace_head){.id = id,
                              .rank = rank,
                              .writes = count_segments(trace->first_chunks[IOL_WRITE]),
                              .reads = count_segments(trace->first_chunks[IOL_READ])};
    memcpy(head->host, host, strnlen(host, sizeof head->host));
    return head->writes + head->reads > 0;
}

void iol__trace_drop(iol__trace *trace) {
    for (int direction = 0; direction < 2; direction++)
        for (const iol__trace_chunk *c = trace->first_chunks[direction]; c; c = iol__trace_following(c))
            ((iol__trace_chunk *)(uintptr_t)c)->used = 0;
}

iol__trace *iol__trace_of(iol__state *state) {
    const size_t at = state->module->trace;
    return at ? (iol__trace *)(void *)((uint8_t *)state + at) : NULL;
}

iol__state *iol__trace_owner(const iol__trace_chunk *chunk) {
    const iol__file *file = iol__file_by_id(chunk->id);
    for (unsigned m = 0; file && m < IOL_MODULES; m++) {
        iol__state *state = file->states[m];
        if (state && state->module->trace && iol__trace_of(state)->slot == chunk->slot) return state;
    }
    return NULL;
}
