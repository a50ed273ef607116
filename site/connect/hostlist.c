/* Host lists: expanding "r[1-2]n[08-10]" to six names, and compressing names to such a list. Numbers are bounded, so
   that a hostile list cannot fill memory. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "site/connect/connect.h"

enum { MOST_NAMES = 1 << 20, LONGEST = 256 };

typedef struct expansion {
    iol__arena *arena;
    iol__value *list;
    size_t first; /* names that were there before do not count */
} expansion;

static bool expand_item(expansion *to, const char *text, const char *end, char *name, size_t used);

/* One range of a bracket group: each number, followed by all that comes behind the group. */
static bool expand_range(expansion *to, const char **at, const char *behind, const char *end, char *name, size_t used) {
    char *stop;
    size_t width = strspn(*at, "0123456789");
    if (width == 0 || width > 18) return false;
    unsigned long long from = strtoull(*at, &stop, 10), until = from;
    if (*stop == '-') {
        const char *last = stop + 1;
        until = strtoull(last, &stop, 10);
        if (!isdigit((unsigned char)*last) || until < from || until - from > MOST_NAMES) return false;
    }
    *at = stop;
    for (unsigned long long number = from; number <= until; number++) {
        int length = snprintf(name + used, LONGEST - used, "%0*llu", (int)width, number);
        if (length < 0 || used + (size_t)length >= LONGEST) return false;
        if (!expand_item(to, behind, end, name, used + (size_t)length)) return false;
    }
    return true;
}

static bool expand_item(expansion *to, const char *text, const char *end, char *name, size_t used) {
    for (; text < end && *text != '['; text++) {
        if (used + 1 >= LONGEST || *text == ']') return false;
        name[used++] = *text;
    }
    if (text == end) {
        name[used] = 0;
        if (used) iol__list_add(to->arena, to->list, iol__of_text(to->arena, name));
        return to->list->count - to->first <= MOST_NAMES;
    }
    const char *close = memchr(text, ']', (size_t)(end - text));
    if (!close) return false;
    for (const char *at = text + 1;;) {
        if (!expand_range(to, &at, close + 1, end, name, used)) return false;
        if (at == close) return true;
        if (*at++ != ',') return false;
    }
}

bool iol__hostlist_expand(iol__arena *arena, const char *text, iol__value *list) {
    expansion to = {arena, list, list->count};
    char name[LONGEST];
    for (const char *at = text; *at;) {
        const char *end = at;
        for (int depth = 0; *end && (depth || *end != ','); end++) depth += *end == '[' ? 1 : *end == ']' ? -1 : 0;
        if (!expand_item(&to, at, end, name, 0)) return false;
        at = *end ? end + 1 : end;
    }
    return true;
}

/* Compressing ---------------------------------------------------------------------------------------------------- */

typedef struct host {
    const char *name;
    size_t prefix, digits; /* "nid" and how many digits behind it, at the end of the name; 0: none */
    unsigned long long number;
} host;

static host take_apart(const char *name) {
    size_t length = strlen(name), digits = 0;
    while (digits < length && digits < 18 && isdigit((unsigned char)name[length - digits - 1])) digits++;
    return (host){name, length - digits, digits, digits ? strtoull(name + length - digits, NULL, 10) : 0};
}

static bool hostlist_together(const host *a, const host *b) {
    return a->digits && a->digits == b->digits && a->prefix == b->prefix && strncmp(a->name, b->name, a->prefix) == 0;
}

static int hostlist_by_name(const void *a, const void *b) {
    const host *x = a, *y = b;
    if (hostlist_together(x, y)) return (x->number > y->number) - (x->number < y->number);
    return strcmp(x->name, y->name);
}

static char *write_group(iol__arena *arena, char *text, const host *hosts, size_t count) {
    const char *comma = *text ? "," : "";
    if (count == 1) return iol__arena_print(arena, "%s%s%s", text, comma, hosts->name);
    text = iol__arena_print(arena, "%s%s%.*s[", text, comma, (int)hosts->prefix, hosts->name);
    for (size_t i = 0; i < count;) {
        size_t last = i;
        while (last + 1 < count && hosts[last + 1].number <= hosts[last].number + 1) last++;
        text = iol__arena_print(arena, "%s%s%s", text, i ? "," : "", hosts[i].name + hosts[i].prefix);
        if (hosts[last].number > hosts[i].number)
            text = iol__arena_print(arena, "%s-%s", text, hosts[last].name + hosts[last].prefix);
        i = last + 1;
    }
    return iol__arena_print(arena, "%s]", text);
}

char *iol__hostlist_compress(iol__arena *arena, const iol__value *list) {
    host *hosts = iol__arena_alloc(arena, list->count + 1, sizeof *hosts);
    size_t count = 0;
    for (size_t i = 0; i < list->count; i++)
        if (list->items[i]->kind == IOL__TEXT) hosts[count++] = take_apart(list->items[i]->text);
    qsort(hosts, count, sizeof *hosts, hostlist_by_name);
    char *text = iol__arena_copy(arena, "");
    for (size_t i = 0; i < count;) {
        size_t next = i + 1;
        while (next < count && hostlist_together(&hosts[i], &hosts[next])) next++;
        text = write_group(arena, text, &hosts[i], next - i);
        i = next;
    }
    return text;
}
