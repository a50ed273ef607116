/* Counters of the POSIX module. The order of the steps in a transfer is that of the documentation of the counters; what
   looks odd there (nothing at offset 0 is sequential) is what tools have always been given. */
#include "runtime/posix/posix.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>

#include "record/reduce.h"
#include "runtime/core/files.h"
#include "runtime/core/filter.h"
#include "runtime/core/heatmap.h"
#include "runtime/posix/operations.h"
#include "runtime/core/sys.h"
#include "runtime/core/store.h"
#include "runtime/lustre/lustre.h"
#include "runtime/posix/late.h"
#include "runtime/posix/pages.h"
#include "runtime/posix/trace.h"
#include "runtime/where/where.h"

#define INTS(state) ((int64_t *)(state)->record + 2)
#define REALS(ints) ((double *)(void *)((ints) + IOL_POSIX_INTS))

uint64_t iol__posix_memory_mask, iol__posix_memory_odd;
static int64_t memory_alignment;
static bool sizes_wanted;
static iol__posix absent;

/* Counters that depend on the order of accesses; folded records do not have them. */
static const int ordered[] = {IOL_POSIX_CONSEC_READS, IOL_POSIX_CONSEC_WRITES, IOL_POSIX_SEQ_READS,
                              IOL_POSIX_SEQ_WRITES, IOL_POSIX_RW_SWITCHES};

static void begin_record(iol__state *state, void *record) {
    iol__posix *p = (iol__posix *)(void *)state;
    int64_t *ints = (int64_t *)record + 2;
    const int64_t block = state->folded ? -1 : iol__file_alignment(state->file);
    /* block sizes are powers of two nearly always, and a division is expensive */
    const bool odd = block > 0 && (block & (block - 1));
    iol__common_pair *sizes = p->sizes.more, *strides = p->strides.more;
    memset(&p->state + 1, 0, sizeof *p - sizeof p->state);
    p->odd = odd ? block : 0;
    p->mask = odd ? -1 : block > 0 ? block - 1 : 0;
    p->sizes.more = sizes;
    p->strides.more = strides;
    p->strides.zero = true; /* the first transfer has none */
    ints[IOL_POSIX_MEM_ALIGNMENT] = memory_alignment;
    ints[IOL_POSIX_FILE_ALIGNMENT] = block;
    iol__trace_begin(&p->trace, state, IOL_SLOT_DXT_POSIX);
    p->plain = !state->folded && !odd && !p->trace.slot;
    if (!state->folded) return;
    for (size_t i = 0; i < sizeof ordered / sizeof *ordered; i++) ints[ordered[i]] = -1;
}

static uint64_t weight(const iol__state *state) {
    const iol__posix *p = (const iol__posix *)(const void *)state;
    const int64_t *ints = (const int64_t *)state->record + 2;
    const double *reals = (const double *)(const void *)(ints + IOL_POSIX_INTS);
    if (p->trace.chunks[IOL_READ] || p->trace.chunks[IOL_WRITE]) return UINT64_MAX; /* they bear the id of the file */
    return iol__weight(reals[IOL_POSIX_F_READ_TIME] + reals[IOL_POSIX_F_WRITE_TIME] + reals[IOL_POSIX_F_META_TIME],
                       ints[IOL_POSIX_BYTES_READ] + ints[IOL_POSIX_BYTES_WRITTEN]);
}

/* The order of accesses, which the sums would make up, stays unknown. */
static void fold(iol__state *to, const iol__state *from) {
    iol__posix *p = (iol__posix *)(void *)to;
    const iol__posix *other = (const iol__posix *)(const void *)from;
    int64_t *ints = INTS(to), *added = INTS(from);
    static iol__common_sums sums;
    iol__reduction_combine(iol__common_sums_of(&sums, IOL_SLOT_POSIX), ints, REALS(ints), added, REALS(added), false);
    iol__common_merge(&p->sizes, ints + IOL_POSIX_ACCESS1_ACCESS, ints + IOL_POSIX_ACCESS1_COUNT, &other->sizes,
                      added + IOL_POSIX_ACCESS1_ACCESS, added + IOL_POSIX_ACCESS1_COUNT);
    for (size_t i = 0; i < sizeof ordered / sizeof *ordered; i++) ints[ordered[i]] = -1;
}

static void start(void);

iol__runtime_module iol__posix_module = {
    .slot = IOL_SLOT_POSIX,
    .version = 4,
    .record_bytes = 16 + 8 * (IOL_POSIX_INTS + IOL_POSIX_REALS),
    .state_bytes = sizeof(iol__posix),
    .trace = offsetof(iol__posix, trace),
    .begin = begin_record,
    .weight = weight,
    .fold = fold,
    .start = start,
    .settle = iol__posix_finish,
};

iol__state *iol__posix_absent(void) { return &absent.state; }

static void start(void) {
    const iol__config *config = &iol__core_state.config;
    memory_alignment = (int64_t)iol__setting_number(config, IOL_SET_MEM_ALIGNMENT);
    if (memory_alignment < 1) memory_alignment = 1;
    sizes_wanted = iol__setting_flag(config, IOL_SET_FILE_SIZES);
    const uint64_t alignment = (uint64_t)memory_alignment;
    const bool odd = alignment & (alignment - 1);
    iol__posix_memory_mask = odd ? UINT64_MAX : alignment - 1;
    iol__posix_memory_odd = odd ? alignment : 0;
}

