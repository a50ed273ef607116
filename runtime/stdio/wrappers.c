/* The wrapped functions on streams. Most come from lines of functions.def; those at the end need a hand. */
#include "runtime/process/exec.h"
#include "runtime/posix/operations.h"
#include "runtime/core/real.h"
#include "runtime/core/store.h"
#include "runtime/lustre/lustre.h"
#include "runtime/posix/posix.h"
#include "runtime/stdio/stdio.h"

#include <errno.h>
#include <mntent.h>
#include <stdio_ext.h>
#include <string.h>

/* <stdio.h> makes macros and inline functions of some. */
#undef getc
#undef putc
#undef getchar
#undef putchar
#undef getc_unlocked
#undef putc_unlocked
#undef fread_unlocked
#undef fwrite_unlocked

/* In a static program a few calls that libc makes for itself come to us as well, those of __uflow, __overflow and
   __getdelim above all: inside of another call, or on a stream that only libc knows, of which not all fields are set. */
#if IOL_STATIC
static bool of_libc(const FILE *stream) {
    const int fd = stream->_fileno;
    const iol__rt_stream *s = (unsigned)fd < IOL_DESCRIPTORS ? iol__streams[fd] : NULL;
    return s ? s->inside || s->handle != stream : stream != stdin && stream != stdout && stream != stderr;
}
#define INSIDE(known, yes) ((known)->inside = (yes))
#else
#define of_libc(stream) false
#define INSIDE(known, yes) ((void)0)
#endif
#define MAY_BE_LIBC(name) (strcmp(#name, "__getdelim") == 0)

#define FUNCTION(type, name, parameters)

#define CALL(type, name, arguments, file, direction, done, bytes)        \
    if (MAY_BE_LIBC(name) && of_libc(file)) return real(name) arguments; \
    iol__rt_stream *known = iol__stream_of(file);                        \
    if (!known) return real(name) arguments;                             \
    FILE *const used = file;                                             \
    const double begin = iol__now();                                     \
    INSIDE(known, true);                                                 \
    type result = iol__real.name arguments;                              \
    INSIDE(known, false);                                                \
    RETURN(type, used, direction, done, bytes)

#define RETURN(type, used, direction, done, bytes)                                                                     \
    if (IOL_LIKELY(done)) return (type)iol__stdio_##direction(known, (int64_t)(bytes), used, (intptr_t)result, begin); \
    iol__stream_seen(known, used);                                                                                     \
    return result;

/* Usually nothing has to be called before the real function and behind it, and few registers have to be saved. */
#define QUICK_CALL(type, name, arguments, file, direction, done, bytes)                               \
    double begin;                                                                                     \
    FILE *const used = file;                                                                          \
    iol__rt_stream *known = iol__stream_quick(used);                                                  \
    if (IOL_UNLIKELY(!known) || IOL_UNLIKELY(!iol__now_quick(&begin))) return usual_##name arguments; \
    type result = iol__real.name arguments;                                                           \
    RETURN(type, used, direction, done, bytes)

#if IOL_STATIC
#define TRANSFERS(type, name, parameters, arguments, file, direction, done, bytes) \
    IOL_EXPORT type name parameters { CALL(type, name, arguments, file, direction, done, bytes) }
#else
#define TRANSFERS(type, name, parameters, arguments, file, direction, done, bytes)                   \
    static __attribute__((noinline)) type usual_##name parameters{                                   \
        CALL(type, name, arguments, file, direction, done, bytes)} IOL_EXPORT type name parameters { \
        QUICK_CALL(type, name, arguments, file, direction, done, bytes)                              \
    }
#endif
#define READS(type, name, parameters, arguments, file, done, bytes) \
    TRANSFERS(type, name, parameters, arguments, file, read, done, bytes)
#define WRITES(type, name, parameters, arguments, file, done, bytes) \
    TRANSFERS(type, name, parameters, arguments, file, write, done, bytes)

#if IOL_STATIC
#define BLOCKS(name, parameters, arguments, direction, DIRECTION, pointer, limit) \
    TRANSFERS(size_t, name, parameters, arguments, stream, direction, result > 0, size * result)
#else
/* Items that the buffer has, or has room for, are copied and nothing else: that takes less than a look at the clock does.
   The first call of a stream is timed in any case, so that it is known when the transfers began. */
static inline bool buffer_serves(const iol__rt_stream *s, iol__stdio_direction direction, const FILE *stream,
                                 const char *from, const char *to, size_t size, size_t n) {
    size_t bytes;
    return s && s->timed[direction] && stream->_mode <= 0 && from < to && !__builtin_mul_overflow(size, n, &bytes) &&
           bytes <= (size_t)(to - from);
}

