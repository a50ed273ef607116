/* Finding the real functions, each when it is first called: a short program calls a dozen of some three hundred. What is
   missing in this C library (names of newer or older ones) fails as a system call that the kernel does not know would.
   Everything is read from the tables of the loaded objects: a wrapper may be entered before the start, by an allocator
   that holds its lock, so that nothing here may allocate or wait. Threads may come here at the same time; they find the
   same. */
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

/* The names one behind the other, so that the loader has no addresses to adjust. */
static const struct texts {
#define FUNCTION(type, name, parameters) char name[sizeof #name];
#include "runtime/functions.h"
#undef FUNCTION
} texts = {
#define FUNCTION(type, name, parameters) #name,
#include "runtime/functions.h"
#undef FUNCTION
};

static const uint16_t text_at[] = {
#define FUNCTION(type, name, parameters) offsetof(struct texts, name),
#include "runtime/functions.h"
#undef FUNCTION
};

enum { COUNT = sizeof text_at / sizeof *text_at };
_Static_assert(offsetof(iol__functions, open_streams) == COUNT * sizeof(void *),
               "a place for each name, in their order");

static const char *const variadic[] = {
#define FUNCTION(type, name, parameters)
#define VARIADIC(name) #name,
#include "runtime/functions.h"
#undef FUNCTION
};

static const char *name_of(size_t i) { return (const char *)&texts + text_at[i]; }
static void **place_of(size_t i) { return (void **)(void *)&iol__real + i; }
static void *at(size_t i) { return __atomic_load_n(place_of(i), __ATOMIC_RELAXED); }
static void put(size_t i, void *function) { __atomic_store_n(place_of(i), function, __ATOMIC_RELAXED); }

/* What newer C libraries, or older ones, have: texts of errors. */
const char *iol__error_text(int error) {
    const char *(*describe)(int) = (const char *(*)(int))iol__next_symbol("strerrordesc_np");
    if (describe) return describe(error);
    const char *const *all = iol__next_symbol("_sys_errlist");
    const int *count = iol__next_symbol("_sys_nerr");
    return all && count && error >= 0 && error < *count ? all[error] : NULL;
}

/* One by one ------------------------------------------------------------------------------------------------------- */

/* In the place of a function that nobody has. */
static void *without(const char *name) {
    void *late = iol__late(name);
    return late ? late : (void *)missing;
}

static void *find_real(size_t i) {
    void *found = iol__next_symbol(name_of(i));
    return found ? found : without(name_of(i));
}

#if IOL_STUBS
/* Entries of the assembler (stubs.S) stand in the table until a function is called. */
enum { ENTRY_BYTES = 16 };
extern const char iol__real_entries[] __attribute__((visibility("hidden")));

static void *entry_of(size_t i) { return (void *)(uintptr_t)(iol__real_entries + i * ENTRY_BYTES); }

void *iol__real_bind(const void *first, const void *second, const void *caller, uintptr_t number) {
    (void)first, (void)second, (void)caller;
    void *found = find_real(number);
    put(number, found);
    return found;
}

static void *bound(size_t i) {
    void *function = at(i);
    return function == entry_of(i) ? iol__real_bind(NULL, NULL, NULL, i) : function;
}
#else
static void *entry_of(size_t i) { return find_real(i); }
static void *bound(size_t i) { return at(i); }
#endif

/* Asked for by name ------------------------------------------------------------------------------------------------ */

/* Our own tables, read once; NULL where the loader shows none. */
static const iol__symbols *our_symbols(void) {
    static iol__symbols ours;
    static bool known;
    if (!__atomic_load_n(&known, __ATOMIC_ACQUIRE)) {
        const struct link_map *map = iol__our_object();
        iol__symbols found;
        if (!iol__symbols_next(&map, &found)) return NULL;
        ours = found;
        __atomic_store_n(&known, true, __ATOMIC_RELEASE);
    }
    return &ours;
}

void *iol__real_wrapper(const char *name) {
    const iol__symbols *ours = our_symbols();
    return ours ? iol__symbol_in(ours, name, iol__symbol_hash(name)) : NULL;
}

void *iol__real_behind(const char *name) {
    if (!iol__real_wrapper(name)) return NULL;
    for (size_t i = 0; i < COUNT; i++)
        if (iol__same_name(name_of(i), name)) return bound(i);
    return NULL;
}

bool iol__real_may_be_missing(const char *name) {
    if (!iol__real_wrapper(name)) return false;
    const void *behind = iol__real_behind(name);
    if (behind) return behind == without(name);
    for (size_t i = 0; i < sizeof variadic / sizeof *variadic; i++)
        if (iol__same_name(variadic[i], name)) return true;
    return false;
}

void iol__real_bind_all(void) {
    for (size_t i = 0; i < COUNT; i++) bound(i);
}

/* The start -------------------------------------------------------------------------------------------------------- */

/* Where objects behind us may be unloaded, all are found at once. */
const iol__functions *iol__real_find(void) {
    iol__real.open_streams = NULL; /* a page that is written first is found once, not twice */
    const bool stay = iol__objects_stay();
    for (size_t i = 0; stay && i < COUNT; i++)
        if (!at(i)) put(i, entry_of(i));
    for (size_t i = 0; !stay && i < COUNT; i++)
        if (!at(i)) put(i, find_real(i));
    iol__real.open_streams = iol__next_symbol("_IO_list_all");
    const char *alone = iol__next_symbol("__libc_single_threaded");
    if (alone) iol__single_threaded_set(alone);
    return &iol__real;
}
