/* Finding functions of libraries that may come, and go, at any time. The next one in the order of the loader is what
   the program would have called; what a library was loaded for alone is found through the caller. Only a function of
   the library that is meant comes to ours, and only of the first copy of it that is used: a second one (two Python
   packages may each bring an HDF5) is called with every register as it came, and so is a foreign function of the same
   name. */
#include "runtime/lazy/lazy.h"

#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <string.h>

#include "runtime/core/core.h"
#include "runtime/core/sys.h"
#include "runtime/lazy/lookup.h"
#include "runtime/lazy/next.h"
#include "runtime/lazy/sites.h"

iol__lazy_functions iol__lazy;

typedef enum lazy_state { NEW, BINDING, ON, OFF } lazy_state;

typedef struct lazy_library {
    const char *name, *mark, *before, *behind;
    bool (*bound)(void);
    const struct link_map *object; /* the copy that is recorded */
    int state;
} lazy_library;

static lazy_library libraries[] = {
#define LIBRARY(NAME, name, mark, before, behind) {name, mark, before, behind, NULL, NULL, NEW},
#include "runtime/lazy/library.def"
#undef LIBRARY
};

/* All these libraries give errors as something that is not zero, most of them as negative numbers. */
static long missing(void) { return -ENOSYS; }

/* Objects ---------------------------------------------------------------------------------------------------------- */

/* The name that a shared object gives itself; file names may be anything. */
const char *iol__soname(const struct link_map *map) {
    const char *strings = NULL;
    size_t at = 0;
    for (const ElfW(Dyn) *d = map->l_ld; d && d->d_tag != DT_NULL; d++) {
        if (d->d_tag == DT_STRTAB) strings = (const char *)d->d_un.d_ptr;
        if (d->d_tag == DT_SONAME) at = d->d_un.d_val;
    }
    return strings && at ? strings + at : "";
}

/* What an object, or one that it needs, has under a name; never ours. */
void *iol__in_object(const struct link_map *map, const char *name) {
    const iol__loader *loader = iol__loader_functions();
    void *handle = loader->open(*map->l_name ? map->l_name : NULL, RTLD_LAZY | RTLD_NOLOAD);
    if (!handle) return NULL;
    void *found = loader->symbol(handle, name);
    loader->close(handle);
    return found && iol__object_of(found) != iol__object_of((void *)missing) ? found : NULL;
}

/* Distributions put something before or behind the version: liburing-ffi.so.2, libaio.so.1t64. */
static bool is_library(const struct link_map *map, const lazy_library *l) {
    if (*l->mark) return iol__object_of(iol__in_object(map, l->mark)) == map;
    const char *name = iol__soname(map);
    return strncmp(name, l->before, strlen(l->before)) == 0 && strstr(name, l->behind);
}

/* What a caller would find without us. */
static void *visible(const char *name, const void *caller, bool *global) {
    void *found = iol__real_dlsym(RTLD_NEXT, name);
    *global = found != NULL;
    if (found) return found;
    const struct link_map *from = iol__object_of(caller);
    return from && *from->l_name ? iol__in_object(from, name) : NULL;
}

static void *find(const char *name, const lazy_library *l, const void *caller, bool *global) {
    void *found = visible(name, caller, global);
    return !found && l->object ? iol__in_object(l->object, name) : found;
}

void *iol__library_find(int number, const char *name) {
    const lazy_library *l = &libraries[number];
    return l->object ? iol__in_object(l->object, name) : NULL;
}

/* A program may have a copy of a library's variable, made by its linker, and then the library uses that one, too. */
void *iol__library_variable(int number, const char *name) {
    void *found = iol__real_dlsym(RTLD_DEFAULT, name);
    return found ? found : iol__library_find(number, name);
}

/* Binding ---------------------------------------------------------------------------------------------------------- */

