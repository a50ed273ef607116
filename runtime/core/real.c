/* Finding the real functions. What is missing in this C library (names of newer or older ones) fails as a system call
   that the kernel does not know would. Everything is read from the tables of the loaded objects: a wrapper may be
   entered before the start, by an allocator that holds its lock, so that nothing here may allocate or wait. Threads may
   come here at the same time; they find the same. */
#include "runtime/core/real.h"

#include <errno.h>

#include "runtime/core/guard.h"
#include "runtime/lazy/late.h"
#include "runtime/lazy/lookup.h"
#include "runtime/lazy/next.h"

iol__functions iol__real;

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

static const char *const variadic[] = {
#define FUNCTION(type, name, parameters)
#define VARIADIC(name) #name,
#include "runtime/functions.h"
#undef FUNCTION
};

/* What newer C libraries, or older ones, have: a variable that says whether there is one thread, and texts of errors. */
static const char *(*describe)(int error);
static const char *const *error_texts;
static const int *n_error_texts;

static void find_variables(void) {
    const char *alone = iol__next_symbol("__libc_single_threaded");
    if (alone) iol__single_threaded_set(alone);
    describe = (const char *(*)(int))iol__next_symbol("strerrordesc_np");
    error_texts = iol__next_symbol("_sys_errlist");
    n_error_texts = iol__next_symbol("_sys_nerr");
}

const char *iol__error_text(int error) {
    if (describe) return describe(error);
    return error_texts && n_error_texts && error >= 0 && error < *n_error_texts ? error_texts[error] : NULL;
}

static void *at(size_t i) { return __atomic_load_n((void **)names[i].into, __ATOMIC_RELAXED); }
static void put(size_t i, void *function) { __atomic_store_n((void **)names[i].into, function, __ATOMIC_RELAXED); }

void *iol__real_wrapper(const char *name) {
    const struct link_map *map = iol__our_object();
    iol__symbols ours;
    return iol__symbols_next(&map, &ours) ? iol__symbol_in(&ours, name, iol__symbol_hash(name)) : NULL;
}

void *iol__real_behind(const char *name) {
    if (!iol__real_wrapper(name)) return NULL;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (iol__same_name(names[i].name, name)) return at(i);
    return NULL;
}

/* In the place of a function that nobody has. */
static void *without(const char *name) {
    void *late = iol__late(name);
    return late ? late : (void *)missing;
}

bool iol__real_may_be_missing(const char *name) {
    const void *behind = iol__real_behind(name);
    if (behind) return behind == without(name);
    for (size_t i = 0; i < sizeof variadic / sizeof *variadic; i++)
        if (iol__same_name(variadic[i], name)) return true;
    return false;
}

/* All names in one object after the other. */
const iol__functions *iol__real_find(void) {
    enum { COUNT = sizeof names / sizeof *names };
    static uint32_t hashes[COUNT];
    const struct link_map *ours = iol__our_object(), *map = ours ? ours->l_next : NULL;
    for (size_t i = 0; i < COUNT; i++) hashes[i] = iol__symbol_hash(names[i].name);
    for (iol__symbols object; iol__symbols_next(&map, &object);)
        for (size_t i = 0; i < COUNT; i++)
            if (!at(i)) put(i, iol__symbol_in(&object, names[i].name, hashes[i]));
    for (size_t i = 0; i < COUNT; i++)
        if (!at(i)) put(i, without(names[i].name));
    iol__loader_start();
    iol__listed_find();
    iol__real.open_streams = iol__next_symbol("_IO_list_all");
    find_variables();
    return &iol__real;
}
