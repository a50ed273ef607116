/* The library and what belongs to it: found relative to the command, so that a copied or moved installation works. */
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

#include "cmds/library.h"

static bool readable(const char *found, char path[PATH_MAX]) {
    return realpath(found, path) && access(path, R_OK) == 0;
}

/* Where there is no /proc, the kernel still says what it was asked to start. */
static bool own_path(char own[PATH_MAX]) {
    const ssize_t length = readlink("/proc/self/exe", own, PATH_MAX - 1);
    const unsigned long started = length > 0 ? 0 : getauxval(AT_EXECFN);
    own[length > 0 ? length : 0] = '\0';
    return length > 0 || (started && realpath((const char *)started, own)); // NOLINT(performance-no-int-to-ptr)
}

static bool own_directory(char own[PATH_MAX]) {
    if (!own_path(own)) return false;
    char *slash = strrchr(own, '/');
    if (slash) *slash = '\0';
    return slash != NULL;
}

bool find_prefix(char path[PATH_MAX]) {
    char *slash = own_directory(path) ? strrchr(path, '/') : NULL;
    if (slash) *slash = '\0';
    return slash != NULL;
}

/* lib/x86_64-linux-gnu and the like. */
static bool find_by_triplet(const char *directory, char path[PATH_MAX]) {
    char pattern[PATH_MAX];
    glob_t found = {0};
    bool good = false;
    if (snprintf(pattern, sizeof pattern, "%s/../lib/*-linux-gnu*/libiolite.so", directory) >= PATH_MAX) return false;
    if (glob(pattern, 0, NULL, &found) == 0) good = readable(found.gl_pathv[0], path);
    globfree(&found);
    return good;
}

bool find_library(char path[PATH_MAX]) {
    static const char *const places[] = {"../lib", "../lib64"};
    char own[PATH_MAX], candidate[PATH_MAX];
    const char *set = getenv("IOLITE_LIBRARY");
    if (set && *set) {
        if (readable(set, path)) return true;
        snprintf(path, PATH_MAX, "%s", set);
        return false;
    }
    const bool known = own_directory(own);
    for (size_t i = 0; known && i < sizeof places / sizeof *places; i++)
        if (snprintf(candidate, sizeof candidate, "%s/%s/libiolite.so", own, places[i]) < PATH_MAX &&
            readable(candidate, path))
            return true;
    if (known && find_by_triplet(own, path)) return true;
    snprintf(path, PATH_MAX, "libiolite.so");
    return false;
}

const char *harmed_because(const program *facts) {
    if (!facts->elf) return NULL;
    if (!facts->native) return facts->bits == 32 ? "it is a 32-bit program" : "it is built for another machine";
    if (facts->libc == IOL_PROGRAM_MUSL) return "it uses the musl C library";
    if (facts->libc == IOL_PROGRAM_OTHER_LIBC) return "it uses a C library that is not glibc";
    return NULL;
}

const char *unseen_because(const program *facts) {
    const char *harmed = harmed_because(facts);
    if (harmed) return harmed;
    if (!facts->elf) return NULL;
    if (facts->go) return "it is a Go program, whose reads and writes enter the kernel without libc";
    if (facts->libc == IOL_PROGRAM_STATIC && !facts->carried[0]) return "it is statically linked";
    return facts->privileged ? "it runs with more rights than its user (setuid, setgid or capabilities)" : NULL;
}
