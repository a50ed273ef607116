/* Finding the real functions. What is missing in this C library (names of newer or older ones) fails as a system call
   that the kernel does not know would. */
#include "runtime/core/real.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdbool.h>
#include <string.h>

#include "runtime/late/lookup.h"

iol__functions iol__real;
static iol__functions so_far; /* for calls that come in while they are being found */
static __thread bool finding __attribute__((tls_model("initial-exec")));

static long missing(void) {
    errno = ENOSYS;
    return -1;
}

static const struct {
    const char *name;
    void *into;
} names[] = {
#define FUNCTION(type, name, parameters) {#name, &iol__real.name},
#include "runtime/functions.h"
#undef FUNCTION
};

static void *const early[] = {
#define FUNCTION(type, name, parameters) &so_far.name,
#include "runtime/functions.h"
#undef FUNCTION
};

static void put(void *into, void *function) { *(void **)into = function; }

/* The loader's: where there are stubs, ours stands before it (runtime/late). Which name of a version it has depends on the
   C library. */
void *iol__real_dlsym_address(void) {
    if (!IOL_STUBS) return (void *)dlsym;
    static void *found;
    static const char *const versions[] = {"GLIBC_2.34", "GLIBC_2.2.5", "GLIBC_2.17"};
    for (size_t i = 0; !found && i < sizeof versions / sizeof *versions; i++)
        found = dlvsym(RTLD_NEXT, "dlsym", versions[i]);
    return found;
}

static void find(size_t i) {
    void *found = iol__real_dlsym(RTLD_NEXT, names[i].name);
    if (!found) found = (void *)missing;
    put(names[i].into, found);
    put(early[i], found);
}

/* A lookup that fails makes a message, which needs memory; an allocator that is itself preloaded may come back to us
   for that. So what allocators call is found first. */
const iol__functions *iol__real_find(void) {
    enum { COUNT = sizeof names / sizeof *names };
    static const char first[][8] = {"mmap", "mmap64", "open", "open64", "openat", "read", "write", "close", "lseek"};
    if (finding) return &so_far;
    finding = true;
    const int saved = errno;
    for (size_t i = 0; i < COUNT; i++) put(early[i], (void *)missing);
    for (size_t i = 0; i < COUNT; i++)
        for (size_t j = 0; j < sizeof first / sizeof *first; j++)
            if (strcmp(names[i].name, first[j]) == 0) find(i);
    for (size_t i = 0; i < COUNT; i++) find(i);
    iol__real.open_streams = iol__real_dlsym(RTLD_NEXT, "_IO_list_all");
    dlerror(); /* our failures are not the program's */
    errno = saved;
    finding = false;
    return &iol__real;
}
