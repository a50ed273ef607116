/* Counters of the STDIO module. */
#include "runtime/stdio/stdio.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>

#include "record/hash.h"
#include "runtime/core/files.h"
#include "runtime/core/heatmap.h"
#include "runtime/core/own.h"
#include "runtime/core/real.h"

#define INTS(state) ((int64_t *)(state)->record + 2)
#define REALS(state) ((double *)(void *)(INTS(state) + IOL_STDIO_INTS))

iol__stream *iol__streams[IOL_DESCRIPTORS];
static const char names[3][10] = {"<STDIN>", "<STDOUT>", "<STDERR>"};
static iol__stream *streams; /* all of them */
static iol__stream *spare;   /* those that are closed */

static void begin_record(iol__state *state, void *record) {
    iol__stdio *p = (iol__stdio *)(void *)state;
    memset(p->last_time, 0, sizeof p->last_time);
    if (state->file->name[0] == '<' && !state->folded)
        ((int64_t *)record + 2)[IOL_STDIO_OPENS] = 1; /* a standard stream */
}

iol__runtime_module iol__stdio_module = {
    .slot = IOL_SLOT_STDIO,
    .version = 2,
    .record_bytes = 16 + 8 * (IOL_STDIO_INTS + IOL_STDIO_REALS),
    .state_bytes = sizeof(iol__stdio),
    .begin = begin_record,
};

void iol__stdio_start(void) {
    iol__stdio_module.off = !iol__module_enabled(&iol__core_state.config, IOL_SLOT_STDIO);
    iol__module_register(&iol__stdio_module);
}

/* Streams ---------------------------------------------------------------------------------------------------------- */

static iol__stream *new_stream(FILE *stream, iol__file *file) {
    const int fd = stream->_fileno;
    if ((unsigned)fd >= IOL_DESCRIPTORS || !file || iol__stdio_module.off || !iol__files_enter()) return NULL;
    iol__stream *s = iol__streams[fd] ? iol__streams[fd] : spare;
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
        iol__stream *next = s->next;
        *s = (iol__stream){.file = file, .handle = stream, .next = next, .used = true};
        iol__stream_seen(s, stream);
        iol__streams[fd] = s;
    }
    iol__files_leave();
    return s;
}

void iol__stream_forget(int fd) {
    if ((unsigned)fd >= IOL_DESCRIPTORS || !iol__streams[fd] || !iol__mine()) return;
    iol__stream *s = iol__streams[fd];
    iol__streams[fd] = NULL;
    s->used = false;
    if (!iol__files_enter()) return;
    s->again = spare;
    spare = s;
    iol__files_leave();
}

iol__stream *iol__stream_discover(FILE *stream) {
    if (iol__stdio_module.off || !iol__awake()) return NULL;
    const int which = stream == stdin ? 0 : stream == stdout ? 1 : stream == stderr ? 2 : -1;
    if (which < 0) return NULL;
    const int saved = errno;
    iol__stream *s = new_stream(stream, iol__file_named(names[which], strlen(names[which])));
    errno = saved;
    return s;
}

static iol__stdio *state_of(iol__stream *s) {
    iol__state *state = s->stdio;
    if (IOL_UNLIKELY(!state || !iol__state_ready(state))) {
        state = iol__state_of(s->file, &iol__stdio_module);
        if (!state) return NULL;
        s->stdio = state;
    }
    return (iol__stdio *)(void *)state;
}

/* Counting --------------------------------------------------------------------------------------------------------- */

_Static_assert(IOL_STDIO_WRITES == IOL_STDIO_READS + 1 && IOL_STDIO_BYTES_READ == IOL_STDIO_BYTES_WRITTEN + 1 &&
                   IOL_STDIO_MAX_BYTE_WRITTEN == IOL_STDIO_MAX_BYTE_READ + 1 &&
                   IOL_STDIO_F_READ_TIME == IOL_STDIO_F_WRITE_TIME + 1 &&
                   IOL_STDIO_F_READ_START_TIMESTAMP == IOL_STDIO_F_WRITE_START_TIMESTAMP + 1 &&
                   IOL_STDIO_F_READ_END_TIMESTAMP == IOL_STDIO_F_WRITE_END_TIMESTAMP + 1,
               "counters of reads and writes stand side by side, not all in the same order");

static inline void add_bytes(iol__stdio *p, int way, int64_t offset, int64_t size) {
    int64_t *ints = INTS(&p->state);
    const int64_t last = offset + size - 1;
    ints[IOL_STDIO_READS + way]++;
    ints[IOL_STDIO_BYTES_READ - way] += size;
    if (ints[IOL_STDIO_MAX_BYTE_READ + way] < last) ints[IOL_STDIO_MAX_BYTE_READ + way] = last;
}

