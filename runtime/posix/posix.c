/* Counters of the POSIX module. The order of the steps in a transfer is that of the documentation of the counters; what
   looks odd there (nothing at offset 0 is sequential) is what tools have always been given. */
#include "runtime/posix/posix.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>

#include "runtime/core/files.h"
#include "runtime/core/heatmap.h"
#include "runtime/core/operations.h"
#include "runtime/core/own.h"
#include "runtime/core/store.h"
#include "runtime/lustre/lustre.h"
#include "runtime/posix/trace.h"

#define INTS(state) ((int64_t *)(state)->record + 2)
#define REALS(ints) ((double *)(void *)((ints) + IOL_POSIX_INTS))

uint64_t iol__posix_memory_mask, iol__posix_memory_odd;
static int64_t memory_alignment;
static bool sizes_wanted;
static iol__posix absent;

static void begin_record(iol__state *state, void *record) {
    iol__posix *p = (iol__posix *)(void *)state;
    memset(&p->state + 1, 0, sizeof *p - sizeof p->state);
    int64_t *ints = (int64_t *)record + 2;
    const int64_t block = state->folded ? -1 : iol__file_alignment(state->file);
    /* block sizes are powers of two nearly always, and a division is expensive */
    const bool odd = block > 0 && (block & (block - 1));
    p->odd = odd ? block : 0;
    p->mask = odd ? -1 : block > 0 ? block - 1 : 0;
    iol__common_begin(&p->sizes);
    iol__common_begin(&p->strides);
    ints[IOL_POSIX_MEM_ALIGNMENT] = memory_alignment;
    ints[IOL_POSIX_FILE_ALIGNMENT] = block;
    iol__trace_begin(&p->trace, state, IOL_SLOT_DXT_POSIX);
    if (!state->folded) return;
    static const int ordered[] = {IOL_POSIX_CONSEC_READS, IOL_POSIX_CONSEC_WRITES, IOL_POSIX_SEQ_READS,
                                  IOL_POSIX_SEQ_WRITES, IOL_POSIX_RW_SWITCHES};
    for (size_t i = 0; i < sizeof ordered / sizeof *ordered; i++) ints[ordered[i]] = -1;
}

iol__runtime_module iol__posix_module = {
    .slot = IOL_SLOT_POSIX,
    .version = 4,
    .record_bytes = 16 + 8 * (IOL_POSIX_INTS + IOL_POSIX_REALS),
    .state_bytes = sizeof(iol__posix),
    .trace = offsetof(iol__posix, trace),
    .begin = begin_record,
};

iol__state *iol__posix_absent(void) { return &absent.state; }

void iol__posix_start(void) {
    const iol__config *config = &iol__core_state.config;
    memory_alignment = (int64_t)iol__setting_number(config, IOL_SET_MEM_ALIGNMENT);
    if (memory_alignment < 1) memory_alignment = 1;
    sizes_wanted = iol__setting_flag(config, IOL_SET_FILE_SIZES);
    const uint64_t alignment = (uint64_t)memory_alignment;
    const bool odd = alignment & (alignment - 1);
    iol__posix_memory_mask = odd ? UINT64_MAX : alignment - 1;
    iol__posix_memory_odd = odd ? alignment : 0;
    iol__posix_module.off = !iol__module_enabled(config, IOL_SLOT_POSIX);
    iol__module_register(&iol__posix_module);
}

bool iol__posix_vector_unaligned(const struct iovec *vector, int count) {
    for (int i = 0; i < count; i++)
        if (iol__posix_unaligned(vector[i].iov_base)) return true;
    return false;
}

/* The state to record into, NULL if there is none. */
static inline iol__posix *state_with(iol__opened *opened, void **record) {
    iol__state *state = opened->posix;
    *record = __atomic_load_n(&state->record, __ATOMIC_ACQUIRE);
    if (IOL_UNLIKELY(!*record)) {
        state = iol__state_of(opened->file, &iol__posix_module);
        if (!state || !(*record = state->record)) return NULL;
        opened->posix = state;
    }
    return (iol__posix *)(void *)state;
}

static iol__posix *state_of(iol__opened *opened) {
    void *record;
    return state_with(opened, &record);
}

