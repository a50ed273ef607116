/* What the loader would find under a name behind us, as dlsym(RTLD_NEXT) does, but read from the tables of the loaded
   objects: nothing is allocated, no lock is taken and nobody is called, not even for comparing names. An allocator may come to us in its first call,
   with its lock held, or the loader with its own. */
#ifndef IOL_RUNTIME_NEXT_H
#define IOL_RUNTIME_NEXT_H

#include <link.h>
#include <stdbool.h>
#include <stdint.h>

/* The tables of an object that has symbols to offer. */
typedef struct iol__symbols {
    const struct link_map *map;
    const ElfW(Sym) * symbols;
    const char *strings;
    const uint32_t *gnu_hash, *hash; /* one of them is enough */
    const ElfW(Half) * versions;     /* NULL: it has none */
} iol__symbols;

/* The object that this code is part of. */
const struct link_map *iol__our_object(void);
/* Where the loader's list does not have it (apart.c): it, with libc behind it, and whether that was so. */
const struct link_map *iol__apart_object(void);
bool iol__apart(void);
/* The first object of a list, or the first behind it, that has symbols; *map goes on to the one behind that. False at
   the end. */
bool iol__symbols_next(const struct link_map **map, iol__symbols *found);

/* As strcmp and strncmp, which may be somebody else's: sanitizers have such functions, and look for names before these
   can be used. */
static inline bool iol__same_name(const char *a, const char *b) {
    while (*a && *a == *b) a++, b++;
    return *a == *b;
}
static inline bool iol__name_begins(const char *name, const char *with) {
    while (*with && *name == *with) name++, with++;
    return *with == 0;
}

uint32_t iol__symbol_hash(const char *name);
/* NULL if the object does not define it, or not in a version that is the one to take. */
void *iol__symbol_in(const iol__symbols *object, const char *name, uint32_t hash);
/* In the first object behind ours that has it. */
void *iol__next_symbol(const char *name);
/* Whether the objects that are there now stay as long as the process does: those that the loader brought at the start. From
   then on only these are looked at, so that others may be loaded and unloaded meanwhile. */
bool iol__objects_stay(void);

/* Whether a library is loaded whose file name begins so. */
bool iol__loaded(const char *beginning);

#endif
