/* Two forms are read, because other writers may come: lines of JSON, one object a file, as in
     {"file": "/scratch/a", "cb_nodes": "8", "romio_cb_write": "enable"}
   with the hints also one level down under "hints"; and lines KEY=VALUE, where file=PATH begins a file and what comes
   before the first of them holds for all. What cannot be understood is passed over: hints explain, they prove
   nothing. */
#include "insight/facts/hints.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "insight/language/rule.h"
#include "log/trailer/plain_json.h"

typedef struct hints_reading {
    const iol__facts *facts;
    iol__hints *files;
    iol__hints now; /* of the object that is being read, or of all files */
    bool given;     /* to all: once, so that no section makes a long job of it */
} hints_reading;

static bool said_no(const char *value) {
    return strcasecmp(value, "disable") == 0 || strcasecmp(value, "false") == 0 || strcasecmp(value, "no") == 0;
}

static void take_hint(iol__hints *hints, const char *key, const char *value) {
    double number;
    bool numeric = iol__parse_value(value, &number) && number > 0;
    if (strcmp(key, "cb_nodes") == 0 && numeric) hints->cb_nodes = number;
    if (strcmp(key, "cb_buffer_size") == 0 && numeric) hints->cb_buffer = number;
    if ((strcmp(key, "romio_cb_write") == 0 || strcmp(key, "romio_cb_read") == 0) && said_no(value)) hints->cb_off = 1;
}

static void give_to_all(hints_reading *r) {
    if (r->given) return;
    r->given = true;
    for (size_t i = 0; i < r->facts->n_files; i++) r->files[i] = r->now;
}

static iol__hints *hints_of(hints_reading *r, const char *name) {
    const iol__facts_file *file = iol__facts_find(r->facts, iol_name_id(name, strlen(name)));
    return file ? &r->files[file - r->facts->file] : NULL;
}

/* Lines of JSON ----------------------------------------------------------------------------------------------- */

/* A text, or the digits of a number; NULL if it is something else, which is skipped. */
static const char *hints_value_text(iol__plain_json *json, char buffer[32], bool *good) {
    char *text;
    int64_t number;
    if (iol__plain_text(json, &text)) return text;
    if (iol__plain_integer(json, &number)) {
        snprintf(buffer, 32, "%lld", (long long)number);
        return buffer;
    }
    *good = iol__plain_skip(json);
    return NULL;
}

/* `depth` keeps an object that holds itself many times over from being followed. */
static bool read_hints_object(hints_reading *r, iol__plain_json *json, const char **name, int depth) {
    char *key, buffer[32];
    if (iol__plain_take(json, '}')) return true;
    do {
        if (!iol__plain_text(json, &key) || !iol__plain_take(json, ':')) return false;
        if (depth < 1 && strcmp(key, "hints") == 0 && iol__plain_take(json, '{')) {
            if (!read_hints_object(r, json, name, depth + 1)) return false;
            continue;
        }
        bool good = true;
        const char *value = hints_value_text(json, buffer, &good);
        if (!good) return false;
        if (value && strcmp(key, "file") == 0)
            *name = value == buffer ? NULL : value;
        else if (value)
            take_hint(&r->now, key, value);
    } while (iol__plain_take(json, ','));
    return iol__plain_take(json, '}');
}

static void read_json_line(hints_reading *r, char *line, size_t length) {
    iol__plain_json json = {line, line + length};
    const char *name = NULL;
    r->now = (iol__hints){0};
    if (!iol__plain_take(&json, '{') || !read_hints_object(r, &json, &name, 0)) return;
    iol__hints *target = name ? hints_of(r, name) : NULL;
    if (target) *target = r->now;
    if (!name) give_to_all(r);
}

/* Lines KEY=VALUE --------------------------------------------------------------------------------------------- */

static void read_plain_line(hints_reading *r, char *line, iol__hints **target, bool *for_all) {
    char *equals = strchr(line, '=');
    if (!equals) return;
    *equals = 0;
    if (strcmp(line, "file") == 0) {
        if (*for_all) give_to_all(r);
        *for_all = false;
        *target = hints_of(r, equals + 1);
    } else if (*for_all) {
        take_hint(&r->now, line, equals + 1);
    } else if (*target) {
        take_hint(*target, line, equals + 1);
    }
}

static void read_hints_section(hints_reading *r, char *text, size_t length) {
    iol__hints *target = NULL;
    bool for_all = *text != '{';
    for (char *end = text + length; text < end;) {
        char *line = text, *stop = memchr(text, '\n', (size_t)(end - text));
        if (!stop) stop = end;
        text = stop + 1;
        *stop = 0; /* behind the last line there is room for it */
        if (*line == '{')
            read_json_line(r, line, (size_t)(stop - line));
        else
            read_plain_line(r, line, &target, &for_all);
    }
    if (for_all) give_to_all(r);
}

const iol__hints *iol__hints_read(const iol__facts *facts, iol__arena *arena) {
    hints_reading r = {.facts = facts};
    char tag[5];
    const void *bytes;
    size_t length, count = iol_log_trailer_count(facts->log);
    for (size_t i = 0; i < count; i++) {
        if (iol_log_trailer(facts->log, i, tag, &bytes, &length) != IOL_OK || strcmp(tag, IOL_TAG_HINTS) != 0) continue;
        if (!r.files) r.files = iol__arena_alloc(arena, facts->n_files + 1, sizeof *r.files);
        read_hints_section(&r, iol__arena_text(arena, bytes, length), length);
    }
    return r.files;
}
