/* Counters of the STDIO module. */
#include "runtime/stdio/stdio.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio_ext.h>
#include <string.h>

#include "record/hash.h"
#include "record/reduce.h"
#include "runtime/posix/operations.h"
#include "runtime/core/files.h"
#include "runtime/core/filter.h"
#include "runtime/core/heatmap.h"
#include "runtime/core/sys.h"
#include "runtime/core/real.h"
#include "runtime/core/store.h"
#include "runtime/posix/posix.h"
#include "runtime/where/where.h"

#define REALS(record) ((double *)(void *)((record) + 2 + IOL_STDIO_INTS))

iol__rt_stream *iol__streams[IOL_DESCRIPTORS];
#define NONE_YET HUGE_VAL /* as the time of the last transfer: the first one is to take a closer look */
static const char names[3][10] = {"<STDIN>", "<STDOUT>", "<STDERR>"};
static iol__stdio absent;       /* never has a record */
static iol__rt_stream *streams; /* all of them */
static iol__rt_stream *spare;   /* those that are closed */

static void begin_record(iol__state *state, void *record) {
    iol__stdio *p = (iol__stdio *)(void *)state;
    p->last_time[IOL_STDIO_READ] = p->last_time[IOL_STDIO_WRITE] = NONE_YET;
    p->last_time[IOL_STDIO_META] = p->bare = 0;
    if (state->file->name[0] == '<' && !state->folded)
        ((int64_t *)record + 2)[IOL_STDIO_OPENS] = 1; /* a standard stream */
}

static uint64_t weight(const iol__state *state) {
    const int64_t *ints = (const int64_t *)state->record + 2;
    const double *reals = (const double *)(const void *)(ints + IOL_STDIO_INTS);
    return iol__weight(reals[IOL_STDIO_F_READ_TIME] + reals[IOL_STDIO_F_WRITE_TIME] + reals[IOL_STDIO_F_META_TIME],
                       ints[IOL_STDIO_BYTES_READ] + ints[IOL_STDIO_BYTES_WRITTEN]);
}

static void fold(iol__state *to, const iol__state *from) {
    int64_t *record = to->record, *added = from->record;
    static iol__common_sums sums;
    iol__reduction_combine(iol__common_sums_of(&sums, IOL_SLOT_STDIO), record + 2, REALS(record), added + 2,
                           REALS(added), false);
}

static void forked(void);
static void reset(void);

iol__runtime_module iol__stdio_module = {
    .slot = IOL_SLOT_STDIO,
    .version = 2,
    .record_bytes = 16 + 8 * (IOL_STDIO_INTS + IOL_STDIO_REALS),
    .state_bytes = sizeof(iol__stdio),
    .begin = begin_record,
    .weight = weight,
    .fold = fold,
    .forked = forked,
    .reset = reset,
    .finish = iol__stdio_finish,
};

/* Streams ---------------------------------------------------------------------------------------------------------- */

static iol__rt_stream *new_stream(FILE *stream, iol__file *file) {
    const int fd = stream->_fileno;
    if ((unsigned)fd >= IOL_DESCRIPTORS || !file || iol__stdio_module.off || !iol__files_enter()) return NULL;
    iol__rt_stream *s = iol__streams[fd] ? iol__streams[fd] : spare;
    if (!s) {
        s = iol__files_memory(sizeof *s);
        if (s) {
            s->next = streams;
            streams = s;
        }
    } else if (s == spare) {
        spare = s->again;
    }
    if (s) {
        iol__rt_stream *next = s->next;
        if (iol__streams[fd]) iol__file_done(s->file);
        iol__file_hold(file);
        *s = (iol__rt_stream){.quick = &absent.state, .file = file, .handle = stream, .next = next, .used = true};
        iol__stream_seen(s, stream);
        iol__streams[fd] = s;
    }
    iol__files_leave();
    return s;
}