#define BLOCKS(name, parameters, arguments, direction, DIRECTION, pointer, limit)                                   \
    static __attribute__((noinline)) size_t usual_##name parameters {                                               \
        CALL(size_t, name, arguments, stream, direction, result > 0, size * result)                                 \
    }                                                                                                               \
    static __attribute__((noinline)) size_t timed_##name parameters{QUICK_CALL(                                     \
        size_t, name, arguments, stream, direction, result > 0, size * result)} IOL_EXPORT size_t name parameters { \
        iol__rt_stream *known = iol__stream_quick(stream);                                                          \
        if (!buffer_serves(known, IOL_STDIO_##DIRECTION, stream, stream->pointer, stream->limit, size, n))          \
            return timed_##name arguments;                                                                          \
        const size_t result = iol__real.name arguments;                                                             \
        return iol__stdio_quiet_##direction##_of(known, (int64_t)(size * result), stream, result);                  \
    }
#endif
#define BLOCKS_IN(name)                                                                                            \
    BLOCKS(name, (void *to, size_t size, size_t n, FILE *stream), (to, size, n, stream), read, READ, _IO_read_ptr, \
           _IO_read_end)
#define BLOCKS_OUT(name)                                                                                         \
    BLOCKS(name, (const void *from, size_t size, size_t n, FILE *stream), (from, size, n, stream), write, WRITE, \
           _IO_write_ptr, _IO_write_end)

/* A character that the buffer has, or has room for, costs next to nothing: two looks at the clock would multiply that.
   */
#define CHARACTER(type, name, arguments, file, direction, pointer, limit, end, bytes)     \
    iol__rt_stream *known = iol__stream_of(file);                                         \
    if (!known) return real(name) arguments;                                              \
    FILE *const used = file;                                                              \
    if (used->_mode <= 0 && used->pointer < used->limit) {                                \
        const type result = iol__real.name arguments;                                     \
        if (result != (type)(end)) iol__stdio_quiet_##direction(known, (int64_t)(bytes)); \
        iol__stream_seen(known, used);                                                    \
        return result;                                                                    \
    }                                                                                     \
    const double begin = iol__now();                                                      \
    INSIDE(known, true);                                                                  \
    const type result = iol__real.name arguments;                                         \
    INSIDE(known, false);                                                                 \
    RETURN(type, used, direction, result != (type)(end), bytes)

#define GETS(type, name, parameters, arguments, file, end, bytes)                            \
    IOL_EXPORT type name parameters {                                                        \
        CHARACTER(type, name, arguments, file, read, _IO_read_ptr, _IO_read_end, end, bytes) \
    }
#define PUTS(type, name, parameters, arguments, file, end, bytes)                               \
    IOL_EXPORT type name parameters {                                                           \
        CHARACTER(type, name, arguments, file, write, _IO_write_ptr, _IO_write_end, end, bytes) \
    }

#define PRINTS(name, parameters, last, function, arguments, file) \
    IOL_EXPORT int name parameters {                              \
        va_list values;                                           \
        va_start(values, last);                                   \
        const int result = function arguments;                    \
        va_end(values);                                           \
        return result;                                            \
    }

/* <stdio.h> may give the name of one of these the symbol of another; here each has its own. */
#define NAMED(type, name, parameters) IOL_EXPORT type iol__wrap_##name parameters __asm__(#name)
#define SCANS(name, parameters, last, function, arguments, file) \
    NAMED(int, name, parameters);                                \
    IOL_EXPORT int iol__wrap_##name parameters {                 \
        va_list values;                                          \
        va_start(values, last);                                  \
        const int result = iol__wrap_##function arguments;       \
        va_end(values);                                          \
        return result;                                           \
    }

/* How much was consumed is seen from the position, which only files have; elsewhere from the buffer, which may have been
   filled again meanwhile. */
typedef struct spot {
    int64_t position; /* -1 where there is none */
    const char *at, *end;
} spot;

static spot spot_of(iol__rt_stream *s, FILE *stream) {
    spot now = {-1, stream->_IO_read_ptr, stream->_IO_read_end};
    if (s->unseekable) return now;
    const int saved = errno;
    now.position = real(ftello64)(stream);
    s->unseekable = now.position < 0;
    errno = saved;
    return now;
}

static int64_t consumed(const spot *before, const spot *after, const FILE *stream) {
    if (before->position >= 0 && after->position >= before->position) return after->position - before->position;
    if (after->end == before->end && after->at >= before->at) return after->at - before->at;
    return (before->end - before->at) + (after->at - stream->_IO_read_base);
}

#define SCANS_LIST(name, parameters, arguments, file)                         \
    NAMED(int, name, parameters);                                             \
    IOL_EXPORT int iol__wrap_##name parameters {                              \
        iol__rt_stream *known = iol__stream_of(file);                         \
        if (!known) return real(name) arguments;                              \
        FILE *const used = file;                                              \
        const double begin = iol__now();                                      \
        const spot before = spot_of(known, used);                             \
        INSIDE(known, true);                                                  \
        const int result = iol__real.name arguments;                          \
        INSIDE(known, false);                                                 \
        const spot after = spot_of(known, used);                              \
        RETURN(int, used, read, result != 0, consumed(&before, &after, used)) \
    }