bool iol__posix_vector_unaligned(const struct iovec *vector, int count) {
    for (int i = 0; i < count; i++)
        if (iol__posix_unaligned(vector[i].iov_base)) return true;
    return false;
}

/* The state to record into, NULL if there is none. */
static inline iol__posix *state_of(iol__opened *opened) {
    iol__state *state = opened->posix;
    if (IOL_UNLIKELY(!iol__state_ready(state))) {
        state = iol__state_of(opened->file, &iol__posix_module);
        if (!state) return NULL;
        opened->posix = state;
    }
    return (iol__posix *)(void *)state;
}

enum { ASK_END = 16 }; /* writes to the end */

/* Transfers -------------------------------------------------------------------------------------------------------- */

/* Where a call went that wrote to the end of the file. Later writes of this process follow on, but others may append in
   between: it is asked for again from time to time, so that the file is not taken for shorter than what went into it. */
static int64_t end_of_file(iol__posix *p, int fd, ssize_t size) {
    if (!p->end_known || ++p->appended % ASK_END == 0) {
        const int saved = errno;
        const long now = sys(lseek, fd, 0L, SEEK_CUR);
        errno = saved;
        if (now >= size) p->end = now - size;
        p->end_known = true;
    }
    return p->end;
}

/* The same where the call says by a flag that it is to go to the end: the position may be anywhere. */
static int64_t end_by_flag(iol__posix *p, iol__opened *opened, int fd, int64_t offset, ssize_t size) {
    if (!p->end_known) {
        struct stat now = {0};
        const int saved = errno;
        if (sys(fstat, fd, &now) == 0 && now.st_size >= size) p->end = now.st_size - size;
        errno = saved;
        p->end_known = true;
    }
    if (offset == IOL_AT_END_MOVING) opened->offset = p->end + size;
    return p->end;
}

/* Returns the stride. */
static inline __attribute__((always_inline)) int64_t
add_position(iol__posix *p, int64_t *ints, iol__direction direction, int64_t offset, int64_t size) {
    const int64_t last = p->last_byte[direction];
    const uint8_t now = (uint8_t)(direction + 1);
    int64_t stride = 0;
    p->last_byte[direction] = offset + size - 1;
    if (IOL_UNLIKELY(p->last_direction != now)) {
        if (p->last_direction) ints[IOL_POSIX_RW_SWITCHES]++;
        p->last_direction = now;
    }
    if (offset > last) {
        ints[IOL_POSIX_SEQ_READS + (int)direction]++;
        const int64_t gap = offset - last - 1;
        if (gap == 0)
            ints[IOL_POSIX_CONSEC_READS + (int)direction]++;
        else if (last != 0)
            stride = gap;
    }
    return stride;
}

/* Written once for both directions: the counters of writes stand at a fixed distance behind those of reads. */
_Static_assert(IOL_POSIX_WRITES == IOL_POSIX_READS + 1 && IOL_POSIX_BYTES_WRITTEN == IOL_POSIX_BYTES_READ + 1 &&
                   IOL_POSIX_MAX_BYTE_WRITTEN == IOL_POSIX_MAX_BYTE_READ + 1 &&
                   IOL_POSIX_CONSEC_WRITES == IOL_POSIX_CONSEC_READS + 1 &&
                   IOL_POSIX_SEQ_WRITES == IOL_POSIX_SEQ_READS + 1 &&
                   IOL_POSIX_SIZE_WRITE_0_100 == IOL_POSIX_SIZE_READ_0_100 + IOL_SIZE_BUCKETS &&
                   IOL_POSIX_MAX_WRITE_TIME_SIZE == IOL_POSIX_MAX_READ_TIME_SIZE + 1 &&
                   IOL_POSIX_F_WRITE_START_TIMESTAMP == IOL_POSIX_F_READ_START_TIMESTAMP + 1 &&
                   IOL_POSIX_F_WRITE_END_TIMESTAMP == IOL_POSIX_F_READ_END_TIMESTAMP + 1 &&
                   IOL_POSIX_F_WRITE_TIME == IOL_POSIX_F_READ_TIME + 1 &&
                   IOL_POSIX_F_MAX_WRITE_TIME == IOL_POSIX_F_MAX_READ_TIME + 1,
               "reads and writes stand side by side");
_Static_assert(IOL_POSIX_STRIDE1_COUNT == IOL_POSIX_STRIDE1_STRIDE + 4 &&
                   IOL_POSIX_ACCESS1_COUNT == IOL_POSIX_ACCESS1_ACCESS + 4,
               "four values, then four counts");

