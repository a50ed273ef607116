/* The wrapped functions on descriptors. Most come from lines of functions.def; those at the end need a hand. */
#include "runtime/core/real.h"
#include "runtime/posix/posix.h"

#include <stdarg.h>
#include <stdlib.h>
#include <sys/mman.h>

/* What the tables do not say by themselves. */
#define MEMORY(pointer) iol__posix_unaligned(pointer)
#define VECTOR(vector, n) iol__posix_vector_unaligned(vector, n)
#define HERE_OR(at) ((at) == -1 ? IOL_HERE : (at))

#define FUNCTION(type, name, parameters)

#define TRANSFER(name, parameters, arguments, way, memory, offset)                                \
    IOL_EXPORT ssize_t name parameters {                                                          \
        iol__opened *opened = iol__descriptor(fd);                                                \
        if (!opened) return real(name) arguments;                                                 \
        const double begin = iol__now();                                                          \
        const ssize_t result = iol__real.name arguments;                                          \
        if (IOL_LIKELY(result >= 0)) iol__posix_##way(opened, fd, offset, result, memory, begin); \
        return result;                                                                            \
    }

#define OPENED(name, arguments, directory, path, flags, mode)                        \
    if (!iol__awake()) return real(name) arguments;                                  \
    const double begin = iol__now();                                                 \
    const int result = iol__real.name arguments;                                     \
    if (result >= 0) iol__posix_opened(result, directory, path, flags, mode, begin); \
    return result;

#define OPEN(name, parameters, arguments, directory, path, flags, mode) \
    IOL_EXPORT int name parameters { OPENED(name, arguments, directory, path, flags, mode) }

/* The mode is there if the file may be created; O_TMPFILE creates one as well. */
#define OPEN_MODE(name, parameters, before, arguments, directory, path, flag_bits) \
    IOL_EXPORT int name parameters {                                               \
        mode_t mode = 0;                                                           \
        if ((flags & O_CREAT) || (flags & O_TMPFILE) == O_TMPFILE) {               \
            va_list values;                                                        \
            va_start(values, before);                                              \
            mode = va_arg(values, mode_t);                                         \
            va_end(values);                                                        \
        }                                                                          \
        OPENED(name, arguments, directory, path, flag_bits, mode)                  \
    }

#define TEMPORARY(name, parameters, arguments, path) \
    IOL_EXPORT int name parameters { OPENED(name, arguments, AT_FDCWD, path, O_CREAT | O_EXCL, 0) }

/* An empty path with a descriptor is about the descriptor. */
#define STAT_PATH(name, parameters, arguments, directory, path, regular)                       \
    IOL_EXPORT int name parameters {                                                           \
        if (!iol__awake()) return real(name) arguments;                                        \
        const double begin = iol__now();                                                       \
        const int result = iol__real.name arguments;                                           \
        if (result == 0 && (regular)) iol__posix_stat(iol__stat_file(directory, path), begin); \
        return result;                                                                         \
    }

#define STAT_FD(name, parameters, arguments, regular)                                             \
    IOL_EXPORT int name parameters {                                                              \
        iol__opened *opened = iol__descriptor(fd);                                                \
        if (!opened) return real(name) arguments;                                                 \
        const double begin = iol__now();                                                          \
        const int result = iol__real.name arguments;                                              \
        if (result == 0 && (regular)) iol__posix_count(opened, IOL_POSIX_STATS, IOL_META, begin); \
        return result;                                                                            \
    }

#define COUNT(type, name, parameters, arguments, failed, counter, way)         \
    IOL_EXPORT type name parameters {                                          \
        iol__opened *opened = iol__descriptor(fd);                             \
        if (!opened) return real(name) arguments;                              \
        const double begin = iol__now();                                       \
        const type result = iol__real.name arguments;                          \
        if (result != (failed)) iol__posix_count(opened, counter, way, begin); \
        return result;                                                         \
    }

#define SEEK(type, name)                                           \
    IOL_EXPORT type name(int fd, type offset, int from) {          \
        iol__opened *opened = iol__descriptor(fd);                 \
        if (!opened) return real(name)(fd, offset, from);          \
        const double begin = iol__now();                           \
        const type result = iol__real.name(fd, offset, from);      \
        if (result >= 0) iol__posix_sought(opened, result, begin); \
        return result;                                             \
    }

#define RENAME(name, parameters, arguments, from_at, from, to_at, to)         \
    IOL_EXPORT int name parameters {                                          \
        if (!iol__awake()) return real(name) arguments;                       \
        const double begin = iol__now();                                      \
        const int result = iol__real.name arguments;                          \
        if (result == 0) iol__posix_renamed(from_at, from, to_at, to, begin); \
        return result;                                                        \
    }

/* A read of the one and a write to the other, of the same bytes at the same time. */
#define COPY(name, parameters, arguments, from, from_at, to, to_at)                        \
    IOL_EXPORT ssize_t name parameters {                                                   \
        iol__opened *source = iol__descriptor(from), *target = iol__descriptor(to);        \
        if (!source && !target) return real(name) arguments;                               \
        const double begin = iol__now();                                                   \
        const ssize_t result = iol__real.name arguments;                                   \
        if (result < 0) return result;                                                     \
        const int64_t read_at = BEFORE(from_at, result), write_at = BEFORE(to_at, result); \
        if (source) iol__posix_read(source, from, read_at, result, false, begin);          \
        if (target) iol__posix_write(target, to, write_at, result, false, begin);          \
        return result;                                                                     \
    }
