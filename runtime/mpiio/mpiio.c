/* Counters of the MPI-IO module, and the files that handles stand for. */
#include "runtime/mpiio/mpiio.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>

#include "runtime/core/files.h"
#include "runtime/core/handles.h"
#include "runtime/core/heatmap.h"
#include "runtime/mpiio/module.h"
#include "runtime/where/where.h"

#define INTS(p) ((int64_t *)(p)->state.record + 2)
#define REALS(p) ((double *)(void *)(INTS(p) + IOL_MPIIO_INTS))

static iol__handles handles;
static iol__mpiio_file *files, *spare;

static void begin_record(iol__state *state, void *record) {
    iol__mpiio *p = (iol__mpiio *)(void *)state;
    iol__common_pair *sizes = p->sizes.more;
    memset(&p->state + 1, 0, sizeof *p - sizeof p->state);
    p->sizes.more = sizes;
    iol__trace_begin(&p->trace, state, IOL_SLOT_DXT_MPIIO);
    if (state->folded) ((int64_t *)record + 2)[IOL_MPIIO_RW_SWITCHES] = -1;
}

iol__runtime_module iol__mpiio_module = {
    .slot = IOL_SLOT_MPIIO,
    .version = 3,
    .record_bytes = 16 + 8 * (IOL_MPIIO_INTS + IOL_MPIIO_REALS),
    .state_bytes = sizeof(iol__mpiio),
    .trace = offsetof(iol__mpiio, trace),
    .begin = begin_record,
    .reset = iol__mpiio_reset,
    .settle = iol__mpiio_finish,
};

iol__mpiio *iol__mpiio_state_again(iol__mpiio_file *file) {
    iol__mpiio *p = (iol__mpiio *)(void *)iol__state_of(file->file, &iol__mpiio_module);
    file->state = p;
    file->seen.positioned = p && p->trace.slot && !file->sequential;
    return p;
}

/* Nobody does MPI-IO in a signal handler, so whoever is in the record is another thread, which does not stay. */
static inline bool enter(iol__mpiio *p) {
    if (IOL_LIKELY(iol__guard_enter(&p->state.guard))) return true;
    iol__count_lost();
    return false;
}

/* Transfers -------------------------------------------------------------------------------------------------------- */

_Static_assert(IOL_MPIIO_INDEP_WRITES == IOL_MPIIO_INDEP_READS + 1 &&
                   IOL_MPIIO_COLL_READS == IOL_MPIIO_INDEP_READS + 2 * IOL_MPIIO_COLLECTIVE &&
                   IOL_MPIIO_SPLIT_READS == IOL_MPIIO_INDEP_READS + 2 * IOL_MPIIO_SPLIT &&
                   IOL_MPIIO_NB_READS == IOL_MPIIO_INDEP_READS + 2 * IOL_MPIIO_NONBLOCKING,
               "the counters of the kinds stand side by side");
_Static_assert(IOL_MPIIO_BYTES_WRITTEN == IOL_MPIIO_BYTES_READ + 1 &&
                   IOL_MPIIO_SIZE_WRITE_AGG_0_100 == IOL_MPIIO_SIZE_READ_AGG_0_100 + IOL_SIZE_BUCKETS &&
                   IOL_MPIIO_MAX_WRITE_TIME_SIZE == IOL_MPIIO_MAX_READ_TIME_SIZE + 1 &&
                   IOL_MPIIO_F_WRITE_START_TIMESTAMP == IOL_MPIIO_F_READ_START_TIMESTAMP + 1 &&
                   IOL_MPIIO_F_WRITE_END_TIMESTAMP == IOL_MPIIO_F_READ_END_TIMESTAMP + 1 &&
                   IOL_MPIIO_F_WRITE_TIME == IOL_MPIIO_F_READ_TIME + 1 &&
                   IOL_MPIIO_F_MAX_WRITE_TIME == IOL_MPIIO_F_MAX_READ_TIME + 1 &&
                   IOL_MPIIO_ACCESS1_COUNT == IOL_MPIIO_ACCESS1_ACCESS + 4,
               "those of reads and writes, too");

