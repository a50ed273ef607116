/* Environments with our variables in them, and without: see carry.h. */
#include "runtime/process/carry.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include "record/mapped.h"
#include "runtime/core/core.h"
#include "runtime/core/sys.h"
#include "runtime/core/text.h"

enum { PAGE = 4096, LIBRARY = 1024 };

/* "LD_PRELOAD=" and our entry in it; empty if there is none. */
static char preload[sizeof PRELOAD + LIBRARY];
static const char *const library = preload + sizeof PRELOAD - 1;

static bool begins(const char *text, const char *start) {
    return *text == *start && strncmp(text, start, strlen(start)) == 0;
}

static const char *last_part(const char *path, size_t length) {
    const char *slash = memrchr(path, '/', length);
    return slash ? slash + 1 : path;
}

/* As the loader separates them. */
static bool separates(char c) { return c == ' ' || c == ':'; }

/* The entry of a list that leads to a file of the same name. */
static const char *find_name(const char *list, const char *path, size_t *length) {
    const char *name = last_part(path, strlen(path));
    const size_t known = strlen(name);
    for (;;) {
        while (separates(*list)) list++;
        if (!*list) break;
        for (*length = 0; list[*length] && !separates(list[*length]);) ++*length;
        const char *last = last_part(list, *length);
        if ((size_t)(list + *length - last) == known && memcmp(last, name, known) == 0) return list;
        list += *length;
    }
    return NULL;
}

/* Start ------------------------------------------------------------------------------------------------------------ */

#if IOL_STATIC
static const char *own_path(void) { return "libiolite.so"; } /* what other programs are given */
#else
/* The object that has this code in it. */
static int look_for_us(struct dl_phdr_info *object, size_t size, void *path) {
    (void)size;
    const uintptr_t here = (uintptr_t)look_for_us - object->dlpi_addr;
    for (size_t i = 0; i < object->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &object->dlpi_phdr[i];
        if (segment->p_type != PT_LOAD || here < segment->p_vaddr || here - segment->p_vaddr >= segment->p_memsz)
            continue;
        *(const char **)path = object->dlpi_name;
        return 1;
    }
    return 0;
}

static const char *own_path(void) {
    static const char *path = "";
    dl_iterate_phdr(look_for_us, &path);
    return path;
}
#endif

static const char *preload_in(char **environment) {
    const char *list = NULL;
    for (; environment && *environment; environment++)
        if (begins(*environment, PRELOAD)) list = *environment + sizeof PRELOAD - 1;
    return list;
}

void iol__carry_start(char **environment) {
    const char *list = iol__carry_taken.preload, *entry;
    size_t length = 0;
    if (!list) list = preload_in(iol__carry_taken.entries);
    if (!list) list = preload_in(environment);
    if (!list || !(entry = find_name(list, own_path(), &length)) || length >= LIBRARY) return;
    iol__text text = {preload, sizeof preload, 0};
    iol__text_add(&text, PRELOAD);
    iol__text_bytes(&text, entry, length);
}

bool iol__carry_active(void) { return preload[0] != 0; }

bool iol__carry_in_reach(void) {
    if (!strchr(library, '/') || strchr(library, '$')) return true; /* the loader knows where */
    const int fd = iol__sys_open(AT_FDCWD, library, O_RDONLY | O_NONBLOCK | O_NOCTTY, 0);
    if (fd >= 0) sys(close, fd);
    return fd >= 0 || (errno != ENOENT && errno != EACCES && errno != ENOTDIR);
}

bool iol__carry_removed(void) {
    return *library == '/' && sys(faccessat, AT_FDCWD, library, F_OK) != 0 && errno == ENOENT;
}

/* Reading ---------------------------------------------------------------------------------------------------------- */

/* The kernel is asked before memory is read that a program hands to it. */
bool iol__carry_there(const void *pointer, uintptr_t *known) {
    const uintptr_t page = (uintptr_t)pointer / PAGE;
    if (page == *known) return true;
    if (page == 0 || iol__there_at(page * PAGE) != 1) return false;
    *known = page;
    return true;
}

static char *run_entry(void) {
    char **at = iol__core_state.environment;
    while (at && *at && !begins(*at, IOL_RUN_VARIABLE "=")) at++;
    return at ? *at : NULL;
}

bool iol__carry_wanted(void) { return run_entry() != NULL; }

/* To our run, or to another that is there, as one run starts another. */
static bool leads_to_a_run(const char *entry) {
    const char *ours = run_entry(), *directory = strstr(entry, ":/");
    if (ours && strcmp(entry, ours) == 0) return true;
    return directory && sys(faccessat, AT_FDCWD, directory + 1, F_OK) == 0;
}

