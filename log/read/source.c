/* Bytes of a log from a file, a pipe or memory. What is not a regular file is read to its end first: a log is read at
   many places, and a pipe can only be read once. */
#include "log/read/source.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "log/write/output.h"

enum { SPOOL_IN_MEMORY = 16 << 20, COPY_BYTES = 1 << 16, SHORT_PART = 1 << 16 };

struct iol__source {
    int fd; /* -1: in memory */
    bool spooled;
    const uint8_t *bytes;
    uint8_t *owned;
    uint64_t size;
    uint64_t base; /* of a part in its file */
};

static int64_t read_some(int fd, void *buffer, size_t length) {
    ssize_t n;
    do n = read(fd, buffer, length);
    while (n < 0 && errno == EINTR);
    return n;
}

/* Everything after the first SPOOL_IN_MEMORY bytes shows that this is a long one: move to a file. */
static int spool_to_file(iol__source *source, int from) {
    iol__output to;
    int error = iol__output_anonymous(&to);
    if (!error) error = iol__output_write(&to, 0, source->owned, source->size);
    uint8_t *buffer = source->owned; /* large enough for any copy step */
    while (!error) {
        int64_t n = read_some(from, buffer, COPY_BYTES);
        if (n == 0) break;
        error = n < 0 ? errno : iol__output_write(&to, source->size, buffer, (size_t)n);
        if (n > 0) source->size += (uint64_t)n;
    }
    source->fd = iol__output_keep(&to);
    free(source->owned);
    source->owned = NULL;
    return error;
}

/* What does not begin like a log is not read to its end: a device may have none. */
static bool may_be_log(const iol__source *source) {
    static const uint8_t little[] = {0x37, 0x35, 0x64, 0, 0, 0, 0, 0}, big[] = {0, 0, 0, 0, 0, 0x64, 0x35, 0x37};
    if (source->size < 16) return true;
    return memcmp(source->owned + 8, little, 8) == 0 || memcmp(source->owned + 8, big, 8) == 0;
}

static int spool(iol__source *source, int from) {
    source->fd = -1;
    size_t capacity = 0;
    while (may_be_log(source)) {
        if (source->size == SPOOL_IN_MEMORY) return spool_to_file(source, from);
        if (source->size == capacity) {
            capacity = capacity ? capacity * 2 : COPY_BYTES;
            uint8_t *grown = realloc(source->owned, capacity);
            if (!grown) return ENOMEM;
            source->owned = grown;
        }
        int64_t n = read_some(from, source->owned + source->size, capacity - source->size);
        if (n < 0) return errno;
        if (n == 0) break;
        source->size += (uint64_t)n;
    }
    source->bytes = source->owned;
    return 0;
}

/* A regular file is kept open and read where needed; anything else is spooled. */
static int use_descriptor(iol__source *source, int fd) {
    struct stat st;
    if (fstat(fd, &st) != 0) return errno;
    if (S_ISDIR(st.st_mode)) return EISDIR;
    source->spooled = !S_ISREG(st.st_mode);
    if (source->spooled) return spool(source, fd);
    source->fd = fcntl(fd, F_DUPFD_CLOEXEC, 3);
    if (source->fd < 0) return errno;
    source->size = (uint64_t)st.st_size;
    return 0;
}

/* Whether somebody has the other end of a pipe open, or has left something in it: only then is there something to copy,
   or is it too early. Nothing is taken out. */
static bool has_writer(int fd, int copy) { return tee(fd, copy, 1, SPLICE_F_NONBLOCK) != 0; }

/* A named pipe is a fine input if somebody writes to it, and a trap if nobody does: opening it would wait for ever. So it
   is opened without waiting, and a writer has a few seconds to come; else the pipe is empty. */
static void wait_for_writer(int fd) {
    enum { TRIES = 50, PAUSE_MS = 100, ANONYMOUS = 0x50495045 };
    int copy[2];
    struct statfs kind;
    if (fstatfs(fd, &kind) != 0 || kind.f_type == ANONYMOUS || pipe2(copy, O_CLOEXEC) != 0) return;
    for (int i = 0; i < TRIES && !has_writer(fd, copy[1]); i++) poll(NULL, 0, PAUSE_MS);
    close(copy[0]);
    close(copy[1]);
}

