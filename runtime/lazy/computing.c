/* What the runtime computes with is libc's own: functions for memory, for texts, and the clock. Looked up by the loader,
   these names may belong to somebody else: to a thread sanitizer, which does not know our locks, and takes what threads
   do here one after the other for a race of the program; to a library that makes up the time; to one that counts calls.
   The linker binds every use in this library to the functions below, which jump to libc's. So it does with some that few
   processes need: the loader looks for each name at the start of every one.

   Not part of libiolite.a, where they would take the place of libc's in the program. */
#define _REGEX_NELTS(n) /* newer headers have an array of variable length among the parameters */

#include <dirent.h>
#include <regex.h>
#include <string.h>
#include <strings.h>
#include <sys/resource.h>
#include <sys/sysmacros.h>
#include <time.h>
#include <wchar.h>

#include "runtime/lazy/next.h"

#define TWO_TEXTS (const char *a, const char *b)
/* Some libraries have all three functions, for what their own regcomp made. */
#define REGEXEC (const regex_t *of, const char *text, size_t n, regmatch_t found[], int flags)
#define FUNCTIONS(FUNCTION)                                                                                      \
    FUNCTION(void *, memcpy, (void *to, const void *from, size_t n), (to, from, n))                              \
    FUNCTION(void *, memmove, (void *to, const void *from, size_t n), (to, from, n))                             \
    FUNCTION(void *, memset, (void *to, int byte, size_t n), (to, byte, n))                                      \
    FUNCTION(int, memcmp, (const void *a, const void *b, size_t n), (a, b, n))                                   \
    FUNCTION(void *, memchr, (const void *in, int byte, size_t n), (in, byte, n))                                \
    FUNCTION(void *, memrchr, (const void *in, int byte, size_t n), (in, byte, n))                               \
    FUNCTION(size_t, strlen, (const char *text), (text))                                                         \
    FUNCTION(size_t, strnlen, (const char *text, size_t n), (text, n))                                           \
    FUNCTION(int, strcmp, TWO_TEXTS, (a, b))                                                                     \
    FUNCTION(int, strcasecmp, TWO_TEXTS, (a, b))                                                                 \
    FUNCTION(int, strncmp, (const char *a, const char *b, size_t n), (a, b, n))                                  \
    FUNCTION(char *, strchr, (const char *in, int byte), (in, byte))                                             \
    FUNCTION(char *, strchrnul, (const char *in, int byte), (in, byte))                                          \
    FUNCTION(char *, strrchr, (const char *in, int byte), (in, byte))                                            \
    FUNCTION(char *, strstr, TWO_TEXTS, (a, b))                                                                  \
    FUNCTION(size_t, strspn, TWO_TEXTS, (a, b))                                                                  \
    FUNCTION(size_t, strcspn, TWO_TEXTS, (a, b))                                                                 \
    FUNCTION(char *, strcpy, (char *to, const char *from), (to, from))                                           \
    FUNCTION(char *, strncpy, (char *to, const char *from, size_t n), (to, from, n))                             \
    FUNCTION(char *, strncat, (char *to, const char *from, size_t n), (to, from, n))                             \
    FUNCTION(int, clock_gettime, (clockid_t clock, struct timespec * time), (clock, time))                       \
    FUNCTION(void *, memmem, (const void *in, size_t n, const void *what, size_t length), (in, n, what, length)) \
    FUNCTION(size_t, wcrtomb, (char *to, wchar_t c, mbstate_t *state), (to, c, state))                           \
    FUNCTION(int, regcomp, (regex_t * into, const char *text, int flags), (into, text, flags))                   \
    FUNCTION(int, regexec, REGEXEC, (of, text, n, found, flags))                                                 \
    FUNCTION(void, regfree, (regex_t * of), (of))                                                                \
    FUNCTION(int, getrusage, (__rusage_who_t who, struct rusage * usage), (who, usage))                          \
    FUNCTION(dev_t, gnu_dev_makedev, (unsigned major, unsigned minor), (major, minor))

/* Each is looked up when it is first called, maybe before our start: a short program needs a third of them. Threads that do
   so at the same time find the same. */
static void *in_libc(const char *name);
#define FUNCTION(type, name, parameters, arguments) \
    static type first_##name parameters;            \
    static type(*to_##name) parameters = first_##name;
FUNCTIONS(FUNCTION)
#undef FUNCTION

#define FUNCTION(type, name, parameters, arguments)                                      \
    static type first_##name parameters {                                                \
        __atomic_store_n((void **)(void *)&to_##name, in_libc(#name), __ATOMIC_RELAXED); \
        return to_##name arguments;                                                      \
    }                                                                                    \
    __attribute__((visibility("hidden"))) type name parameters { return to_##name arguments; }
FUNCTIONS(FUNCTION)
#undef FUNCTION

/* What a DIR is, whoever opened it knows: as opendir itself, that of the first object behind us. */
static int first_dirfd(DIR *directory);
static int (*to_dirfd)(DIR *directory) = first_dirfd;

static int first_dirfd(DIR *directory) {
    void *found = iol__next_symbol("dirfd");
    __atomic_store_n((void **)(void *)&to_dirfd, found ? found : in_libc("dirfd"), __ATOMIC_RELAXED);
    return to_dirfd(directory);
}

__attribute__((visibility("hidden"))) int dirfd(DIR *directory) { return to_dirfd(directory); }

/* The object with a name that only libc has. */
static void find_libc(iol__symbols *libc) {
    static const char only[] = "gnu_get_libc_version";
    const struct link_map *map = iol__our_object();
    while (map && map->l_prev) map = map->l_prev;
    while (iol__symbols_next(&map, libc) && !iol__symbol_in(libc, only, iol__symbol_hash(only))) {}
}

/* One member after the other: for a whole struct, a compiler may call the very memcpy that is being looked up. */
static void keep_symbols(iol__symbols *into, const iol__symbols *found) {
    into->map = found->map;
    into->symbols = found->symbols;
    into->strings = found->strings;
    into->gnu_hash = found->gnu_hash;
    into->hash = found->hash;
    into->versions = found->versions;
}

static void *in_libc(const char *name) {
    static iol__symbols libc;
    static bool known;
    iol__symbols found;
    if (!__atomic_load_n(&known, __ATOMIC_ACQUIRE)) {
        find_libc(&found);
        keep_symbols(&libc, &found);
        __atomic_store_n(&known, true, __ATOMIC_RELEASE);
    }
    return iol__symbol_in(&libc, name, iol__symbol_hash(name));
}
