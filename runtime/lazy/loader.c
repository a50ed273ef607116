/* Finding the functions of the loader. What is in libc, or in a libdl that the program is linked with, is there at the start
   and stays. A program of an older C library that has no libdl gets it when Iolite first needs it, from the function by
   which libc itself loads what it needs (for names of hosts and users, say). */
#include "runtime/lazy/loader.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <stddef.h>

#include "runtime/lazy/next.h"

static void *open_nothing(const char *path, int mode) {
    (void)path, (void)mode;
    return NULL;
}
static int close_nothing(void *object) {
    (void)object;
    return 0;
}
static char *no_error(void) { return NULL; }
static void *no_symbol(void *object, const char *name) {
    (void)object, (void)name;
    return NULL;
}

static const iol__loader nobody = {open_nothing, close_nothing, no_error, no_symbol};
static iol__loader loaded;
static const iol__loader *ready; /* NULL: libdl is to be loaded */

typedef void *find_name(void *context, const char *name);

static bool find_all(find_name *find, void *context) {
    loaded.open = (void *(*)(const char *, int))find(context, "dlopen");
    loaded.close = (int (*)(void *))find(context, "dlclose");
    loaded.error = (char *(*)(void))find(context, "dlerror");
    loaded.symbol = (void *(*)(void *, const char *))find(context, "dlsym");
    return loaded.open && loaded.close && loaded.error && loaded.symbol;
}

static void *behind_us(void *context, const char *name) {
    (void)context;
    return iol__next_symbol(name);
}

typedef struct libc_loader {
    void *(*open)(const char *, int);
    void *(*symbol)(void *, const char *);
    void *libdl;
} libc_loader;

static libc_loader libcs;
static bool started;

static void *in_libdl(void *context, const char *name) {
    const libc_loader *l = context;
    return l->symbol(l->libdl, name);
}

/* Those that are there already. */
static void start_loader(void) {
    if (find_all(behind_us, NULL)) {
        __atomic_store_n(&ready, &loaded, __ATOMIC_RELEASE);
    } else {
        libcs.open = (void *(*)(const char *, int))iol__next_symbol("__libc_dlopen_mode");
        libcs.symbol = (void *(*)(void *, const char *))iol__next_symbol("__libc_dlsym");
    }
    started = true;
}

/* Threads that come here at the same time find the same. */
static const iol__loader *load_libdl(void) {
    enum { BY_PROGRAM = (int)0x80000000 }; /* as the loader marks what dlopen asks of it */
    if (!libcs.open || !libcs.symbol) return &nobody;
    libcs.libdl = libcs.open("libdl.so.2", RTLD_NOW | BY_PROGRAM);
    return libcs.libdl && find_all(in_libdl, &libcs) ? &loaded : &nobody;
}

const iol__loader *iol__loader_functions(void) {
    if (!started) start_loader();
    const iol__loader *l = __atomic_load_n(&ready, __ATOMIC_ACQUIRE);
    if (l) return l;
    l = load_libdl();
    __atomic_store_n(&ready, l, __ATOMIC_RELEASE);
    return l;
}
