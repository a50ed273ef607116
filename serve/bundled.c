/* A log comes out of its bundle as it went in, or, where the compression libraries of this machine cannot make the same
   bytes, with the same content. */
#include "serve/bundled.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "log/bundle/bundle.h"
#include "log/write/output.h"

bool iol__in_bundle(const char *dir) { return *dir && dir[strlen(dir) - 1] == '#'; }

static int open_same(const char *dir, const iol__place_file_row *place) {
    struct stat status;
    char *path = strndup(dir, strlen(dir) - 1);
    int fd = path ? open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY) : -1;
    free(path);
    if (fd < 0) return -1;
    if (fstat(fd, &status) == 0 && S_ISREG(status.st_mode) && (int64_t)status.st_dev == place->device &&
        (int64_t)status.st_ino == place->inode)
        return fd;
    close(fd);
    return -1;
}

/* Those that are too large to be packed are in the bundle as they are. */
static bool bundled_unpack(iol__bundle *bundle, const iol__bundle_entry *entry, iol__output *to, size_t *length) {
    uint8_t *bytes = NULL;
    *length = (size_t)entry->size;
    if (entry->size > IOL_PACKED_LOG_MOST) return iol__bundle_copy(bundle, entry, to->fd, NULL) == IOL_OK;
    iol_status status = iol__bundle_restore(bundle, entry, &bytes, NULL);
    if (status == IOL_DAMAGED) status = iol__bundle_content(bundle, entry, &bytes, length, NULL);
    bool good = status == IOL_OK && iol__output_write(to, 0, bytes, *length) == 0;
    if (status == IOL_OK) free(bytes);
    return good;
}

static int bundled_take_out(iol__bundle *bundle, const iol__bundle_entry *entry, size_t *length) {
    iol__output to;
    if (iol__output_anonymous(&to) != 0) return -1;
    if (bundled_unpack(bundle, entry, &to, length)) return iol__output_keep(&to);
    iol__output_abort(&to);
    return -1;
}

int iol__bundled_file(const char *dir, const char *name, const iol__place_file_row *place, bool look, size_t *length) {
    iol__bundle *bundle = NULL;
    iol__bundle_entry entry;
    int fd = open_same(dir, place), log = -1;
    if (fd < 0) return -1;
    if (iol__bundle_open_file(fd, "bundle", &bundle, NULL) == IOL_OK &&
        iol__bundle_find(bundle, name, &entry, NULL) == IOL_OK && (int64_t)entry.size == place->size &&
        entry.mtime / 1000 == place->mtime)
        log = look ? fcntl(fd, F_DUPFD_CLOEXEC, 3) : bundled_take_out(bundle, &entry, length);
    iol__bundle_close(bundle);
    close(fd);
    return log;
}