static inline __attribute__((always_inline)) void add_times(iol__posix *p, int64_t *ints, int direction, int64_t size,
                                                            double begin, double end) {
    double *reals = REALS(ints), *last = &p->last_time[direction];
    const double took = end - begin;
    if (IOL_UNLIKELY(took > reals[IOL_POSIX_F_MAX_READ_TIME + direction])) {
        reals[IOL_POSIX_F_MAX_READ_TIME + direction] = took;
        ints[IOL_POSIX_MAX_READ_TIME_SIZE + direction] = size;
    }
    if (IOL_LIKELY(begin >= *last && ints[IOL_POSIX_READS + direction] > 1)) {
        /* behind all others, and so behind the first one's start */
        reals[IOL_POSIX_F_READ_END_TIMESTAMP + direction] = end;
        reals[IOL_POSIX_F_READ_TIME + direction] += took;
        *last = end;
        return;
    }
    iol__stamp(&reals[IOL_POSIX_F_READ_START_TIMESTAMP + direction], &reals[IOL_POSIX_F_READ_END_TIMESTAMP + direction],
               begin, end);
    iol__add_time(last, &reals[IOL_POSIX_F_READ_TIME + direction], begin, end);
}

/* The heart of it all, made once for each direction so that the compiler knows where every counter is. It calls nothing;
   what is left are the common values, the stride (which it returns) among them. The record is the one that the caller
   saw inside the guard: the state may lose it at any moment, if a signal handler forks and comes back here as the
   child; then this goes to memory that nobody reads any more. */
static inline __attribute__((always_inline)) int64_t add_counts(iol__posix *p, int64_t *ints, iol__direction which,
                                                                int64_t offset, int64_t size, uint64_t unaligned,
                                                                bool folded, double begin, double end) {
    const int direction = (int)which;
    const int64_t stride = folded ? 0 : add_position(p, ints, which, offset, size);
    const int64_t last = offset + size - 1;
    if (direction == IOL_WRITE && last >= p->end) p->end = last + 1;
    if (ints[IOL_POSIX_MAX_BYTE_READ + direction] < last) ints[IOL_POSIX_MAX_BYTE_READ + direction] = last;
    ints[IOL_POSIX_BYTES_READ + direction] += size;
    ints[IOL_POSIX_READS + direction]++;
    if (IOL_UNLIKELY(size != p->last_size)) {
        p->last_size = size;
        p->bucket = (uint8_t)iol__size_bucket(size);
    }
    int64_t *buckets = ints + IOL_POSIX_SIZE_READ_0_100 + direction * IOL_SIZE_BUCKETS;
    buckets[p->bucket]++;
    ints[IOL_POSIX_MEM_NOT_ALIGNED] += (int64_t)unaligned;
    if (offset & p->mask) ints[IOL_POSIX_FILE_NOT_ALIGNED]++;
    add_times(p, ints, direction, size, begin, end);
    return stride;
}

static void add_size(iol__posix *p, int64_t *ints, int64_t size) {
    iol__common_count(&p->sizes, size, ints + IOL_POSIX_ACCESS1_ACCESS, ints + IOL_POSIX_ACCESS1_COUNT);
}

static void add_stride(iol__posix *p, int64_t *ints, int64_t stride) {
    if (stride) iol__common_count(&p->strides, stride, ints + IOL_POSIX_STRIDE1_STRIDE, ints + IOL_POSIX_STRIDE1_COUNT);
}

/* Inside the guard, of any file. */
static void add_transfer(iol__posix *p, int64_t *ints, iol__direction direction, int64_t offset, int64_t size,
                         bool unaligned, double begin, double end, uint32_t mark) {
    const int64_t before = ints[IOL_POSIX_FILE_NOT_ALIGNED];
    int64_t stride;
    if (direction == IOL_READ)
        stride = add_counts(p, ints, IOL_READ, offset, size, unaligned, p->state.folded, begin, end);
    else
        stride = add_counts(p, ints, IOL_WRITE, offset, size, unaligned, p->state.folded, begin, end);
    if (p->odd && offset % p->odd == 0) ints[IOL_POSIX_FILE_NOT_ALIGNED] = before;
    add_size(p, ints, size);
    add_stride(p, ints, stride);
    if (p->trace.slot) iol__trace_add(&p->trace, p->state.file->id, direction, offset, size, begin, end, mark);
}

/* `extra`: whether memory is unaligned, and above that the mark of the chain of callers. */
static void apply_transfer(const iol__update *u) {
    iol__posix *p = u->record;
    if (!iol__guard_enter(&p->state.guard)) {
        iol__update_keep(&p->state.guard, u);
        return;
    }
    int64_t *record = p->state.record;
    if (record)
        add_transfer(p, record + 2, (iol__direction)u->kind, u->offset, u->size, u->extra & 1, u->begin, u->end,
                     (uint32_t)u->extra >> 1);
    iol__guard_leave(&p->state.guard);
}

/* Where a call went that does not say so. */
static int64_t find_offset(iol__posix *p, iol__opened *opened, int fd, iol__direction direction, int64_t offset,
                           ssize_t size) {
    if (offset != IOL_HERE) return offset < IOL_HERE + 3 ? end_by_flag(p, opened, fd, offset, size) : offset;
    offset = direction == IOL_WRITE && opened->append ? end_of_file(p, fd, size) : opened->offset;
    opened->offset = offset + size;
    return offset;
}

/* Any transfer. */
static __attribute__((noinline)) ssize_t transfer_slow(iol__opened *opened, int fd, int64_t offset, ssize_t size,
                                                       uint64_t unaligned, iol__direction direction, double begin) {
    iol__posix_transfer_between(opened, fd, offset, size, unaligned, direction, begin, iol__now());
    return size;
}

