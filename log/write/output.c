/* Whole files or none: open without a name, write, sync, link, rename. */
#include "log/write/output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "base/count.h"

/* The directory part of a path; "." if it has none. */
static char *output_directory_of(const char *path) {
    const char *slash = strrchr(path, '/');
    if (!slash) return strdup(".");
    return slash == path ? strdup("/") : strndup(path, (size_t)(slash - path));
}

static int open_temporary(iol__output *output) {
    size_t length = strlen(output->path);
    static const char tail[] = ".partial-XXXXXX";
    output->temporary = malloc(length + sizeof tail);
    if (!output->temporary) return ENOMEM;
    memcpy(output->temporary, output->path, length);
    memcpy(output->temporary + length, tail, sizeof tail);
    output->fd = mkostemp(output->temporary, O_CLOEXEC);
    if (output->fd >= 0) return 0;
    int error = errno;
    free(output->temporary);
    output->temporary = NULL;
    return error;
}

/* Give a nameless file a name: by its descriptor, which costs least, where the kernel lets us; else by way of /proc. */
static int link_name(int fd, const char *name) {
    char self[64];
    if (linkat(fd, "", AT_FDCWD, name, AT_EMPTY_PATH) == 0) return 0;
    if (errno != ENOENT && errno != EINVAL) return errno;
    snprintf(self, sizeof self, "/proc/self/fd/%d", fd);
    return linkat(AT_FDCWD, self, AT_FDCWD, name, AT_SYMLINK_FOLLOW) == 0 ? 0 : errno;
}

/* Whether that will work. The root directory is there, so nothing is linked. */
static bool may_get_name(int fd) {
    return (linkat(fd, "", AT_FDCWD, "/", AT_EMPTY_PATH) != 0 && errno == EEXIST) || access("/proc/self/fd", X_OK) == 0;
}

static int open_nameless(const char *directory) {
    const int fd = open(directory, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    if (fd < 0 || may_get_name(fd)) return fd;
    close(fd);
    return -1;
}

/* Why what has the name already may not be replaced. Devices and pipes never are: for root that would be the end of
   /dev/null. */
static int output_refusal(const struct stat *st, bool replace) {
    if (S_ISDIR(st->st_mode)) return EISDIR;
    if (!replace) return EEXIST;
    return S_ISREG(st->st_mode) ? 0 : ENOTSUP;
}

int iol__output_open(iol__output *output, const char *path, bool replace) {
    *output = (iol__output){.fd = -1, .path = strdup(path), .replace = replace};
    char *directory = output_directory_of(path);
    struct stat st;
    int error = 0;
    if (!output->path || !directory)
        error = ENOMEM;
    else if (stat(path, &st) == 0)
        error = output_refusal(&st, replace);
    if (!error) {
        output->fd = open_nameless(directory);
        if (output->fd < 0) error = open_temporary(output);
    }
    free(directory);
    if (error) iol__output_abort(output);
    return error;
}

const char *iol__temporary_directory(void) {
    const char *directory = getenv("TMPDIR");
    return directory && *directory ? directory : "/tmp";
}

int iol__output_anonymous(iol__output *output) {
    const char *directory = iol__temporary_directory();
    *output = (iol__output){.fd = open(directory, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600)};
    if (output->fd >= 0) return 0;
    size_t room = strlen(directory) + 16;
    output->path = malloc(room);
    if (!output->path) return ENOMEM;
    snprintf(output->path, room, "%s/iolite", directory);
    int error = open_temporary(output);
    if (output->temporary) unlink(output->temporary);
    free(output->temporary);
    output->temporary = NULL;
    return error;
}

int iol__output_keep(iol__output *output) {
    int fd = output->fd;
    output->fd = -1;
    iol__output_abort(output);
    return fd;
}

int iol__output_write(iol__output *output, uint64_t offset, const void *bytes, size_t length) {
    const uint8_t *at = bytes;
    while (length > 0) {
        ssize_t n = pwrite(output->fd, at, length, (off_t)offset);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return errno;
        at += n;
        offset += (uint64_t)n;
        length -= (size_t)n;
    }
    return 0;
}

/* A nameless file cannot take the place of another; it gets a temporary name first. */
static int name_temporarily(iol__output *output) {
    size_t room = strlen(output->path) + 64;
    output->temporary = malloc(room);
    if (!output->temporary) return ENOMEM;
    for (unsigned attempt = 0; attempt < 100; attempt++) {
        snprintf(output->temporary, room, "%s.partial-%ld-%u", output->path, (long)getpid(), attempt);
        int error = link_name(output->fd, output->temporary);
        if (error != EEXIST) return error;
    }
    return EEXIST;
}

/* The name itself has to reach the disk too; a directory that cannot be synced is no reason to fail. */
static void output_sync_directory(const char *path) {
    char *directory = output_directory_of(path);
    int fd = directory ? open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
    if (fd >= 0) {
        fsync(fd);
        close(fd);
    }
    free(directory);
}

static int publish(iol__output *output) {
    if (!output->replace) {
        /* Linking fails where the name exists, so two writers cannot both win. */
        if (!output->temporary) return link_name(output->fd, output->path);
        if (link(output->temporary, output->path) != 0) return errno;
        unlink(output->temporary);
        return 0;
    }
    int error = output->temporary ? 0 : name_temporarily(output);
    if (error) return error;
    return rename(output->temporary, output->path) == 0 ? 0 : errno;
}

/* A sync waits for everything that others have written there, too. Of disks of this machine it is known that what was
   taken will be written; file servers may still find that there is no room, or no quota. */
static bool written_for_certain(int fd) {
    static const long local[] = {0xef53 /* ext4 */, 0x58465342 /* XFS */, 0x9123683e /* btrfs */,
                                 0x01021994 /* tmpfs */};
    struct statfs facts;
    if (fstatfs(fd, &facts) != 0) return false;
    for (size_t i = 0; i < IOL_COUNT(local); i++)
        if ((long)facts.f_type == local[i]) return true;
    return false;
}

int iol__output_finish(iol__output *output, mode_t mode) {
    const bool later = output->unhurried && written_for_certain(output->fd);
    int error = fchmod(output->fd, mode) != 0 || (!later && fsync(output->fd) != 0) ? errno : publish(output);
    if (error) {
        iol__output_abort(output);
        return error;
    }
    if (!later) output_sync_directory(output->path);
    free(output->temporary);
    output->temporary = NULL;
    iol__output_abort(output);
    return 0;
}

void iol__output_abort(iol__output *output) {
    if (output->fd >= 0) close(output->fd);
    if (output->temporary) unlink(output->temporary);
    free(output->temporary);
    free(output->path);
    *output = (iol__output){.fd = -1};
}
