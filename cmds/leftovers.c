/* Looks where mapped files are kept for those without a living owner. */
#include <fcntl.h>
#include <glob.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cmds/leftovers.h"
#include "cmds/run_directory.h"
#include "log/run_inputs.h"
#include "record/mapped.h"

bool mapped_is_dead(const char *path) {
    uint8_t start[IOL_MAPPED_HEAD];
    iol__mapped facts;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (fd < 0) return false;
    bool read = pread(fd, start, sizeof start, 0) == (ssize_t)sizeof start;
    close(fd);
    if (!read || !iol__mapped_is(start, sizeof start)) return false;
    memcpy(&facts, start + IOL_MAPPED_AT, sizeof facts);
    return !iol__mapped_lives(path, facts.pid, facts.born);
}

static bool is_ours(const char *path) {
    struct stat st;
    return lstat(path, &st) == 0 && S_ISREG(st.st_mode) && st.st_uid == geteuid();
}

/* Of a run's directory one file is enough to tell of it. */
static void look(const char *place, const char *pattern, bool directory, void (*each)(void *context, const char *path),
                 void *context) {
    char full[PATH_MAX], told[PATH_MAX] = "";
    glob_t found = {0};
    if (snprintf(full, sizeof full, "%s/%s", place, pattern) >= PATH_MAX) return;
    if (glob(full, 0, NULL, &found) != 0) found.gl_pathc = 0;
    for (size_t i = 0; i < found.gl_pathc; i++) {
        char *path = found.gl_pathv[i], *slash = strrchr(path, '/');
        size_t length = directory ? (size_t)(slash - path) : strlen(path);
        if (strlen(told) == length && strncmp(told, path, length) == 0) continue;
        if (length >= sizeof told || !is_ours(path) || !mapped_is_dead(path)) continue;
        memcpy(told, path, length);
        told[length] = '\0';
        each(context, told);
    }
    globfree(&found);
}

void find_leftovers(const iol__config *config, void (*each)(void *context, const char *path), void *context) {
    const char *place;
    for (unsigned i = 0; (place = mapped_place(config, i)) != NULL; i++) {
        look(place, "iolite-*" IOL_MAPPED_SUFFIX, false, each, context);
        look(place, "iolite-run-*/*" IOL_MAPPED_SUFFIX, true, each, context);
    }
}