void iol__stream_forget(int fd) {
    if ((unsigned)fd >= IOL_DESCRIPTORS || !iol__streams[fd] || !iol__mine()) return;
    iol__rt_stream *s = iol__streams[fd];
    iol__streams[fd] = NULL;
    s->used = false;
    iol__file_done(s->file);
    if (!iol__files_enter()) return;
    s->again = spare;
    spare = s;
    iol__files_leave();
}

iol__rt_stream *iol__stream_discover(FILE *stream) {
    if (iol__stdio_module.off || !iol__awake()) return NULL;
    const int which = stream == stdin ? 0 : stream == stdout ? 1 : stream == stderr ? 2 : -1;
    if (which < 0) return NULL;
    const int saved = errno;
    iol__rt_stream *s = new_stream(stream, iol__file_named(names[which], strlen(names[which])));
    errno = saved;
    return s;
}

static iol__stdio *state_of(iol__rt_stream *s) {
    iol__state *state = s->stdio;
    if (IOL_UNLIKELY(!state || !iol__state_ready(state))) {
        state = iol__state_of(s->file, &iol__stdio_module);
        if (!state) return NULL;
        s->stdio = state;
        if (!s->append && !iol__where_on) s->quick = state;
    }
    return (iol__stdio *)(void *)state;
}

/* The same, but nobody makes a record of a standard stream just to flush or to close it, as most programs do at their
   end. */
static iol__stdio *state_of_used(iol__rt_stream *s) {
    const bool used = s->stdio && iol__state_ready(s->stdio);
    return used || !iol__stdio_standard(s->file->id) ? state_of(s) : NULL;
}

/* Counting --------------------------------------------------------------------------------------------------------- */

_Static_assert(IOL_STDIO_WRITES == IOL_STDIO_READS + 1 && IOL_STDIO_BYTES_READ == IOL_STDIO_BYTES_WRITTEN + 1 &&
                   IOL_STDIO_MAX_BYTE_WRITTEN == IOL_STDIO_MAX_BYTE_READ + 1 &&
                   IOL_STDIO_F_READ_TIME == IOL_STDIO_F_WRITE_TIME + 1 &&
                   IOL_STDIO_F_READ_START_TIMESTAMP == IOL_STDIO_F_WRITE_START_TIMESTAMP + 1 &&
                   IOL_STDIO_F_READ_END_TIMESTAMP == IOL_STDIO_F_WRITE_END_TIMESTAMP + 1,
               "counters of reads and writes stand side by side, not all in the same order");

static inline __attribute__((always_inline)) void add_bytes(int64_t *record, int direction, int64_t offset,
                                                            int64_t size) {
    int64_t *ints = record + 2;
    const int64_t last = offset + size - 1;
    ints[IOL_STDIO_READS + direction]++;
    ints[IOL_STDIO_BYTES_READ - direction] += size;
    if (ints[IOL_STDIO_MAX_BYTE_READ + direction] < last) ints[IOL_STDIO_MAX_BYTE_READ + direction] = last;
}

static inline __attribute__((always_inline)) void add_times(iol__stdio *p, int64_t *record, int direction, double begin,
                                                            double end) {
    double *reals = REALS(record), *last = &p->last_time[direction];
    if (IOL_LIKELY(begin >= *last)) {
        /* behind all others, and so behind the first one's start */
        reals[IOL_STDIO_F_READ_END_TIMESTAMP - direction] = end;
        reals[IOL_STDIO_F_READ_TIME - direction] += end - begin;
        *last = end;
        return;
    }
    iol__stamp(&reals[IOL_STDIO_F_READ_START_TIMESTAMP - direction], &reals[IOL_STDIO_F_READ_END_TIMESTAMP - direction],
               begin, end);
    if (*last == NONE_YET) *last = 0;
    iol__add_time(last, &reals[IOL_STDIO_F_READ_TIME - direction], begin, end);
}