/* Transfers -------------------------------------------------------------------------------------------------------- */

/* Where a call went that wrote to the end of the file. Asked for once; later writes of this process follow on. */
static int64_t end_of_file(iol__posix *p, int fd, ssize_t size) {
    if (!p->end_known) {
        const int saved = errno;
        const long now = own(lseek, fd, 0L, SEEK_CUR);
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
        if (own(fstat, fd, &now) == 0 && now.st_size >= size) p->end = now.st_size - size;
        errno = saved;
        p->end_known = true;
    }
    if (offset == IOL_AT_END_MOVING) opened->offset = p->end + size;
    return p->end;
}

static inline __attribute__((always_inline)) void add_position(iol__posix *p, int64_t *ints, iol__way way,
                                                               int64_t offset, int64_t size) {
    const int64_t last = p->last_byte[way];
    int64_t stride = 0;
    if (offset > last) {
        ints[IOL_POSIX_SEQ_READS + (int)way]++;
        const int64_t gap = offset - last - 1;
        if (gap == 0) ints[IOL_POSIX_CONSEC_READS + (int)way]++;
        if (last != 0) stride = gap;
    }
    p->last_byte[way] = offset + size - 1;
    iol__common_add(&p->strides, stride, ints + IOL_POSIX_STRIDE1_STRIDE, ints + IOL_POSIX_STRIDE1_COUNT);
    const uint8_t now = (uint8_t)(way + 1);
    if (IOL_UNLIKELY(p->last_way != now)) {
        if (p->last_way) ints[IOL_POSIX_RW_SWITCHES]++;
        p->last_way = now;
    }
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

/* The heart of it all, made once for each direction so that the compiler knows where every counter is. The record is
   the one that the caller saw: the state may lose it at any moment, if a signal handler forks and comes back here as the
   child; then this goes to memory that nobody reads any more. */
static inline __attribute__((always_inline)) void add_transfer(iol__posix *p, int64_t *ints, iol__way direction,
                                                               int64_t offset, int64_t size, bool unaligned,
                                                               double begin, double end) {
    const int way = (int)direction;
    double *reals = REALS(ints);
    if (IOL_LIKELY(!p->state.folded)) add_position(p, ints, direction, offset, size);
    const int64_t last = offset + size - 1;
    if (way == IOL_WRITE && last >= p->end) p->end = last + 1;
    if (ints[IOL_POSIX_MAX_BYTE_READ + way] < last) ints[IOL_POSIX_MAX_BYTE_READ + way] = last;
    ints[IOL_POSIX_BYTES_READ + way] += size;
    ints[IOL_POSIX_READS + way]++;
    ints[IOL_POSIX_SIZE_READ_0_100 + way * IOL_SIZE_BUCKETS + iol__size_bucket(size)]++;
    iol__common_add(&p->sizes, size, ints + IOL_POSIX_ACCESS1_ACCESS, ints + IOL_POSIX_ACCESS1_COUNT);
    ints[IOL_POSIX_MEM_NOT_ALIGNED] += unaligned;
    if ((offset & p->mask) && (p->odd == 0 || offset % p->odd)) ints[IOL_POSIX_FILE_NOT_ALIGNED]++;
    iol__stamp(&reals[IOL_POSIX_F_READ_START_TIMESTAMP + way], &reals[IOL_POSIX_F_READ_END_TIMESTAMP + way], begin,
               end);
    const double took = end - begin;
    if (IOL_UNLIKELY(took > reals[IOL_POSIX_F_MAX_READ_TIME + way])) {
        reals[IOL_POSIX_F_MAX_READ_TIME + way] = took;
        ints[IOL_POSIX_MAX_READ_TIME_SIZE + way] = size;
    }
    iol__add_time(&p->last_time[way], &reals[IOL_POSIX_F_READ_TIME + way], begin, end);
    if (IOL_UNLIKELY(p->trace.slot)) iol__trace_add(&p->trace, p->state.file->id, direction, offset, size, begin, end);
}

static void apply_transfer(const iol__update *u) {
    iol__posix *p = u->record;
    int64_t *record = p->state.record;
    if (!record) return;
    if (!iol__guard_enter(&p->state.guard)) {
        iol__update_keep(&p->state.guard, u);
        return;
    }
    if (u->kind == IOL_READ)
        add_transfer(p, record + 2, IOL_READ, u->offset, u->size, u->extra, u->begin, u->end);
    else
        add_transfer(p, record + 2, IOL_WRITE, u->offset, u->size, u->extra, u->begin, u->end);
    iol__guard_leave(&p->state.guard);
}

static __attribute__((noinline)) void keep_transfer(iol__posix *p, iol__way way, int64_t offset, int64_t size,
                                                    bool unaligned, double begin, double end) {
    iol__update_keep(&p->state.guard,
                     &(iol__update){apply_transfer, p, offset, size, begin, end, (int32_t)way, unaligned});
}

static inline __attribute__((always_inline)) void transfer(iol__opened *opened, int fd, iol__way way, int64_t offset,
                                                           ssize_t size, bool unaligned, double begin) {
    const double end = iol__now();
    void *record;
    iol__posix *p = state_with(opened, &record);
    if (IOL_UNLIKELY(!p)) return;
    if (offset == IOL_HERE) {
        if (way == IOL_WRITE && IOL_UNLIKELY(opened->append))
            offset = end_of_file(p, fd, size);
        else
            offset = opened->offset;
        opened->offset = offset + size;
    } else if (IOL_UNLIKELY(offset < IOL_HERE + 3)) {
        offset = end_by_flag(p, opened, fd, offset, size);
    }
    if (IOL_LIKELY(iol__guard_enter(&p->state.guard))) {
        iol__race("update");
        add_transfer(p, (int64_t *)record + 2, way, offset, size, unaligned, begin, end);
        iol__guard_leave(&p->state.guard);
    } else {
        keep_transfer(p, way, offset, size, unaligned, begin, end);
    }
    iol__heat(IOL_HEAT_POSIX, way == IOL_WRITE, size, begin, end);
}

void iol__posix_read(iol__opened *opened, int fd, int64_t offset, ssize_t size, bool unaligned, double begin) {
    transfer(opened, fd, IOL_READ, offset, size, unaligned, begin);
}

void iol__posix_write(iol__opened *opened, int fd, int64_t offset, ssize_t size, bool unaligned, double begin) {
    transfer(opened, fd, IOL_WRITE, offset, size, unaligned, begin);
}

void iol__posix_async(iol__state *state, iol__way way, int64_t offset, ssize_t size, bool unaligned, double begin) {
    const double end = iol__now();
    iol__posix *p = (iol__posix *)(void *)state;
    apply_transfer(&(iol__update){apply_transfer, p, offset, size, begin, end, (int32_t)way, unaligned});
    iol__heat(IOL_HEAT_POSIX, way == IOL_WRITE, size, begin, end);
}

iol__state *iol__posix_state(iol__opened *opened) {
    iol__posix *p = state_of(opened);
    return p ? &p->state : NULL;
}

/* Everything else -------------------------------------------------------------------------------------------------- */

static void apply_count(const iol__update *update);

/* One of a counter, and time of a class; kind holds both. The record is the one that the caller saw. */
static void count(iol__posix *p, void *record, int counter, iol__way way, double begin, double end) {
    if (!iol__guard_enter(&p->state.guard)) {
        iol__update_keep(&p->state.guard,
                         &(iol__update){apply_count, p, 0, 0, begin, end, (int32_t)counter, (int32_t)way});
        return;
    }
    int64_t *ints = (int64_t *)record + 2;
    double *reals = REALS(ints);
    ints[counter]++;
    if (way == IOL_META)
        iol__add_time(&p->last_time[IOL_META], &reals[IOL_POSIX_F_META_TIME], begin, end);
    else
        iol__add_time(&p->last_time[way], &reals[IOL_POSIX_F_READ_TIME + (int)way], begin, end);
    if (counter == IOL_POSIX_OPENS)
        iol__stamp(&reals[IOL_POSIX_F_OPEN_START_TIMESTAMP], &reals[IOL_POSIX_F_OPEN_END_TIMESTAMP], begin, end);
    iol__guard_leave(&p->state.guard);
}

static void apply_count(const iol__update *update) {
    iol__posix *p = update->record;
    void *record = p->state.record;
    if (record) count(p, record, update->kind, (iol__way)update->extra, update->begin, update->end);
}

void iol__posix_count(iol__opened *opened, int counter, iol__way way, int operation, bool failed, double begin) {
    const double end = iol__now();
    const int saved = errno;
    void *record;
    iol__posix *p = state_with(opened, &record);
    if (p && !failed) count(p, record, counter, way, begin, end);
    if (p) iol__operation_add(operation, failed, begin, end);
    errno = saved;
}

/* The size that a file has when it is first opened; the file system's own memory of it is good enough. */
static __attribute__((noinline)) void note_size(const iol__posix *p, int fd, bool empty) {
    struct statx facts = {0};
    const int saved = errno;
    if (!empty && own(statx, fd, "", AT_EMPTY_PATH | AT_STATX_DONT_SYNC, STATX_SIZE | STATX_TYPE, &facts) != 0)
        facts.stx_mode = S_IFIFO;
    errno = saved;
    if ((!empty && !S_ISREG(facts.stx_mode)) || !iol__files_enter()) return;
    if (!iol__store_size(p->state.file->id, (int64_t)facts.stx_size)) iol__count_lost();
    iol__files_leave();
}

static void opened_file(iol__opened *opened, int fd, int flags, mode_t mode, double begin, double end) {
    opened->append = flags & O_APPEND;
    opened->read_only = (flags & O_ACCMODE) == O_RDONLY;
    void *record;
    iol__posix *p = state_with(opened, &record);
    if (!p) return;
    if ((flags & O_TRUNC) || ((flags & O_CREAT) && (flags & O_EXCL))) {
        p->end = 0;
        p->end_known = true;
    } else if (flags & O_APPEND) {
        p->end_known = false; /* others may have written since */
    }
    int64_t *ints = (int64_t *)record + 2;
    if (IOL_UNLIKELY(sizes_wanted) && ints[IOL_POSIX_OPENS] == 0 && !p->state.folded)
        note_size(p, fd, p->end_known && p->end == 0);
    if (mode) ints[IOL_POSIX_MODE] = mode;
    p->last_byte[IOL_READ] = p->last_byte[IOL_WRITE] = 0;
    count(p, record, IOL_POSIX_OPENS, IOL_META, begin, end);
    iol__operation_add(IOL_OPERATION_OPEN, false, begin, end);
}

/* The descriptor is nobody's here: that of a child of vfork, or beyond those that are kept. */
static void count_open(iol__file *file, double begin, double end) {
    iol__state *state = iol__state_of(file, &iol__posix_module);
    void *record = state ? state->record : NULL;
    if (!record) return;
    count((iol__posix *)(void *)state, record, IOL_POSIX_OPENS, IOL_META, begin, end);
    iol__operation_add(IOL_OPERATION_OPEN, false, begin, end);
}

void iol__posix_opened(int fd, int directory, const char *path, int flags, mode_t mode, double begin) {
    const double end = iol__now();
    bool excluded = false;
    iol__file *file = iol__file_at(directory, path, &excluded);
    iol__opened *opened = iol__descriptor_new(fd, file, excluded);
    if (opened)
        opened_file(opened, fd, flags, mode, begin, end);
    else if (file)
        count_open(file, begin, end);
}

void iol__posix_opened_late(int fd, iol__file *file, int flags, mode_t mode, double begin) {
    const double end = iol__now();
    if ((unsigned)fd >= IOL_DESCRIPTORS) return;
    iol__opened *opened = iol__descriptors[fd];
    if (opened == IOL_UNKNOWN) {
        opened = iol__descriptor_new(fd, file, false);
        if (opened) opened_file(opened, fd, flags, mode, begin, end);
        return;
    }
    count_open(file, begin, end); /* what the descriptor is by now stays as it is */
}

void iol__posix_async_sync(iol__state *state, bool data_only, bool failed, double begin) {
    const double end = iol__now();
    void *record = state->record;
    if (!record) return;
    if (!failed)
        count((iol__posix *)(void *)state, record, data_only ? IOL_POSIX_FDSYNCS : IOL_POSIX_FSYNCS, IOL_WRITE, begin,
              end);
    iol__operation_add(IOL_OPERATION_SYNC, failed, begin, end);
}

void iol__posix_stat(iol__file *file, double begin) {
    const double end = iol__now();
    iol__state *state = file ? iol__state_of(file, &iol__posix_module) : NULL;
    void *record = state ? state->record : NULL;
    if (!record) return;
    count((iol__posix *)(void *)state, record, IOL_POSIX_STATS, IOL_META, begin, end);
    iol__operation_add(IOL_OPERATION_STAT, false, begin, end);
}

void iol__posix_sought(iol__opened *opened, int64_t offset, double begin) {
    iol__posix_count(opened, IOL_POSIX_SEEKS, IOL_META, IOL_OPERATION_SEEK, offset < 0, begin);
    if (offset >= 0) opened->offset = offset;
}

void iol__posix_duplicated(int fd, int old, int counter, double begin) {
    const double end = iol__now();
    iol__opened *opened = iol__descriptor(old);
    if (fd != old) iol__descriptor_share(fd, old);
    void *record;
    iol__posix *p = opened ? state_with(opened, &record) : NULL;
    if (!p) return;
    count(p, record, IOL_POSIX_OPENS, IOL_META, begin, end);
    ((int64_t *)record + 2)[counter]++;
}

void iol__posix_mapped(iol__opened *opened) {
    void *record;
    iol__posix *p = state_with(opened, &record);
    if (!p || !iol__guard_enter(&p->state.guard)) return;
    ((int64_t *)record + 2)[IOL_POSIX_MMAPS]++;
    iol__guard_leave(&p->state.guard);
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

iol__state *iol__posix_closing(int fd) {
    if ((unsigned)fd >= IOL_DESCRIPTORS || !iol__descriptors[fd] || !iol__mine()) return NULL;
    iol__opened *opened = iol__descriptors[fd];
    iol__state *state = NULL;
    if ((uintptr_t)opened > (uintptr_t)IOL_EXCLUDED) {
        state = opened->posix;
        iol__lustre_closing(opened->file, fd);
    }
    iol__descriptor_forget(fd);
    return state && state->record ? state : NULL;
}

void iol__posix_closed(iol__state *state, bool failed, double begin) {
    const double end = iol__now();
    iol__posix *p = (iol__posix *)(void *)state;
    int64_t *record = state->record;
    if (!record) return;
    iol__operation_add(IOL_OPERATION_CLOSE, failed, begin, end);
    if (!iol__guard_enter(&state->guard)) return;
    double *reals = REALS(record + 2);
    iol__stamp(&reals[IOL_POSIX_F_CLOSE_START_TIMESTAMP], &reals[IOL_POSIX_F_CLOSE_END_TIMESTAMP], begin, end);
    p->last_byte[IOL_READ] = p->last_byte[IOL_WRITE] = 0;
    iol__add_time(&p->last_time[IOL_META], &reals[IOL_POSIX_F_META_TIME], begin, end);
    iol__guard_leave(&state->guard);
}

void iol__posix_renamed(int from_at, const char *from, int to_at, const char *to, double begin) {
    const double end = iol__now();
    bool excluded = false;
    iol__file *source = iol__file_known(from_at, from);
    iol__state *state = source ? source->states[iol__posix_module.index] : NULL;
    if (!state) return;
    state = iol__state_of(source, &iol__posix_module);
    void *record = state ? state->record : NULL;
    if (!record) return;
    count((iol__posix *)(void *)state, record, IOL_POSIX_RENAME_SOURCES, IOL_META, begin, end);
    iol__file *target = iol__file_at(to_at, to, &excluded);
    state = target ? iol__state_of(target, &iol__posix_module) : NULL;
    record = state ? state->record : NULL;
    if (!record) return;
    int64_t *ints = (int64_t *)record + 2;
    ints[IOL_POSIX_RENAME_TARGETS]++;
    if (ints[IOL_POSIX_RENAMED_FROM] == 0 && !state->folded) ints[IOL_POSIX_RENAMED_FROM] = (int64_t)source->id;
}

void iol__posix_finish(void) {
    for (iol__state *state = iol__files_states(); state; state = state->next)
        if (state->module == &iol__posix_module && state->record && !state->folded)
            iol__trace_filter((iol__posix *)(void *)state, INTS(state));
}
