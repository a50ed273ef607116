/* The wrapped functions on descriptors. Most come from lines of functions.def; those at the end need a hand. */
#include "runtime/core/filter.h"
#include "runtime/custom/maps.h"
#include "runtime/posix/operations.h"
#include "runtime/core/real.h"
#include "runtime/posix/posix.h"
#include "runtime/posix/ring.h"

#include <errno.h>
#include <linux/fs.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/xattr.h>

#define ENTRY(type, name) IOL_EXPORT type name
#define FIRST(type, name, arguments) real(name) arguments
#define CALL(type, name, arguments) iol__real.name arguments
#define FUNCTION(type, name, parameters)
#include "runtime/posix/forms.h"

#include "runtime/posix/declarations.h"
#include "runtime/posix/functions.def"

/* By hand ---------------------------------------------------------------------------------------------------------- */

IOL_EXPORT int close(int fd) {
    if (fd == 2) iol__stderr_changed = true;
    if (IOL_UNLIKELY(iol__rings) && iol__mine()) iol__ring_closing(fd);
    iol__state *state = iol__posix_closing(fd);
    if (!state) return real(close)(fd);
    const double begin = iol__now();
    const int result = iol__real.close(fd);
    iol__posix_closed(state, result != 0, begin);
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

#define LOCKS(command) \
    ((command) == F_SETLK || (command) == F_SETLKW || (command) == F_OFD_SETLK || (command) == F_OFD_SETLKW)

static int lock(int (*function)(int, int, ...), int fd, int command, void *argument) {
    if (!iol__descriptor(fd)) return function(fd, command, argument);
    const double begin = iol__now();
    const int result = function(fd, command, argument);
    iol__operation_done(IOL_OPERATION_LOCK, result != 0, begin);
    return result;
}

/* Nobody knows whether there is a third argument, or of which type; a pointer's worth is what libc itself takes. */
#define FCNTL(name)                                                                                    \
    IOL_EXPORT int name(int fd, int command, ...) {                                                    \
        va_list values;                                                                                \
        va_start(values, command);                                                                     \
        void *argument = va_arg(values, void *);                                                       \
        va_end(values);                                                                                \
        if (LOCKS(command)) return lock(real(name), fd, command, argument);                            \
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

#define MMAP(name, offset_type)                                                                               \
    IOL_EXPORT void *name(void *where, size_t size, int protection, int flags, int fd, offset_type at) {      \
        iol__opened *opened = (flags & MAP_ANONYMOUS) || fd < 0 ? NULL : iol__descriptor(fd);                 \
        void *result = real(name)(where, size, protection, flags, fd, at);                                    \
        if (opened && result != MAP_FAILED) {                                                                 \
            iol__posix_mapped(opened);                                                                        \
            iol__maps_mapped(opened->file, result, size, (flags & MAP_PRIVATE) && (protection & PROT_WRITE)); \
        }                                                                                                     \
        if (IOL_UNLIKELY(iol__rings) && !opened && fd >= 0 && result != MAP_FAILED)                           \
            iol__ring_mapped(fd, at, result, size);                                                           \
        return result;                                                                                        \
    }
MMAP(mmap, off_t)
MMAP(mmap64, off64_t)

/* The last look at a ring that goes, and at the pages of a file. */
IOL_EXPORT int munmap(void *where, size_t size) {
    if (IOL_UNLIKELY(iol__rings) && iol__awake()) iol__ring_unmapping(where, size);
    if (IOL_UNLIKELY(iol__maps_open) && iol__awake()) iol__maps_unmapping(where, size);
    return real(munmap)(where, size);
}

/* A map that is written back and waited for; which file it is of, nobody knows. */
IOL_EXPORT int msync(void *where, size_t size, int flags) {
    if (!(flags & MS_SYNC) || !iol__awake()) return real(msync)(where, size, flags);
    const double begin = iol__now();
    const int result = iol__real.msync(where, size, flags);
    iol__operation_done(IOL_OPERATION_SYNC, result != 0, begin);
    return result;
}

#define FTRUNCATE(name, size_type)                                       \
    IOL_EXPORT int name(int fd, size_type length) {                      \
        if (!iol__descriptor(fd)) return real(name)(fd, length);         \
        iol__posix_cut(fd);                                              \
        const double begin = iol__now();                                 \
        const int result = iol__real.name(fd, length);                   \
        iol__operation_done(IOL_OPERATION_TRUNCATE, result != 0, begin); \
        return result;                                                   \
    }
FTRUNCATE(ftruncate, off_t)
FTRUNCATE(ftruncate64, off64_t)

#define TRUNCATE(name, size_type)                                                      \
    IOL_EXPORT int name(const char *path, size_type length) {                          \
        if (!iol__awake()) return real(name)(path, length);                            \
        const double begin = iol__now();                                               \
        const int result = iol__real.name(path, length);                               \
        iol__operation_at(IOL_OPERATION_TRUNCATE, result != 0, AT_FDCWD, path, begin); \
        if (result == 0) iol__posix_cut_at(path);                                      \
        return result;                                                                 \
    }
TRUNCATE(truncate, off_t)
TRUNCATE(truncate64, off64_t)

/* As with fcntl, nobody knows the third argument. A clone shares the bytes of another file; nothing is transferred. */
IOL_EXPORT int ioctl(int fd, unsigned long request, ...) {
    va_list values;
    va_start(values, request);
    void *argument = va_arg(values, void *);
    va_end(values);
    if ((request != FICLONE && request != FICLONERANGE) || !iol__descriptor(fd))
        return real(ioctl)(fd, request, argument);
    iol__posix_cut(fd);
    const double begin = iol__now();
    const int result = iol__real.ioctl(fd, request, argument);
    iol__operation_done(IOL_OPERATION_CLONE, result != 0, begin);
    return result;
}

/* Into a pipe, or out of it at its other end. Only one that has a name is a file to us. */
IOL_EXPORT ssize_t vmsplice(int fd, const struct iovec *vector, size_t n, unsigned flags) {
    iol__opened *opened = iol__descriptor(fd);
    if (!opened) return real(vmsplice)(fd, vector, n, flags);
    const double begin = iol__now();
    const ssize_t result = iol__real.vmsplice(fd, vector, n, flags);
    if (result < 0) return result;
    const bool unaligned = iol__posix_vector_unaligned(vector, (int)n);
    if (opened->read_only)
        iol__posix_read(opened, fd, IOL_HERE, result, unaligned, begin);
    else
        iol__posix_write(opened, fd, IOL_HERE, result, unaligned, begin);
    return result;
}

/* Directories ------------------------------------------------------------------------------------------------------ */

/* libc opens and closes the descriptor by itself. */
IOL_EXPORT DIR *opendir(const char *path) {
    bool excluded = false;
    if (!iol__awake()) return real(opendir)(path);
    const double begin = iol__now();
    DIR *result = iol__real.opendir(path);
    if (!result) {
        iol__operation_at(IOL_OPERATION_OPENDIR, true, AT_FDCWD, path, begin);
        return NULL;
    }
    iol__file *file = iol__file_at(AT_FDCWD, path, &excluded);
    if (!iol__descriptor_new(dirfd(result), file, excluded) && file) iol__file_done(file);
    if (excluded && iol__filter_alias(path)) iol__descriptor_discover(dirfd(result)); /* what is below has a name */
    if (file) iol__operation_done(IOL_OPERATION_OPENDIR, false, begin);
    return result;
}

IOL_EXPORT DIR *fdopendir(int fd) {
    const iol__opened *opened = iol__descriptor(fd);
    if (!opened) return real(fdopendir)(fd);
    const double begin = iol__now();
    DIR *result = iol__real.fdopendir(fd);
    iol__operation_done(IOL_OPERATION_OPENDIR, !result, begin);
    return result;
}

/* The end of a directory is not an entry, and no failure either unless errno says so. */
#define READDIR(name, entry)                                                                            \
    IOL_EXPORT struct entry *name(DIR *directory) {                                                     \
        if (!iol__there(directory) || !iol__descriptor(dirfd(directory))) return real(name)(directory); \
        const int before = errno;                                                                       \
        const double begin = iol__now();                                                                \
        struct entry *result = iol__real.name(directory);                                               \
        if (result || errno != before) iol__operation_done(IOL_OPERATION_READDIR, !result, begin);      \
        return result;                                                                                  \
    }
READDIR(readdir, dirent)
READDIR(readdir64, dirent64)

IOL_EXPORT int closedir(DIR *directory) {
    if (iol__there(directory)) iol__descriptor_forget(dirfd(directory));
    return real(closedir)(directory);
}

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