static void apply_transfer(const iol__update *update) {
    iol__stdio *p = update->record;
    if (!iol__guard_enter(&p->state.guard)) {
        iol__update_keep(&p->state.guard, update);
        return;
    }
    int64_t *record = p->state.record;
    if (record) add_bytes(record, update->kind, update->offset, update->size);
    if (record && update->end > 0) add_times(p, record, update->kind, update->begin, update->end);
    iol__guard_leave(&p->state.guard);
}

/* Where a write went on a stream that was opened for appending: libc knows, and is asked once; later ones follow on. */
static __attribute__((noinline)) int64_t end_of_file(iol__rt_stream *s, int64_t size) {
    if (!s->end_known && iol__real.ftello64) {
        const int saved = errno;
        const int64_t behind = iol__real.ftello64(s->handle);
        errno = saved;
        s->end = behind >= size ? behind - size : 0;
        s->end_known = true;
    }
    return s->end;
}

static int64_t next_offset(iol__rt_stream *s, iol__stdio_direction direction, int64_t size) {
    const bool at_end = direction == IOL_STDIO_WRITE && IOL_UNLIKELY(s->append);
    const int64_t offset = at_end ? end_of_file(s, size) : s->offset;
    s->offset = offset + size;
    if (at_end) s->end = offset + size;
    return offset;
}

/* Any transfer; one that is not timed has no end. */
static __attribute__((noinline)) void add_slow(iol__rt_stream *s, iol__stdio_direction direction, int64_t size,
                                               double begin, double end) {
    iol__stdio *p = state_of(s);
    if (!p) return;
    const int64_t offset = next_offset(s, direction, size);
    apply_transfer(&(iol__update){apply_transfer, p, offset, size, begin, end, (int32_t)direction, 0});
    iol__where(s->file->id, IOL_WHERE_STDIO, direction == IOL_STDIO_WRITE ? IOL_WHERE_WRITE : IOL_WHERE_READ, size,
               begin, end);
}

static __attribute__((noinline)) intptr_t transfer_slow(iol__rt_stream *s, int64_t size, intptr_t result,
                                                        iol__stdio_direction direction, double begin) {
    const double end = iol__now();
    const int64_t quiet = __atomic_exchange_n(&s->quiet[direction], 0, __ATOMIC_RELAXED);
    s->timed[direction] = true;
    add_slow(s, direction, size, begin, end);
    iol__heat(IOL_HEAT_STDIO, direction == IOL_STDIO_WRITE, size + quiet, begin, end);
    return result;
}

static __attribute__((noinline)) intptr_t leave_slowly(iol__stdio_direction direction, int64_t size, intptr_t result,
                                                       double begin, double end) {
    if (iol__updates_waiting) iol__updates_apply();
    iol__heat(IOL_HEAT_STDIO, direction == IOL_STDIO_WRITE, size, begin, end);
    return result;
}

/* As the one of the POSIX module: nothing is called, what is unusual is somebody else's, the record is read inside the
   guard. */
static inline __attribute__((always_inline)) intptr_t
transfer(iol__rt_stream *s, int64_t size, intptr_t result, iol__stdio_direction direction, bool alone, double begin) {
    double end;
    iol__stdio *p = (iol__stdio *)(void *)s->quick;
    if (IOL_UNLIKELY(s->quiet[direction] != 0 || !iol__now_quick(&end) || !iol__guard_take(&p->state.guard, alone)))
        return transfer_slow(s, size, result, direction, begin);
    int64_t *record = p->state.record;
    if (IOL_UNLIKELY(!record)) {
        iol__guard_drop(&p->state.guard);
        return transfer_slow(s, size, result, direction, begin);
    }
    const int64_t offset = s->offset;
    s->offset = offset + size;
    s->timed[direction] = true;
    add_bytes(record, (int)direction, offset, size);
    add_times(p, record, (int)direction, begin, end);
    iol__guard_drop(&p->state.guard);
    if (IOL_UNLIKELY(iol__updates_waiting) ||
        IOL_UNLIKELY(!(alone && iol__heat_alone(IOL_HEAT_STDIO, direction == IOL_STDIO_WRITE, size, begin, end))))
        return leave_slowly(direction, size, result, begin, end);
    return result;
}