void iol__posix_transfer_between(iol__opened *opened, int fd, int64_t offset, int64_t size, bool unaligned,
                                 iol__direction direction, double begin, double end) {
    iol__posix *p = state_of(opened);
    if (!p) {
        if (opened == &iol__late_opened && !iol__late_transfer(fd, direction, offset, size, unaligned, begin, end))
            iol__count_lost();
        return;
    }
    offset = find_offset(p, opened, fd, direction, offset, size);
    const uint32_t mark = p->trace.slot ? iol__where_mark() : 0;
    apply_transfer(&(iol__update){apply_transfer, p, offset, size, begin, end, (int32_t)direction,
                                  (int32_t)(mark << 1 | unaligned)});
    iol__heat(IOL_HEAT_POSIX, direction == IOL_WRITE, size, begin, end);
    iol__where(opened->file->id, IOL_WHERE_POSIX, direction == IOL_WRITE ? IOL_WHERE_WRITE : IOL_WHERE_READ, size,
               begin, end);
}

/* Ends with what looks at the stack, which then begins with the program. */
static inline __attribute__((always_inline)) ssize_t leave_where(uint64_t id, iol__direction direction, ssize_t size,
                                                                 double begin, double end) {
    const unsigned kind = direction == IOL_WRITE ? IOL_WHERE_WRITE : IOL_WHERE_READ;
    return iol__where_add(id, iol__where_what(IOL_WHERE_POSIX, kind), size, begin, end);
}

static __attribute__((noinline)) ssize_t leave_slowly(uint64_t id, iol__direction direction, ssize_t size, double begin,
                                                      double end) {
    if (iol__updates_waiting) iol__updates_apply();
    iol__heat(IOL_HEAT_POSIX, direction == IOL_WRITE, size, begin, end);
    return IOL_UNLIKELY(iol__where_on) ? leave_where(id, direction, size, begin, end) : size;
}

/* A size or a stride that does not lead. The size is that of the call; `size_too`: it is one that does not. */
static __attribute__((noinline)) ssize_t leave_common(iol__posix *p, int64_t *record, iol__direction direction,
                                                      ssize_t size, int64_t stride, bool size_too, double begin,
                                                      double end) {
    int64_t *ints = record + 2;
    if (size_too) add_size(p, ints, size);
    add_stride(p, ints, stride);
    iol__guard_drop(&p->state.guard);
    return leave_slowly(p->state.file->id, direction, size, begin, end);
}

/* Nearly all transfers: nothing is called, and whatever is unusual is somebody else's who returns in our place. So no
   register has to be saved. It is made for a process with one thread, which is `alone`, and for one with more. The record
   is read inside the guard: before, it may go to another file (files.c). Updates that wait for this thread are made
   whenever it lets go of a record the next time. */
static inline __attribute__((always_inline)) ssize_t transfer(iol__opened *opened, int fd, int64_t offset, ssize_t size,
                                                              uint64_t unaligned, iol__direction direction, bool alone,
                                                              double begin) {
    double end;
    iol__posix *p = (iol__posix *)(void *)__atomic_load_n(&opened->posix, __ATOMIC_RELAXED);
    if (IOL_UNLIKELY(!iol__now_quick(&end) || !iol__guard_take(&p->state.guard, alone)))
        return transfer_slow(opened, fd, offset, size, unaligned, direction, begin);
    int64_t *record = p->state.record;
    if (IOL_UNLIKELY(!record || !p->plain)) {
        iol__guard_drop(&p->state.guard);
        return transfer_slow(opened, fd, offset, size, unaligned, direction, begin);
    }
    iol__race("update");
    int64_t *ints = record + 2;
    int64_t stride = add_counts(p, ints, direction, offset, size, unaligned, false, begin, end);
    const bool leads = iol__common_leads(size, ints + IOL_POSIX_ACCESS1_ACCESS, ints + IOL_POSIX_ACCESS1_COUNT);
    if (stride && iol__common_leads(stride, ints + IOL_POSIX_STRIDE1_STRIDE, ints + IOL_POSIX_STRIDE1_COUNT))
        stride = 0;
    if (IOL_UNLIKELY(!leads || stride)) return leave_common(p, record, direction, size, stride, !leads, begin, end);
    iol__guard_drop(&p->state.guard);
    const bool write = direction == IOL_WRITE;
    if (IOL_UNLIKELY(iol__updates_waiting) ||
        IOL_UNLIKELY(!(alone ? iol__heat_alone(IOL_HEAT_POSIX, write, size, begin, end)
                             : iol__heat_among(IOL_HEAT_POSIX, write, size, begin, end))))
        return leave_slowly(p->state.file->id, direction, size, begin, end);
    return IOL_UNLIKELY(iol__where_on) ? leave_where(p->state.file->id, direction, size, begin, end) : size;
}

static __attribute__((noinline)) ssize_t read_shared(iol__opened *opened, int fd, int64_t offset, ssize_t size,
                                                     uint64_t unaligned, double begin) {
    return transfer(opened, fd, offset, size, unaligned, IOL_READ, false, begin);
}