/* It must not go any more: its functions are in our hands, and records name its handles. */
static bool keep(const struct link_map *map) {
    if (*map->l_name == 0) return true; /* the program itself */
    void *kept = iol__loader_functions()->open(map->l_name, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE);
    if (kept) iol__loader_functions()->close(kept);
    return kept;
}

static bool ask_module(int number) {
    switch (number) {
    case IOL_LIBRARY_HDF5: return iol__hdf5_bound();
    case IOL_LIBRARY_PNETCDF: return iol__pnetcdf_bound();
    case IOL_LIBRARY_MPI: return iol__mpi_bound();
    default: return true;
    }
}

/* One thread binds a library. Others, and calls that come while it is at it, go straight on to the real function. */
static bool bind(int number, const struct link_map *object) {
    lazy_library *l = &libraries[number];
    int expected = NEW;
    if (__atomic_load_n(&l->state, __ATOMIC_ACQUIRE) == NEW &&
        __atomic_compare_exchange_n(&l->state, &expected, BINDING, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
        l->object = object;
        const bool good = keep(object) && ask_module(number);
        __atomic_store_n(&l->state, good ? ON : OFF, __ATOMIC_RELEASE);
    }
    return __atomic_load_n(&l->state, __ATOMIC_ACQUIRE) == ON && l->object == object;
}

static void *ours(uint32_t number) {
    if (iol__lazy_table[number].library != IOL_LIBRARY_MPI) return iol__lazy_ours(number);
    const char *name = iol__lazy_name(number); /* one for both names of a function */
    return iol__mpi_wrapper(name[0] == 'P' ? name + 1 : name);
}

static bool settled(int number) {
    const int now = __atomic_load_n(&libraries[number].state, __ATOMIC_ACQUIRE);
    return now == ON || now == OFF;
}

static bool binding(int number) { return __atomic_load_n(&libraries[number].state, __ATOMIC_ACQUIRE) == BINDING; }

/* Where a call that found `found` goes; kept if everybody would find the same. */
static void *direct(uint32_t number, void *found, bool global) {
    const int which = (int)iol__lazy_table[number].library;
    const struct link_map *object = iol__object_of(found);
    if (!object || !iol__core_state.present || !is_library(object, &libraries[which])) return found;
    void *go_on = bind(which, object) ? ours(number) : NULL;
    if (go_on && which != IOL_LIBRARY_MPI) ((void **)(void *)&iol__lazy)[number] = found;
    if (!go_on) go_on = found;
    if (global && settled(which) && libraries[which].object == object)
        __atomic_store_n(&iol__lazy_go[number], go_on, __ATOMIC_RELEASE);
    return go_on;
}

void *iol__lazy_find(const void *first, const void *second, const void *caller, uintptr_t number) {
    (void)first, (void)second;
    const int saved = errno;
    bool global = false;
    const int which = (int)iol__lazy_table[number].library;
    const uint64_t gone = iol__objects_gone();
    void *go_on = iol__site_find(caller, number, gone);
    if (!go_on) {
        void *found = find(iol__lazy_name((uint32_t)number), &libraries[which], caller, &global);
        go_on = found ? direct((uint32_t)number, found, global) : (void *)missing;
        if (found && !iol__lazy_go[number] && iol__core_state.present && !binding(which))
            iol__site_add(caller, number, gone, go_on);
        iol__loader_functions()->error(); /* our failures are not the program's */
    }
    errno = saved;
    return go_on;
}

/* Asking the loader ------------------------------------------------------------------------------------------------ */

uint32_t iol__lazy_number(const char *name) {
    static const char *const starts[] = {"MPI_", "PMPI_", "H5", "ncmpi_", "io_", "__io_"};
    bool possible = false;
    for (size_t i = 0; i < sizeof starts / sizeof *starts; i++)
        possible = possible || iol__name_begins(name, starts[i]);
    for (uint32_t i = 0; possible && i < iol__lazy_count; i++)
        if (iol__same_name(name, iol__lazy_name(i))) return i;
    return iol__lazy_count;
}

#if IOL_STUBS /* else dlsym is the loader's */

/* Whether a caller would find a function of this row without us. */
static bool exists(uint32_t number, const void *caller) {
    bool global;
    return visible(iol__lazy_name(number), caller, &global) != NULL;
}

/* Without the loader's own errors: it leaves one where a name is not found. */
static void *no_such(void *handle, const char *name) {
    char text[160] = "";
    (void)handle;
    strncat(text, name, sizeof text - 64);
    strcat(text, ": no library that has it is loaded");
    return iol__real_dlsym(RTLD_DEFAULT, text);
}

/* The entry that a program calls in place of a function that it was given by name. */
static void *entry(void *handle, const char *name) {
    (void)handle;
    return iol__lazy_entry(iol__lazy_number(name));
}

/* Behind the entry may be another copy of a library, which the program is linked with, than the one that it opened by
   itself and asks by its handle. */
static void *past_entry(void *handle, const char *name) {
    void *go_on = direct(iol__lazy_number(name), iol__real_dlsym(handle, name), false);
    iol__loader_functions()->error();
    return go_on;
}

/* Functions of a library that is asked by its handle come to us as if they had been linked; or they are its own. */
static void *by_handle(uint32_t number, const void *caller, void *found) {
    const int which = (int)iol__lazy_table[number].library;
    const struct link_map *object = iol__object_of(found);
    bool global;
    if (!object || !iol__core_state.present || !is_library(object, &libraries[which]) || !bind(which, object) ||
        !ours(number))
        return NULL;
    return visible(iol__lazy_name(number), caller, &global) == found ? (void *)entry : (void *)past_entry;
}

static void *wrapper(void *handle, const char *name) {
    (void)handle;
    return iol__real_wrapper(name);
}

/* A program that asks libc for one of its functions by the handle gets the one that it is linked with, which is ours; but
   only if nobody stands between ours and libc's: an interposer there that asks so would come back to us for ever. */
static bool is_libcs(void *handle, const char *name) {
    if (handle == RTLD_NEXT || handle == RTLD_DEFAULT || !iol__core_state.present) return false;
    const int saved = errno;
    const void *behind = iol__real_behind(name);
    const bool is = behind && iol__real_dlsym(handle, name) == behind;
    errno = saved;
    return is;
}

/* Whether a function of libc is asked for that only we have. */
static bool only_ours(void *handle, const char *name) {
    if (!iol__core_state.present || !iol__real_may_be_missing(name)) return false;
    const int saved = errno;
    const bool anywhere = handle == RTLD_NEXT || handle == RTLD_DEFAULT;
    const void *found = iol__real_dlsym(anywhere ? RTLD_NEXT : handle, name);
    iol__loader_functions()->error();
    errno = saved;
    /* By the handle of the program, ours is found before libc's. */
    return anywhere ? !found : found == iol__real_wrapper(name) && !iol__next_symbol(name);
}

static void *where_of_libc(void *handle, const char *name, void *real) {
    if (only_ours(handle, name)) return (void *)no_such;
    return is_libcs(handle, name) ? (void *)wrapper : real;
}

void *iol__dlsym_where(void *handle, const char *name, const void *caller, uintptr_t unused) {
    (void)unused;
    void *real = (void *)iol__loader_functions()->symbol;
    if (!iol__there(name)) return real;
    const uint32_t number = iol__lazy_number(name);
    if (number == iol__lazy_count) return where_of_libc(handle, name, real);
    const int saved = errno;
    void *go_on = NULL, *found = handle == RTLD_NEXT ? NULL : iol__real_dlsym(handle, name);
    const bool by_us = handle == RTLD_NEXT || (found && iol__object_of(found) == iol__object_of((void *)missing));
    if (by_us && !exists(number, caller)) go_on = (void *)no_such;
    if (!by_us && found && handle != RTLD_DEFAULT) go_on = by_handle(number, caller, found);
    iol__loader_functions()->error();
    errno = saved;
    return go_on ? go_on : real;
}

#endif