static inline void add_time(iol__mpiio *p, iol__direction direction, double begin, double end) {
    iol__add_time(&p->last_time[direction], &REALS(p)[IOL_MPIIO_F_READ_TIME + (int)direction], begin, end);
}

static inline void add_counts(iol__mpiio *p, const iol__mpiio_transfer *t) {
    int64_t *ints = INTS(p), *sizes = ints + IOL_MPIIO_ACCESS1_ACCESS, *counts = ints + IOL_MPIIO_ACCESS1_COUNT;
    const int direction = t->write ? IOL_WRITE : IOL_READ;
    ints[IOL_MPIIO_INDEP_READS + 2 * (int)t->kind + direction]++;
    ints[IOL_MPIIO_BYTES_READ + direction] += t->bytes;
    if (IOL_UNLIKELY(t->bytes != p->last_size)) {
        p->last_size = t->bytes;
        p->bucket = (uint8_t)iol__size_bucket(t->bytes);
    }
    ints[IOL_MPIIO_SIZE_READ_AGG_0_100 + direction * IOL_SIZE_BUCKETS + p->bucket]++;
    if (IOL_UNLIKELY(t->bytes == 0 || !iol__common_leads(t->bytes, sizes, counts)))
        iol__common_count(&p->sizes, t->bytes, sizes, counts);
    const uint8_t now = (uint8_t)(direction + 1);
    if (IOL_LIKELY(p->last_direction == now)) return;
    if (p->last_direction && !p->state.folded) ints[IOL_MPIIO_RW_SWITCHES]++;
    p->last_direction = now;
}

static inline void add_end(iol__mpiio *p, int direction, const iol__mpiio_transfer *t, double blocked, double end) {
    double *reals = REALS(p);
    iol__stamp(&reals[IOL_MPIIO_F_READ_START_TIMESTAMP + direction], &reals[IOL_MPIIO_F_READ_END_TIMESTAMP + direction],
               t->begin, end);
    if (blocked <= reals[IOL_MPIIO_F_MAX_READ_TIME + direction]) return;
    reals[IOL_MPIIO_F_MAX_READ_TIME + direction] = blocked;
    INTS(p)[IOL_MPIIO_MAX_READ_TIME_SIZE + direction] = t->bytes;
}

/* Inside the guard. */
static inline __attribute__((always_inline)) void count(iol__mpiio *p, const iol__mpiio_transfer *t) {
    const iol__direction direction = t->write ? IOL_WRITE : IOL_READ;
    add_counts(p, t);
    add_end(p, (int)direction, t, t->end - t->begin, t->end);
    add_time(p, direction, t->begin, t->end);
}

void iol__mpiio_count(iol__mpiio *p, const iol__mpiio_transfer *t) {
    if (!enter(p)) return;
    count(p, t);
    iol__guard_leave(&p->state.guard);
}

static inline void trace(iol__mpiio *p, const iol__mpiio_transfer *t, double end) {
    if (IOL_UNLIKELY(p->trace.slot))
        iol__trace_add(&p->trace, p->state.file->id, t->write ? IOL_WRITE : IOL_READ, t->offset, t->bytes, t->begin,
                       end, t->mark);
}

void iol__mpiio_complete(iol__mpiio *p, const iol__mpiio_transfer *t, double wait, double end) {
    const iol__direction direction = t->write ? IOL_WRITE : IOL_READ;
    if (!p->state.record || !enter(p)) return; /* one that a forked child knows of is its parent's */
    if (wait > 0) {
        add_end(p, (int)direction, t, t->end - t->begin + end - wait, end);
        add_time(p, direction, wait, end);
    }
    trace(p, t, end);
    iol__guard_leave(&p->state.guard);
    iol__heat(IOL_HEAT_MPIIO, t->write, t->bytes, t->begin, end);
}

