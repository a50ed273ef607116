/* Symbol tables of loaded objects. The rules are the loader's: the first object in its order that defines the name, and
   in it the default version. Addresses in a dynamic section may have been adjusted or not, depending on the loader. */
#include "runtime/lazy/next.h"

#include <elf.h>
#include <stddef.h>
#include <sys/auxv.h>
#if defined(__aarch64__)
#include <sys/ifunc.h>
#endif

#include "runtime/lazy/lookup.h"

#ifndef STT_GNU_IFUNC
#define STT_GNU_IFUNC 10
#endif

/* The loader's list. Weak, so that we need no library beside libc. */
#pragma weak _r_debug

/* Objects ---------------------------------------------------------------------------------------------------------- */

static const struct link_map *in_list(const struct link_map *map, const ElfW(Dyn) * dynamic) {
    while (map && map->l_ld != dynamic) map = map->l_next;
    return map;
}

/* Where the loader shows no list, or another one than ours because this is a copy in a namespace of its own, we and libc
   are all that is known. */
const struct link_map *iol__our_object(void) {
    const struct link_map *ours = &_r_debug ? in_list(_r_debug.r_map, _DYNAMIC) : NULL;
    return ours ? ours : iol__apart_object();
}

/* The last object of those that were there at the start, which stay: behind it, others come and go. NULL: not known. */
static const struct link_map *last_to_stay;

const struct link_map *iol__objects(void) {
    const struct link_map *map = iol__our_object();
    while (map && map->l_prev) map = map->l_prev;
    return map;
}

typedef struct owner {
    uintptr_t address;
    const struct link_map *map;
} owner;

/* The loader's list does not change while it calls this. */
static int look_for_owner(struct dl_phdr_info *info, size_t size, void *context) {
    owner *o = context;
    const ElfW(Dyn) *dynamic = NULL;
    bool inside = false;
    (void)size;
    for (unsigned i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
        const uintptr_t at = info->dlpi_addr + segment->p_vaddr;
        if (segment->p_type == PT_DYNAMIC) dynamic = (const void *)at;
        inside = inside || (segment->p_type == PT_LOAD && o->address - at < segment->p_memsz);
    }
    if (inside) o->map = in_list(iol__objects(), dynamic);
    return inside;
}

const struct link_map *iol__object_of(const void *address) {
    owner o = {.address = (uintptr_t)address};
    dl_iterate_phdr(look_for_owner, &o);
    return o.map;
}

static const void *adjusted(const struct link_map *map, uintptr_t address) {
    return (const void *)(address < map->l_addr ? address + map->l_addr : address);
}

static bool read_tables(const struct link_map *map, iol__symbols *o) {
    *o = (iol__symbols){.map = map};
    for (const ElfW(Dyn) *d = map->l_ld; d && d->d_tag != DT_NULL; d++) {
        switch (d->d_tag) {
        case DT_SYMTAB: o->symbols = adjusted(map, d->d_un.d_ptr); break;
        case DT_STRTAB: o->strings = adjusted(map, d->d_un.d_ptr); break;
        case DT_GNU_HASH: o->gnu_hash = adjusted(map, d->d_un.d_ptr); break;
        case DT_HASH: o->hash = adjusted(map, d->d_un.d_ptr); break;
        case DT_VERSYM: o->versions = adjusted(map, d->d_un.d_ptr); break;
        default: break;
        }
    }
    return o->symbols && o->strings && (o->gnu_hash || o->hash);
}

/* The kernel's object is in the list, but nobody's references are looked up in it. */
bool iol__symbols_next(const struct link_map **map, iol__symbols *found) {
    const ElfW(Addr) kernel = getauxval(AT_SYSINFO_EHDR);
    bool good = false;
    for (; *map && !good; *map = *map == last_to_stay ? NULL : (*map)->l_next)
        good = !(kernel && (*map)->l_addr == kernel) && read_tables(*map, found);
    return good;
}

bool iol__loaded(const char *beginning) {
    for (const struct link_map *map = &_r_debug ? _r_debug.r_map : NULL; map; map = map->l_next) {
        const char *name = map->l_name;
        for (const char *c = name; c && *c; c++)
            if (*c == '/') name = c + 1;
        if (name && iol__name_begins(name, beginning)) return true;
    }
    return false;
}

/* Symbols ---------------------------------------------------------------------------------------------------------- */

uint32_t iol__symbol_hash(const char *name) {
    uint32_t hash = 5381;
    for (; *name; name++) hash = hash * 33 + (unsigned char)*name;
    return hash;
}

static uint32_t old_hash(const char *name) {
    uint32_t hash = 0;
    for (; *name; name++) {
        hash = (hash << 4) + (unsigned char)*name;
        hash = (hash ^ (hash >> 24 & 0xf0)) & 0x0fffffff;
    }
    return hash;
}

/* What is looked for, and what was found so far: a symbol without a version is the one, else the only default one. */
typedef struct next_search {
    const iol__symbols *in;
    const char *name;
    const ElfW(Sym) * found;
    unsigned versions;
} next_search;

