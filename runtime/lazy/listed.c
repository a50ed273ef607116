/* AddressSanitizer, where it is a library of its own, looks through the loader's list and ends a program in which it is
   not the first one. It need not, because our wrappers go on to the next function, which is its own; so it is shown our
   object behind all others. Nobody else is: unwinders look at objects while the loader holds its lock, and rely on it. */
#include <link.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/lazy/next.h"

typedef int listed_visit(struct dl_phdr_info *object, size_t size, void *data);
typedef int iterate(listed_visit *callback, void *data);

extern const char __ehdr_start[] __attribute__((visibility("hidden")));

static iterate *real;
static uintptr_t sanitizer_from, sanitizer_to;

/* The addresses of the object that a symbol table is in, by its own headers. */
static void note_sanitizer(const struct link_map *map) {
    const ElfW(Ehdr) *head = (const void *)map->l_addr;
    const ElfW(Phdr) *segments = (const void *)(map->l_addr + head->e_phoff);
    uintptr_t to = 0;
    for (unsigned i = 0; i < head->e_phnum; i++)
        if (segments[i].p_type == PT_LOAD && segments[i].p_vaddr + segments[i].p_memsz > to)
            to = segments[i].p_vaddr + segments[i].p_memsz;
    sanitizer_to = map->l_addr + to;
    sanitizer_from = map->l_addr;
}

/* It is linked, so it is there from the beginning or not at all. */
static void find_list(void) {
    const char name[] = "__asan_init";
    const struct link_map *ours = iol__our_object(), *map = ours ? ours->l_next : NULL;
    const uint32_t hash = iol__symbol_hash(name);
    bool found = false;
    for (iol__symbols object; !found && iol__symbols_next(&map, &object);) {
        found = iol__symbol_in(&object, name, hash);
        if (found) note_sanitizer(object.map);
    }
    real = (iterate *)iol__next_symbol("dl_iterate_phdr");
}

typedef struct listed_listing {
    listed_visit *callback;
    void *data;
    struct dl_phdr_info ours;
    size_t size; /* 0: it did not come by */
} listed_listing;

static int pass_others(struct dl_phdr_info *object, size_t size, void *context) {
    listed_listing *l = context;
    if (object->dlpi_addr != (uintptr_t)__ehdr_start) return l->callback(object, size, l->data);
    l->ours = *object;
    l->size = size;
    return 0;
}

__attribute__((visibility("default"))) int dl_iterate_phdr(listed_visit *callback, void *data) {
    const uintptr_t caller = (uintptr_t)__builtin_return_address(0);
    if (!real) find_list();
    if (caller < sanitizer_from || caller >= sanitizer_to) return real(callback, data);
    listed_listing l = {.callback = callback, .data = data};
    const int result = real(pass_others, &l);
    return result || l.size == 0 ? result : callback(&l.ours, l.size, data);
}
