/* Programs that can do without a library, or a function that their C library may not have, refer to it weakly, and look
   whether there is something. Our names are always there, so that such a reference would find us although there is nothing
   behind: it is taken back to nothing before the program runs. Only what refers to one of our names is touched. */
#include <elf.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>

#include "runtime/core/sys.h"
#include "runtime/lazy/lazy.h"
#include "runtime/lazy/lookup.h"
#include "runtime/lazy/next.h"

#if defined(__x86_64__)
#define IS_ADDRESS(type) ((type) == R_X86_64_GLOB_DAT || (type) == R_X86_64_JUMP_SLOT || (type) == R_X86_64_64)
#elif defined(__aarch64__)
#define IS_ADDRESS(type) ((type) == R_AARCH64_GLOB_DAT || (type) == R_AARCH64_JUMP_SLOT || (type) == R_AARCH64_ABS64)
#else
#define IS_ADDRESS(type) false
#endif

typedef struct object {
    const struct link_map *map;
    const ElfW(Sym) * symbols;
    const char *strings;
    const uint32_t *hash;
    const ElfW(Rela) * tables[2];
    size_t sizes[2];
} object;

static object read_object(const struct link_map *map) {
    object o = {.map = map};
    for (const ElfW(Dyn) *d = map->l_ld; d && d->d_tag != DT_NULL; d++) {
        switch (d->d_tag) {
        case DT_SYMTAB: o.symbols = (const void *)d->d_un.d_ptr; break;
        case DT_STRTAB: o.strings = (const void *)d->d_un.d_ptr; break;
        case DT_GNU_HASH: o.hash = (const void *)d->d_un.d_ptr; break;
        case DT_RELA: o.tables[0] = (const void *)d->d_un.d_ptr; break;
        case DT_RELASZ: o.sizes[0] = d->d_un.d_val; break;
        case DT_JMPREL: o.tables[1] = (const void *)d->d_un.d_ptr; break;
        case DT_PLTRELSZ: o.sizes[1] = d->d_un.d_val; break;
        default: break;
        }
    }
    return o;
}

/* Whether a symbol is a weak reference that only we answer. All objects were loaded for the program. */
static bool fooled(const object *o, uint32_t index) {
    const ElfW(Sym) *symbol = &o->symbols[index];
    if (symbol->st_shndx != SHN_UNDEF || ELF64_ST_BIND(symbol->st_info) != STB_WEAK) return false;
    const char *name = o->strings + symbol->st_name;
    const bool ours = iol__lazy_number(name) < iol__lazy_count || iol__same_name(name, "dlsym");
    return (ours || iol__real_may_be_missing(name)) && !iol__next_symbol(name);
}

/* Tables of addresses may be read-only by now. */
static void clear(uintptr_t *place) {
    const uintptr_t bytes = getauxval(AT_PAGESZ);
    uint8_t *page = (uint8_t *)((uintptr_t)place & ~(bytes - 1));
    if (*place == 0 || sys(mprotect, page, bytes, PROT_READ | PROT_WRITE) != 0) return;
    *place = 0;
}

static void take_back(const object *o, uint32_t index) {
    for (int t = 0; t < 2; t++) {
        const size_t count = o->tables[t] ? o->sizes[t] / sizeof *o->tables[t] : 0;
        for (size_t i = 0; i < count; i++) {
            const ElfW(Rela) *r = &o->tables[t][i];
            if (ELF64_R_SYM(r->r_info) == index && IS_ADDRESS(ELF64_R_TYPE(r->r_info)))
                clear((uintptr_t *)(o->map->l_addr + r->r_offset));
        }
    }
}

/* References to others stand before the symbols of the object itself, where its hash table begins. */
void iol__lazy_hide(void) {
    const struct link_map *ours = iol__our_object();
    for (const struct link_map *map = iol__objects(); map; map = map->l_next) {
        const object o = read_object(map);
        /* the kernel's own object has addresses that were never adjusted */
        if (!o.symbols || !o.strings || !o.hash || (uintptr_t)o.symbols < map->l_addr || map == ours) continue;
        for (uint32_t i = 1; i < o.hash[1]; i++)
            if (fooled(&o, i)) take_back(&o, i);
    }
}
