/* JSON that was cut off, by a server that ran out of time or a disk that was full. The text is cut once more, behind the last
   record that is whole, and what is still open is closed. A record is an object in a list, with all that is inside it; where
   objects are in no list, the innermost one. */
#include "site/connect/repair.h"

#include <string.h>

enum { DEEPEST = 128 };

typedef struct open_one {
    char bracket;
    size_t whole; /* up to there its members are whole */
} open_one;

typedef struct scan {
    open_one open[DEEPEST];
    size_t depth;
    bool in_text;
} scan;

static bool opens(scan *on, char bracket, size_t at) {
    if (on->depth == DEEPEST) return false;
    on->open[on->depth++] = (open_one){bracket, at + 1};
    return true;
}

static void closes(scan *on, size_t at) {
    if (--on->depth) on->open[on->depth - 1].whole = at + 1;
}

/* False if this is not the beginning of a JSON text. */
static bool repair_look(scan *on, const char *bytes, size_t length) {
    for (size_t at = 0; at < length; at++) {
        char is = bytes[at];
        if (on->in_text) {
            at += is == '\\';
            on->in_text = is != '"';
        } else if (is == '{' || is == '[') {
            if (!opens(on, is, at)) return false;
        } else if (is == '}' || is == ']') {
            if (!on->depth || on->open[on->depth - 1].bracket != (is == '}' ? '{' : '[')) return false;
            closes(on, at);
        } else if (is == '"') {
            on->in_text = true;
        } else if (is == ',' && on->depth) {
            on->open[on->depth - 1].whole = at;
        }
    }
    return true;
}

/* How many of the open ones stay. */
static size_t repair_kept(const scan *on) {
    size_t innermost = on->depth;
    for (size_t i = 1; i < on->depth; i++) {
        if (on->open[i].bracket != '{') continue;
        if (on->open[i - 1].bracket == '[') return i;
        innermost = i;
    }
    return innermost;
}

char *iol__json_repair(iol__arena *arena, const char *bytes, size_t length) {
    scan on = {0};
    if (!repair_look(&on, bytes, length) || on.depth == 0) return NULL;
    size_t depth = repair_kept(&on), whole = on.open[depth - 1].whole;
    char *text = iol__arena_alloc(arena, whole + depth + 1, 1);
    memcpy(text, bytes, whole);
    for (size_t i = 0; i < depth; i++) text[whole + i] = on.open[depth - 1 - i].bracket == '{' ? '}' : ']';
    return text;
}
