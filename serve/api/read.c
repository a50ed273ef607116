/* Answers for which the log itself is read: raw bytes, the page document, the report. The file must be the one that was
   indexed: a link that somebody has put in its place could lead to what another wrote. */
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/deadline.h"
#include "log/read/kept.h"
#include "log/read/log_internal.h"
#include "report/html/html.h"
#include "report/page/page.h"
#include "serve/bundled.h"
#include "serve/logs.h"
#include "serve/reading.h"
#include "serve/serve.h"
#include "insight/findings/context.h"
#include "site/query/history.h"
#include "site/index/names.h"

/* The file -------------------------------------------------------------------------------------------------------- */

typedef struct looking {
    bool only;   /* whether it is there */
    bool closed; /* one is there that may not be opened */
    int fd;
    size_t length;
    char *name;
} looking;

static bool is_same(int fd, const iol__place_file_row *place, size_t *length) {
    struct stat status;
    if (fstat(fd, &status) != 0 || !S_ISREG(status.st_mode)) return false;
    int64_t mtime = (int64_t)status.st_mtim.tv_sec * 1000000 + status.st_mtim.tv_nsec / 1000;
    *length = (size_t)status.st_size;
    return (int64_t)status.st_dev == place->device && (int64_t)status.st_ino == place->inode &&
           status.st_size == place->size && mtime == place->mtime;
}

static bool take_read_place(void *context, const iol__place_file_row *place) {
    looking *l = context;
    char *dir = iol__path_of_key(place->dir), *name = iol__path_of_key(place->name), *path = NULL;
    if (dir && name && iol__in_bundle(dir))
        l->fd = iol__bundled_file(dir, name, place, l->only, &l->length);
    else if (dir && name && asprintf(&path, "%s/%s", dir, name) >= 0)
        l->fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    l->closed = l->closed || (l->fd < 0 && errno == EACCES);
    if (l->fd >= 0 && !iol__in_bundle(dir) && !is_same(l->fd, place, &l->length)) {
        close(l->fd);
        l->fd = -1;
    }
    free(path);
    free(dir);
    if (l->fd >= 0)
        l->name = name;
    else
        free(name);
    return l->fd < 0;
}

/* The very file that was indexed, for reading. -1: none is there any more; *failed: the answer is made. */
static int log_file(iol__exchange *x, const iol__the_log *log, size_t *length, const char **name, bool *failed,
                    bool *closed) {
    looking l = {.fd = -1, .only = !length};
    iol__sql sql;
    iol__select_place_file(&sql);
    iol__sql_add(&sql, " FROM place WHERE log_id = ? ORDER BY dir, name");
    iol__sql_value(&sql, iol__integer(log->which.log_id));
    iol_status status = iol__ask_place_file(&sql, x->store, take_read_place, &l);
    *failed = !iol__store_ok(x, status);
    if (l.name && name) *name = iol__arena_copy(&x->arena, l.name);
    free(l.name);
    if (length) *length = l.length;
    *closed = l.closed;
    return l.fd;
}

bool iol__log_is_there(iol__exchange *x, const iol__the_log *log, bool *there) {
    bool failed, closed;
    int fd = log_file(x, log, NULL, NULL, &failed, &closed);
    *there = fd >= 0;
    if (fd >= 0) close(fd);
    return !failed;
}

static int read_file_of(iol__exchange *x, const char *id, size_t *length, const char **name) {
    iol__the_log log;
    bool failed, closed;
    if (!iol__find_log_number(x, id, &log)) return -1;
    int fd = log_file(x, &log, length, name, &failed, &closed);
    if (fd < 0 && !failed)
        iol__answer_error(
            x, 404,
            closed ? "the server may not read the file of this log: SECURITY.md, \"Who indexes\", says what it needs"
                   : "the file of this log is no longer where it was");
    return fd;
}

int iol__log_file_number(iol__exchange *x, const char *id, size_t *length) { return read_file_of(x, id, length, NULL); }

static void close_file(void *fd) { close((int)(intptr_t)fd); }
static void close_log(void *log) { iol_log_close(log); }

bool iol__open_log_number(iol__exchange *x, const char *id, iol_log **log) {
    size_t length;
    const char *name = "log";
    const int fd = read_file_of(x, id, &length, &name);
    if (fd < 0) return false;
    iol__at_end(x, close_file, (void *)(intptr_t)fd);
    if (iol__log_open_part(fd, name, 0, length, log, NULL) != IOL_OK)
        return iol__answer_error(x, 503, "this log cannot be read at the moment"), false;
    (*log)->deadline = x->deadline;
    iol__at_end(x, close_log, *log);
    return true;
}