static __attribute__((noinline)) intptr_t read_shared(iol__rt_stream *s, int64_t size, intptr_t result, double begin) {
    return transfer(s, size, result, IOL_STDIO_READ, false, begin);
}

static __attribute__((noinline)) intptr_t write_shared(iol__rt_stream *s, int64_t size, intptr_t result, double begin) {
    return transfer(s, size, result, IOL_STDIO_WRITE, false, begin);
}

intptr_t iol__stdio_read(iol__rt_stream *s, int64_t size, const FILE *stream, intptr_t result, double begin) {
    iol__stream_seen(s, stream);
    if (!iol__alone()) return read_shared(s, size, result, begin);
    return transfer(s, size, result, IOL_STDIO_READ, true, begin);
}

intptr_t iol__stdio_write(iol__rt_stream *s, int64_t size, const FILE *stream, intptr_t result, double begin) {
    iol__stream_seen(s, stream);
    if (!iol__alone()) return write_shared(s, size, result, begin);
    return transfer(s, size, result, IOL_STDIO_WRITE, true, begin);
}

/* What the buffer served is counted, and in the heat map later. */
static inline __attribute__((always_inline)) void add_untimed(iol__rt_stream *s, iol__stdio_direction direction,
                                                              int64_t size) {
    iol__stdio *p = (iol__stdio *)(void *)s->quick;
    if (IOL_UNLIKELY(!iol__guard_try(&p->state.guard))) {
        add_slow(s, direction, size, 0, 0);
        return;
    }
    int64_t *record = p->state.record;
    const int64_t offset = s->offset;
    if (IOL_LIKELY(record != NULL)) {
        s->offset = offset + size;
        add_bytes(record, (int)direction, offset, size);
    }
    iol__guard_leave(&p->state.guard);
    if (IOL_UNLIKELY(!record)) add_slow(s, direction, size, 0, 0);
}

static inline void add_quiet(int64_t *quiet, int64_t size) {
    if (iol__alone())
        *quiet += size;
    else
        __atomic_add_fetch(quiet, size, __ATOMIC_RELAXED);
}

void iol__stdio_quiet_read(iol__rt_stream *s, int64_t size) {
    add_untimed(s, IOL_STDIO_READ, size);
    add_quiet(&s->quiet[IOL_STDIO_READ], size);
}

void iol__stdio_quiet_write(iol__rt_stream *s, int64_t size) {
    add_untimed(s, IOL_STDIO_WRITE, size);
    add_quiet(&s->quiet[IOL_STDIO_WRITE], size);
}

static __attribute__((noinline)) size_t quiet_slow(iol__rt_stream *s, iol__stdio_direction direction, int64_t size,
                                                   size_t result) {
    if (size == 0) return result;
    add_untimed(s, direction, size);
    add_quiet(&s->quiet[direction], size);
    return result;
}

/* Nothing is called where one thread is alone, as in `transfer`. */
static inline __attribute__((always_inline)) size_t quiet_of(iol__rt_stream *s, iol__stdio_direction direction,
                                                             int64_t size, const FILE *stream, size_t result) {
    iol__stdio *p = (iol__stdio *)(void *)s->quick;
    iol__stream_seen(s, stream);
    if (IOL_UNLIKELY(!iol__alone() || size == 0 || iol__updates_waiting || !p->state.record ||
                     !iol__guard_take(&p->state.guard, true)))
        return quiet_slow(s, direction, size, result);
    int64_t *record = p->state.record;
    const int64_t offset = s->offset;
    s->offset = offset + size;
    s->quiet[direction] += size;
    add_bytes(record, (int)direction, offset, size);
    iol__guard_drop(&p->state.guard);
    return result;
}

