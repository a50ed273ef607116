/* One pass forward over a copy of the bytes. Texts get shorter when they are unescaped, so that they stay where they
   were; values come from an arena and go with it. Depth is bounded, so that recursion is. */
#include "site/tree.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/json_scan.h"

static const iol__tree_limits usual = {.bytes = (size_t)256 << 20, .values = (size_t)16 << 20, .depth = 64};

struct iol__tree_memory {
    iol__arena arena;
    char *bytes;
};

typedef struct tree_parser {
    iol__arena *arena;
    char *start, *at, *end;
    const char *name;
    iol__tree_limits limits;
    size_t values, depth;
    char *line_start;
    unsigned line;
    jmp_buf wrong;
    iol_error *error;
} tree_parser;

/* Failing ------------------------------------------------------------------------------------------------------- */

static void set_error(iol_error *error, iol_status status, uint64_t offset, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
static void set_error(iol_error *error, iol_status status, uint64_t offset, const char *format, ...) {
    if (!error) return;
    *error = (iol_error){.status = status, .slot = -1, .offset = offset};
    va_list args;
    va_start(args, format);
    vsnprintf(error->message, sizeof error->message, format, args);
    va_end(args);
}

_Noreturn static void tree_fail(tree_parser *p, iol_status status, const char *what) {
    set_error(p->error, status, (uint64_t)(p->at - p->start), "%.200s:%u:%zu: %s", p->name, p->line,
              (size_t)(p->at - p->line_start) + 1, what);
    longjmp(p->wrong, (int)status);
}

/* Blanks and comments ------------------------------------------------------------------------------------------- */

static void new_tree_line(tree_parser *p) {
    p->line++;
    p->line_start = p->at + 1;
}

/* "// to the end of the line", "# the same", and C's comments. */
static bool comment(tree_parser *p) {
    size_t left = (size_t)(p->end - p->at);
    bool slashes = left >= 2 && p->at[0] == '/' && p->at[1] == '/';
    if (slashes || (left && *p->at == '#')) {
        while (p->at < p->end && *p->at != '\n') p->at++;
        return true;
    }
    if (left < 2 || p->at[0] != '/' || p->at[1] != '*') return false;
    for (p->at += 2; p->end - p->at >= 2 && !(p->at[0] == '*' && p->at[1] == '/'); p->at++)
        if (*p->at == '\n') new_tree_line(p);
    if (p->end - p->at < 2) tree_fail(p, IOL_INVALID, "a comment has no end");
    p->at += 2;
    return true;
}

static void blanks(tree_parser *p) {
    for (;;) {
        while (p->at < p->end && (*p->at == ' ' || *p->at == '\t' || *p->at == '\r' || *p->at == '\n')) {
            if (*p->at == '\n') new_tree_line(p);
            p->at++;
        }
        if (!p->limits.lenient || !comment(p)) return;
    }
}

static bool tree_take(tree_parser *p, char c) {
    blanks(p);
    if (p->at == p->end || *p->at != c) return false;
    p->at++;
    return true;
}

/* Texts and numbers ---------------------------------------------------------------------------------------------- */

/* At the opening quote. The text ends with a NUL at the latest where its closing quote was. */
static const char *tree_quoted(tree_parser *p, size_t *length) {
    char *text = p->at + 1;
    const char *at = p->at, *wrong = iol__json_scan_text(&at, p->end, text, length);
    p->at += at - p->at;
    if (wrong) tree_fail(p, IOL_INVALID, wrong);
    return text;
}

static void tree_number(tree_parser *p, iol__tree *value) {
    const char *start = p->at, *at = start, *wrong = iol__json_scan_number(&at, p->end);
    p->at += at - start;
    if (wrong) tree_fail(p, IOL_INVALID, wrong);
    value->kind = IOL_TREE_NUMBER;
    value->length = (size_t)(p->at - start);
    value->text = iol__arena_text(p->arena, start, value->length);
}

/* Values -------------------------------------------------------------------------------------------------------- */

static bool tree_word(tree_parser *p, const char *text) {
    size_t length = strlen(text);
    if ((size_t)(p->end - p->at) < length || memcmp(p->at, text, length) != 0) return false;
    p->at += length;
    return true;
}

static iol__tree *any_value(tree_parser *p, const char *key, size_t key_length);

static void tree_container(tree_parser *p, iol__tree *value, bool object) {
    char close = object ? '}' : ']';
    iol__tree **last = &value->first;
    value->kind = object ? IOL_TREE_OBJECT : IOL_TREE_ARRAY;
    if (++p->depth > p->limits.depth) tree_fail(p, IOL_LIMIT, "arrays and objects are nested too deeply");
    for (bool more = true; !tree_take(p, close);) {
        if (!more) tree_fail(p, IOL_INVALID, object ? "',' or '}' was expected" : "',' or ']' was expected");
        const char *key = NULL;
        size_t key_length = 0;
        if (object) {
            key = tree_quoted(p, &key_length);
            if (!tree_take(p, ':')) tree_fail(p, IOL_INVALID, "':' was expected");
        }
        *last = any_value(p, key, key_length);
        last = &(*last)->next;
        value->count++;
        more = tree_take(p, ',');
        blanks(p);
        if (more && !p->limits.lenient && p->at < p->end && *p->at == close)
            tree_fail(p, IOL_INVALID, "a value was expected behind the comma");
    }
    p->depth--;
}

static iol__tree *any_value(tree_parser *p, const char *key, size_t key_length) {
    blanks(p);
    if (p->at == p->end) tree_fail(p, IOL_INVALID, "the document ends where a value was expected");
    if (++p->values > p->limits.values) tree_fail(p, IOL_LIMIT, "the document has too many values");
    iol__tree *value = iol__arena_alloc(p->arena, 1, sizeof *value);
    *value = (iol__tree){
        .key = key, .key_length = key_length, .line = p->line, .column = (unsigned)(p->at - p->line_start) + 1};
    if (*p->at == '{' || *p->at == '[') {
        bool object = *p->at++ == '{';
        tree_container(p, value, object);
    } else if (*p->at == '"') {
        value->kind = IOL_TREE_TEXT;
        value->text = tree_quoted(p, &value->length);
    } else if (tree_word(p, "true")) {
        value->kind = IOL_TREE_BOOL;
        value->truth = true;
    } else if (tree_word(p, "false")) {
        value->kind = IOL_TREE_BOOL;
    } else if (!tree_word(p, "null")) {
        tree_number(p, value);
    }
    return value;
}

/* Documents ----------------------------------------------------------------------------------------------------- */

static iol_status tree_no_memory(iol_error *error, const char *name) {
    set_error(error, IOL_SYSTEM, IOL_NO_OFFSET, "%.200s: out of memory", name);
    return IOL_SYSTEM;
}

static void parse_tree_top(tree_parser *p, iol__tree_document *document) {
    if (tree_word(p, "\xef\xbb\xbf")) p->line_start = p->at;
    document->top = any_value(p, NULL, 0);
    blanks(p);
    if (p->at < p->end) tree_fail(p, IOL_INVALID, "the end of the document was expected");
}

/* Takes the bytes, which have room for a NUL. */
static iol_status parse_own(char *bytes, size_t length, const char *name, const iol__tree_limits *limits,
                            iol__tree_document *document, iol_error *error) {
    *document = (iol__tree_document){.memory = calloc(1, sizeof *document->memory)};
    if (!document->memory) {
        free(bytes);
        return tree_no_memory(error, name);
    }
    document->memory->bytes = bytes;
    tree_parser p = {.arena = &document->memory->arena,
                     .start = bytes,
                     .at = bytes,
                     .end = bytes + length,
                     .name = name,
                     .line_start = bytes,
                     .line = 1,
                     .error = error,
                     .limits = limits ? *limits : usual};
    if (!p.limits.bytes) p.limits.bytes = usual.bytes;
    if (!p.limits.values) p.limits.values = usual.values;
    if (!p.limits.depth) p.limits.depth = usual.depth;
    jmp_buf exhausted;
    volatile iol_status status = IOL_OK;
    p.arena->exhausted = &exhausted;
    if (setjmp(exhausted) != 0)
        status = tree_no_memory(error, name);
    else if ((status = (iol_status)setjmp(p.wrong)) == IOL_OK)
        parse_tree_top(&p, document);
    if (status != IOL_OK) iol__tree_free(document);
    return status;
}

static iol_status too_long(iol_error *error, const char *name, size_t limit) {
    set_error(error, IOL_LIMIT, IOL_NO_OFFSET, "%.200s: longer than %zu bytes", name, limit);
    return IOL_LIMIT;
}

static size_t byte_limit(const iol__tree_limits *limits) {
    return limits && limits->bytes ? limits->bytes : usual.bytes;
}

iol_status iol__tree_parse(const char *bytes, size_t length, const char *name, const iol__tree_limits *limits,
                           iol__tree_document *document, iol_error *error) {
    *document = (iol__tree_document){0};
    if (length > byte_limit(limits)) return too_long(error, name, byte_limit(limits));
    char *copy = malloc(length + 1);
    if (!copy) return tree_no_memory(error, name);
    if (length) memcpy(copy, bytes, length);
    copy[length] = 0;
    return parse_own(copy, length, name, limits, document, error);
}

char *iol__read_all(int fd, size_t limit, size_t *length) {
    size_t room = 4096, used = 0;
    char *bytes = malloc(room + 1);
    while (bytes && used <= limit) {
        if (used == room) {
            char *larger = realloc(bytes, 2 * room + 1);
            if (!larger) break;
            bytes = larger;
            room *= 2;
        }
        ssize_t got = read(fd, bytes + used, room - used);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) break;
        if (got == 0 || used > limit) {
            bytes[used] = 0;
            *length = used;
            return bytes;
        }
        used += (size_t)got;
    }
    if (bytes && used > limit) {
        bytes[used] = 0;
        *length = used;
        return bytes;
    }
    free(bytes);
    return NULL;
}