static __attribute__((noinline)) ssize_t write_shared(iol__opened *opened, int fd, int64_t offset, ssize_t size,
                                                      uint64_t unaligned, double begin) {
    return transfer(opened, fd, offset, size, unaligned, IOL_WRITE, false, begin);
}

/* Whether it is clear where a transfer went, and that it counts. */
static inline __attribute__((always_inline)) bool settled(iol__opened *opened, int64_t *offset, ssize_t size) {
    if (IOL_UNLIKELY(size <= 0)) return false;
    if (*offset >= 0) return true;
    if (IOL_UNLIKELY(*offset != IOL_HERE || opened->append)) return false;
    *offset = opened->offset;
    opened->offset = *offset + size;
    return true;
}

/* The same for a write to the end of the file, where that is known (end_of_file). */
static inline __attribute__((always_inline)) bool settled_at_end(iol__opened *opened, int64_t *offset, ssize_t size) {
    iol__posix *p = (iol__posix *)(void *)__atomic_load_n(&opened->posix, __ATOMIC_RELAXED);
    if (*offset != IOL_HERE || size <= 0 || !iol__state_ready(&p->state) || !p->end_known ||
        (p->appended + 1) % ASK_END == 0)
        return false;
    p->appended++;
    *offset = p->end;
    opened->offset = *offset + size;
    return true;
}

ssize_t iol__posix_read(iol__opened *opened, int fd, int64_t offset, ssize_t size, uint64_t unaligned, double begin) {
    if (IOL_UNLIKELY(!settled(opened, &offset, size)))
        return transfer_slow(opened, fd, offset, size, unaligned, IOL_READ, begin);
    if (!iol__alone()) return read_shared(opened, fd, offset, size, unaligned, begin);
    return transfer(opened, fd, offset, size, unaligned, IOL_READ, true, begin);
}

ssize_t iol__posix_write(iol__opened *opened, int fd, int64_t offset, ssize_t size, uint64_t unaligned, double begin) {
    if (IOL_UNLIKELY(!settled(opened, &offset, size)) && !settled_at_end(opened, &offset, size))
        return transfer_slow(opened, fd, offset, size, unaligned, IOL_WRITE, begin);
    if (!iol__alone()) return write_shared(opened, fd, offset, size, unaligned, begin);
    return transfer(opened, fd, offset, size, unaligned, IOL_WRITE, true, begin);
}

/* Who asked for it is no longer on the stack. */
void iol__posix_async(iol__state *state, iol__direction direction, int64_t offset, ssize_t size, bool unaligned,
                      double begin) {
    const double end = iol__now();
    iol__posix *p = (iol__posix *)(void *)state;
    const uint32_t mark = iol__where_on ? IOL_WHERE_MARKED : 0;
    apply_transfer(&(iol__update){apply_transfer, p, offset, size, begin, end, (int32_t)direction,
                                  (int32_t)(mark << 1 | unaligned)});
    iol__heat(IOL_HEAT_POSIX, direction == IOL_WRITE, size, begin, end);
}

iol__state *iol__posix_state(iol__opened *opened) {
    iol__posix *p = state_of(opened);
    if (p) opened->file->pinned = true; /* nobody knows how long */
    return p ? &p->state : NULL;
}

/* Everything else -------------------------------------------------------------------------------------------------- */

static void apply_count(const iol__update *update);

static __attribute__((noinline)) void keep_count(iol__posix *p, int counter, iol__direction direction, double begin,
                                                 double end) {
    iol__update_keep(&p->state.guard,
                     &(iol__update){apply_count, p, 0, 0, begin, end, (int32_t)counter, (int32_t)direction});
}

/* One of a counter, and time of a class. */
static inline __attribute__((always_inline)) void add_one(iol__posix *p, int64_t *ints, int counter,
                                                          iol__direction direction, double begin, double end) {
    double *reals = REALS(ints);
    ints[counter]++;
    if (direction == IOL_META)
        iol__add_time(&p->last_time[IOL_META], &reals[IOL_POSIX_F_META_TIME], begin, end);
    else
        iol__add_time(&p->last_time[direction], &reals[IOL_POSIX_F_READ_TIME + (int)direction], begin, end);
    if (counter == IOL_POSIX_OPENS)
        iol__stamp(&reals[IOL_POSIX_F_OPEN_START_TIMESTAMP], &reals[IOL_POSIX_F_OPEN_END_TIMESTAMP], begin, end);
}

static unsigned where_kind(int counter) {
    switch (counter) {
    case IOL_POSIX_OPENS: return IOL_WHERE_OPEN;
    case IOL_POSIX_STATS: return IOL_WHERE_STAT;
    case IOL_POSIX_SEEKS: return IOL_WHERE_SEEK;
    case IOL_POSIX_FSYNCS:
    case IOL_POSIX_FDSYNCS: return IOL_WHERE_SYNC;
    default: return IOL_WHERE_OTHER;
    }
}

static inline __attribute__((always_inline)) void count_in_record(iol__posix *p, int counter, iol__direction direction,
                                                                  double begin, double end) {
    if (IOL_UNLIKELY(!iol__guard_enter(&p->state.guard))) {
        keep_count(p, counter, direction, begin, end);
        return;
    }
    int64_t *record = p->state.record;
    if (IOL_LIKELY(record != NULL)) add_one(p, record + 2, counter, direction, begin, end);
    iol__guard_leave(&p->state.guard);
}

