/* The hints that MPI-IO goes by, for the trailer of the log: a line of JSON for each file, and another one when they
   have changed by the next open. */
#include <errno.h>
#include <string.h>

#include "record/hash.h"
#include "runtime/core/sys.h"
#include "runtime/core/text.h"
#include "runtime/mpiio/module.h"

enum { ROOM = 64 << 10, LAST_LINE = 128 };

static iol__guard lock;
static char *lines;
static size_t used; /* whole lines */
static int64_t dropped;

static void add_quoted(iol__text *to, const char *text) {
    iol__text_add(to, "\"");
    for (; *text; text++) {
        const unsigned char c = (unsigned char)*text;
        if (c == '"' || c == '\\') iol__text_add(to, "\\");
        if (c >= ' ') {
            iol__text_bytes(to, text, 1);
            continue;
        }
        iol__text_add(to, c < 16 ? "\\u000" : "\\u001");
        iol__text_bytes(to, &"0123456789abcdef"[c & 15], 1);
    }
    iol__text_add(to, "\"");
}

/* The next of the texts that stand one after the other; NULL if none is whole. */
static const char *next_text(const char **at, const char *end) {
    const char *text = *at, *stop = memchr(text, 0, (size_t)(end - text));
    if (!stop) return NULL;
    *at = stop + 1;
    return text;
}

/* A line is there as a whole or not at all. */
static bool add_line(const char *file, const char *pairs, size_t length) {
    iol__text line = {lines + used, ROOM - LAST_LINE - used, 0};
    const char *at = pairs, *end = pairs + length;
    iol__text_add(&line, "{\"file\":");
    add_quoted(&line, file);
    iol__text_add(&line, ",\"hints\":{");
    for (bool first = true; at < end; first = false) {
        const char *key = next_text(&at, end), *value = key ? next_text(&at, end) : NULL;
        if (!value) break;
        if (!first) iol__text_add(&line, ",");
        add_quoted(&line, key);
        iol__text_add(&line, ":");
        add_quoted(&line, value);
    }
    iol__text_add(&line, "}}\n");
    if (line.length + 1 >= line.room) return false;
    used += line.length;
    return true;
}

void iol__mpiio_note_hints(iol__mpiio *p, const char *pairs, size_t length) {
    const uint64_t number = iol__hash(pairs, length, 0) | 1;
    if (length == 0 || p->hints == number || !iol__guard_enter(&lock)) return;
    const int saved = errno;
    if (!lines) lines = iol__sys_memory(ROOM);
    if (!lines || !add_line(p->state.file->name, pairs, length)) dropped++;
    p->hints = number;
    errno = saved;
    iol__guard_leave(&lock);
}

/* Those that had no room are listed in a line of their own, under the name that such things have in records. */
size_t iol__mpiio_hints(const char **text) {
    *text = lines;
    if (!lines || dropped == 0) return used;
    iol__text line = {lines + used, ROOM - used, 0};
    iol__text_add(&line, "{\"file\":\"<FOLDED>\",\"hints\":{\"dropped\":\"");
    iol__text_number(&line, dropped);
    iol__text_add(&line, "\"}}\n");
    return used + line.length;
}

void iol__mpiio_hints_reset(void) {
    lock.owner = 0;
    used = 0;
    dropped = 0;
}
