/* The library and what belongs to it: found relative to the command, so that a copied or moved installation works. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <link.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/count.h"
#include "cmds/library.h"
#include "record/program.h"

static bool readable(const char *found, char path[PATH_MAX]) {
    return realpath(found, path) && access(path, R_OK) == 0;
}

/* Where there is no /proc, the kernel still says what it was asked to start. */
static bool library_own_path(char own[PATH_MAX]) {
    const ssize_t length = readlink("/proc/self/exe", own, PATH_MAX - 1);
    const unsigned long started = length > 0 ? 0 : getauxval(AT_EXECFN);
    own[length > 0 ? length : 0] = '\0';
    return length > 0 || (started && realpath((const char *)started, own)); // NOLINT(performance-no-int-to-ptr)
}

bool find_prefix(char path[PATH_MAX]) {
    static const char inner[] = "/" IOLITE_ALL_COMMANDS;
    if (!library_own_path(path)) return false;
    const size_t length = strlen(path), tail = sizeof inner - 1;
    const bool all = length > tail && strcmp(path + length - tail, inner) == 0;
    if (all) path[length - tail] = '\0';
    for (int level = 0; !all && level < 2; level++) {
        char *slash = strrchr(path, '/');
        if (!slash) return false;
        *slash = '\0';
    }
    return true;
}

/* lib/x86_64-linux-gnu and the like. */
static bool find_by_triplet(const char *prefix, char path[PATH_MAX]) {
    char directory[PATH_MAX], candidate[PATH_MAX];
    if (snprintf(directory, sizeof directory, "%s/lib", prefix) >= PATH_MAX) return false;
    DIR *names = opendir(directory);
    bool good = false;
    for (const struct dirent *one; names && !good && (one = readdir(names)) != NULL;)
        good = fnmatch("*-linux-gnu*", one->d_name, 0) == 0 &&
               snprintf(candidate, sizeof candidate, "%s/%s/libiolite.so", directory, one->d_name) < PATH_MAX &&
               readable(candidate, path);
    if (names) closedir(names);
    return good;
}

/* A plain file that may be read: its name will do, because that of the prefix has no links in it. */
static bool plainly_there(const char *path) {
    struct stat st;
    return lstat(path, &st) == 0 && S_ISREG(st.st_mode) && access(path, R_OK) == 0;
}

bool installed_path(char path[PATH_MAX], const char *prefix, const char *directory, const char *file) {
    const bool whole = *directory == '/';
    return snprintf(path, PATH_MAX, "%s%s%s/%s", whole ? "" : prefix, whole ? "" : "/", directory, file) < PATH_MAX;
}

/* A directory that was given whole comes last, so that a copied tree or a build uses its own library. */
bool find_library(char path[PATH_MAX]) {
    static const char *const places[] = {"lib", "lib64", IOLITE_LIBDIR};
    char prefix[PATH_MAX];
    const char *set = getenv("IOLITE_LIBRARY");
    if (set && *set) {
        if (readable(set, path)) return true;
        snprintf(path, PATH_MAX, "%s", set);
        return false;
    }
    const bool known = find_prefix(prefix);
    for (size_t i = 0; known && i < IOL_COUNT(places); i++)
        if (installed_path(path, prefix, places[i], "libiolite.so") && plainly_there(path)) return true;
    if (known && find_by_triplet(prefix, path)) return true;
    snprintf(path, PATH_MAX, "libiolite.so");
    return false;
}

/* The table of sections stands behind everything else, so a file that lacks some of it was not copied to its end. */
static const char *refused_image(const ElfW(Ehdr) * image, uint64_t bytes) {
    const char class = sizeof(void *) == 8 ? ELFCLASS64 : ELFCLASS32;
    if (bytes < sizeof *image || memcmp(image->e_ident, ELFMAG, SELFMAG) != 0 || image->e_ident[EI_CLASS] != class ||
        image->e_type != ET_DYN)
        return "is no library for this machine";
    if (image->e_shoff > bytes || (uint64_t)image->e_shnum * image->e_shentsize > bytes - image->e_shoff)
        return "is not complete";
    return NULL;
}

static bool library_limits_allow(void) {
    for (size_t i = 0; i < IOL_PROGRAM_LIMITS; i++) {
        struct rlimit now;
        /* As getrlimit, whose first argument has another type in each C library. */
        if (syscall(SYS_prlimit64, 0, iol__program_limits[i].what, NULL, &now) == 0 &&
            now.rlim_cur < iol__program_limits[i].least)
            return false;
    }
    return true;
}

const char *library_refused(const char *path) {
    struct stat st;
    if (!library_limits_allow()) return "has no room within the limits of memory and descriptors";
    const int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0 || fstat(fd, &st) != 0 || !S_ISREG(st.st_mode) || st.st_size <= 0) {
        if (fd >= 0) close(fd);
        return "is no library for this machine";
    }
    void *image = mmap(NULL, (size_t)st.st_size, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, 0);
    const bool forbidden = image == MAP_FAILED && errno == EPERM;
    close(fd);
    if (forbidden) return "is on a file system whose programs may not be run (noexec)";
    if (image == MAP_FAILED) return "cannot be mapped";
    const char *refused = refused_image(image, (uint64_t)st.st_size);
    munmap(image, (size_t)st.st_size);
    return refused;
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