size_t iol__stdio_quiet_read_of(iol__rt_stream *s, int64_t size, const FILE *stream, size_t result) {
    return quiet_of(s, IOL_STDIO_READ, size, stream, result);
}

size_t iol__stdio_quiet_write_of(iol__rt_stream *s, int64_t size, const FILE *stream, size_t result) {
    return quiet_of(s, IOL_STDIO_WRITE, size, stream, result);
}

/* Transfers that were not timed are over by now; those of characters alone have no times. */
static void end_by(iol__rt_stream *s, int direction, double now) {
    iol__stdio *p = (iol__stdio *)(void *)s->stdio;
    if (!p || !s->timed[direction] || !iol__guard_enter(&p->state.guard)) return;
    int64_t *record = p->state.record;
    double *end = record ? &REALS(record)[IOL_STDIO_F_READ_END_TIMESTAMP - direction] : NULL;
    if (end && *end > 0 && *end < now) *end = now;
    iol__guard_leave(&p->state.guard);
}

static void warm(iol__rt_stream *s, double now) {
    for (int direction = 0; direction < 2; direction++) {
        if (!__atomic_load_n(&s->quiet[direction], __ATOMIC_RELAXED)) continue;
        const int64_t quiet = __atomic_exchange_n(&s->quiet[direction], 0, __ATOMIC_RELAXED);
        if (!quiet) continue;
        iol__heat(IOL_HEAT_STDIO, direction == IOL_STDIO_WRITE, quiet, now, now);
        end_by(s, direction, now);
    }
}

void iol__stdio_catch_up(iol__rt_stream *s) {
    const FILE *f = s->handle;
    const char *read = f->_IO_read_ptr, *write = f->_IO_write_ptr;
    if (f->_mode > 0) return; /* wide characters have other pointers */
    /* A buffer that was filled again is counted from its start; a step back, as ungetc takes it, is not counted. */
    const bool same = s->seen[0] >= f->_IO_read_base && s->seen[0] <= f->_IO_read_end;
    const char *base = same ? s->seen[0] : f->_IO_read_base;
    if (read > base) {
        add_slow(s, IOL_STDIO_READ, read - base, s->refill_begin, s->refill_end);
        s->quiet[IOL_STDIO_READ] += read - base;
        s->refill_begin = s->refill_end = 0;
    }
    base = s->seen[1] >= f->_IO_write_base && s->seen[1] <= write ? s->seen[1] : f->_IO_write_base;
    if (write > base) iol__stdio_quiet_write(s, write - base);
    s->seen[0] = read;
    s->seen[1] = write;
}

/* Everything else -------------------------------------------------------------------------------------------------- */

_Static_assert(IOL_STDIO_F_CLOSE_END_TIMESTAMP - IOL_STDIO_F_CLOSE_START_TIMESTAMP ==
                   IOL_STDIO_F_OPEN_END_TIMESTAMP - IOL_STDIO_F_OPEN_START_TIMESTAMP,
               "ends stand at one distance behind starts");
enum { LEAST_BUFFER = 512 };

enum { BEHIND = IOL_STDIO_F_OPEN_END_TIMESTAMP - IOL_STDIO_F_OPEN_START_TIMESTAMP, NONE = -1 };

static bool enter(iol__stdio *p) {
    if (iol__guard_enter(&p->state.guard)) return true;
    iol__count_lost();
    return false;
}

