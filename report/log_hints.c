/* The hints of MPI-IO that a log has, as JSON: what its trailer section says, in lines of its own JSON, read and
   written again, because the bytes may be anything. */
#include <stdlib.h>
#include <string.h>

#include "log/trailer/plain_json.h"
#include "report/log_json.h"

enum { MOST_HINTS = 256 };

typedef struct log_hints_line {
    const char *file;
    size_t count;
    char *keys[MOST_HINTS], *values[MOST_HINTS];
} log_hints_line;

/* Values that are not texts are passed over. `depth`: hints stand one level down, or beside the name of the file. */
static bool read_log_hints_object(log_hints_line *l, iol__plain_json *json, int depth) {
    char *key, *value;
    if (!iol__plain_take(json, '{')) return false;
    if (iol__plain_take(json, '}')) return true;
    do {
        if (!iol__plain_text(json, &key) || !iol__plain_take(json, ':')) return false;
        if (depth == 0 && strcmp(key, "hints") == 0) {
            if (!read_log_hints_object(l, json, 1)) return false;
            continue;
        }
        if (!iol__plain_text_if(json, &value)) return false;
        if (!value) continue;
        if (depth == 0 && strcmp(key, "file") == 0) {
            l->file = value;
        } else if (l->count < MOST_HINTS) {
            l->keys[l->count] = key;
            l->values[l->count++] = value;
        }
    } while (iol__plain_take(json, ','));
    return iol__plain_take(json, '}');
}

static void put_log_hints_line(iol__json *json, const log_hints_line *l, bool *any) {
    if (!*any) iol__json_put_open(json, "hints", '[');
    *any = true;
    iol__json_open(json, '{');
    iol__json_put_text(json, "file", l->file);
    iol__json_put_open(json, "hints", '{');
    for (size_t i = 0; i < l->count; i++) iol__json_put_text(json, l->keys[i], l->values[i]);
    iol__json_close(json, '}');
    iol__json_close(json, '}');
}

static void put_log_hints_section(iol__json *json, char *text, size_t length, bool *any) {
    for (char *next, *end = text + length; text < end; text = next) {
        log_hints_line l = {0};
        char *stop = memchr(text, '\n', (size_t)(end - text));
        next = stop ? stop + 1 : end;
        iol__plain_json its = {text, stop ? stop : end};
        if (read_log_hints_object(&l, &its, 0) && l.count) put_log_hints_line(json, &l, any);
    }
}

void iol__json_hints(iol__json *json, iol_log *log) {
    char tag[5];
    const void *bytes;
    size_t length;
    bool any = false;
    for (size_t i = 0; i < iol_log_trailer_count(log); i++) {
        if (iol_log_trailer(log, i, tag, &bytes, &length) != IOL_OK || strcmp(tag, "HINT") != 0) continue;
        char *copy = malloc(length + 1);
        if (!copy) continue;
        memcpy(copy, bytes, length);
        copy[length] = 0;
        put_log_hints_section(json, copy, length, &any);
        free(copy);
    }
    if (any) iol__json_close(json, ']');
}