static inline void add_times(iol__stdio *p, int way, double begin, double end) {
    double *reals = REALS(&p->state);
    iol__stamp(&reals[IOL_STDIO_F_READ_START_TIMESTAMP - way], &reals[IOL_STDIO_F_READ_END_TIMESTAMP - way], begin,
               end);
    iol__add_time(&p->last_time[way], &reals[IOL_STDIO_F_READ_TIME - way], begin, end);
}

static void apply_transfer(const iol__update *update) {
    iol__stdio *p = update->record;
    if (!p->state.record) return;
    if (!iol__guard_enter(&p->state.guard)) {
        iol__update_keep(&p->state.guard, update);
        return;
    }
    add_bytes(p, update->kind, update->offset, update->size);
    if (update->end > 0) add_times(p, update->kind, update->begin, update->end);
    iol__guard_leave(&p->state.guard);
}

static __attribute__((noinline)) void keep(iol__stdio *p, iol__stdio_way way, int64_t offset, int64_t size,
                                           double begin, double end) {
    iol__update_keep(&p->state.guard, &(iol__update){apply_transfer, p, offset, size, begin, end, (int32_t)way, 0});
}

/* Where a write went on a stream that was opened for appending: libc knows, and is asked once; later ones follow on. */
static __attribute__((noinline)) int64_t end_of_file(iol__stream *s, int64_t size) {
    if (!s->end_known && iol__real.ftello64) {
        const int saved = errno;
        const int64_t behind = iol__real.ftello64(s->handle);
        errno = saved;
        s->end = behind >= size ? behind - size : 0;
        s->end_known = true;
    }
    return s->end;
}

static inline __attribute__((always_inline)) void add(iol__stream *s, iol__stdio_way way, int64_t size, bool timed,
                                                      double begin, double end) {
    iol__stdio *p = state_of(s);
    if (IOL_UNLIKELY(!p)) return;
    const bool entered = iol__guard_enter(&p->state.guard);
    const bool at_end = way == IOL_STDIO_WRITE && IOL_UNLIKELY(s->append);
    const int64_t offset = at_end ? end_of_file(s, size) : s->offset;
    s->offset = offset + size;
    if (at_end) s->end = offset + size;
    if (IOL_LIKELY(entered)) {
        add_bytes(p, (int)way, offset, size);
        if (timed) add_times(p, (int)way, begin, end);
        iol__guard_leave(&p->state.guard);
    } else {
        keep(p, way, offset, size, begin, end);
    }
}

static __attribute__((noinline)) int64_t take_quiet(iol__stream *s, iol__stdio_way way) {
    return __atomic_exchange_n(&s->quiet[way], 0, __ATOMIC_RELAXED);
}

static inline __attribute__((always_inline)) void transfer(iol__stream *s, iol__stdio_way way, int64_t size,
                                                           double begin) {
    const double end = iol__now();
    int64_t heat = size;
    if (IOL_UNLIKELY(s->quiet[way] != 0)) heat += take_quiet(s, way);
    add(s, way, size, true, begin, end);
    iol__heat(IOL_HEAT_STDIO, way == IOL_STDIO_WRITE, heat, begin, end);
}

void iol__stdio_read(iol__stream *s, int64_t size, double begin) { transfer(s, IOL_STDIO_READ, size, begin); }
void iol__stdio_write(iol__stream *s, int64_t size, double begin) { transfer(s, IOL_STDIO_WRITE, size, begin); }

static inline void add_quiet(int64_t *quiet, int64_t size) {
    if (__libc_single_threaded)
        *quiet += size;
    else
        __atomic_add_fetch(quiet, size, __ATOMIC_RELAXED);
}

void iol__stdio_quiet_read(iol__stream *s, int64_t size) {
    add(s, IOL_STDIO_READ, size, false, 0, 0);
    add_quiet(&s->quiet[IOL_STDIO_READ], size);
}

void iol__stdio_quiet_write(iol__stream *s, int64_t size) {
    add(s, IOL_STDIO_WRITE, size, false, 0, 0);
    add_quiet(&s->quiet[IOL_STDIO_WRITE], size);
}

static void warm(iol__stream *s) {
    const double now = iol__now();
    for (int way = 0; way < 2; way++) {
        const int64_t quiet = __atomic_exchange_n(&s->quiet[way], 0, __ATOMIC_RELAXED);
        if (quiet) iol__heat(IOL_HEAT_STDIO, way == IOL_STDIO_WRITE, quiet, now, now);
    }
}