/* Letters that need no quoting in a header. */
static const char *file_name(iol__arena *arena, const char *name, const char *suffix) {
    char *plain = iol__arena_print(arena, "%.200s%s", name, suffix);
    for (char *c = plain; *c; c++)
        if (!((*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') || (*c >= '0' && *c <= '9') || strchr("._-", *c)))
            *c = '_';
    return plain;
}

/* The answer is to be kept as a file of this name. */
static void offer_file(iol__exchange *x, const char *name, const char *suffix) {
    iol__header_add(x, "Content-Disposition",
                    iol__arena_print(&x->arena, "attachment; filename=\"%s\"", file_name(&x->arena, name, suffix)));
}

void iol__serve_log_raw(iol__exchange *x) {
    const char *name = "log";
    int fd = read_file_of(x, iol__param(x, "id"), &x->file_length, &name);
    if (fd < 0) return;
    x->file = fd;
    x->type = "application/octet-stream";
    offer_file(x, name, "");
}

/* The page -------------------------------------------------------------------------------------------------------- */

/* A log that is read for an answer, and what is made of it. */
typedef struct read_reading {
    iol__exchange *x;
    iol_log *log;
    iol__diagnosis *diagnosis;
    iol__page *page;
    char *context;
} read_reading;

static void close_reading(read_reading *r) {
    iol__page_free(r->page);
    iol__diagnosis_free(r->diagnosis);
    iol_log_close(r->log);
    free(r->context);
}

/* Earlier runs of the same program by the same user, as far as the viewer may see them: their own. */
static void find_history(const struct iol__case *job, iol__context *context, void *data) {
    read_reading *r = data;
    iol__exchange *x = r->x;
    iol__history_owners owners = {.count = 0};
    owners.count = iol__access_owners(&x->viewer, owners.list);
    iol__history_question question = {
        .store = x->store, .site = x->serve->site, .cluster = iol__serve_cluster(x->serve), .owners = &owners};
    iol__history_ask(job, context, &question);
    if (question.status == IOL_OK) r->context = iol__history_document(&question.history);
}

/* More than a report has: a browser asks for them only when somebody looks. */
enum { SERVED_REQUESTS = 2000000 };

static bool make_page(read_reading *r, const char *name) {
    iol__exchange *x = r->x;
    iol_error error;
    iol__log_keep(r->log, IOL_KEPT_USUAL);
    const iol__diagnose_options how = {
        .rulebook = x->serve->rulebook, .surround = find_history, .surround_data = r, .keep = true};
    if (iol__diagnose(r->log, &how, &r->diagnosis, &error) != IOL_OK || iol__is_past(x->deadline)) return false;
    r->diagnosis->log_name = name;
    const iol__page_options options = {.files = IOL_PAGE_FILES,
                                       .requests = SERVED_REQUESTS,
                                       .context = r->context,
                                       .version = IOLITE_VERSION,
                                       .made = (int64_t)time(NULL)};
    iol__page_options *kept = iol__arena_alloc(&x->arena, 1, sizeof *kept);
    *kept = options;
    r->page = iol__page_make(r->log, r->diagnosis, kept);
    return r->page != NULL;
}

/* A log in memory does not change while it is read; larger ones are read from the file. */
static bool open_read_log(read_reading *r, int fd, size_t length, const char *name) {
    iol_error error;
    if (iol__log_open_part(fd, name, 0, length, &r->log, &error) != IOL_OK) return false;
    r->log->deadline = r->x->deadline;
    return true;
}

/* Calls `use` with the page of the log that the path names. */
static void with_page(iol__exchange *x, void (*use)(read_reading *r, const char *name)) {
    size_t length;
    const char *name = "log";
    read_reading r = {.x = x};
    int fd = read_file_of(x, iol__param(x, "id"), &length, &name);
    if (fd < 0) return;
    if (!iol__reading_begin(x)) {
        close(fd);
        return;
    }
    if (open_read_log(&r, fd, length, name) && make_page(&r, name))
        use(&r, name);
    else
        iol__answer_error(x, 503, "this log cannot be read at the moment");
    close_reading(&r);
    close(fd);
    iol__reading_end(x);
}

static void use_json(read_reading *r, const char *name) {
    (void)name;
    iol__json_start(&r->x->json, &r->x->body, 1);
    iol__page_json(&r->x->json, r->page);
    iol__json_finish(&r->x->json);
}

static void use_trace(read_reading *r, const char *name) {
    (void)name;
    r->x->type = "application/octet-stream";
    if (!iol__page_trace(r->page, &r->x->body))
        iol__answer_error(r->x, 404, "this log has no trace, or too large a one");
}

static void use_html(read_reading *r, const char *name) {
    iol__exchange *x = r->x;
    iol__html(&x->body, r->page, r->diagnosis);
    x->policy = iol__html_policy(&x->arena);
    if (iol__param_flag(x, "download") == 1) offer_file(x, name, "_report.html");
}

void iol__serve_log_page(iol__exchange *x) { with_page(x, use_json); }
void iol__serve_log_trace(iol__exchange *x) { with_page(x, use_trace); }
void iol__serve_page_report(iol__exchange *x) { with_page(x, use_html); }
