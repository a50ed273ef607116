/* One line, one write: readers see whole lines, and a line that was cut by a full disk is passed over. The next one begins on a
   line of its own. A file that is full takes no more: what is behind its end would not be read. */
#include "site/alert/notes.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/write_all.h"
#include "site/store/store.h"
#include "site/tree.h"
#include "text/json.h"

enum { MOST_BYTES = 16 << 20, MOST_OF_FILE = 15 << 20, MOST_VALUES = 64 };

static const char *const action_names[IOL_ALERT_ACTIONS] = {"mute", "unmute", "assign", "comment"};

const char *iol__alert_action_name(iol__alert_action action) { return action_names[action]; }

bool iol__alert_action_of(const char *name, iol__alert_action *action) {
    for (int i = 0; name && i < IOL_ALERT_ACTIONS; i++)
        if (strcmp(action_names[i], name) == 0) return *action = (iol__alert_action)i, true;
    return false;
}

/* Reading --------------------------------------------------------------------------------------------------------- */

static const char *note_text(iol__arena *arena, const iol__tree *line, const char *key) {
    const char *text = iol__tree_text(iol__tree_member(line, key));
    return iol__arena_copy(arena, text ? text : "");
}

static bool read_note(iol__arena *arena, const char *line, size_t length, iol__alert_note_row *note) {
    const iol__tree_limits limits = {.values = MOST_VALUES, .depth = 2};
    iol__tree_document document;
    iol_error error;
    if (iol__tree_parse(line, length, "note", &limits, &document, &error) != IOL_OK) return false;
    const iol__tree *top = document.top;
    *note = (iol__alert_note_row){.by = note_text(arena, top, "by"),
                                  .rule = note_text(arena, top, "rule"),
                                  .user = note_text(arena, top, "user"),
                                  .exe = note_text(arena, top, "exe"),
                                  .to = note_text(arena, top, "to"),
                                  .text = note_text(arena, top, "text")};
    const bool good = iol__alert_action_of(iol__tree_text(iol__tree_member(top, "action")), &note->action) &&
                      iol__tree_i64(iol__tree_member(top, "made"), &note->made);
    if (!iol__tree_i64(iol__tree_member(top, "until"), &note->until)) note->until = 0;
    iol__tree_free(&document);
    return good;
}

static iol_status notes_trouble(iol_error *error, const char *path) {
    return iol__store_fail(error, IOL_SYSTEM, "%.200s: %s", path, strerror(errno));
}

iol_status iol__alert_notes_read(iol__arena *arena, const char *path, iol__alert_notes *notes, iol_error *error) {
    size_t length, room = 0;
    *notes = (iol__alert_notes){0};
    const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW);
    if (fd < 0) return errno == ENOENT ? IOL_OK : notes_trouble(error, path);
    char *text = iol__read_all(fd, MOST_BYTES, &length);
    close(fd);
    if (text && length > MOST_BYTES) {
        free(text);
        text = NULL;
        errno = EFBIG;
    }
    if (!text) return notes_trouble(error, path);
    for (const char *at = text, *end; (end = memchr(at, '\n', length - (size_t)(at - text))); at = end + 1) {
        if (notes->count == room) {
            const size_t more = room ? 2 * room : 64;
            iol__alert_note_row *larger = iol__arena_alloc(arena, more, sizeof *larger);
            if (room) memcpy(larger, notes->list, room * sizeof *larger);
            notes->list = larger;
            room = more;
        }
        if (read_note(arena, at, (size_t)(end - at), &notes->list[notes->count])) notes->count++;
    }
    free(text);
    return IOL_OK;
}

/* Writing --------------------------------------------------------------------------------------------------------- */

static void put_note_text(iol__json *json, const char *key, const char *text) {
    if (text && *text) iol__json_put_text(json, key, text);
}

/* -1 with errno. What begins the line: the end of one that was cut. */
static int open_notes(const char *path, const char **begin) {
    struct stat status;
    char last = '\n';
    const int fd = open(path, O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0640);
    if (fd < 0) return -1;
    bool good = fstat(fd, &status) == 0;
    if (good && status.st_size > MOST_OF_FILE) {
        errno = EFBIG;
        good = false;
    }
    if (good && status.st_size > 0) good = pread(fd, &last, 1, status.st_size - 1) == 1;
    *begin = last == '\n' ? "" : "\n";
    if (good) return fd;
    const int reason = errno;
    close(fd);
    errno = reason;
    return -1;
}

iol_status iol__alert_notes_add(const char *path, const iol__alert_note_row *note, iol_error *error) {
    const char *begin;
    const int fd = open_notes(path, &begin);
    iol__out out;
    iol__json json;
    if (fd < 0) return notes_trouble(error, path);
    iol__out_open(&out, -1);
    iol__out_text(&out, begin);
    iol__json_start(&json, &out, 0);
    iol__json_open(&json, '{');
    iol__json_put_i64(&json, "made", note->made);
    put_note_text(&json, "by", note->by);
    iol__json_put_text(&json, "action", iol__alert_action_name(note->action));
    put_note_text(&json, "rule", note->rule);
    put_note_text(&json, "user", note->user);
    put_note_text(&json, "exe", note->exe);
    if (note->until) iol__json_put_i64(&json, "until", note->until);
    put_note_text(&json, "to", note->to);
    put_note_text(&json, "text", note->text);
    iol__json_close(&json, '}');
    iol__json_finish(&json);
    const bool good = iol__write_all(fd, out.buffer, out.length) && fsync(fd) == 0;
    const iol_status status = good ? IOL_OK : notes_trouble(error, path);
    iol__out_close(&out);
    close(fd);
    return status;
}

/* What holds ------------------------------------------------------------------------------------------------------ */

static bool is_about(const char *wanted, const char *is) { return !*wanted || strcmp(wanted, is) == 0; }

static bool is_same_scope(const iol__alert_note_row *a, const iol__alert_note_row *b) {
    return strcmp(a->rule, b->rule) == 0 && strcmp(a->user, b->user) == 0 && strcmp(a->exe, b->exe) == 0;
}

bool iol__alert_note_replaced(const iol__alert_notes *notes, size_t at) {
    for (size_t i = at + 1; i < notes->count; i++)
        if (notes->list[i].action <= IOL_ALERT_UNMUTE && is_same_scope(&notes->list[i], &notes->list[at])) return true;
    return false;
}

const iol__alert_note_row *iol__alert_muted_by(const iol__alert_notes *notes, const char *rule, const char *user,
                                               const char *exe, int64_t seconds) {
    const iol__alert_note_row *found = NULL;
    for (size_t i = 0; i < notes->count; i++) {
        const iol__alert_note_row *one = &notes->list[i];
        if (one->action != IOL_ALERT_MUTE || one->until <= seconds || one->made > seconds) continue;
        if (!is_about(one->rule, rule) || !is_about(one->user, user) || !is_about(one->exe, exe)) continue;
        if (!iol__alert_note_replaced(notes, i) && (!found || one->until > found->until)) found = one;
    }
    return found;
}

const iol__alert_note_row *iol__alert_latest(const iol__alert_notes *notes, iol__alert_action action, const char *rule,
                                             const char *user, const char *exe) {
    const iol__alert_note_row about = {.rule = rule, .user = user, .exe = exe};
    for (size_t i = notes->count; i-- > 0;)
        if (notes->list[i].action == action && is_same_scope(&notes->list[i], &about)) return &notes->list[i];
    return NULL;
}
