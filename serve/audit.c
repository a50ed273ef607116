/* Lines are written before the answer is, so that nobody sees a job without one. What cannot be written is said on standard
   error; the answer is given all the same, because staff look at jobs when disks are full. */
#include "serve/audit.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/count.h"
#include "base/write_all.h"
#include "log/write/keyed.h"
#include "serve/answer.h"
#include "serve/serve.h"
#include "site/tree.h"
#include "text/text.h"

enum { AGAIN_AFTER = 600, MOST_OF_FILE = 16 << 20, MOST_READ = 4 << 20, MOST_LOOKS = 50000, LONGEST_LINE = 4096 };

void iol__audit_open(iol__audit *audit) { pthread_mutex_init(&audit->lock, NULL); }
void iol__audit_close(iol__audit *audit) { pthread_mutex_destroy(&audit->lock); }

static const char *audit_path(iol__exchange *x, const char *name) {
    return iol__arena_print(&x->arena, "%s/%s", x->serve->options->state, name);
}

/* Writing --------------------------------------------------------------------------------------------------------- */

static uint64_t key_of_look(const iol__exchange *x, const char *user, const char *cluster, const char *jobid) {
    const char *const texts[] = {x->viewer.user, user, cluster, jobid};
    uint64_t key = UINT64_C(14695981039346656037); /* FNV-1a; the NULs keep the texts apart */
    for (size_t i = 0; i < IOL_COUNT(texts); i++)
        for (const char *c = texts[i];; c++) {
            key = (key ^ (unsigned char)*c) * UINT64_C(1099511628211);
            if (!*c) break;
        }
    return key;
}

/* Whether it is in the file since ten minutes; it counts as written from now on. */
static bool was_written(iol__audit *audit, uint64_t key, int64_t now) {
    bool lately;
    pthread_mutex_lock(&audit->lock);
    const size_t place = key % IOL_AUDIT_LATELY;
    lately = audit->lately[place].key == key && now - audit->lately[place].time < AGAIN_AFTER;
    if (!lately) {
        audit->lately[place].key = key;
        audit->lately[place].time = now;
    }
    pthread_mutex_unlock(&audit->lock);
    return lately;
}

/* The file before this one is kept, and none before that. */
static void turn_over(const char *path, const char *kept) {
    struct stat status;
    if (stat(path, &status) != 0 || status.st_size < MOST_OF_FILE) return;
    if (rename(path, kept) != 0) iol__complain("iolite serve: ", "%s: %s", path, strerror(errno));
}

/* A full disk or a kill may have cut the line before. */
static bool end_cut_line(int fd) {
    struct stat status;
    char last = '\n';
    if (fstat(fd, &status) != 0) return false;
    if (status.st_size > 0 && pread(fd, &last, 1, status.st_size - 1) < 0) return false;
    return last == '\n' || iol__write_all(fd, "\n", 1);
}