static inline __attribute__((always_inline)) void count(iol__posix *p, int counter, iol__direction direction,
                                                        double begin, double end) {
    count_in_record(p, counter, direction, begin, end);
    iol__where(p->state.file->id, IOL_WHERE_POSIX, where_kind(counter), 0, begin, end);
}

/* Later, when whoever made the call is no longer on the stack. */
static void apply_count(const iol__update *update) {
    count_in_record(update->record, update->kind, (iol__direction)update->extra, update->begin, update->end);
}

void iol__posix_count(iol__opened *opened, int counter, iol__direction direction, int operation, bool failed,
                      double begin) {
    const double end = iol__now();
    const int saved = errno;
    iol__posix *p = state_of(opened);
    if (p && !failed) count(p, counter, direction, begin, end);
    if (p)
        iol__operation_add(operation, failed, begin, end);
    else if (opened == &iol__late_opened)
        iol__count_lost();
    errno = saved;
}

/* The size that a file has when it is first opened; the file system's own memory of it is good enough. */
static __attribute__((noinline)) void note_size(const iol__posix *p, int fd, bool empty) {
    struct statx facts = {0};
    const int saved = errno;
    if (!empty && sys(statx, fd, "", AT_EMPTY_PATH | AT_STATX_DONT_SYNC, STATX_SIZE | STATX_TYPE, &facts) != 0)
        facts.stx_mode = S_IFIFO;
    errno = saved;
    if ((!empty && !S_ISREG(facts.stx_mode)) || !iol__files_enter()) return;
    if (!iol__store_size(p->state.file->id, (int64_t)facts.stx_size)) iol__count_lost();
    iol__files_leave();
}

/* How a file was opened changes what its requests cost; the record has no room for it. */
static __attribute__((noinline)) void note_flags(int flags) {
    if (flags & (O_SYNC | O_DSYNC)) iol__operation_add(IOL_OPERATION_OPEN_SYNC, false, 0, 0);
    if (flags & O_DIRECT) iol__operation_add(IOL_OPERATION_OPEN_DIRECT, false, 0, 0);
}

/* What opening does to the file's state and record. */
static inline __attribute__((always_inline)) void add_open(iol__posix *p, int64_t *ints, int flags, mode_t mode,
                                                           double begin, double end) {
    if ((flags & O_TRUNC) || ((flags & O_CREAT) && (flags & O_EXCL))) {
        p->end = 0;
        p->end_known = true;
    } else if (flags & O_APPEND) {
        p->end_known = false; /* others may have written since */
    }
    if (mode) ints[IOL_POSIX_MODE] = mode;
    p->last_byte[IOL_READ] = p->last_byte[IOL_WRITE] = 0;
    add_one(p, ints, IOL_POSIX_OPENS, IOL_META, begin, end);
}

static inline __attribute__((always_inline)) void opened_file(iol__opened *opened, int fd, int flags, mode_t mode,
                                                              double begin, double end) {
    opened->append = flags & O_APPEND;
    opened->read_only = (flags & O_ACCMODE) == O_RDONLY;
    iol__posix *p = state_of(opened);
    if (!p) return;
    bool first = false;
    if (IOL_UNLIKELY(!iol__guard_enter(&p->state.guard))) {
        keep_count(p, IOL_POSIX_OPENS, IOL_META, begin, end);
    } else {
        int64_t *record = p->state.record;
        if (record) {
            first = record[2 + IOL_POSIX_OPENS] == 0;
            add_open(p, record + 2, flags, mode, begin, end);
        }
        iol__guard_leave(&p->state.guard);
    }
    iol__operation_add(IOL_OPERATION_OPEN, false, begin, end);
    iol__where(opened->file->id, IOL_WHERE_POSIX, IOL_WHERE_OPEN, 0, begin, end);
    if (IOL_UNLIKELY(flags & (O_SYNC | O_DSYNC | O_DIRECT))) note_flags(flags);
    if (IOL_UNLIKELY(sizes_wanted) && first && !p->state.folded) note_size(p, fd, p->end_known && p->end == 0);
}

/* The descriptor is nobody's here: that of a child of vfork, or beyond those that are kept. The use of the file ends. */
static void count_open(iol__file *file, double begin, double end) {
    iol__state *state = iol__state_of(file, &iol__posix_module);
    if (state) {
        count((iol__posix *)(void *)state, IOL_POSIX_OPENS, IOL_META, begin, end);
        iol__operation_add(IOL_OPERATION_OPEN, false, begin, end);
    }
    iol__file_done(file);
}

/* The descriptor is asked for at its next use; what the file is called may be known then. */
static __attribute__((noinline)) void open_later(int fd, int directory, const char *path, int flags, mode_t mode,
                                                 double begin, double end) {
    iol__descriptor_forget(fd);
    if (iol__late_open(fd, directory, path, flags, mode, begin, end)) iol__lost_found();
}