iol__mpiio_transfer iol__mpiio_marked(const iol__mpiio *p, const iol__mpiio_transfer *t) {
    iol__mpiio_transfer marked = *t;
    marked.mark = p && p->trace.slot ? iol__where_mark() : 0;
    return marked;
}

static void transfer(iol__mpiio_file *file, const iol__mpiio_transfer *t) {
    iol__mpiio *p = iol__mpiio_state(file);
    const iol__mpiio_transfer marked = iol__mpiio_marked(p, t);
    if (!p || !enter(p)) return;
    count(p, t);
    if (IOL_UNLIKELY(p->trace.slot)) trace(p, &marked, t->end);
    iol__guard_leave(&p->state.guard);
    iol__heat(IOL_HEAT_MPIIO, t->write, t->bytes, t->begin, t->end);
}

/* Files ------------------------------------------------------------------------------------------------------------ */

static iol__mpiio_file *new_file(void) {
    iol__mpiio_file *file = spare, *next;
    if (file) {
        spare = file->again;
        next = file->next;
    } else {
        file = iol__files_memory(sizeof *file);
        next = files;
        if (file) files = file;
    }
    if (file) *file = (iol__mpiio_file){.next = next, .view = {.unit = 1, .bytes = 1, .extent = 1}};
    return file;
}

static void give_back(iol__mpiio_file *file) {
    file->again = spare;
    spare = file;
}

/* A handle that was closed unseen, and has come again, stands for the new file only. */
static iol__mpiio_file *add_file(uint64_t handle, iol__file *named) {
    if (!iol__files_enter()) return NULL;
    iol__mpiio_file *old = iol__handle_remove(&handles, handle);
    if (old) give_back(old);
    iol__mpiio_file *file = named ? new_file() : NULL;
    if (file) {
        file->file = named;
        file->handle = handle;
        if (!iol__handle_set(&handles, handle, file)) {
            give_back(file);
            file = NULL;
        }
    }
    iol__files_leave();
    return file;
}

static iol__mpiio_file *find(uint64_t handle) {
    iol__mpiio_file *file = iol__handle_find(&handles, handle);
    return file && iol__awake() ? file : NULL;
}

static void add_meta(iol__mpiio *p, double begin, double end) { add_time(p, IOL_META, begin, end); }

static iol__mpiio_file *opened(uint64_t handle, const char *path, const iol__mpiio_opening *how) {
    bool excluded = false;
    if (!iol__awake() || !iol__there(path) || iol__mpiio_module.off) return NULL;
    const int saved = errno;
    iol__mpiio_file *file = add_file(handle, iol__file_at(AT_FDCWD, iol__path_without_prefix(path), &excluded));
    if (file) file->sequential = how->sequential;
    iol__mpiio *p = file ? iol__mpiio_state(file) : NULL;
    if (p && enter(p)) {
        int64_t *ints = INTS(p);
        double *reals = REALS(p);
        ints[how->collective ? IOL_MPIIO_COLL_OPENS : IOL_MPIIO_INDEP_OPENS]++;
        ints[IOL_MPIIO_HINTS] += how->hinted;
        ints[IOL_MPIIO_MODE] = how->mode;
        iol__stamp(&reals[IOL_MPIIO_F_OPEN_START_TIMESTAMP], &reals[IOL_MPIIO_F_OPEN_END_TIMESTAMP], how->begin,
                   how->end);
        add_meta(p, how->begin, how->end);
        iol__guard_leave(&p->state.guard);
    }
    errno = saved;
    return p ? file : NULL;
}

static bool hints_wanted(iol__mpiio_file *file, uint64_t from) {
    iol__mpiio *p = iol__mpiio_state(file);
    if (!p || p->state.folded || p->hints_from == from) return false;
    p->hints_from = from;
    return true;
}