iol_status iol__tree_read(const char *path, const iol__tree_limits *limits, iol__tree_document *document,
                          iol_error *error) {
    *document = (iol__tree_document){0};
    bool input = strcmp(path, "-") == 0;
    int fd = input ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
    size_t length = 0;
    char *bytes = fd < 0 ? NULL : iol__read_all(fd, byte_limit(limits), &length);
    int reason = errno;
    if (fd >= 0 && !input) close(fd);
    if (!bytes) {
        set_error(error, IOL_SYSTEM, IOL_NO_OFFSET, "%.200s: %s", path, strerror(reason));
        return IOL_SYSTEM;
    }
    if (length > byte_limit(limits)) {
        free(bytes);
        return too_long(error, path, byte_limit(limits));
    }
    return parse_own(bytes, length, input ? "standard input" : path, limits, document, error);
}

void iol__tree_free(iol__tree_document *document) {
    if (document->memory) {
        iol__arena_free(&document->memory->arena);
        free(document->memory->bytes);
        free(document->memory);
    }
    *document = (iol__tree_document){0};
}

/* Looking into it ----------------------------------------------------------------------------------------------- */

static const iol__tree *tree_member(const iol__tree *object, const char *key, size_t length, bool any_case) {
    const iol__tree *found = NULL;
    if (!object || object->kind != IOL_TREE_OBJECT) return NULL;
    for (const iol__tree *m = object->first; m; m = m->next) {
        if (m->key_length != length) continue;
        if (any_case ? strncasecmp(m->key, key, length) == 0 : memcmp(m->key, key, length) == 0) found = m;
    }
    return found;
}