#define SEEKS(type, name, parameters, arguments, done)                              \
    IOL_EXPORT type name parameters {                                               \
        iol__rt_stream *known = iol__stream_of(stream);                             \
        if (!known) return real(name) arguments;                                    \
        const double begin = iol__now();                                            \
        const type result = iol__real.name arguments;                               \
        if (done) iol__stdio_sought(known, spot_of(known, stream).position, begin); \
        iol__stream_seen(known, stream);                                            \
        return result;                                                              \
    }

#include "runtime/stdio/declarations.h"
#include "runtime/stdio/functions.def"

/* Given back, so that it will be read once more. */
#define UNGET(type, name, end)                                           \
    IOL_EXPORT type name(type c, FILE *stream) {                         \
        iol__rt_stream *known = iol__stream_of(stream);                  \
        const type result = real(name)(c, stream);                       \
        if (!known) return result;                                       \
        if (result != (type)(end) && known->offset > 0) known->offset--; \
        iol__stream_seen(known, stream);                                 \
        return result;                                                   \
    }
UNGET(int, ungetc, EOF)
UNGET(wint_t, ungetwc, WEOF)

/* By hand ---------------------------------------------------------------------------------------------------------- */

IOL_EXPORT void rewind(FILE *stream) {
    iol__rt_stream *known = iol__stream_of(stream);
    if (!known) {
        real(rewind)(stream);
        return;
    }
    const double begin = iol__now();
    iol__real.rewind(stream);
    iol__stdio_sought(known, 0, begin);
    iol__stream_seen(known, stream);
}

static int flags_of(const char *mode) { return mode && *mode == 'a' ? O_APPEND : 0; }

#define FOPEN(name)                                                                \
    IOL_EXPORT FILE *name(const char *path, const char *mode) {                    \
        if (!iol__awake()) return real(name)(path, mode);                          \
        const double begin = iol__now();                                           \
        FILE *result = iol__real.name(path, mode);                                 \
        if (result) iol__stdio_opened(result, path, flags_of(mode), false, begin); \
        return result;                                                             \
    }
FOPEN(fopen)
FOPEN(fopen64)

IOL_EXPORT FILE *fdopen(int fd, const char *mode) {
    if (!iol__awake()) return real(fdopen)(fd, mode);
    const double begin = iol__now();
    FILE *result = iol__real.fdopen(fd, mode);
    if (result) iol__stdio_opened(result, NULL, flags_of(mode), true, begin);
    return result;
}

/* The stream is closed, then opened on something else, perhaps with another number. */
#define FREOPEN(name)                                                              \
    IOL_EXPORT FILE *name(const char *path, const char *mode, FILE *stream) {      \
        if (!iol__awake()) return real(name)(path, mode, stream);                  \
        const int old = stream->_fileno;                                           \
        iol__stream_of(stream);                                                    \
        if (path) iol__stream_forget(old);                                         \
        if (path) iol__descriptor_forget(old);                                     \
        const double begin = iol__now();                                           \
        FILE *result = iol__real.name(path, mode, stream);                         \
        if (result) iol__stdio_opened(result, path, flags_of(mode), false, begin); \
        return result;                                                             \
    }
FREOPEN(freopen)
FREOPEN(freopen64)

/* Named after the directory it is in, like one that is made by O_TMPFILE. */
#define TMPFILE(name)                                                     \
    IOL_EXPORT FILE *name(void) {                                         \
        if (!iol__awake()) return real(name)();                           \
        const double begin = iol__now();                                  \
        FILE *result = iol__real.name();                                  \
        if (result) iol__stdio_opened(result, P_tmpdir, 0, false, begin); \
        return result;                                                    \
    }
TMPFILE(tmpfile)
TMPFILE(tmpfile64)

IOL_EXPORT FILE *popen(const char *command, const char *mode) {
    const bool lent = iol__exec_lend();
    FILE *result = real(popen)(command, mode);
    iol__exec_take_back(lent);
    if (result) {
        iol__stream_forget(result->_fileno);
        iol__descriptor_no_file(result->_fileno);
    }
    return result;
}

/* Closes what setmntent opened, or somebody else. */
IOL_EXPORT int endmntent(FILE *stream) {
    if (stream && stream->_fileno >= 0) {
        iol__stream_forget(stream->_fileno);
        iol__descriptor_forget(stream->_fileno);
    }
    return real(endmntent)(stream);
}

IOL_EXPORT int pclose(FILE *stream) {
    iol__stream_forget(stream->_fileno);
    iol__descriptor_forget(stream->_fileno);
    return real(pclose)(stream);
}

