/* One object after the other: is it there, is it the one of the log, what does it say. */
#include "cmds/where/symbols.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmds/where/elf_symbols.h"
#include "cmds/where/libdw.h"

enum { INLINED_MOST = 32, PATH_ROOM = 4096 };
enum {
    TAG_INLINED = 0x1d,
    TAG_SUBPROGRAM = 0x2e,
    AT_DIRECTORY = 0x1b,
    AT_CALL_FILE = 0x58,
    AT_CALL_LINE = 0x59,
    AT_LINKAGE_NAME = 0x6e
};

typedef struct work {
    iol__where_all *all;
    const source_paths *paths;
    void (*complain)(const char *format, ...);
    const libdw *dw;
    size_t named;
} work;

const char *source_path(const source_paths *paths, const char *path) {
    static char text[PATH_ROOM];
    for (size_t i = 0; paths && i < paths->count; i++) {
        const char *pair = paths->pairs[i], *equals = strchr(pair, '=');
        const size_t length = equals ? (size_t)(equals - pair) : 0;
        if (length == 0 || strncmp(path, pair, length) != 0) continue;
        snprintf(text, sizeof text, "%s%s", equals + 1, path + length);
        return text;
    }
    return path;
}

/* Names ------------------------------------------------------------------------------------------------------------ */

/* C++ by the C++ library's own function, where that is installed; of Fortran what a module's procedure is called. */
static const char *demangled(const char *name, char *text, size_t room) {
    static char *(*demangle)(const char *, char *, size_t *, int *);
    static bool looked;
    if (strncmp(name, "__", 2) == 0 && strstr(name, "_MOD_")) {
        const char *middle = strstr(name, "_MOD_");
        snprintf(text, room, "%.*s::%s", (int)(middle - name - 2), name + 2, middle + 5);
        return text;
    }
    if (strncmp(name, "_Z", 2) != 0) return name;
    if (!looked) {
        void *library = dlopen("libstdc++.so.6", RTLD_NOW | RTLD_LOCAL);
        void *found = library ? dlsym(library, "__cxa_demangle") : NULL;
        memcpy((void *)&demangle, &found, sizeof demangle);
        looked = true;
    }
    int status = -1;
    char *made = demangle ? demangle(name, NULL, NULL, &status) : NULL;
    if (made && status == 0) snprintf(text, room, "%s", made);
    free(made);
    return status == 0 ? text : name;
}

/* libdw ------------------------------------------------------------------------------------------------------------ */

/* Debug files that debuginfod's client has fetched earlier. */
static int find_cached(const libdw *dw, void *module) {
    const unsigned char *bits;
    uint64_t at;
    char path[PATH_ROOM], id[BUILD_TEXT] = "";
    const int length = dw->dwfl_module_build_id(module, &bits, &at);
    if (length <= 0 || length > (BUILD_TEXT - 1) / 2) return -1;
    for (int i = 0; i < length; i++) snprintf(id + 2 * (size_t)i, 3, "%02x", bits[i]);
    const char *cache = getenv("DEBUGINFOD_CACHE_PATH"), *user = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    if (cache)
        snprintf(path, sizeof path, "%s/%s/debuginfo", cache, id);
    else if (user)
        snprintf(path, sizeof path, "%s/debuginfod_client/%s/debuginfo", user, id);
    else
        snprintf(path, sizeof path, "%s/.cache/debuginfod_client/%s/debuginfo", home ? home : "", id);
    return open(path, O_RDONLY | O_CLOEXEC);
}

static int find_debuginfo(void *module, void **user, const char *name, uint64_t base, const char *file,
                          const char *link, uint32_t crc, char **found) {
    const libdw *dw = load_libdw();
    const int fd = dw->dwfl_standard_find_debuginfo(module, user, name, base, file, link, crc, found);
    return fd >= 0 ? fd : find_cached(dw, module);
}