void iol__stdio_catch_up(iol__stream *s) {
    const FILE *f = s->handle;
    const char *read = f->_IO_read_ptr, *write = f->_IO_write_ptr;
    if (f->_mode > 0) return; /* wide characters have other pointers */
    /* A buffer that was filled again is counted from its start; a step back, as ungetc takes it, is not counted. */
    const bool same = s->seen[0] >= f->_IO_read_base && s->seen[0] <= f->_IO_read_end;
    const char *base = same ? s->seen[0] : f->_IO_read_base;
    if (read > base) {
        add(s, IOL_STDIO_READ, read - base, s->refill_end > 0, s->refill_begin, s->refill_end);
        s->quiet[IOL_STDIO_READ] += read - base;
        s->refill_begin = s->refill_end = 0;
    }
    base = s->seen[1] >= f->_IO_write_base && s->seen[1] <= write ? s->seen[1] : f->_IO_write_base;
    if (write > base) iol__stdio_quiet_write(s, write - base);
    s->seen[0] = read;
    s->seen[1] = write;
}

/* Everything else -------------------------------------------------------------------------------------------------- */

static void add_meta(iol__stdio *p, int counter, double begin, double end) {
    if (!iol__guard_enter(&p->state.guard)) {
        iol__count_lost();
        return;
    }
    if (counter >= 0) INTS(&p->state)[counter]++;
    iol__add_time(&p->last_time[IOL_STDIO_META], &REALS(&p->state)[IOL_STDIO_F_META_TIME], begin, end);
    iol__guard_leave(&p->state.guard);
}

/* `path` is NULL where the file is that of the descriptor. */
void iol__stdio_opened(FILE *stream, const char *path, int flags, bool from_descriptor, double begin) {
    const double end = iol__now();
    const int fd = stream->_fileno;
    bool excluded = false;
    iol__file *file = NULL;
    if (path) {
        file = iol__file_at(AT_FDCWD, path, &excluded);
        iol__opened *opened = iol__descriptor_new(fd, file, excluded);
        if (opened) opened->append = flags & O_APPEND;
    } else {
        const iol__opened *opened = iol__descriptor(fd);
        if (opened) file = opened->file;
    }
    iol__stream_forget(fd);
    iol__stream *s = file ? new_stream(stream, file) : NULL;
    iol__stdio *p = s ? state_of(s) : NULL;
    if (!p) return;
    s->append = flags & O_APPEND;
    add_meta(p, IOL_STDIO_OPENS, begin, end);
    if (from_descriptor) INTS(&p->state)[IOL_STDIO_FDOPENS]++;
    double *reals = REALS(&p->state);
    iol__stamp(&reals[IOL_STDIO_F_OPEN_START_TIMESTAMP], &reals[IOL_STDIO_F_OPEN_END_TIMESTAMP], begin, end);
}

void iol__stdio_flushed(iol__stream *s, double begin) {
    const double end = iol__now();
    iol__stdio *p = state_of(s);
    if (!p) return;
    if (!iol__guard_enter(&p->state.guard)) {
        iol__count_lost();
        return;
    }
    INTS(&p->state)[IOL_STDIO_FLUSHES]++;
    add_times(p, IOL_STDIO_WRITE, begin, end);
    iol__guard_leave(&p->state.guard);
    warm(s);
}

void iol__stdio_sought(iol__stream *s, int64_t offset, double begin) {
    const double end = iol__now();
    iol__stdio *p = state_of(s);
    if (p) add_meta(p, IOL_STDIO_SEEKS, begin, end);
    if (offset >= 0) s->offset = offset;
}

void iol__stdio_closed(iol__stream *s, double begin) {
    const double end = iol__now();
    iol__stdio *p = state_of(s);
    warm(s);
    if (!p) return;
    add_meta(p, -1, begin, end);
    double *reals = REALS(&p->state);
    iol__stamp(&reals[IOL_STDIO_F_CLOSE_START_TIMESTAMP], &reals[IOL_STDIO_F_CLOSE_END_TIMESTAMP], begin, end);
}

/* Streams may have been closed behind our back, so only those that libc itself still lists are looked at. */
void iol__stdio_finish(void) {
    for (iol__stream *s = streams; s; s = s->next)
        if (s->used) warm(s);
    if (!__libc_single_threaded || !iol__real.open_streams) return;
    const FILE *open = *iol__real.open_streams;
    for (int i = 0; open && i < IOL_DESCRIPTORS; i++, open = open->_chain) {
        const int fd = open->_fileno;
        iol__stream *s = (unsigned)fd < IOL_DESCRIPTORS ? iol__streams[fd] : NULL;
        if (!s || s->handle != open) continue;
        iol__stdio_catch_up(s);
        warm(s);
    }
}

/* In a forked child: what the parent counted is the parent's. */
void iol__stdio_reset(void) {
    for (iol__stream *s = streams; s; s = s->next) s->quiet[0] = s->quiet[1] = 0;
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
