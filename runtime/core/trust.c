/* See trust.h. The kernel says in the auxiliary vector who the process was at its start, so asking costs nothing.

   Why an object is loaded by the name of its descriptor if this is root: whoever may change the path between the look and
   the loading would have another one loaded. The name has a second slash, because the loader takes names that are equal
   for the same object, and programs load objects by names of descriptors, too. */
#include "runtime/core/trust.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runtime/core/sys.h"
#include "runtime/core/text.h"

enum { MOST_OBJECT = 1 << 30, HIGH = 600 /* numbers that programs do not count on */ };

bool iol__trust_more_rights(void) {
    return getauxval(AT_SECURE) || getauxval(AT_UID) != getauxval(AT_EUID) || getauxval(AT_GID) != getauxval(AT_EGID);
}

static bool is_root(void) { return getauxval(AT_UID) == 0 || getauxval(AT_EUID) == 0; }

static bool is_setting(const char *entry) {
    return strncmp(entry, "IOLITE_", 7) == 0 || strncmp(entry, "DARSHAN_", 8) == 0 || strncmp(entry, "DXT_", 4) == 0;
}

static void forget_in(char **list) {
    char **to = list;
    for (char **from = list; from && *from; from++)
        if (!is_setting(*from)) *to++ = *from;
    if (list) *to = NULL;
}

void iol__trust_forget_settings(char **environment) {
    forget_in(environment);
    if (environ != environment) forget_in(environ);
}

/* Nobody but root can change it, or, in a directory with the sticky bit, what root has put there. */
static bool only_root_changes(const struct stat *facts) {
    const mode_t others = S_IWOTH | (facts->st_gid == 0 ? 0 : S_IWGRP);
    return facts->st_uid == 0 && (!(facts->st_mode & others) || (S_ISDIR(facts->st_mode) && facts->st_mode & S_ISVTX));
}

bool iol__trust_directory(const char *path) {
    struct stat facts = {0};
    if (!is_root()) return true;
    const int saved = errno;
    const bool good =
        sys(newfstatat, AT_FDCWD, path, &facts, 0) == 0 && S_ISDIR(facts.st_mode) && only_root_changes(&facts);
    errno = saved;
    return good;
}

/* All directories that lead to it. The path has no links in it. */
static bool only_root_changes_way_to(char *path) {
    for (char *slash = strrchr(path, '/'); slash; slash = strrchr(path, '/')) {
        slash[slash == path] = 0;
        if (!iol__trust_directory(path)) return false;
        if (slash == path) return true;
    }
    return false;
}

static const char *root_refuses(int fd, const struct stat *facts, const char *path) {
    static char way[4096];
    char name[40];
    iol__text text = {name, sizeof name, 0};
    if (*path != '/') return "root needs its whole path";
    if (!only_root_changes(facts)) return "root loads what root owns and nobody else can change";
    iol__text_add(&text, "/proc/self/fd/");
    iol__text_number(&text, fd);
    const long length = sys(readlinkat, AT_FDCWD, name, way, sizeof way - 1);
    if (length <= 0 || way[0] != '/') return "root needs /proc to load it";
    way[length] = 0;
    return only_root_changes_way_to(way) ? NULL : "others than root can change the directories that lead to it";
}

/* So that no two objects have the same name, a number is given out once. */
static bool name_by_descriptor(iol__trusted *object) {
    static int next = HIGH;
    const int high = (int)sys(fcntl, object->fd, F_DUPFD_CLOEXEC, next);
    if (high < 0) return false;
    sys(close, object->fd);
    object->fd = high;
    next = high + 1;
    iol__text text = {object->name, sizeof object->name, 0};
    iol__text_add(&text, "/proc/self//fd/");
    iol__text_number(&text, high);
    return true;
}

void iol__trust_object(const char *path, iol__trusted *object) {
    struct stat facts = {0};
    *object = (iol__trusted){.fd = -1};
    iol__text_add(&(iol__text){object->name, sizeof object->name, 0}, path);
    if (!strchr(path, '/') && !is_root()) return; /* the loader looks for it where it looks for libraries */
    object->fd = iol__sys_open(AT_FDCWD, path, O_RDONLY | O_NONBLOCK | O_NOCTTY, 0);
    if (object->fd < 0 || sys(fstat, object->fd, &facts) != 0)
        object->refused = "it cannot be opened";
    else if (!S_ISREG(facts.st_mode) || facts.st_size == 0 || facts.st_size > MOST_OBJECT)
        object->refused = "it is no file that can be loaded";
    else if (is_root() && !(object->refused = root_refuses(object->fd, &facts, path)) && !name_by_descriptor(object))
        object->refused = "there is no descriptor for it";
}
