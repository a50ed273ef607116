/* A tool in the manner of Score-P and TAU. As a preloaded library it finds what it wraps in its constructor, by
   dlsym(RTLD_NEXT), and opens a file of its own there; linked into a program it has the hooks of -finstrument-functions, and
   what the linker's --wrap leads to it. It writes what it saw into the file that TRACER_REPORT names. */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

static int entered, left, writes, wrapped;
static FILE *report;

#define QUIET __attribute__((no_instrument_function))

void __cyg_profile_func_enter(void *function, void *site) QUIET;
void __cyg_profile_func_exit(void *function, void *site) QUIET;
void __cyg_profile_func_enter(void *function, void *site) {
    (void)function;
    (void)site;
    entered++;
}
void __cyg_profile_func_exit(void *function, void *site) {
    (void)function;
    (void)site;
    left++;
}

#ifdef LINKED
ssize_t __real_write(int fd, const void *from, size_t size);
ssize_t __wrap_write(int fd, const void *from, size_t size) QUIET;
ssize_t __wrap_write(int fd, const void *from, size_t size) {
    wrapped++;
    return __real_write(fd, from, size);
}
#else
static ssize_t (*next_write)(int, const void *, size_t);
ssize_t write(int fd, const void *from, size_t size) QUIET;
ssize_t write(int fd, const void *from, size_t size) {
    if (!next_write) return -1;
    writes++;
    return next_write(fd, from, size);
}
#endif

QUIET __attribute__((constructor)) static void start(void) {
#ifndef LINKED
    void *found = dlsym(RTLD_NEXT, "write");
    memcpy(&next_write, &found, sizeof found);
#endif
    const char *path = getenv("TRACER_REPORT");
    if (path) report = fopen(path, "w");
}

QUIET __attribute__((destructor)) static void stop(void) {
    if (!report) return;
    const int now = writes;
    fprintf(report, "functions %d %d writes %d wrapped %d\n", entered > 0, entered - left, now, wrapped);
    fclose(report);
}
