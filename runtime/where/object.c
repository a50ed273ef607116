/* Objects are found by the loader's own table, which is read without a lock (glibc 2.35 and later), else in the list of what is
   loaded. The program itself is known from the kernel, so that static programs have one object as well. */
#include "runtime/where/object.h"

#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <string.h>
#include <sys/auxv.h>

#include "record/hash.h"
#include "runtime/core/core.h"
#include "runtime/core/sys.h"
#include "runtime/core/text.h"
#include "runtime/lazy/lookup.h"
#include "runtime/lazy/next.h"

/* As in the headers of a C library that has it. */
typedef struct found_object {
    unsigned long long flags;
    void *start, *end;
    struct link_map *map;
    void *frames;
    unsigned long long reserved[8];
} found_object;

static int (*find_object)(void *, found_object *);
static const struct link_map *last_at_start;
static iol__object *objects; /* room for IOL_WHERE_OBJECTS */
static unsigned n_objects;

/* Headers ---------------------------------------------------------------------------------------------------------- */

typedef struct headers {
    const ElfW(Phdr) * at;
    size_t count;
    uintptr_t base;
} headers;

static bool own_headers(headers *h) {
    h->at = (const void *)getauxval(AT_PHDR); // NOLINT(performance-no-int-to-ptr)
    h->count = getauxval(AT_PHNUM);
    h->base = 0;
    for (size_t i = 0; h->at && i < h->count; i++)
        if (h->at[i].p_type == PT_PHDR) h->base = (uintptr_t)h->at - h->at[i].p_vaddr;
    return h->at && h->count;
}

static bool headers_at(uintptr_t start, headers *h) {
    const ElfW(Ehdr) *head = (const void *)start; // NOLINT(performance-no-int-to-ptr)
    if (iol__there_at(start) != 1 || memcmp(head->e_ident, ELFMAG, SELFMAG) != 0) return false;
    if (head->e_phentsize != sizeof(ElfW(Phdr)) || head->e_phoff > 4096) return false;
    *h = (headers){(const void *)(start + head->e_phoff), head->e_phnum, start};
    return iol__there_at((uintptr_t)(h->at + h->count) - 8) == 1;
}

static void read_notes(iol__object *o, uintptr_t at, size_t bytes) {
    while (bytes >= sizeof(ElfW(Nhdr)) && at >= o->start && at + bytes <= o->end) {
        const ElfW(Nhdr) *note = (const void *)at; // NOLINT(performance-no-int-to-ptr)
        const size_t name = (note->n_namesz + 3) & ~(size_t)3, content = (note->n_descsz + 3) & ~(size_t)3;
        const size_t whole = sizeof *note + name + content;
        if (note->n_namesz > bytes || note->n_descsz > bytes || whole > bytes) return;
        const uint8_t *text = (const uint8_t *)(note + 1);
        if (note->n_type == NT_GNU_BUILD_ID && note->n_namesz == 4 && memcmp(text, "GNU", 4) == 0) {
            o->build_bytes = (uint8_t)(note->n_descsz < IOL_BUILD_ID ? note->n_descsz : IOL_BUILD_ID);
            memcpy(o->build, text + name, o->build_bytes);
        }
        at += whole;
        bytes -= whole;
    }
}

/* The first pass finds the limits, inside of which everything has to be. */
static void read_segments(iol__object *o, const headers *h) {
    o->base = h->base;
    o->start = UINTPTR_MAX;
    o->end = 0;
    for (size_t i = 0; i < h->count; i++) {
        const uintptr_t at = h->base + h->at[i].p_vaddr;
        if (h->at[i].p_type != PT_LOAD) continue;
        if (at < o->start) o->start = at;
        if (at + h->at[i].p_memsz > o->end) o->end = at + h->at[i].p_memsz;
    }
    for (size_t i = 0; i < h->count; i++) {
        const ElfW(Phdr) *segment = &h->at[i];
        const uintptr_t at = h->base + segment->p_vaddr;
        if (segment->p_type == PT_NOTE) read_notes(o, at, segment->p_memsz);
        if (segment->p_type == PT_GNU_EH_FRAME && at >= o->start && at + segment->p_memsz <= o->end)
            o->frames = (const uint8_t *)at; // NOLINT(performance-no-int-to-ptr)
    }
}

/* The loader, which a static program does not have -------------------------------------------------------------------- */

#if IOL_STATIC
static const struct link_map *first_loaded(void) { return NULL; }
static void *loader_function(const char *name) {
    (void)name;
    return NULL;
}
void *iol__object_symbol(const iol__object *o, const char *name) {
    (void)o, (void)name;
    return NULL;
}
#else
static const struct link_map *first_loaded(void) { return iol__objects(); }
static void *loader_function(const char *name) { return iol__next_symbol(name); }
void *iol__object_symbol(const iol__object *o, const char *name) {
    iol__symbols symbols;
    const struct link_map *map = o->link_map;
    if (!map || !iol__symbols_next(&map, &symbols) || symbols.map != o->link_map) return NULL;
    return iol__symbol_in(&symbols, name, iol__symbol_hash(name));
}
#endif

