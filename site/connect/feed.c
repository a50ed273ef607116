/* Files into memory, and collections member by member. */
#include "site/connect/feed.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/write_all.h"
#include "site/connect/unpack.h"

static iol_status feed_failed(char why[400], iol_status status, const char *name, const char *text) {
    snprintf(why, 400, "%.280s: %.110s", name, text);
    return status;
}

/* The rest of a descriptor, with a NUL behind it. */
static iol_status feed_read_all(int fd, iol__unpacked *all) {
    for (;;) {
        if (!iol__unpack_room(all, 65536)) return all->too_large ? IOL_LIMIT : IOL_SYSTEM;
        ssize_t got = read(fd, all->bytes + all->length, all->room - all->length - 1);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return IOL_SYSTEM;
        if (got == 0) break;
        all->length += (size_t)got;
    }
    all->bytes[all->length] = 0;
    return IOL_OK;
}

static iol_status feed_unpack(const char *name, const void *bytes, size_t length, iol__feed *feed, char why[400]) {
    iol__unpacked all = {0};
    const char *text = NULL;
    iol_status status = iol__unpack(bytes, length, &all, &text);
    *why = 0;
    if (status != IOL_OK) {
        free(all.bytes);
        return feed_failed(why, status, name, text);
    }
    if (text) feed_failed(why, IOL_OK, name, text);
    *feed = (iol__feed){.name = name, .bytes = all.bytes, .length = all.length};
    return IOL_OK;
}

iol_status iol__feed_open(const char *path, iol__feed *feed, char why[400]) {
    bool standard = strcmp(path, "-") == 0;
    int fd = standard ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
    struct stat is = {0};
    *feed = (iol__feed){0};
    if (fd < 0 || fstat(fd, &is) != 0) return feed_failed(why, IOL_SYSTEM, path, strerror(errno));
    iol__unpacked stored = {0};
    iol_status status = IOL_SYSTEM;
    if (S_ISDIR(is.st_mode))
        errno = EISDIR;
    else
        status = feed_read_all(fd, &stored);
    int error = errno;
    if (!standard) close(fd);
    if (status != IOL_OK) {
        bool large = stored.too_large;
        free(stored.bytes);
        return feed_failed(why, status, path, large ? "larger than 1 GiB" : strerror(error));
    }
    status = feed_unpack(path, stored.bytes, stored.length, feed, why);
    feed->modified = is.st_mtime;
    free(stored.bytes);
    return status;
}

void iol__feed_close(iol__feed *feed) {
    free(feed->bytes);
    *feed = (iol__feed){0};
}

bool iol__feed_packed(const char *path) {
    char first[16];
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    ssize_t length = fd >= 0 ? read(fd, first, sizeof first) : -1;
    if (fd >= 0) close(fd);
    return length > 0 && iol__unpack_packed(first, (size_t)length);
}

const char *iol__feed_plain(const char *path, char room[32], int *fd, char why[400]) {
    iol__feed feed;
    *fd = -1;
    if (!iol__feed_packed(path)) return path;
    if (iol__feed_open(path, &feed, why) != IOL_OK) return NULL;
    *fd = memfd_create("iolite", MFD_CLOEXEC);
    bool good = *fd >= 0 && iol__write_all(*fd, feed.bytes, feed.length);
    if (!good) feed_failed(why, IOL_SYSTEM, path, strerror(errno));
    if (!good && *fd >= 0) close(*fd);
    iol__feed_close(&feed);
    snprintf(room, 32, "/proc/self/fd/%d", *fd);
    return good ? room : NULL;
}

/* Tar ------------------------------------------------------------------------------------------------------------ */

enum { BLOCK = 512 };

static uint64_t octal(const char *field, size_t length) {
    uint64_t value = 0;
    for (size_t i = 0; i < length; i++) {
        if (field[i] < '0' || field[i] > '7') {
            if (field[i] == ' ' && value == 0) continue;
            break;
        }
        value = value * 8 + (uint64_t)(field[i] - '0');
    }
    return value;
}

static bool feed_is_header(const char *block) {
    uint64_t sum = 0;
    for (size_t i = 0; i < BLOCK; i++) sum += i >= 148 && i < 156 ? ' ' : (unsigned char)block[i];
    return sum == octal(block + 148, 8) && memcmp(block + 257, "ustar", 5) == 0;
}

static bool is_tar(const iol__feed *feed) { return feed->length >= BLOCK && feed_is_header(feed->bytes); }

static void member_name(const char *block, char name[512]) {
    if (block[345] && memcmp(block + 257, "ustar\0", 6) == 0)
        snprintf(name, 512, "%.155s/%.100s", block + 345, block);
    else
        snprintf(name, 512, "%.100s", block);
}

/* A long name from an extended header: "NN path=NAME\n", or GNU's, which is the name itself. */
static void extended_name(char kind, const char *data, size_t size, char name[512]) {
    const char *path = kind == 'L' ? data : memmem(data, size, " path=", 6);
    if (!path) return;
    if (kind != 'L') path += 6;
    size_t room = (size_t)(data + size - path), length = 0;
    while (length < room && path[length] && path[length] != '\n') length++;
    snprintf(name, 512, "%.*s", (int)(length < 511 ? length : 511), path);
}

