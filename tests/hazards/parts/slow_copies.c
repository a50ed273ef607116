/* A preloaded library with which the kernel needs two seconds to copy anything from file to file. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <dlfcn.h>
#include <sys/sendfile.h>
#include <unistd.h>

ssize_t sendfile(int to, int from, off_t *offset, size_t count) {
    ssize_t (*next)(int, int, off_t *, size_t) = NULL;
    *(void **)&next = dlsym(RTLD_NEXT, "sendfile");
    sleep(2);
    return next ? next(to, from, offset, count) : -1;
}