static int open_named(const char *path) {
    struct stat st;
    const int fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (fd < 0 || (fstat(fd, &st) == 0 && S_ISREG(st.st_mode))) return fd;
    if (S_ISFIFO(st.st_mode)) wait_for_writer(fd);
    fcntl(fd, F_SETFL, 0); /* from here on one waits for what is written */
    return fd;
}

int iol__source_open(const char *path, iol__source **out) {
    *out = NULL;
    iol__source *source = calloc(1, sizeof *source);
    if (!source) return ENOMEM;
    source->fd = -1;
    bool standard_input = strcmp(path, "-") == 0;
    int fd = standard_input ? STDIN_FILENO : open_named(path);
    int error = fd < 0 ? errno : use_descriptor(source, fd);
    if (fd >= 0 && !standard_input) close(fd);
    if (error) {
        iol__source_close(source);
        return error;
    }
    *out = source;
    return 0;
}

int iol__source_regular_file(int fd, iol__source **out) {
    struct stat st;
    *out = NULL;
    if (fd < 0) return EBADF;
    if (fstat(fd, &st) != 0) return errno;
    if (!S_ISREG(st.st_mode)) return EINVAL;
    iol__source *source = calloc(1, sizeof *source);
    if (!source) return ENOMEM;
    int error = use_descriptor(source, fd);
    if (error)
        free(source);
    else
        *out = source;
    return error;
}

/* A short part is read at once: a run of many processes has many of them, each with several places to look at. */
static bool read_source_part(int fd, uint64_t offset, size_t length, iol__source **out) {
    uint8_t *bytes = malloc(length);
    if (bytes && pread(fd, bytes, length, (off_t)offset) == (ssize_t)length)
        return iol__source_owned(bytes, length, out) == 0;
    free(bytes);
    return false;
}

int iol__source_part(int fd, uint64_t offset, uint64_t length, iol__source **out) {
    if (length <= SHORT_PART && read_source_part(fd, offset, (size_t)length, out)) return 0;
    const int error = iol__source_regular_file(fd, out);
    iol__source *source = *out;
    if (!source) return error;
    source->base = offset < source->size ? offset : source->size;
    source->size -= source->base;
    if (length < source->size) source->size = length;
    return 0;
}

int iol__source_memory(const void *bytes, size_t length, iol__source **out) {
    iol__source *source = calloc(1, sizeof *source);
    *out = source;
    if (!source) return ENOMEM;
    source->fd = -1;
    source->bytes = bytes;
    source->size = length;
    return 0;
}

int iol__source_owned(uint8_t *bytes, size_t length, iol__source **out) {
    const int error = iol__source_memory(bytes, length, out);
    if (error)
        free(bytes);
    else
        (*out)->owned = bytes;
    return error;
}

void iol__source_close(iol__source *source) {
    if (!source) return;
    if (source->fd >= 0) close(source->fd);
    free(source->owned);
    free(source);
}

bool iol__source_regular(const iol__source *source) { return !source->spooled; }

uint64_t iol__source_size(const iol__source *source) { return source->size; }

uint64_t iol__source_hole(const iol__source *source, uint64_t offset) {
    const off_t hole = source->fd < 0 ? -1 : lseek(source->fd, (off_t)(source->base + offset), SEEK_HOLE);
    if (hole < 0 || (uint64_t)hole < source->base + offset) return source->size;
    const uint64_t at = (uint64_t)hole - source->base;
    return at < source->size ? at : source->size;
}

const uint8_t *iol__source_direct(const iol__source *source) { return source->bytes; }

int64_t iol__source_read(iol__source *source, uint64_t offset, void *buffer, size_t length) {
    if (offset >= source->size || length == 0) return 0;
    if (length > source->size - offset) length = (size_t)(source->size - offset);
    if (source->fd < 0) {
        memcpy(buffer, source->bytes + offset, length);
        return (int64_t)length;
    }
    size_t done = 0;
    while (done < length) {
        ssize_t n = pread(source->fd, (uint8_t *)buffer + done, length - done, (off_t)(source->base + offset + done));
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return -1;
        if (n == 0) break;
        done += (size_t)n;
    }
    return (int64_t)done;
}