/* One more of up to two counters, and of the time; `start` is where its first one begins. */
static void add_meta(iol__stdio *p, int counter, int other, int start, double begin, double end) {
    if (!enter(p)) return;
    int64_t *record = p->state.record;
    if (record) {
        double *reals = REALS(record);
        if (counter != NONE) record[2 + counter]++;
        if (other != NONE) record[2 + other]++;
        if (start == IOL_STDIO_F_CLOSE_START_TIMESTAMP && record[2 + IOL_STDIO_OPENS] > 1)
            iol__operation_add(IOL_OPERATION_REOPENED, false, reals[IOL_STDIO_F_OPEN_END_TIMESTAMP], begin);
        if (start != NONE) iol__stamp(&reals[start], &reals[start + BEHIND], begin, end);
        iol__add_time(&p->last_time[IOL_STDIO_META], &reals[IOL_STDIO_F_META_TIME], begin, end);
    }
    iol__guard_leave(&p->state.guard);
    const unsigned kind = counter == IOL_STDIO_OPENS   ? IOL_WHERE_OPEN
                          : counter == IOL_STDIO_SEEKS ? IOL_WHERE_SEEK
                                                       : IOL_WHERE_CLOSE;
    iol__where(p->state.file->id, IOL_WHERE_STDIO, kind, 0, begin, end);
}

/* `path` is NULL where the file is that of the descriptor. */
void iol__stdio_opened(FILE *stream, const char *path, int flags, bool from_descriptor, double begin) {
    const double end = iol__now();
    const int fd = stream->_fileno;
    bool excluded = false;
    iol__file *file = NULL;
    if (path) {
        file = iol__file_at(AT_FDCWD, path, &excluded);
        if (file) iol__file_hold(file); /* for the descriptor, and for us */
        iol__opened *opened = iol__descriptor_new(fd, file, excluded);
        if (opened) opened->append = flags & O_APPEND;
        if (!opened && file) iol__file_done(file);
    }
    const iol__opened *known = !path                                 ? iol__descriptor(fd)
                               : excluded && iol__filter_alias(path) ? iol__descriptor_discover(fd)
                                                                     : NULL;
    if (known) iol__file_hold(file = known->file);
    iol__stream_forget(fd);
    iol__rt_stream *s = file ? new_stream(stream, file) : NULL;
    if (file) iol__file_done(file);
    if (s) s->append = flags & O_APPEND;
    iol__stdio *p = s ? state_of(s) : NULL;
    if (!p) return;
    add_meta(p, IOL_STDIO_OPENS, from_descriptor ? IOL_STDIO_FDOPENS : NONE, IOL_STDIO_F_OPEN_START_TIMESTAMP, begin,
             end);
}

void iol__stdio_flushed(iol__rt_stream *s, double begin) {
    const double end = iol__now();
    iol__stdio *p = state_of_used(s);
    if (!p || !enter(p)) return;
    int64_t *record = p->state.record;
    if (record) record[2 + IOL_STDIO_FLUSHES]++;
    if (record) add_times(p, record, IOL_STDIO_WRITE, begin, end);
    iol__guard_leave(&p->state.guard);
    warm(s, end);
    iol__where(s->file->id, IOL_WHERE_STDIO, IOL_WHERE_SYNC, 0, begin, end);
}

void iol__stdio_sought(iol__rt_stream *s, int64_t offset, double begin) {
    const double end = iol__now();
    iol__stdio *p = state_of(s);
    if (p) add_meta(p, IOL_STDIO_SEEKS, NONE, NONE, begin, end);
    if (offset >= 0) s->offset = offset;
}

void iol__stdio_closed(iol__rt_stream *s, double begin) {
    const double end = iol__now();
    iol__stdio *p = state_of_used(s);
    warm(s, end);
    if (!p) return;
    add_meta(p, NONE, NONE, IOL_STDIO_F_CLOSE_START_TIMESTAMP, begin, end);
}

/* Nothing is gained by a buffer of a few bytes, or by one that goes out with each line; that is usual for standard output
   alone, on a terminal. */
static bool is_bare(FILE *stream) {
    const size_t size = __fbufsize(stream);
    return (size > 0 && size < LEAST_BUFFER) || (__flbf(stream) && stream->_fileno > 2);
}

/* Seconds of reads and writes since the last stream without a buffer on this file. */
static double bare_time(iol__rt_stream *s) {
    iol__stdio *p = state_of(s);
    double since = 0;
    if (p && iol__guard_enter(&p->state.guard)) {
        const double *reals = REALS((int64_t *)p->state.record);
        const double all = reals[IOL_STDIO_F_READ_TIME] + reals[IOL_STDIO_F_WRITE_TIME];
        since = all - p->bare;
        p->bare = all;
        iol__guard_leave(&p->state.guard);
    }
    return since;
}