static iol_status tar_each(const iol__feed *tar, iol__feed_visitor *visit, void *context, char why[400]) {
    char long_name[512] = "", name[512];
    size_t at = 0;
    for (; at + BLOCK <= tar->length && tar->bytes[at];) {
        const char *block = tar->bytes + at;
        if (!feed_is_header(block)) return feed_failed(why, IOL_DAMAGED, tar->name, "this tar file is damaged");
        uint64_t size = octal(block + 124, 12);
        at += BLOCK;
        if (size > tar->length - at) return feed_failed(why, IOL_OK, tar->name, "this tar file ends too early");
        char kind = block[156];
        if (kind == 'L' || kind == 'x') {
            extended_name(kind, tar->bytes + at, (size_t)size, long_name);
        } else {
            iol__feed member;
            member_name(block, name);
            if ((kind == '0' || kind == 0) &&
                feed_unpack(*long_name ? long_name : name, tar->bytes + at, (size_t)size, &member, why) == IOL_OK) {
                member.modified = (int64_t)octal(block + 136, 12);
                bool on = visit(context, &member);
                iol__feed_close(&member);
                if (!on) return IOL_OK;
            }
            *long_name = 0;
        }
        at += (size_t)((size + BLOCK - 1) / BLOCK * BLOCK);
    }
    bool cut = at < tar->length && tar->bytes[at];
    if (cut) feed_failed(why, IOL_OK, tar->name, "this tar file ends too early");
    return IOL_OK;
}

typedef struct flat {
    iol__unpacked all;
    size_t members;
    bool json, full;
} flat;

static bool add_member(void *context, const iol__feed *member) {
    flat *to = context;
    char first = member->bytes[strspn(member->bytes, " \t\r\n")];
    to->members++;
    to->json = to->json || first == '{' || first == '[';
    to->full = !iol__unpack_room(&to->all, member->length + 1);
    if (to->full) return false;
    memcpy(to->all.bytes + to->all.length, member->bytes, member->length);
    to->all.length += member->length;
    /* Lines of two files do not run into each other. */
    if (member->length && member->bytes[member->length - 1] != '\n') to->all.bytes[to->all.length++] = '\n';
    to->all.bytes[to->all.length] = 0;
    return true;
}

iol_status iol__feed_flatten(iol__feed *feed, char why[400]) {
    flat to = {0};
    char early[400];
    if (!is_tar(feed)) return IOL_OK;
    memcpy(early, why, sizeof early);
    iol_status status = tar_each(feed, add_member, &to, why);
    if (status == IOL_OK && (to.full || !to.members || (to.json && to.members > 1)))
        status = feed_failed(why, IOL_DAMAGED, feed->name,
                             to.full       ? "more than 1 GiB, or out of memory"
                             : !to.members ? "this tar file is empty"
                                           : "a tar file with several JSON texts: give them one by one");
    if (status != IOL_OK) {
        free(to.all.bytes);
        return status;
    }
    if (!*why) memcpy(why, early, sizeof early);
    free(feed->bytes);
    feed->bytes = to.all.bytes;
    feed->length = to.all.length;
    return IOL_OK;
}

/* Directories ---------------------------------------------------------------------------------------------------- */

enum { DEEPEST = 32 };

typedef struct feed_walk {
    iol__feed_visitor *visit;
    void *context;
    char *why;
    char early[400]; /* the first input that is not whole */
    bool stopped;
} feed_walk;

static void note_early(feed_walk *on) {
    if (*on->why && !*on->early) memcpy(on->early, on->why, sizeof on->early);
}

static iol_status walk_path(feed_walk *on, const char *path, int depth);

/* In the order of names, so that the same directory always gives the same. */
static iol_status walk_directory(feed_walk *on, const char *path, int depth) {
    struct dirent **entries = NULL;
    int count = depth < DEEPEST ? scandir(path, &entries, NULL, alphasort) : -1;
    if (count < 0)
        return feed_failed(on->why, IOL_SYSTEM, path, depth < DEEPEST ? strerror(errno) : "directories too deep");
    iol_status status = IOL_OK;
    for (int i = 0; i < count; i++) {
        char *below = NULL;
        bool wanted = status == IOL_OK && !on->stopped && entries[i]->d_name[0] != '.';
        if (wanted && asprintf(&below, "%s/%s", path, entries[i]->d_name) < 0) below = NULL;
        if (wanted) status = below ? walk_path(on, below, depth + 1) : IOL_SYSTEM;
        free(below);
        free(entries[i]);
    }
    free(entries);
    return status;
}

static iol_status walk_path(feed_walk *on, const char *path, int depth) {
    struct stat is = {0};
    if (strcmp(path, "-") != 0 && stat(path, &is) != 0) return feed_failed(on->why, IOL_SYSTEM, path, strerror(errno));
    if (strcmp(path, "-") != 0 && S_ISDIR(is.st_mode)) return walk_directory(on, path, depth);
    iol__feed feed;
    iol_status status = iol__feed_open(path, &feed, on->why);
    if (status != IOL_OK) return status;
    note_early(on);
    *on->why = 0;
    if (is_tar(&feed))
        status = tar_each(&feed, on->visit, on->context, on->why);
    else
        on->stopped = !on->visit(on->context, &feed);
    if (status == IOL_OK) note_early(on);
    iol__feed_close(&feed);
    return status;
}

iol_status iol__feed_each(const char *path, iol__feed_visitor *visit, void *context, char why[400]) {
    feed_walk on = {.visit = visit, .context = context, .why = why};
    *why = 0;
    iol_status status = walk_path(&on, path, 0);
    if (status == IOL_OK && !on.stopped) memcpy(why, on.early, sizeof on.early);
    return status;
}

/* Lines ---------------------------------------------------------------------------------------------------------- */

char *iol__next_line(iol__lines *lines) {
    if (lines->at >= lines->end) return NULL;
    char *line = lines->at, *end = memchr(line, '\n', (size_t)(lines->end - line));
    if (!end) end = lines->end;
    lines->at = end + 1;
    if (end > line && end[-1] == '\r') end[-1] = 0;
    *end = 0;
    return line;
}
