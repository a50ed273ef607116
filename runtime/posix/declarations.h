/* Functions that libc has but no header declares for us. */
#ifndef IOL_RUNTIME_POSIX_DECLARATIONS_H
#define IOL_RUNTIME_POSIX_DECLARATIONS_H

#include <stdarg.h>
#include <sys/stat.h>
#include <sys/types.h>

int __open_2(const char *path, int flags);
int __open64_2(const char *path, int flags);
int __openat_2(int at, const char *path, int flags);
int __openat64_2(int at, const char *path, int flags);
ssize_t __read_chk(int fd, void *to, size_t size, size_t room);
ssize_t __pread_chk(int fd, void *to, size_t size, off_t at, size_t room);
ssize_t __pread64_chk(int fd, void *to, size_t size, off64_t at, size_t room);
int __xstat(int version, const char *path, struct stat *to);
int __xstat64(int version, const char *path, struct stat64 *to);
int __lxstat(int version, const char *path, struct stat *to);
int __lxstat64(int version, const char *path, struct stat64 *to);
int __fxstat(int version, int fd, struct stat *to);
int __fxstat64(int version, int fd, struct stat64 *to);
int __fxstatat(int version, int at, const char *path, struct stat *to, int flags);
int __fxstatat64(int version, int at, const char *path, struct stat64 *to, int flags);
int __xmknod(int version, const char *path, mode_t mode, dev_t *device);
int __xmknodat(int version, int at, const char *path, mode_t mode, dev_t *device);
ssize_t __readlink_chk(const char *path, char *to, size_t room, size_t there);
ssize_t __readlinkat_chk(int at, const char *path, char *to, size_t room, size_t there);
int __dprintf_chk(int fd, int flag, const char *format, ...);
int __vdprintf_chk(int fd, int flag, const char *format, va_list values);

#endif