#define BEFORE(pointer, moved) iol__offset_before(pointer, moved)

/* The kernel has moved the offset on. */
static int64_t iol__offset_before(const off64_t *offset, ssize_t moved) { return offset ? *offset - moved : IOL_HERE; }

static iol__file *iol__stat_file(int directory, const char *path) {
    bool excluded = false;
    if (path && *path) return iol__file_at(directory, path, &excluded);
    const iol__opened *opened = directory >= 0 ? iol__descriptor(directory) : NULL;
    return opened ? opened->file : NULL;
}

#include "runtime/posix/declarations.h"
#include "runtime/posix/functions.def"

/* By hand ---------------------------------------------------------------------------------------------------------- */

IOL_EXPORT int close(int fd) {
    if (fd == 2) iol__stderr_changed = true;
    iol__state *state = iol__posix_closing(fd);
    if (!state) return real(close)(fd);
    const double begin = iol__now();
    const int result = iol__real.close(fd);
    iol__posix_closed(state, begin);
    return result;
}

IOL_EXPORT int dup(int fd) {
    if (!iol__awake()) return real(dup)(fd);
    const double begin = iol__now();
    const int result = iol__real.dup(fd);
    if (result >= 0) iol__posix_duplicated(result, fd, IOL_POSIX_DUPS, begin);
    return result;
}

IOL_EXPORT int dup2(int fd, int wanted) {
    if (!iol__awake()) return real(dup2)(fd, wanted);
    const double begin = iol__now();
    const int result = iol__real.dup2(fd, wanted);
    if (result >= 0) iol__posix_duplicated(result, fd, IOL_POSIX_DUPS, begin);
    return result;
}

IOL_EXPORT int dup3(int fd, int wanted, int flags) {
    if (!iol__awake()) return real(dup3)(fd, wanted, flags);
    const double begin = iol__now();
    const int result = iol__real.dup3(fd, wanted, flags);
    if (result >= 0) iol__posix_duplicated(result, fd, IOL_POSIX_DUPS, begin);
    return result;
}

/* Nobody knows whether there is a third argument, or of which type; a pointer's worth is what libc itself takes. */
#define FCNTL(name)                                                                                    \
    IOL_EXPORT int name(int fd, int command, ...) {                                                    \
        va_list values;                                                                                \
        va_start(values, command);                                                                     \
        void *argument = va_arg(values, void *);                                                       \
        va_end(values);                                                                                \
        if ((command != F_DUPFD && command != F_DUPFD_CLOEXEC && command != F_SETFL) || !iol__awake()) \
            return real(name)(fd, command, argument);                                                  \
        const double begin = iol__now();                                                               \
        const int result = iol__real.name(fd, command, argument);                                      \
        if (result < 0) return result;                                                                 \
        if (command == F_SETFL)                                                                        \
            iol__posix_flags(fd, (int)(intptr_t)argument);                                             \
        else                                                                                           \
            iol__posix_duplicated(result, fd, IOL_POSIX_DUPS, begin);                                  \
        return result;                                                                                 \
    }
FCNTL(fcntl)
FCNTL(fcntl64)

#define MMAP(name, offset_type)                                                                          \
    IOL_EXPORT void *name(void *where, size_t size, int protection, int flags, int fd, offset_type at) { \
        iol__opened *opened = (flags & MAP_ANONYMOUS) || fd < 0 ? NULL : iol__descriptor(fd);            \
        void *result = real(name)(where, size, protection, flags, fd, at);                               \
        if (opened && result != MAP_FAILED) iol__posix_mapped(opened);                                   \
        return result;                                                                                   \
    }
MMAP(mmap, off_t)
MMAP(mmap64, off64_t)

#define FTRUNCATE(name, size_type)                  \
    IOL_EXPORT int name(int fd, size_type length) { \
        iol__posix_cut(fd);                         \
        return real(name)(fd, length);              \
    }
FTRUNCATE(ftruncate, off_t)
FTRUNCATE(ftruncate64, off64_t)

static void printed(iol__opened *opened, int fd, int result, double begin) {
    if (result >= 0) iol__posix_write(opened, fd, IOL_HERE, result, false, begin);
}

IOL_EXPORT int vdprintf(int fd, const char *format, va_list values) {
    iol__opened *opened = iol__descriptor(fd);
    if (!opened) return real(vdprintf)(fd, format, values);
    const double begin = iol__now();
    const int result = iol__real.vdprintf(fd, format, values);
    printed(opened, fd, result, begin);
    return result;
}

IOL_EXPORT int __vdprintf_chk(int fd, int flag, const char *format, va_list values) {
    iol__opened *opened = iol__descriptor(fd);
    if (!opened) return real(__vdprintf_chk)(fd, flag, format, values);
    const double begin = iol__now();
    const int result = iol__real.__vdprintf_chk(fd, flag, format, values);
    printed(opened, fd, result, begin);
    return result;
}

IOL_EXPORT int dprintf(int fd, const char *format, ...) {
    va_list values;
    va_start(values, format);
    const int result = vdprintf(fd, format, values);
    va_end(values);
    return result;
}

IOL_EXPORT int __dprintf_chk(int fd, int flag, const char *format, ...) {
    va_list values;
    va_start(values, format);
    const int result = __vdprintf_chk(fd, flag, format, values);
    va_end(values);
    return result;
}
