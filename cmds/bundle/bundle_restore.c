/* iolite archive restore: logs as they were, below a directory. Names are those of a bundle that somebody else may have made,
   so that each step below the directory is taken from a descriptor, and nothing that is there is followed or replaced. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/write_all.h"
#include "cmds/bundle/bundles.h"
#include "cmds/site/site_options.h"
#include "text/number.h"

typedef struct restoring {
    archiving *a;
    iol__bundle *bundle;
    int directory;
    uint64_t count, bytes;
} restoring;

/* The directory that a name is in, made where it is missing; -1 with errno. */
static int bundle_restore_directory_of(const restoring *r, const char *name, const char **base) {
    int at = fcntl(r->directory, F_DUPFD_CLOEXEC, 3);
    for (const char *slash; at >= 0 && (slash = strchr(name, '/')); name = slash + 1) {
        char part[256];
        if ((size_t)(slash - name) >= sizeof part) {
            close(at);
            errno = ENAMETOOLONG;
            return -1;
        }
        snprintf(part, sizeof part, "%.*s", (int)(slash - name), name);
        if (mkdirat(at, part, 0755) != 0 && errno != EEXIST) {
            const int error = errno;
            close(at);
            errno = error;
            return -1;
        }
        const int next = openat(at, part, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC), error = errno;
        close(at);
        at = next;
        errno = error;
    }
    *base = name;
    return at;
}

/* The content, then what else the file had; then its name. */
static int bundle_restore_fill(restoring *r, const iol__bundle_entry *e, int fd, iol_error *error) {
    uint8_t *bytes = NULL;
    iol_status status = e->size > IOL_PACKED_LOG_MOST ? iol__bundle_copy(r->bundle, e, fd, error)
                                                      : iol__bundle_restore(r->bundle, e, &bytes, error);
    size_t length = (size_t)e->size;
    if (status == IOL_DAMAGED && r->a->args->given[OPT_SAME_CONTENT] && e->size <= IOL_PACKED_LOG_MOST) {
        status = iol__bundle_content(r->bundle, e, &bytes, &length, error);
        if (status == IOL_OK) archive_trouble(r->a, e->name, "restored with the same content, not the same bytes");
    }
    int failed = status == IOL_OK ? 0 : -1;
    if (!failed && bytes && !iol__write_all(fd, bytes, length)) failed = errno;
    free(bytes);
    const struct timespec times[] = {{.tv_nsec = UTIME_OMIT},
                                     {.tv_sec = e->mtime / 1000000000, .tv_nsec = e->mtime % 1000000000}};
    if (!failed && geteuid() == 0 && fchown(fd, e->uid, e->gid) != 0) failed = errno;
    if (!failed && (fchmod(fd, e->mode & 0777) != 0 || fsync(fd) != 0)) failed = errno;
    if (!failed && e->mtime >= 0 && futimens(fd, times) != 0) failed = errno;
    return failed;
}

static bool restore_one(void *context, const iol__bundle_entry *e) {
    restoring *r = context;
    const char *base = NULL;
    char self[64];
    iol_error error = {0};
    const int at = bundle_restore_directory_of(r, e->name, &base);
    int fd = at < 0 ? -1 : openat(at, ".", O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600);
    int failed = fd < 0 ? errno : bundle_restore_fill(r, e, fd, &error);
    snprintf(self, sizeof self, "/proc/self/fd/%d", fd);
    if (!failed && linkat(AT_FDCWD, self, at, base, AT_SYMLINK_FOLLOW) != 0) failed = errno;
    if (fd >= 0) close(fd);
    if (at >= 0) close(at);
    if (failed) {
        archive_trouble(r->a, e->name, error.status != IOL_OK ? error.message : strerror(failed));
        if (failed == ENOSPC || failed == EDQUOT) r->a->status = EXIT_TROUBLE;
        return r->a->status != EXIT_TROUBLE;
    }
    r->count++;
    r->bytes += e->size;
    return true;
}

static void restore_named(restoring *r) {
    for (size_t i = 1; i < r->a->n_operands; i++) {
        iol__bundle_entry entry;
        iol_error error;
        if (iol__bundle_find(r->bundle, r->a->operands[i], &entry, &error) == IOL_OK)
            restore_one(r, &entry);
        else
            r->a->status = report_open_error(&error);
    }
}

int archive_restore(archiving *a) {
    const char *to = argument_value(a->args, OPT_BUNDLE_OUTPUT);
    if (!a->n_operands) return usage_error(a->args, "which bundle?");
    if (!to) return usage_error(a->args, "a directory is needed: --output DIR");
    restoring r = {.a = a};
    iol_error error;
    char text[IOL_HUMAN];
    if (iol__bundle_open(a->operands[0], &r.bundle, &error) != IOL_OK) return report_open_error(&error);
    if (mkdir(to, 0755) != 0 && errno != EEXIST) errno = ENOTDIR;
    r.directory = open(to, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (r.directory < 0) {
        tell_stderr("%s: %s", to, strerror(errno));
        a->status = EXIT_TROUBLE;
    } else if (a->n_operands > 1) {
        restore_named(&r);
    } else if (iol__bundle_each(r.bundle, restore_one, &r, &error) != IOL_OK) {
        a->status = report_open_error(&error);
    }
    if (!a->args->given[OPT_BUNDLE_QUIET] && r.directory >= 0)
        fprintf(stderr, "%s logs restored below %s\n", iol__human_number(text, (double)r.count), to);
    if (r.directory >= 0) close(r.directory);
    iol__bundle_close(r.bundle);
    return a->status;
}