/* Newer headers say that fclose is never given NULL, which keeps no program from it. */
static bool is_stream(const FILE *stream) { return stream != NULL; }

IOL_EXPORT int fclose(FILE *stream) {
    iol__rt_stream *known = is_stream(stream) ? iol__stream_of(stream) : NULL;
    const int fd = is_stream(stream) ? stream->_fileno : -1;
    iol__rt_stream copy = {0}; /* the number, and what we know of it, may be somebody else's when the call returns */
    if (known) copy = *known;
    if (known) iol__file_hold(copy.file);
    if (known) iol__lustre_closing(known->file, fd);
    if (known) iol__stream_forget(fd);
    if (fd >= 0) iol__descriptor_forget(fd);
    if (fd == 2) iol__stderr_changed = true;
    if (!known) return real(fclose)(stream);
    /* A buffer that was never used has no size yet. */
    if (fd > 2) iol__stdio_bare(&copy, stream);
    const double begin = iol__now();
    const int result = iol__real.fclose(stream);
    iol__stdio_closed(&copy, begin);
    iol__file_done(copy.file);
    return result;
}

IOL_EXPORT int fcloseall(void) {
    const int result = real(fcloseall)();
    if (iol__awake())
        for (int fd = 0; fd < IOL_DESCRIPTORS; fd++) iol__stream_forget(fd);
    return result;
}

#define FFLUSH(name)                                                    \
    IOL_EXPORT int name(FILE *stream) {                                 \
        iol__rt_stream *known = stream ? iol__stream_of(stream) : NULL; \
        if (!known) return real(name)(stream);                          \
        const double begin = iol__now();                                \
        const int result = iol__real.name(stream);                      \
        if (result >= 0) iol__stdio_flushed(known, begin);              \
        iol__stream_seen(known, stream);                                \
        return result;                                                  \
    }
FFLUSH(fflush)
FFLUSH(fflush_unlocked)

/* From now on the program may use the descriptor itself. Streams of C++ ask before every transfer: the first counts. */
#define FILENO(name)                                             \
    IOL_EXPORT int name(FILE *stream) {                          \
        iol__rt_stream *known = iol__stream_of(stream);          \
        if (!known || known->asked) return real(name)(stream);   \
        const double begin = iol__now();                         \
        const int result = iol__real.name(stream);               \
        if (result >= 0) iol__stdio_asked(known, result, begin); \
        return result;                                           \
    }

static void iol__stdio_asked(iol__rt_stream *known, int fd, double begin) {
    known->asked = true;
    if ((unsigned)fd >= IOL_DESCRIPTORS) return;
    /* a standard stream that was redirected to a file is that file; else the record has the stream's name */
    if (!iol__descriptor(fd)) {
        iol__file_hold(known->file);
        if (!iol__descriptor_new(fd, known->file, false)) {
            iol__file_done(known->file);
            return;
        }
    }
    if (fd > 2 || iol__store_state.made || !iol__stdio_asked_early(known, fd, begin))
        iol__posix_duplicated(fd, fd, IOL_POSIX_FILENOS, begin);
}

FILENO(fileno)
FILENO(fileno_unlocked)

/* Code that the compiler made of getc_unlocked and putc_unlocked comes here only when the buffer is empty or full. */
IOL_EXPORT int __uflow(FILE *stream) {
    iol__rt_stream *known = of_libc(stream) ? NULL : iol__stream_of(stream);
    if (!known) return real(__uflow)(stream);
    if (!iol__alone()) iol__stdio_catch_up(known);
    const double begin = iol__now();
    const int result = iol__real.__uflow(stream);
    const double end = iol__now();
    iol__stream_seen(known, stream);
    if (result != EOF) {
        known->refill_begin = begin;
        known->refill_end = end;
        known->seen[0]--; /* this one is counted with those that follow it */
    }
    return result;
}

IOL_EXPORT int __overflow(FILE *stream, int c) {
    if (of_libc(stream)) return real(__overflow)(stream, c);
    const int fd = stream->_fileno;
    const char *seen = (unsigned)fd < IOL_DESCRIPTORS && iol__streams[fd] ? iol__streams[fd]->seen[1] : NULL;
    int64_t waiting = 0;
    if (seen && seen >= stream->_IO_write_base && seen <= stream->_IO_write_ptr) waiting = stream->_IO_write_ptr - seen;
    if (waiting && iol__awake()) iol__streams[fd]->seen[1] = stream->_IO_write_ptr; /* counted below, with their time */
    iol__rt_stream *known = iol__stream_of(stream);
    if (!known) return real(__overflow)(stream, c);
    const double begin = iol__now();
    const int result = iol__real.__overflow(stream, c);
    RETURN(int, stream, write, result != EOF, waiting + (c != EOF))
}