bool iol__carry_read(iol__exec *exec) {
    uintptr_t list_page = IOL_NO_PAGE, text_page = IOL_NO_PAGE;
    size_t n = 0, last = SIZE_MAX;
    bool led = iol__core_state.run == 0;
    iol__main_switch main_switch = IOL_MAIN_SWITCH;
    exec->lost = SIZE_MAX;
    for (char *const *at = exec->given; at; at++, n++) {
        if (!iol__carry_there(at, &list_page)) return false;
        if (!*at) break;
        if (!iol__carry_there(*at, &text_page)) return false;
        if (begins(*at, PRELOAD)) last = n;
        if (iol__core_state.run && begins(*at, IOL_RUN_VARIABLE "=")) {
            led = leads_to_a_run(*at);
            if (!led) exec->lost = n;
        }
        iol__main_switch_read(&main_switch, *at);
    }
    exec->disabled = iol__main_switch_off(&main_switch);
    exec->count = n;
    exec->preload = last < n ? last : n;
    if (last < n) exec->ours = find_name(exec->given[last] + sizeof PRELOAD - 1, library, &exec->ours_bytes);
    exec->astray = exec->ours && !led;
    return true;
}

/* Making ----------------------------------------------------------------------------------------------------------- */

enum { EXTRA = 5 /* three marks, LD_PRELOAD, NULL */, MARK = 40 };

static size_t kept(void) {
    size_t n = 0;
    for (char **at = iol__core_state.environment; at && *at; at++) n++;
    return n;
}

size_t iol__carry_room(const iol__exec *exec) {
    const size_t text = exec->preload < exec->count ? strlen(exec->given[exec->preload]) + 1 : 0;
    if (exec->change == IOL_EXEC_TAKE_OUT) return (exec->count + 1) * sizeof(char *) + text;
    return (exec->count + kept() + EXTRA) * sizeof(char *) + text + strlen(library) + MARK;
}

/* LD_PRELOAD without our library and the separator before it, or behind it. False if nothing is left. */
static bool without_ours(const iol__exec *exec, char *to) {
    const char *entry = exec->given[exec->preload], *behind = exec->ours + exec->ours_bytes;
    size_t before = (size_t)(exec->ours - entry);
    if (before >= sizeof PRELOAD && separates(entry[before - 1]))
        before--;
    else if (*behind)
        behind++;
    memcpy(to, entry, before);
    strcpy(to + before, behind);
    return to[sizeof PRELOAD - 1] != 0;
}

static char *const *take_out(const iol__exec *exec, char **list) {
    char *text = (char *)(list + exec->count + 1);
    size_t n = 0;
    for (size_t i = 0; i < exec->count; i++) {
        if (i != exec->preload)
            list[n++] = exec->given[i];
        else if (without_ours(exec, text))
            list[n++] = text;
    }
    list[n] = NULL;
    return list;
}

static bool has(const iol__exec *exec, const char *entry) {
    const size_t length = strcspn(entry, "=");
    for (size_t i = 0; i < exec->count; i++)
        if (strncmp(exec->given[i], entry, length) == 0 && exec->given[i][length] == '=') return true;
    return false;
}

/* What the program set itself counts. */
static char *const *add(const iol__exec *exec, char **list) {
    static char odd[] = CARRIED "x", end[] = CARRIED;
    char *text = (char *)(list + exec->count + kept() + EXTRA);
    iol__text mark = {text, MARK, 0}, longer = {text + MARK, SIZE_MAX, 0};
    const bool behind = !exec->ours && exec->preload < exec->count;
    size_t n = exec->count;
    for (size_t i = 0; i < n; i++) list[i] = exec->given[i];
    if (exec->lost < n) list[exec->lost] = run_entry();
    iol__text_add(&mark, CARRIED);
    iol__text_number(&mark, behind ? (int64_t)strlen(exec->given[exec->preload]) : 0);
    list[n++] = text;
    if (behind) {
        iol__text_add(&longer, exec->given[exec->preload]);
        iol__text_add(&longer, ":");
        iol__text_add(&longer, library);
        list[exec->preload] = longer.to;
    } else if (!exec->ours) {
        list[n++] = preload;
    }
    for (char **at = iol__core_state.environment; at && *at; at++)
        if (!has(exec, *at)) list[n++] = *at;
    if ((n - exec->count) % 2 == 0) list[n++] = odd;
    list[n++] = end;
    list[n] = NULL;
    return list;
}

char *const *iol__carry_environment(const iol__exec *exec, void *room) {
    if (!exec->room) return exec->given;
    return exec->change == IOL_EXEC_TAKE_OUT ? take_out(exec, room) : add(exec, room);
}