static const char *function_of(const libdw *dw, libdw_die *die, char *text, size_t room) {
    libdw_attribute attribute;
    const char *linkage = NULL;
    if (dw->dwarf_attr_integrate(die, AT_LINKAGE_NAME, &attribute)) linkage = dw->dwarf_formstring(&attribute);
    if (linkage && strncmp(linkage, "_Z", 2) == 0) {
        const char *plain = demangled(linkage, text, room);
        if (plain != linkage) return plain;
    }
    return dw->dwarf_diename(die);
}

static uint64_t number_of(const libdw *dw, libdw_die *die, unsigned which) {
    libdw_attribute attribute;
    uint64_t value;
    libdw_attribute *found = dw->dwarf_attr(die, which, &attribute);
    return found && dw->dwarf_formudata(found, &value) == 0 ? value : 0;
}

/* Where an inlined function was called. */
static iol__where_place call_of(const libdw *dw, libdw_die *die, libdw_die *unit) {
    void *files;
    size_t count;
    iol__where_place place = {.line = (uint32_t)number_of(dw, die, AT_CALL_LINE)};
    const uint64_t file = number_of(dw, die, AT_CALL_FILE);
    if (dw->dwarf_getsrcfiles(unit, &files, &count) == 0 && file < count)
        place.file = dw->dwarf_filesrc(files, file, NULL, NULL);
    return place;
}

/* The scopes around an address as they are in the code, not in the source. */
static int scopes_at(const libdw *dw, void *module, uint64_t address, libdw_die **scopes, libdw_die **unit) {
    uint64_t bias;
    libdw_die inner;
    *scopes = NULL;
    *unit = dw->dwfl_module_addrdie(module, address, &bias);
    if (!*unit) return 0;
    int count = dw->dwarf_getscopes(*unit, address - bias, scopes);
    if (count <= 0) return 0;
    const uint64_t at = dw->dwarf_dieoffset(&(*scopes)[0]);
    free(*scopes);
    *scopes = NULL;
    void *debug = dw->dwfl_module_getdwarf(module, &bias);
    if (!debug || !dw->dwarf_offdie(debug, at, &inner)) return 0;
    return dw->dwarf_getscopes_die(&inner, scopes);
}

/* The place of the instruction itself, then those of the calls that were inlined around it. */
static size_t places_at(const libdw *dw, void *module, uint64_t address, iol__where_place places[INLINED_MOST],
                        char texts[INLINED_MOST][512]) {
    int line = 0;
    size_t count = 0;
    libdw_die *scopes, *unit;
    void *source = dw->dwfl_module_getsrc(module, address);
    iol__where_place at = {0};
    if (source) at.file = dw->dwfl_lineinfo(source, NULL, &line, NULL, NULL, NULL);
    at.line = line > 0 ? (uint32_t)line : 0;
    const int n_scopes = scopes_at(dw, module, address, &scopes, &unit);
    for (int i = 0; i < n_scopes && count < INLINED_MOST; i++) {
        const int tag = dw->dwarf_tag(&scopes[i]);
        if (tag != TAG_INLINED && tag != TAG_SUBPROGRAM) continue;
        at.function = function_of(dw, &scopes[i], texts[count], sizeof texts[count]);
        places[count++] = at;
        if (tag == TAG_SUBPROGRAM) break;
        at = call_of(dw, &scopes[i], unit);
    }
    free(scopes);
    if (count == 0) {
        const char *name = dw->dwfl_module_addrname(module, address);
        if (name) at.function = demangled(name, texts[0], sizeof texts[0]);
        if (at.function || at.file) places[count++] = at;
    }
    return count;
}

/* Takes out "." and "..", as far as they stand behind a name: what is left is as good a path, and the same for all who compiled
   in folders beside each other. */
static void straighten(char *path) {
    char *to = path;
    for (const char *at = path; *at;) {
        const size_t length = strcspn(at + 1, "/") + 1; /* a slash and a name */
        if (length == 3 && strncmp(at, "/..", 3) == 0) {
            while (to > path && *--to != '/') {}
        } else if (length > 1 && !(length == 2 && at[1] == '.')) {
            memmove(to, at, length);
            to += length;
        }
        at += length;
    }
    *to = 0;
}