static inline __attribute__((always_inline)) void opened_between(int fd, int directory, const char *path, int flags,
                                                                 mode_t mode, double begin, double end) {
    bool excluded = false;
    iol__file *file = iol__file_at(directory, path, &excluded);
    iol__opened *opened = iol__descriptor_new(fd, file, excluded);
    if (!opened && excluded && iol__filter_alias(path)) opened = iol__descriptor_discover(fd);
    if (opened)
        opened_file(opened, fd, flags, mode, begin, end);
    else if (file)
        count_open(file, begin, end);
    else if (!excluded && iol__files_inside())
        open_later(fd, directory, path, flags, mode, begin, end);
}

void iol__posix_opened(int fd, int directory, const char *path, int flags, mode_t mode, double begin) {
    opened_between(fd, directory, path, flags, mode, begin, iol__now());
}

void iol__posix_opened_between(int fd, int directory, const char *path, int flags, mode_t mode, double begin,
                               double end) {
    opened_between(fd, directory, path, flags, mode, begin, end);
}

void iol__posix_opened_late(int fd, iol__file *file, int flags, mode_t mode, double begin) {
    const double end = iol__now();
    if ((unsigned)fd >= IOL_DESCRIPTORS) return;
    iol__opened *opened = iol__descriptors[fd];
    if (opened == IOL_UNKNOWN) {
        opened = iol__descriptor_new(fd, file, false);
        if (opened)
            opened_file(opened, fd, flags, mode, begin, end);
        else
            iol__file_done(file);
        return;
    }
    count_open(file, begin, end); /* what the descriptor is by now stays as it is */
}

void iol__posix_async_sync(iol__state *state, bool data_only, bool failed, double begin) {
    const double end = iol__now();
    if (!state->record) return;
    if (!failed)
        count((iol__posix *)(void *)state, data_only ? IOL_POSIX_FDSYNCS : IOL_POSIX_FSYNCS, IOL_WRITE, begin, end);
    iol__operation_add(IOL_OPERATION_SYNC, failed, begin, end);
}

static void count_stat(iol__file *file, double begin, double end) {
    iol__state *state = iol__state_of(file, &iol__posix_module);
    if (!state) return;
    count((iol__posix *)(void *)state, IOL_POSIX_STATS, IOL_META, begin, end);
    iol__operation_add(IOL_OPERATION_STAT, false, begin, end);
}

static inline __attribute__((always_inline)) void stat_between(int directory, const char *path, double begin,
                                                               double end) {
    bool excluded = false;
    iol__file *file = iol__there(path) ? iol__file_at(directory, path, &excluded) : NULL;
    if (IOL_UNLIKELY(!file)) {
        const bool empty = !iol__there(path) || !*path;
        const iol__opened *opened = empty && directory >= 0 ? iol__descriptor(directory) : NULL;
        if (opened) count_stat(opened->file, begin, end);
        if (!empty && !excluded && iol__files_inside() && iol__late_stat(directory, path, begin, end))
            iol__lost_found();
        return;
    }
    count_stat(file, begin, end);
    iol__file_done(file);
}

int iol__posix_stat(int directory, const char *path, double begin) {
    stat_between(directory, path, begin, iol__now());
    return 0;
}

void iol__posix_stat_between(int directory, const char *path, double begin, double end) {
    stat_between(directory, path, begin, end);
}

void iol__posix_sought(iol__opened *opened, int64_t offset, double begin) {
    iol__posix_count(opened, IOL_POSIX_SEEKS, IOL_META, IOL_OPERATION_SEEK, offset < 0, begin);
    if (offset >= 0) opened->offset = offset;
}

/* One of a counter that has no time. */
static void count_only(iol__posix *p, int counter) {
    if (!iol__guard_enter(&p->state.guard)) {
        iol__count_lost();
        return;
    }
    int64_t *record = p->state.record;
    if (record) record[2 + counter]++;
    iol__guard_leave(&p->state.guard);
}

void iol__posix_duplicated(int fd, int old, int counter, double begin) {
    const double end = iol__now();
    iol__opened *opened = iol__descriptor(old);
    if (fd != old) iol__descriptor_share(fd, old);
    iol__posix *p = opened ? state_of(opened) : NULL;
    if (!p) return;
    count(p, IOL_POSIX_OPENS, IOL_META, begin, end);
    count_only(p, counter);
}

void iol__posix_asked_early(iol__file *file, double begin, double end) {
    iol__posix *p = (iol__posix *)(void *)iol__state_of(file, &iol__posix_module);
    if (!p) return;
    count(p, IOL_POSIX_OPENS, IOL_META, begin, end);
    count_only(p, IOL_POSIX_FILENOS);
}

void iol__posix_mapped(iol__opened *opened) {
    iol__posix *p = state_of(opened);
    if (!p) return;
    count_only(p, IOL_POSIX_MMAPS);
    iol__where(p->state.file->id, IOL_WHERE_POSIX, IOL_WHERE_MAP, 0, 0, 0); /* which is not timed */
    iol__pages_watch();
}

void iol__posix_flags(int fd, int flags) {
    iol__opened *opened = iol__descriptor(fd);
    if (!opened) return;
    opened->append = flags & O_APPEND;
}

void iol__posix_cut(int fd) {
    const iol__opened *opened = iol__descriptor(fd);
    if (opened) ((iol__posix *)(void *)opened->posix)->end_known = false;
}