static void hints(iol__mpiio_file *file, const char *pairs, size_t length) {
    iol__mpiio *p = iol__mpiio_state(file);
    if (p && !p->state.folded) iol__mpiio_note_hints(p, pairs, length);
}

static void viewed(iol__mpiio_file *file, const iol__mpiio_view *view, bool hinted, double begin, double end) {
    iol__mpiio *p = iol__mpiio_state(file);
    file->view = *view;
    if (!p || !enter(p)) return;
    INTS(p)[IOL_MPIIO_VIEWS]++;
    INTS(p)[IOL_MPIIO_HINTS] += hinted;
    add_meta(p, begin, end);
    iol__guard_leave(&p->state.guard);
}

static void synced(iol__mpiio_file *file, double begin, double end) {
    iol__mpiio *p = iol__mpiio_state(file);
    if (!p || !enter(p)) return;
    INTS(p)[IOL_MPIIO_SYNCS]++;
    add_time(p, IOL_WRITE, begin, end);
    iol__guard_leave(&p->state.guard);
}

/* Its end was not seen. */
static void finish_split(iol__mpiio_file *file) {
    iol__mpiio *p = file->split.of;
    file->split.of = NULL;
    if (p) iol__mpiio_complete(p, &file->split.transfer, 0, file->split.transfer.end);
}

static iol__mpiio_file *closing(uint64_t handle) {
    if (!find(handle) || !iol__files_enter()) return NULL;
    iol__mpiio_file *file = iol__handle_remove(&handles, handle);
    iol__files_leave();
    return file;
}

static void closed(iol__mpiio_file *file, bool failed, double begin, double end) {
    iol__mpiio *p = iol__mpiio_state(file);
    if (!failed) finish_split(file);
    if (!iol__files_enter()) return;
    if (!failed || !iol__handle_set(&handles, file->handle, file)) give_back(file);
    iol__files_leave();
    if (failed || !p || !enter(p)) return;
    double *reals = REALS(p);
    iol__stamp(&reals[IOL_MPIIO_F_CLOSE_START_TIMESTAMP], &reals[IOL_MPIIO_F_CLOSE_END_TIMESTAMP], begin, end);
    add_meta(p, begin, end);
    iol__guard_leave(&p->state.guard);
}

/* Offsets ---------------------------------------------------------------------------------------------------------- */

static int64_t offset(const iol__mpiio_file *file, int64_t position) {
    const iol__mpiio_view *v = &file->view;
    int64_t at, tiles;
    if (position < 0 || v->bytes <= 0 || __builtin_mul_overflow(position, v->unit, &at) ||
        __builtin_mul_overflow(at / v->bytes, v->extent, &tiles) ||
        __builtin_add_overflow(v->displacement + v->start, tiles, &tiles) ||
        __builtin_add_overflow(tiles, at % v->bytes, &at))
        return IOL_MPIIO_NOWHERE;
    return at;
}

/* ------------------------------------------------------------------------------------------------------------------ */

const struct iol__mpiio_calls iol__mpiio_calls = {
    .opened = opened,
    .hints_wanted = hints_wanted,
    .hints = hints,
    .find = find,
    .offset = offset,
    .viewed = viewed,
    .synced = synced,
    .closing = closing,
    .closed = closed,
    .transfer = transfer,
    .split_begun = iol__mpiio_split_begun,
    .split_ended = iol__mpiio_split_ended,
    .begun = iol__mpiio_begun,
    .operation = iol__mpiio_operation_of,
    .done = iol__mpiio_done,
};

void iol__mpiio_finish(void) {
    for (iol__mpiio_file *file = files; file; file = file->next) finish_split(file);
    iol__mpiio_operations_finish();
}

void iol__mpiio_reset(void) {
    for (iol__mpiio_file *file = files; file; file = file->next) file->split.of = NULL;
    iol__mpiio_operations_reset();
    iol__mpiio_hints_reset();
}
