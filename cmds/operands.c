/* From operands to logs. */
#include "cmds/operands.h"

#include <errno.h>
#include <fcntl.h>
#include <fts.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/grow.h"
#include "log/bundle/bundle.h"
#include "log/read/endings.h"
#include "log/read/log_internal.h"

/* One more; ends the program without memory. */
static void operands_add(log_list *list, const char *path, bool found) {
    const bool room = IOL_GROW_NEXT(list->paths, list->count) && IOL_GROW_NEXT(list->found, list->count);
    char *copy = room ? strdup(path) : NULL;
    if (!copy) {
        fputs("iolite: out of memory\n", stderr);
        exit(EXIT_TROUBLE);
    }
    list->found[list->count] = found;
    list->paths[list->count++] = copy;
}

static int operands_by_name(const FTSENT **a, const FTSENT **b) { return strcmp((*a)->fts_name, (*b)->fts_name); }

static void operands_trouble(log_list *list, const char *path, int error) {
    tell_stderr("%s: %s", path, strerror(error));
    list->status = EXIT_INPUT;
}

static void walk(log_list *list, char *directory) {
    char *roots[] = {directory, NULL};
    FTS *tree = fts_open(roots, FTS_PHYSICAL | FTS_NOCHDIR | FTS_COMFOLLOW, operands_by_name);
    if (!tree) {
        operands_trouble(list, directory, errno);
        return;
    }
    size_t before = list->count;
    list->several = true;
    for (FTSENT *entry; (entry = fts_read(tree));) {
        if (entry->fts_info == FTS_DNR || entry->fts_info == FTS_ERR)
            operands_trouble(list, entry->fts_path, entry->fts_errno);
        bool file = entry->fts_info == FTS_F || entry->fts_info == FTS_SL; /* a link to a log is a log */
        if (file && iol__ends_as_log(entry->fts_name)) operands_add(list, entry->fts_path, true);
    }
    fts_close(tree);
    if (list->count > before || list->status) return;
    tell_stderr("%s: there is no *.darshan in this directory", directory);
    list->status = EXIT_INPUT;
}

void add_log(log_list *list, const char *path) { operands_add(list, path, true); }

/* Bundles ---------------------------------------------------------------------------------------------------------- */

typedef struct operands_bundled {
    log_list *list;
    const char *path;
} operands_bundled;

static bool add_bundled(void *context, const iol__bundle_entry *entry) {
    const operands_bundled *b = context;
    char *address;
    if (asprintf(&address, "%s#%s", b->path, entry->name) < 0) return false;
    operands_add(b->list, address, false);
    free(address);
    return true;
}

/* A bundle stands for all of its logs. False if it is none. */
static bool add_bundle(log_list *list, const char *path) {
    const int fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    const bool is_one = fd >= 0 && iol__is_bundle(fd);
    iol__bundle *bundle = NULL;
    iol_error error;
    operands_bundled b = {list, path};
    if (is_one) {
        list->several = true;
        if (iol__bundle_open_file(fd, path, &bundle, &error) != IOL_OK ||
            iol__bundle_each(bundle, add_bundled, &b, &error) != IOL_OK)
            list->status = report_open_error(&error);
    }
    iol__bundle_close(bundle);
    list->opened = fd >= 0 && !is_one && !list->several;
    list->descriptor = fd;
    if (fd >= 0 && !list->opened) close(fd);
    return is_one;
}

void list_logs(const iol__args *args, log_list *list) {
    *list = (log_list){.several = args->n_operands > 1};
    for (size_t i = 0; i < args->n_operands; i++) {
        struct stat status = {0};
        if (stat(args->operands[i], &status) == 0 && S_ISDIR(status.st_mode))
            walk(list, args->operands[i]);
        else if (!S_ISREG(status.st_mode) || !add_bundle(list, args->operands[i]))
            operands_add(list, args->operands[i], false);
    }
}

/* Opened without waiting, then looked at: between a look and an opening a file can become another one. */
static iol_status open_found(const char *path, iol_log **log, iol_error *error) {
    struct stat st;
    int fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    int failed = fd < 0 || fstat(fd, &st) != 0 ? errno : S_ISREG(st.st_mode) ? 0 : EINVAL;
    iol_status status = IOL_SYSTEM;
    *log = NULL;
    if (!failed) status = iol__log_open_part(fd, path, 0, 0, log, error);
    if (fd >= 0) close(fd);
    if (!failed) return status;
    return iol__error_set(error, IOL_SYSTEM, path, IOL_NO_OFFSET, "cannot open: %s",
                          failed == EINVAL ? "it is not an ordinary file" : strerror(failed));
}

iol_status open_listed(const log_list *list, size_t number, iol_log **log, iol_error *error) {
    const char *path = list->paths[number];
    if (list->opened) return iol__log_open_part(list->descriptor, path, 0, 0, log, error);
    if (!list->found[number]) return iol_log_open(path, log, error);
    /* A log in a bundle that an index knows has no file of its own. */
    const iol_status status = access(path, F_OK) == 0 ? IOL_END : iol__bundle_log_at(path, log, error);
    return status == IOL_END ? open_found(path, log, error) : status;
}

void free_logs(log_list *list) {
    for (size_t i = 0; i < list->count; i++) free(list->paths[i]);
    free(list->paths);
    free(list->found);
    if (list->opened) close(list->descriptor);
}