const iol__tree *iol__tree_member(const iol__tree *object, const char *key) {
    return tree_member(object, key, strlen(key), false);
}

const iol__tree *iol__tree_member_any_case(const iol__tree *object, const char *key) {
    return tree_member(object, key, strlen(key), true);
}

const iol__tree *iol__tree_path(const iol__tree *object, const char *path) {
    while (object && *path) {
        size_t length = strcspn(path, ".");
        object = tree_member(object, path, length, false);
        path += length;
        if (*path) path++;
    }
    return object;
}

const iol__tree *iol__tree_item(const iol__tree *array, size_t index) {
    if (!array || array->kind != IOL_TREE_ARRAY) return NULL;
    const iol__tree *item = array->first;
    while (item && index--) item = item->next;
    return item;
}

const char *iol__tree_text(const iol__tree *value) {
    return value && value->kind == IOL_TREE_TEXT ? value->text : NULL;
}

const char *iol__tree_scalar(const iol__tree *value) {
    return value && (value->kind == IOL_TREE_TEXT || value->kind == IOL_TREE_NUMBER) ? value->text : NULL;
}

bool iol__tree_real(const iol__tree *value, double *real) {
    if (!value || value->kind != IOL_TREE_NUMBER) return false;
    *real = strtod(value->text, NULL);
    return true;
}

bool iol__tree_i64(const iol__tree *value, int64_t *whole) {
    if (!value || value->kind != IOL_TREE_NUMBER) return false;
    char *end;
    errno = 0;
    long long exact = strtoll(value->text, &end, 10);
    if (!*end && !errno) {
        *whole = exact;
        return true;
    }
    double real = strtod(value->text, NULL);
    if (!*end || !(fabs(real) < 0x1p63) || real != floor(real)) return false;
    *whole = (int64_t)real;
    return true;
}

bool iol__tree_bool(const iol__tree *value, bool *truth) {
    if (!value || value->kind != IOL_TREE_BOOL) return false;
    *truth = value->truth;
    return true;
}
