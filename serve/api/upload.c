/* Logs that are handed in. A log that was accepted is on disk, under its name, before the answer goes out: whatever becomes
   of the server, the next one finds it there and puts it into the index again. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "log/read/log_internal.h"
#include "log/write/output.h"
#include "serve/reading.h"
#include "serve/serve.h"
#include "site/index/names.h"
#include "site/index/put.h"
#include "site/index/rollup.h"
#include "text/text.h"

bool iol__open_body(iol__exchange *x, const char *name, iol_log **log) {
    iol_error error;
    if (x->body_file < 0 || !x->body_length) return iol__answer_error(x, 400, "a log is expected in the body"), false;
    if (iol__log_open_part(x->body_file, name, 0, x->body_length, log, &error) == IOL_OK)
        return (*log)->deadline = x->deadline, true;
    atomic_fetch_add(&x->serve->uploads_refused, 1);
    return iol__answer_error(x, 400, "the body is not a log: %s", iol_status_text(error.status)), false;
}

/* Kept ------------------------------------------------------------------------------------------------------------ */

typedef struct upload {
    iol__exchange *x;
    iol__found found;
    const char *cluster, *name;
    char *path; /* where it is kept */
    bool made;  /* by this request */
} upload;

/* Names that a tree of logs can have; nothing that leads out of it. */
static bool is_plain(const char *name) {
    size_t length = strlen(name);
    if (!length || length > 200 || *name == '.') return false;
    for (const char *c = name; *c; c++)
        if (!((*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') || (*c >= '0' && *c <= '9') ||
              strchr("._-+=,@", *c)))
            return false;
    return true;
}

static bool choose_place(upload *u) {
    iol__exchange *x = u->x;
    u->cluster = iol__param(x, "cluster");
    if (!u->cluster) u->cluster = x->headers.log_cluster;
    if (!u->cluster) u->cluster = iol__serve_cluster(x->serve);
    u->name = iol__param(x, "name");
    if (!u->name) u->name = x->headers.log_name;
    if (!is_plain(u->cluster)) return iol__answer_param(x, "cluster", "not a name"), false;
    if (u->name && (!is_plain(u->name) || !iol__is_log_name(u->name)))
        return iol__answer_param(x, "name", "letters, digits and ._-+=,@ are expected, with .darshan at the end"),
               false;
    return true;
}

/* The log that has this name already: the same one, or another. */
static bool is_known(upload *u, const char *identity) {
    iol_log *log;
    iol__entry entry;
    const iol__entry_plan plan = {
        .rulebook = u->x->serve->rulebook, .site = u->x->serve->site, .cluster = u->cluster, .files = 1};
    if (iol_log_open(u->path, &log, NULL) != IOL_OK) return false;
    bool same = iol__entry_make(log, u->path, &plan, &entry, NULL) == IOL_OK && strcmp(entry.identity, identity) == 0;
    iol__entry_free(&entry);
    iol_log_close(log);
    return same;
}

static int copy_bytes(int from, iol__output *to, size_t length) {
    char buffer[65536];
    for (size_t done = 0; done < length;) {
        ssize_t n = pread(from, buffer, sizeof buffer, (off_t)done);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return n < 0 ? errno : EIO;
        int error = iol__output_write(to, done, buffer, (size_t)n);
        if (error) return error;
        done += (size_t)n;
    }
    return 0;
}

static void sync_directory(const char *dir) {
    int fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd >= 0) fsync(fd);
    if (fd >= 0) close(fd);
}

/* Under its name and on disk, or not at all. */
static bool keep(upload *u) {
    iol__exchange *x = u->x;
    iol__output file;
    char *dir = iol__arena_print(&x->arena, "%s/uploads/%s", x->serve->options->state, u->cluster);
    const char *name = u->name ? u->name : iol__arena_print(&x->arena, "%s.darshan", u->found.entry.identity);
    u->path = iol__arena_print(&x->arena, "%s/%s", dir, name);
    mkdir(dir, 0700);
    int error = iol__output_open(&file, u->path, false);
    if (error == EEXIST) {
        if (is_known(u, u->found.entry.identity)) return true;
        return iol__answer_error(x, 409, "there is another log with this name"), false;
    }
    if (!error) {
        error = copy_bytes(x->body_file, &file, x->body_length);
        if (error)
            iol__output_abort(&file);
        else
            error = iol__output_finish(&file, 0600);
    }
    if (error == EEXIST) return iol__answer_error(x, 409, "there is another log with this name"), false;
    if (error) return iol__answer_error(x, 503, "there is no room for the log"), false;
    sync_directory(dir);
    u->made = true;
    return true;
}

