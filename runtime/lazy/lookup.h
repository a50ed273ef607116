/* What the parts of lazy binding share: the table that the assembler made (stubs.S), or the compiler (bound.c), and the
   loader's real dlsym, for ours is what everybody else finds. */
#ifndef IOL_RUNTIME_LOOKUP_H
#define IOL_RUNTIME_LOOKUP_H

#include <link.h>
#include <stdbool.h>
#include <stdint.h>

#include "runtime/lazy/lazy.h"
#include "runtime/lazy/loader.h"

/* The assembler's table has offsets, so that the loader has nothing to adjust in it. */
#if IOL_STUBS
typedef struct iol__lazy_row {
    int32_t name, entry, ours; /* from the beginning of the table */
    uint32_t library;
} iol__lazy_row;
#define IOL_LAZY_AT(offset) ((void *)((char *)(uintptr_t)iol__lazy_table + (offset)))
#else
typedef struct iol__lazy_row {
    const char *name;
    void *entry, *ours;
    uint32_t library;
} iol__lazy_row;
#define IOL_LAZY_AT(address) (address)
#endif

extern const iol__lazy_row iol__lazy_table[] __attribute__((visibility("hidden")));
extern const uint32_t iol__lazy_count __attribute__((visibility("hidden")));
extern void *iol__lazy_go[] __attribute__((visibility("hidden"))); /* NULL: to be found again */

static inline const char *iol__lazy_name(uint32_t row) { return IOL_LAZY_AT(iol__lazy_table[row].name); }
static inline void *iol__lazy_entry(uint32_t row) { return IOL_LAZY_AT(iol__lazy_table[row].entry); }
static inline void *iol__lazy_ours(uint32_t row) { return IOL_LAZY_AT(iol__lazy_table[row].ours); }

/* The row of a name, or as many as there are rows. */
uint32_t iol__lazy_number(const char *name);

/* In the place of a function that the program was not linked with (runtime/static). */
long iol__lazy_missing(void);

const struct link_map *iol__object_of(const void *address);
/* The first of all that are loaded. */
const struct link_map *iol__objects(void);
const char *iol__soname(const struct link_map *map);
void *iol__in_object(const struct link_map *map, const char *name);

static inline void *iol__real_dlsym(void *handle, const char *name) {
    return iol__loader_functions()->symbol(handle, name);
}

/* Our function of this name, and the one behind us that it calls. NULL: there is none. */
void *iol__real_wrapper(const char *name);
void *iol__real_behind(const char *name);

/* Whether we have a function of this name, and perhaps nobody else: at the start there was none behind us, or it was not
   looked for, because ours does not need it. */
bool iol__real_may_be_missing(const char *name);

/* Called by stubs.S for a function of libc, the first time: where it is. */
void *iol__real_bind(const void *first, const void *second, const void *caller, uintptr_t number);

/* Called by stubs.S and bound.c: where to go, with the program's first two arguments, its caller, and the number of the
   row. */
void *iol__lazy_find(const void *first, const void *second, const void *caller, uintptr_t number);
void *iol__dlsym_where(void *handle, const char *name, const void *caller, uintptr_t number);

#endif