/* The path of a source file, to be freed. One that is not absolute begins where its unit was compiled. */
static char *source_file(const work *w, const char *file, const char *directory) {
    char path[PATH_ROOM];
    if (file[0] == '/' || !directory || directory[0] != '/') return strdup(source_path(w->paths, file));
    snprintf(path, sizeof path, "%s/%s", directory, file);
    straighten(path);
    return strdup(source_path(w->paths, path));
}

/* The directory that the unit of an address was compiled in; NULL if it is not known. */
static const char *directory_at(const libdw *dw, void *module, uint64_t address) {
    uint64_t bias;
    libdw_attribute attribute;
    libdw_die *unit = dw->dwfl_module_addrdie(module, address, &bias);
    libdw_attribute *found = unit ? dw->dwarf_attr(unit, AT_DIRECTORY, &attribute) : NULL;
    return found ? dw->dwarf_formstring(found) : NULL;
}

static void name_by_libdw(work *w, size_t object, const char *path) {
    static char texts[INLINED_MOST][512];
    static const libdw_callbacks callbacks = {.find_debuginfo = find_debuginfo};
    iol__where_place places[INLINED_MOST];
    const libdw *dw = w->dw;
    void *debug = dw->dwfl_begin(&callbacks);
    void *module = debug ? dw->dwfl_report_elf(debug, path, path, -1, 0, true) : NULL;
    if (module) dw->dwfl_report_end(debug, NULL, NULL);
    for (size_t i = 0; module && i < w->all->n_frames; i++) {
        const iol__where_frame *frame = &w->all->frames[i];
        if (frame->object != object || frame->n_places) continue;
        const size_t count = places_at(dw, module, frame->offset, places, texts);
        const char *directory = count ? directory_at(dw, module, frame->offset) : NULL;
        for (size_t k = 0; k < count; k++)
            if (places[k].file) places[k].file = source_file(w, places[k].file, directory);
        if (count && iol__where_name(w->all, i, places, count)) w->named++;
        for (size_t k = 0; k < count; k++) free((char *)(uintptr_t)places[k].file);
    }
    if (debug) dw->dwfl_end(debug);
}

/* Symbols alone ---------------------------------------------------------------------------------------------------- */

static void name_by_symbols(work *w, size_t object, const elf_file *file) {
    char text[512];
    for (size_t i = 0; i < w->all->n_frames; i++) {
        const iol__where_frame *frame = &w->all->frames[i];
        if (frame->object != object || frame->n_places) continue;
        const char *name = elf_function(file, frame->offset);
        if (!name) continue;
        const iol__where_place place = {.function = demangled(name, text, sizeof text)};
        if (iol__where_name(w->all, i, &place, 1)) w->named++;
    }
}

static bool wants_names(const iol__where_all *all, size_t object) {
    for (size_t i = 0; i < all->n_frames; i++)
        if (all->frames[i].object == object && all->frames[i].n_places == 0) return true;
    return false;
}

static void name_object(work *w, size_t number) {
    const iol__where_object *object = &w->all->objects[number];
    const char *path = source_path(w->paths, object->path);
    char build[BUILD_TEXT], *kept = strdup(path);
    elf_file file;
    if (!kept) return;
    if (!open_elf(kept, &file)) {
        if (w->complain && object->path[0] == '/')
            w->complain("%s is not here (%s): its functions and lines are not known", object->path, strerror(errno));
    } else {
        elf_build_id(&file, build);
        if (strcmp(build, object->build) != 0) {
            if (w->complain)
                w->complain(
                    "%s is not the file that the program used (build id %s, not %s): its functions and lines are "
                    "not known",
                    kept, build, object->build);
        } else {
            if (w->dw) name_by_libdw(w, number, kept);
            name_by_symbols(w, number, &file);
        }
        close_elf(&file);
    }
    free(kept);
}

bool symbolize_frames(iol__where_all *all, const source_paths *paths, void (*complain)(const char *format, ...),
                      size_t *named) {
    work w = {.all = all, .paths = paths, .complain = complain};
    for (size_t i = 0; i < all->n_objects; i++) {
        if (!wants_names(all, i)) continue;
        if (!w.dw) w.dw = load_libdw();
        name_object(&w, i);
    }
    if (named) *named = w.named;
    return true;
}