static bool name_place(upload *u) {
    struct stat status;
    char *real = realpath(u->path, NULL), *slash = real ? strrchr(real, '/') : NULL;
    if (!slash || stat(real, &status) != 0) return free(real), false;
    *slash = 0;
    u->found.dir = iol__key_of_path(real);
    u->found.name = iol__key_of_path(slash + 1);
    u->found.device = (int64_t)status.st_dev;
    u->found.inode = (int64_t)status.st_ino;
    u->found.size = status.st_size;
    u->found.mtime = (int64_t)status.st_mtim.tv_sec * 1000000 + status.st_mtim.tv_nsec / 1000;
    free(real);
    return u->found.dir && u->found.name;
}

/* One writer at a time; days that changed are summed up by the indexer. */
static bool index_it(upload *u, int64_t *log_id) {
    iol__store *store;
    iol_error error = {.message = "out of memory"};
    const iol__cell key[] = {iol__text(u->cluster), iol__text(u->found.entry.identity)};
    if (!name_place(u)) return false;
    iol_status status = iol__store_open(u->x->serve->options->store, IOL_STORE_WRITE, &store, &error);
    if (status == IOL_OK) {
        status = iol__put_batch(store, &u->found, false, u->x->serve->site);
        if (status == IOL_OK)
            status = iol__store_number(store, "SELECT log_id FROM log WHERE cluster = ? AND identity = ?", key, 2, 0,
                                       log_id);
        if (status != IOL_OK) error = store->error;
        iol__store_close(store);
    }
    if (status != IOL_OK) iol__complain("iolite serve: ", "an uploaded log: %s", error.message);
    return status == IOL_OK;
}

static void answer(upload *u, int64_t log_id) {
    iol__exchange *x = u->x;
    const iol__entry *entry = &u->found.entry;
    iol__one_begin(x);
    iol__json_put_text(&x->json, "log_id", iol__arena_print(&x->arena, "%lld", (long long)log_id));
    iol__json_put_text(&x->json, "state", entry->damaged ? "damaged" : u->found.added ? "new" : "known");
    iol__json_put_text(&x->json, "identity", entry->identity);
    iol__json_put_i64(&x->json, "findings", iol__cell_integer(&entry->log[IOL_AT(log, findings)]));
    iol__one_end(x);
}

static void take(upload *u, iol_log *log) {
    iol__exchange *x = u->x;
    iol_error error;
    const iol__entry_plan plan = {
        .rulebook = x->serve->rulebook, .site = x->serve->site, .cluster = u->cluster, .files = 3};
    int64_t log_id = 0;
    iol_status status = iol__entry_make(log, u->name ? u->name : "log", &plan, &u->found.entry, &error);
    if (iol__too_late(x)) return;
    if (status != IOL_OK || iol_log_info(log)->job_damaged) {
        atomic_fetch_add(&x->serve->uploads_refused, 1);
        iol__answer_error(x, 400, "nothing in this log can be read");
        return;
    }
    if (!iol__hold(x, &x->serve->upload_lock)) return;
    x->deadline = 0; /* what is accepted is finished */
    if (keep(u)) {
        if (index_it(u, &log_id)) {
            atomic_fetch_add(&x->serve->uploads, 1);
            answer(u, log_id);
        } else {
            if (u->made) unlink(u->path);
            iol__answer_error(x, 503, "the index cannot be written at the moment");
        }
    }
    iol__release(x);
}

void iol__serve_log_upload(iol__exchange *x) {
    upload u = {.x = x};
    iol_log *log;
    if (iol__param_flag(x, "keep") == 0) {
        iol__serve_log_diagnose(x);
        return;
    }
    if (!choose_place(&u) || !iol__open_body(x, u.name ? u.name : "log", &log)) return;
    if (iol__reading_begin(x)) {
        take(&u, log);
        iol__reading_end(x);
    }
    iol__entry_free(&u.found.entry);
    free((char *)(uintptr_t)u.found.dir);
    free((char *)(uintptr_t)u.found.name);
    iol_log_close(log);
}