void iol__posix_cut_at(const char *path) {
    iol__file *file = iol__file_known(AT_FDCWD, path, &iol__posix_module);
    if (!file) return;
    iol__posix *p = (iol__posix *)(void *)file->states[iol__posix_module.index];
    if (p) p->end_known = false;
    iol__file_done(file);
}

/* One that a signal handler opened, and was to be asked for. */
static __attribute__((noinline)) iol__state *closing_unknown(int fd) {
    if (iol__files_inside() && !iol__late_close(fd, iol__now())) iol__count_lost();
    return NULL;
}

iol__state *iol__posix_closing(int fd) {
    if ((unsigned)fd >= IOL_DESCRIPTORS || !iol__mine()) return NULL;
    if (IOL_UNLIKELY(!iol__descriptors[fd])) return closing_unknown(fd);
    iol__opened *opened = iol__descriptors[fd];
    iol__state *state = NULL;
    if ((uintptr_t)opened > (uintptr_t)IOL_EXCLUDED) {
        iol__lustre_closing(opened->file, fd);
        state = opened->posix->record ? opened->posix : NULL;
        if (IOL_LIKELY(state != NULL)) iol__file_hold(state->file); /* until it is closed */
    }
    iol__descriptor_forget(fd);
    return state;
}

static void apply_closed(const iol__update *u) {
    iol__file_hold(((iol__state *)u->record)->file);
    iol__posix_closed_between(u->record, u->extra, u->begin, u->end);
}

/* In a signal handler, inside the guard of this very record. */
static __attribute__((noinline)) void keep_closed(iol__state *state, bool failed, double begin, double end) {
    iol__file_done(state->file);
    iol__update_keep(&state->guard, &(iol__update){apply_closed, state, 0, 0, begin, end, 0, failed});
}

static inline __attribute__((always_inline)) void closed_between(iol__state *state, bool failed, double begin,
                                                                 double end) {
    iol__posix *p = (iol__posix *)(void *)state;
    if (IOL_UNLIKELY(!iol__guard_enter(&state->guard))) {
        keep_closed(state, failed, begin, end);
        return;
    }
    int64_t *record = state->record;
    const uint64_t id = state->file->id;
    iol__file_done(state->file); /* nobody takes the record away while the guard is held */
    if (IOL_LIKELY(record != NULL)) {
        iol__operation_add(IOL_OPERATION_CLOSE, failed, begin, end);
        double *reals = REALS(record + 2);
        if (record[2 + IOL_POSIX_OPENS] > 1)
            iol__operation_add(IOL_OPERATION_REOPENED, false, reals[IOL_POSIX_F_OPEN_END_TIMESTAMP], begin);
        iol__stamp(&reals[IOL_POSIX_F_CLOSE_START_TIMESTAMP], &reals[IOL_POSIX_F_CLOSE_END_TIMESTAMP], begin, end);
        p->last_byte[IOL_READ] = p->last_byte[IOL_WRITE] = 0;
        iol__add_time(&p->last_time[IOL_META], &reals[IOL_POSIX_F_META_TIME], begin, end);
    }
    iol__guard_leave(&state->guard);
    iol__where(id, IOL_WHERE_POSIX, IOL_WHERE_CLOSE, 0, begin, end);
}

void iol__posix_closed(iol__state *state, bool failed, double begin) {
    closed_between(state, failed, begin, iol__now());
}

void iol__posix_closed_between(iol__state *state, bool failed, double begin, double end) {
    closed_between(state, failed, begin, end);
}

static void renamed_to(iol__posix *p, uint64_t source) {
    if (!iol__guard_enter(&p->state.guard)) {
        iol__count_lost();
        return;
    }
    int64_t *record = p->state.record;
    if (record) {
        int64_t *ints = record + 2;
        ints[IOL_POSIX_RENAME_TARGETS]++;
        if (ints[IOL_POSIX_RENAMED_FROM] == 0 && !p->state.folded) ints[IOL_POSIX_RENAMED_FROM] = (int64_t)source;
    }
    iol__guard_leave(&p->state.guard);
}

static void renamed(iol__file *source, int to_at, const char *to, double begin, double end) {
    bool excluded = false;
    iol__state *state = iol__state_of(source, &iol__posix_module);
    if (!state) return;
    count((iol__posix *)(void *)state, IOL_POSIX_RENAME_SOURCES, IOL_META, begin, end);
    iol__file *target = iol__file_at(to_at, to, &excluded);
    if (!target) return;
    state = iol__state_of(target, &iol__posix_module);
    if (state) renamed_to((iol__posix *)(void *)state, source->id);
    iol__file_done(target);
}

void iol__posix_renamed(int from_at, const char *from, int to_at, const char *to, double begin) {
    const double end = iol__now();
    iol__file *source = iol__file_known(from_at, from, &iol__posix_module);
    if (!source) return;
    renamed(source, to_at, to, begin, end);
    iol__file_done(source);
}

void iol__posix_finish(void) {
    for (iol__state *state = iol__files_states(); state; state = state->next)
        if (state->module == &iol__posix_module && state->record && !state->folded)
            iol__trace_filter((iol__posix *)(void *)state, INTS(state));
}
