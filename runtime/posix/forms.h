/* What the lines of functions.def and syscalls.def become. Who includes this says what calls come in as and where they
   go on to: ENTRY(type, name) begins the definition, FIRST and CALL(type, name, arguments) are the real one, before it
   is known that there is something to record, and behind. */
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/uio.h>

#include "runtime/posix/operations.h"
#include "runtime/posix/posix.h"

/* What the tables do not say by themselves. */
#define MEMORY(pointer) iol__posix_unaligned(pointer)
#define VECTOR(vector, n) iol__posix_vector_unaligned(vector, n)
#define HERE_OR(at) ((at) == -1 ? IOL_HERE : (at))
#define FLAGGED(at, flags)                     \
    (!((flags)&RWF_APPEND) ? HERE_OR(at)       \
     : (at) == -1          ? IOL_AT_END_MOVING \
                           : IOL_AT_END) /* -1 moves the position there */

/* In parts: a descriptor that is not a file goes on to the real function at once, and only the part for those that are
   has registers to save. That one ends with the recording, which returns the result. */
#define INSIDE_OF(...) __VA_ARGS__
#define TRANSFER(name, parameters, arguments, direction, memory, offset)                                             \
    static __attribute__((noinline)) ssize_t watched_##name(INSIDE_OF parameters, iol__opened *opened) {             \
        if (IOL_UNLIKELY(!iol__page.live) && !iol__wake()) return FIRST(ssize_t, name, arguments);                   \
        const double begin = iol__now();                                                                             \
        const ssize_t result = CALL(ssize_t, name, arguments);                                                       \
        return IOL_LIKELY(result >= 0) ? iol__posix_##direction(opened, fd, offset, result, memory, begin) : result; \
    }                                                                                                                \
    static __attribute__((noinline)) ssize_t unknown_##name parameters {                                             \
        iol__opened *opened = iol__descriptor(fd);                                                                   \
        return opened ? watched_##name(INSIDE_OF arguments, opened) : FIRST(ssize_t, name, arguments);               \
    }                                                                                                                \
    ENTRY(ssize_t, name) parameters {                                                                                \
        iol__opened *opened = (unsigned)fd < IOL_DESCRIPTORS ? iol__descriptors[fd] : IOL_NO_FILE;                   \
        if ((uintptr_t)opened > (uintptr_t)IOL_EXCLUDED) return watched_##name(INSIDE_OF arguments, opened);         \
        return opened == IOL_UNKNOWN ? unknown_##name arguments : FIRST(ssize_t, name, arguments);                   \
    }

#define OPENED(name, arguments, directory, path, flags, mode)                \
    if (!iol__awake()) return FIRST(int, name, arguments);                   \
    const double begin = iol__now();                                         \
    const int result = CALL(int, name, arguments);                           \
    if (IOL_LIKELY(result >= 0))                                             \
        iol__posix_opened(result, directory, path, flags, mode, begin);      \
    else                                                                     \
        iol__operation_at(IOL_OPERATION_OPEN, true, directory, path, begin); \
    return result;

#define OPEN(name, parameters, arguments, directory, path, flags, mode) \
    ENTRY(int, name) parameters { OPENED(name, arguments, directory, path, flags, mode) }