/* One at a time: of two that turn the file over the second would throw away what the first has kept. */
static void write_look(iol__exchange *x, const char *line, size_t length) {
    const char *path = audit_path(x, "audit"), *kept = audit_path(x, "audit.1");
    pthread_mutex_lock(&x->serve->audit.lock);
    turn_over(path, kept);
    const int fd = open(path, O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (fd < 0 || !end_cut_line(fd) || !iol__write_all(fd, line, length))
        iol__complain("iolite serve: ", "%s: %s", path, strerror(errno));
    if (fd >= 0) close(fd);
    pthread_mutex_unlock(&x->serve->audit.lock);
}

void iol__audit_look(iol__exchange *x, const char *user, const char *cluster, const char *jobid) {
    const int64_t now = (int64_t)time(NULL);
    iol__out out;
    iol__json json;
    if (!iol__access_all(&x->viewer) || !user || !*user || strcmp(user, x->viewer.user) == 0) return;
    if (!*x->viewer.user && *x->serve->tokens.own) return;
    if (was_written(&x->serve->audit, key_of_look(x, user, cluster, jobid), now)) return;
    iol__out_open(&out, -1);
    iol__json_start(&json, &out, 0);
    iol__json_open(&json, '{');
    iol__json_put_i64(&json, "time", now);
    iol__json_put_text(&json, "by", x->viewer.user);
    iol__json_put_text(&json, "user", user);
    iol__json_put_text(&json, "cluster", cluster);
    iol__json_put_text(&json, "jobid", jobid);
    iol__json_put_text(&json, "what", x->route->name);
    iol__json_close(&json, '}');
    iol__json_finish(&json);
    write_look(x, out.buffer, out.length);
    iol__out_close(&out);
}

/* Reading --------------------------------------------------------------------------------------------------------- */

/* At most so many bytes of the end of a file, from the beginning of a line on, and a NUL. "" where there are none. */
static const char *latest_lines(iol__exchange *x, const char *name, off_t most) {
    const int fd = open(audit_path(x, name), O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    const off_t size = fd >= 0 ? lseek(fd, 0, SEEK_END) : -1;
    const off_t from = size > most ? size - most : 0;
    char *text = size > from ? iol__arena_alloc(&x->arena, (size_t)(size - from) + 1, 1) : NULL;
    const ssize_t length = text ? pread(fd, text, (size_t)(size - from), from) : 0;
    if (fd >= 0) close(fd);
    if (length <= 0) return "";
    text[length] = 0;
    const char *line = from ? strchr(text, '\n') : text;
    return from && line ? line + 1 : line ? line : "";
}

static const char *look_text(iol__exchange *x, const iol__tree *line, const char *key) {
    const char *text = iol__tree_text(iol__tree_member(line, key));
    return iol__arena_copy(&x->arena, text ? text : "");
}

static bool is_wanted_look(iol__exchange *x, const iol__Look_answer *look) {
    const char *user = iol__param(x, "user"), *by = iol__param(x, "by");
    return iol__access_owner(&x->viewer, look->user) && (!user || strcmp(user, look->user) == 0) &&
           (!by || strcmp(by, look->by) == 0);
}

static bool read_look(iol__exchange *x, const char *line, size_t length, iol__Look_answer *look) {
    const iol__tree_limits limits = {.values = 16, .depth = 2};
    iol__tree_document document;
    iol_error error;
    int64_t when = 0;
    if (iol__tree_parse(line, length, "audit", &limits, &document, &error) != IOL_OK) return false;
    const iol__tree *top = document.top;
    const bool good = iol__tree_i64(iol__tree_member(top, "time"), &when);
    *look = (iol__Look_answer){.time = (double)when,
                               .by = look_text(x, top, "by"),
                               .user = look_text(x, top, "user"),
                               .cluster = look_text(x, top, "cluster"),
                               .jobid = look_text(x, top, "jobid"),
                               .what = look_text(x, top, "what")};
    iol__tree_free(&document);
    return good && is_wanted_look(x, look);
}

typedef struct look_lines {
    const char **list;
    size_t count; /* of all; the latest of them are in the list */
} look_lines;

static void add_look_lines(look_lines *lines, const char *text) {
    for (const char *end; (end = strchr(text, '\n')); text = end + 1) lines->list[lines->count++ % MOST_LOOKS] = text;
}

/* Just after the file was turned over, what people ask for is in the one before it. */
void iol__serve_audit(iol__exchange *x) {
    const size_t most = (size_t)iol__param_int(x, "limit", 100);
    look_lines lines = {iol__arena_alloc(&x->arena, MOST_LOOKS, sizeof *lines.list), 0};
    size_t shown = 0;
    iol__answer s;
    const char *latest = latest_lines(x, "audit", MOST_READ);
    const size_t length = strlen(latest);
    if (length < MOST_READ - LONGEST_LINE)
        add_look_lines(&lines, latest_lines(x, "audit.1", MOST_READ - (off_t)length));
    add_look_lines(&lines, latest);
    iol__answer_begin(&s, x, IOL_SCHEMA_Look);
    for (size_t i = lines.count; i > 0 && i + MOST_LOOKS > lines.count && shown < most; i--) {
        const char *line = lines.list[(i - 1) % MOST_LOOKS];
        iol__Look_answer look;
        if (!read_look(x, line, strcspn(line, "\n"), &look)) continue;
        iol__fill_Look(&s, &look);
        shown++;
    }
    iol__answer_end(&s, NULL, -1);
}