void iol__stdio_bare(iol__rt_stream *s, FILE *stream) {
    if (stream->_fileno == 2 || !is_bare(stream)) return;
    iol__operation_add(IOL_OPERATION_UNBUFFERED, false, 0, stream->_fileno > 2 ? bare_time(s) : 0);
}

static struct {
    iol__file *file; /* NULL: nobody asked, or it is counted */
    double begin, end;
} early[3];

bool iol__stdio_asked_early(iol__rt_stream *s, int fd, double begin) {
    const iol__opened *opened = iol__descriptor(fd);
    if (!opened || !iol__stdio_standard(s->file->id)) return false;
    iol__file_hold(opened->file);
    early[fd].file = opened->file;
    early[fd].begin = begin;
    early[fd].end = iol__now();
    return true;
}

static void count_early(void) {
    for (int fd = 0; fd < 3; fd++) {
        if (!early[fd].file) continue;
        if (iol__store_state.made) iol__posix_asked_early(early[fd].file, early[fd].begin, early[fd].end);
        iol__file_done(early[fd].file);
        early[fd].file = NULL;
    }
}

/* Streams may have been closed behind our back, so only those that libc itself still lists are looked at. */
static void visit_open_streams(void (*visit)(iol__rt_stream *s, FILE *open)) {
    FILE *open = iol__real.open_streams ? *iol__real.open_streams : NULL;
    for (int i = 0; open && i < IOL_DESCRIPTORS; i++, open = open->_chain) {
        const int fd = open->_fileno;
        iol__rt_stream *s = (unsigned)fd < IOL_DESCRIPTORS ? iol__streams[fd] : NULL;
        if (s && s->handle == open) visit(s, open);
    }
}

static void finish_stream(iol__rt_stream *s, FILE *open) {
    iol__stdio_catch_up(s);
    warm(s, iol__now());
    iol__stdio_bare(s, open);
}

void iol__stdio_finish(void) {
    count_early();
    for (iol__rt_stream *s = streams; s; s = s->next)
        if (s->used) warm(s, iol__now());
    if (streams && !iol__has_other_threads()) visit_open_streams(finish_stream);
}

/* What moved the buffer's pointers before the fork was a call of the parent, which may be under way in another of its
   threads. libc holds its list of streams still during a fork. */
static void start_from_here(iol__rt_stream *s, FILE *open) {
    if (s->seen[0] != open->_IO_read_ptr || s->seen[1] != open->_IO_write_ptr) iol__stream_seen(s, open);
}

static void forked(void) { visit_open_streams(start_from_here); }

/* In a forked child: what the parent counted is the parent's. */
static void reset(void) {
    for (int fd = 0; fd < 3; fd++) early[fd].file = NULL;
    for (iol__rt_stream *s = streams; s; s = s->next) s->quiet[0] = s->quiet[1] = 0;
}

bool iol__stdio_standard(uint64_t id) {
    static uint64_t ids[3];
    for (int i = 0; i < 3 && ids[2] == 0; i++) ids[i] = iol__hash(names[i], strlen(names[i]), 0);
    return id == ids[0] || id == ids[1] || id == ids[2];
}

/* Wide characters -------------------------------------------------------------------------------------------------- */

size_t iol__stdio_wide_byte(wint_t c) {
    char bytes[16];
    mbstate_t state = {0};
    const int saved = errno;
    const size_t got = wcrtomb(bytes, (wchar_t)c, &state);
    errno = saved;
    return got == (size_t)-1 ? 1 : got;
}

size_t iol__stdio_wide_bytes(const wchar_t *text) {
    size_t bytes = 0;
    while (*text) bytes += iol__stdio_wide_byte((wint_t)*text++);
    return bytes;
}