/* The mode is there if the file may be created; O_TMPFILE creates one as well. */
#define OPEN_MODE(name, parameters, before, arguments, directory, path, flag_bits) \
    ENTRY(int, name) parameters {                                                  \
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
    ENTRY(int, name) parameters { OPENED(name, arguments, AT_FDCWD, path, O_CREAT | O_EXCL, 0) }

/* An empty path with a descriptor is about the descriptor. Only regular files have a counter for it in a record. */
#define STAT_PATH(name, parameters, arguments, directory, path, regular)              \
    ENTRY(int, name) parameters {                                                     \
        if (!iol__awake()) return FIRST(int, name, arguments);                        \
        const double begin = iol__now();                                              \
        const int result = CALL(int, name, arguments);                                \
        if (result == 0 && (regular)) return iol__posix_stat(directory, path, begin); \
        iol__operation_at(IOL_OPERATION_STAT, result != 0, directory, path, begin);   \
        return result;                                                                \
    }

#define STAT_FD(name, parameters, arguments, regular)                                              \
    ENTRY(int, name) parameters {                                                                  \
        iol__opened *opened = iol__descriptor(fd);                                                 \
        if (!opened) return FIRST(int, name, arguments);                                           \
        const double begin = iol__now();                                                           \
        const int result = CALL(int, name, arguments);                                             \
        if (result == 0 && (regular))                                                              \
            iol__posix_count(opened, IOL_POSIX_STATS, IOL_META, IOL_OPERATION_STAT, false, begin); \
        else                                                                                       \
            iol__operation_done(IOL_OPERATION_STAT, result != 0, begin);                           \
        return result;                                                                             \
    }

#define COUNT(type, name, parameters, arguments, bad, counter, direction, operation)     \
    ENTRY(type, name) parameters {                                                       \
        iol__opened *opened = iol__descriptor(fd);                                       \
        if (!opened) return FIRST(type, name, arguments);                                \
        const double begin = iol__now();                                                 \
        const type result = CALL(type, name, arguments);                                 \
        iol__posix_count(opened, counter, direction, operation, result == (bad), begin); \
        return result;                                                                   \
    }

#define AT_PATH(type, name, parameters, arguments, operation, directory, path) \
    ENTRY(type, name) parameters {                                             \
        if (!iol__awake()) return FIRST(type, name, arguments);                \
        const double begin = iol__now();                                       \
        type result = CALL(type, name, arguments);                             \
        iol__operation_at(operation, FAILED(result), directory, path, begin);  \
        return result;                                                         \
    }
/* Functions on paths return -1, or a null pointer. */
#define FAILED(result) _Generic((result), char * : !(result), default : (intptr_t)(result) == -1)

#define AT_FD(type, name, parameters, arguments, operation, failed) \
    ENTRY(type, name) parameters {                                  \
        const iol__opened *opened = iol__descriptor(fd);            \
        if (!opened) return FIRST(type, name, arguments);           \
        const double begin = iol__now();                            \
        const type result = CALL(type, name, arguments);            \
        iol__operation_done(operation, failed, begin);              \
        return result;                                              \
    }

#define SEEK(type, name)                                           \
    ENTRY(type, name)(int fd, type offset, int from) {             \
        iol__opened *opened = iol__descriptor(fd);                 \
        if (!opened) return FIRST(type, name, (fd, offset, from)); \
        const double begin = iol__now();                           \
        const type result = CALL(type, name, (fd, offset, from));  \
        iol__posix_sought(opened, result, begin);                  \
        return result;                                             \
    }

#define RENAME(name, parameters, arguments, from_at, from, to_at, to)               \
    ENTRY(int, name) parameters {                                                   \
        if (!iol__awake()) return FIRST(int, name, arguments);                      \
        const double begin = iol__now();                                            \
        const int result = CALL(int, name, arguments);                              \
        iol__operation_at(IOL_OPERATION_RENAME, result != 0, from_at, from, begin); \
        if (result == 0) iol__posix_renamed(from_at, from, to_at, to, begin);       \
        return result;                                                              \
    }

/* A read of the one and a write to the other, of the same bytes at the same time, which is half of each. Who comes to
   the end of the one has read that, as by read, and writes nothing to the other. */
#define COPY(name, parameters, arguments, from, from_at, to, to_at)                              \
    ENTRY(ssize_t, name) parameters {                                                            \
        iol__opened *source = iol__descriptor(from), *target = iol__descriptor(to);              \
        if (!source && !target) return FIRST(ssize_t, name, arguments);                          \
        const double begin = iol__now();                                                         \
        const ssize_t result = CALL(ssize_t, name, arguments);                                   \
        if (result < 0) return result;                                                           \
        const int64_t read_at = BEFORE(from_at, result), write_at = BEFORE(to_at, result);       \
        if (result == 0) target = NULL;                                                          \
        const double own = source && target ? iol__posix_second_half(begin, iol__now()) : begin; \
        if (source) iol__posix_read(source, from, read_at, result, false, own);                  \
        if (target) iol__posix_write(target, to, write_at, result, false, own);                  \
        return result;                                                                           \
    }
#define BEFORE(pointer, moved) iol__offset_before(pointer, moved)

/* The kernel has moved the offset on. */
static int64_t iol__offset_before(const off64_t *offset, ssize_t moved) { return offset ? *offset - moved : IOL_HERE; }
