/* A preloaded library that wraps write, open and close and counts the writes of "out.dat" and "other.dat". */
#include <dlfcn.h>

#include "tests/hazards/hazard.h"

int preloaded_writes(void);

static int writes, opened = -1;

int preloaded_writes(void) { return writes; }

int open(const char *path, int flags, ...) {
    static int (*next)(const char *, int, ...);
    if (!next) *(void **)&next = dlsym(RTLD_NEXT, "open");
    va_list list;
    va_start(list, flags);
    mode_t mode = va_arg(list, mode_t);
    va_end(list);
    int fd = next(path, flags, mode);
    if (strcmp(path, "out.dat") == 0 || strcmp(path, "other.dat") == 0) opened = fd;
    return fd;
}

ssize_t write(int fd, const void *bytes, size_t count) {
    static ssize_t (*next)(int, const void *, size_t);
    if (!next) *(void **)&next = dlsym(RTLD_NEXT, "write");
    if (fd == opened) writes++;
    return next(fd, bytes, count);
}

int close(int fd) {
    static int (*next)(int);
    if (!next) *(void **)&next = dlsym(RTLD_NEXT, "close");
    if (fd == opened) opened = -1;
    return next(fd);
}