static bool is_definition(const ElfW(Sym) * symbol) {
    const unsigned type = ELF64_ST_TYPE(symbol->st_info), binding = ELF64_ST_BIND(symbol->st_info);
    return symbol->st_shndx != SHN_UNDEF && symbol->st_value != 0 && binding != STB_LOCAL &&
           (type == STT_NOTYPE || type == STT_OBJECT || type == STT_FUNC || type == STT_COMMON ||
            type == STT_GNU_IFUNC);
}

/* True if the search is over. */
static bool look_at(next_search *s, uint32_t index) {
    enum { HIDDEN = 0x8000, FIRST_VERSION = 2 };
    const ElfW(Sym) *symbol = &s->in->symbols[index];
    if (!is_definition(symbol) || !iol__same_name(s->in->strings + symbol->st_name, s->name)) return false;
    const unsigned version = s->in->versions ? s->in->versions[index] : 0;
    if ((version & ~(unsigned)HIDDEN) >= FIRST_VERSION) {
        if (!(version & HIDDEN) && s->versions++ == 0) s->found = symbol;
        return false;
    }
    s->found = symbol;
    s->versions = 1;
    return true;
}

/* Number of buckets, first symbol, words of the filter, its shift; the filter, the buckets, the chains. */
static void by_gnu_hash(next_search *s, uint32_t hash) {
    enum { BITS = 8 * sizeof(ElfW(Addr)) };
    const uint32_t *head = s->in->gnu_hash, buckets = head[0], first = head[1], words = head[2];
    const ElfW(Addr) *filter = (const void *)(head + 4), word = filter[hash / BITS & (words - 1)];
    if (buckets == 0 || !(word >> hash % BITS & word >> (hash >> head[3]) % BITS & 1)) return;
    const uint32_t *bucket = (const void *)(filter + words), *chain = bucket + buckets;
    uint32_t i = bucket[hash % buckets];
    if (i < first) return;
    for (bool last = false; !last; i++) {
        last = chain[i - first] & 1;
        if ((chain[i - first] | 1) == (hash | 1) && look_at(s, i)) return;
    }
}

static void by_old_hash(next_search *s) {
    const uint32_t buckets = s->in->hash[0], *bucket = s->in->hash + 2, *chain = bucket + buckets;
    if (buckets == 0) return;
    for (uint32_t i = bucket[old_hash(s->name) % buckets]; i != 0 && !look_at(s, i); i = chain[i]) {}
}

/* A function that is chosen when it is asked for: by libc for the processor, or the kernel's. */
static void *chosen(void *resolver) {
#if defined(__aarch64__)
    const __ifunc_arg_t more = {sizeof more, getauxval(AT_HWCAP), getauxval(AT_HWCAP2)};
    return ((void *(*)(uint64_t, const __ifunc_arg_t *))resolver)(more._hwcap | _IFUNC_ARG_HWCAP, &more);
#else
    /* Some take the bits of the processor and, on riscv64, a function to ask the kernel, which may be missing; others nothing. */
    return ((void *(*)(uint64_t, const void *))resolver)(getauxval(AT_HWCAP), NULL);
#endif
}

void *iol__symbol_in(const iol__symbols *object, const char *name, uint32_t hash) {
    next_search s = {.in = object, .name = name};
    if (object->gnu_hash)
        by_gnu_hash(&s, hash);
    else
        by_old_hash(&s);
    if (!s.found || s.versions != 1) return NULL;
    const ElfW(Addr) base = s.found->st_shndx == SHN_ABS ? 0 : object->map->l_addr;
    void *address = (void *)(base + s.found->st_value);
    return ELF64_ST_TYPE(s.found->st_info) == STT_GNU_IFUNC ? chosen(address) : address;
}

/* The tables of the objects that stay, where these are few: most programs have libc and the loader. */
enum { FEW = 8 };
static iol__symbols staying[FEW];
static unsigned n_staying;

static void note_tables(const struct link_map *map) {
    unsigned count = 0;
    for (iol__symbols object; iol__symbols_next(&map, &object); count++)
        if (count < FEW) staying[count] = object;
    if (count <= FEW) __atomic_store_n(&n_staying, count, __ATOMIC_RELEASE);
}

bool iol__objects_stay(void) {
    const struct link_map *ours = iol__our_object(), *map = ours;
    if (last_to_stay) return true;
    /* Before libc: the loader brought us at the start. */
    if (!map || iol__apart() || !iol__next_symbol("getauxval")) return false;
    while (map->l_next) map = map->l_next;
    __atomic_store_n(&last_to_stay, map, __ATOMIC_RELAXED);
    note_tables(ours->l_next);
    return true;
}

void *iol__next_symbol(const char *name) {
    const uint32_t hash = iol__symbol_hash(name);
    const unsigned count = __atomic_load_n(&n_staying, __ATOMIC_ACQUIRE);
    void *found = NULL;
    for (unsigned i = 0; !found && i < count; i++) found = iol__symbol_in(&staying[i], name, hash);
    if (count) return found;
    const struct link_map *ours = iol__our_object(), *map = ours ? ours->l_next : NULL;
    for (iol__symbols object; !found && iol__symbols_next(&map, &object);) found = iol__symbol_in(&object, name, hash);
    return found;
}