/* Finding ---------------------------------------------------------------------------------------------------------- */

bool iol__objects_start(void) {
    objects = iol__sys_memory(IOL_WHERE_OBJECTS * sizeof *objects);
    find_object = (int (*)(void *, found_object *))loader_function("_dl_find_object");
    for (const struct link_map *map = first_loaded(); map; map = map->l_next) last_at_start = map;
    return objects != NULL;
}

static bool is_lasting(const struct link_map *map) {
    for (const struct link_map *m = first_loaded(); m; m = m->l_next) {
        if (m == map) return true;
        if (m == last_at_start) return false;
    }
    return false;
}

static bool around(const iol__object *o, uintptr_t address) { return address >= o->start && address < o->end; }

static bool find_program(uintptr_t address, iol__object *o) {
    headers h;
    if (!own_headers(&h)) return false;
    read_segments(o, &h);
    o->main = o->lasting = true;
    return around(o, address);
}

static bool find_in_map(const struct link_map *map, uintptr_t address, iol__object *o) {
    headers h;
    if (map->l_addr == 0 || !headers_at(map->l_addr, &h)) return false;
    read_segments(o, &h);
    return around(o, address);
}

/* Without the loader's table. */
static bool find_in_list(uintptr_t address, iol__object *o, const struct link_map **map) {
    for (*map = first_loaded(); *map; *map = (*map)->l_next) {
        *o = (iol__object){0};
        if (find_in_map(*map, address, o)) return true;
    }
    return false;
}

static bool find(uintptr_t address, iol__object *o) {
    const struct link_map *map = first_loaded();
    found_object found = {0};
    if (find_program(address, o)) {
        o->name = "";
    } else if (find_object) {
        *o = (iol__object){0};
        if (find_object((void *)address, &found) != 0) return false; // NOLINT(performance-no-int-to-ptr)
        map = found.map;
        if (!map || !find_in_map(map, address, o)) return false;
        o->name = map->l_name;
    } else {
        if (!find_in_list(address, o, &map)) return false;
        o->name = map->l_name;
    }
    o->link_map = map;
    return true;
}

static const char *last_part(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static uint32_t key_of(const iol__object *o) {
    static char path[IOL_OBJECT_PATH];
    if (o->build_bytes) return (uint32_t)iol__hash(o->build, o->build_bytes, 0);
    iol__object_path(o, path, sizeof path);
    return (uint32_t)iol__hash(path, strlen(path), 0);
}

static bool same(const iol__object *a, const iol__object *b) {
    return a->start == b->start && a->end == b->end && a->build_bytes == b->build_bytes && a->link_map == b->link_map &&
           memcmp(a->build, b->build, a->build_bytes) == 0;
}

const iol__object *iol__object_around(uintptr_t address) {
    iol__object new = {0};
    for (unsigned i = 0; i < n_objects; i++)
        if (objects[i].lasting && around(&objects[i], address)) return &objects[i];
    if (!find(address, &new)) return NULL;
    for (unsigned i = 0; i < n_objects; i++)
        if (same(&objects[i], &new)) return &objects[i];
    if (n_objects == IOL_WHERE_OBJECTS) return NULL;
    new.ours = around(&new, (uintptr_t)&iol__object_around) && !new.main;
    new.lasting = new.lasting || (new.link_map &&is_lasting(new.link_map));
    new.libc = new.name &&iol__name_begins(last_part(new.name), "libc");
    new.python = iol__object_symbol(&new, "PyGILState_GetThisThreadState") != NULL;
    new.key = key_of(&new);
    objects[n_objects] = new;
    return &objects[n_objects++];
}

/* A name from the working directory on gets that before it. */
void iol__object_path(const iol__object *o, char *path, size_t room) {
    iol__text text = {path, room, 0};
    path[0] = 0;
    if (o->main) {
        const long length = sys(readlinkat, AT_FDCWD, "/proc/self/exe", path, room - 1);
        path[length > 0 ? length : 0] = 0;
        const char *given = length > 0 ? NULL : (const char *)getauxval(AT_EXECFN); // NOLINT(performance-no-int-to-ptr)
        if (given) iol__text_add(&text, given);
        return;
    }
    if (o->name && o->name[0] != '/') {
        static char here[IOL_OBJECT_PATH];
        const long length = sys(getcwd, here, sizeof here);
        if (length > 0 && here[0] == '/' && strchr(o->name, '/')) {
            iol__text_add(&text, here);
            iol__text_add(&text, "/");
        }
    }
    if (o->name) iol__text_add(&text, o->name);
}
