/* Texts from outside, as a store can hold them. */
#include "site/index/names.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/strings.h"
#include "log/read/endings.h"
#include "log/trailer/plain_json.h"

/* Names of logs ------------------------------------------------------------------------------------------------- */

bool iol__is_log_name(const char *name) { return iol__ends_as_log(name); }
bool iol__is_bundle_name(const char *name) { return *name && iol__ends_with(name + 1, ".bundle"); }

/* Behind "_id": digits, perhaps "-digits", and an underscore. */
static bool parse_names_id(const char *text, int64_t *jobid, int64_t *pid, const char **behind) {
    char *end;
    if (!isdigit((unsigned char)*text)) return false;
    *jobid = strtoll(text, &end, 10);
    *pid = -1;
    if (*end == '-' && isdigit((unsigned char)end[1])) *pid = strtoll(end + 1, &end, 10);
    *behind = end;
    return *end == '_' || *end == '.' || *end == 0;
}

static size_t user_length(const char *name, size_t length, const char *program) {
    size_t tail = program ? strlen(program) : 0;
    if (tail && length > tail + 1 && name[length - tail - 1] == '_' && memcmp(name + length - tail, program, tail) == 0)
        return length - tail - 1;
    const char *first = memchr(name, '_', length);
    return first ? (size_t)(first - name) : 0;
}

/* Behind the date: "SECONDS-HASH_WRITE". */
static void parse_names_tail(const char *text, iol__log_name *parsed) {
    static const char digits[] = "0123456789";
    const size_t seconds = strspn(text, digits);
    if (!seconds || seconds > 5 || text[seconds] != '-') return;
    parsed->seconds = strtoll(text, NULL, 10);
    text += seconds + 1;
    parsed->hash_length = strspn(text, digits);
    if (parsed->hash_length) parsed->hash = text;
    text += parsed->hash_length;
    if (*text == '_' && isdigit((unsigned char)text[1])) parsed->write_seconds = strtoll(text + 1, NULL, 10);
}

bool iol__log_name_parse(const char *name, const char *program, iol__log_name *parsed) {
    *parsed = (iol__log_name){.pid = -1, .seconds = -1, .write_seconds = -1};
    const char *id = NULL, *behind = NULL;
    for (const char *at = strstr(name, "_id"); at; at = strstr(at + 1, "_id")) {
        int64_t number, pid;
        const char *end;
        if (!parse_names_id(at + 3, &number, &pid, &end)) continue;
        id = at;
        behind = end;
        parsed->jobid = number;
        parsed->pid = pid;
    }
    if (!id) return false;
    int month, day, length = 0;
    if (sscanf(behind, "_%2d-%2d-%n", &month, &day, &length) == 2 && month >= 1 && month <= 12 && day >= 1 &&
        day <= 31) {
        parsed->month = month;
        parsed->day = day;
        if (length) parse_names_tail(behind + length, parsed);
    }
    parsed->user = user_length(name, (size_t)(id - name), program);
    parsed->program = parsed->user ? (size_t)(id - name) - parsed->user - 1 : (size_t)(id - name);
    return true;
}

/* Texts --------------------------------------------------------------------------------------------------------- */

/* The length of the character that begins here; 0 if it is no UTF-8. */
static size_t character(const char *text) {
    char one[5] = {0};
    unsigned char c = (unsigned char)*text;
    size_t length = c < 0x80 ? 1 : c >= 0xf0 ? 4 : c >= 0xe0 ? 3 : 2;
    for (size_t i = 0; i < length; i++) {
        if (!text[i]) return 0;
        one[i] = text[i];
    }
    return iol__plain_utf8(one) ? length : 0;
}

static void write_valid(char *to, const char *text) {
    while (*text) {
        size_t length = character(text);
        if (length)
            memcpy(to, text, length);
        else
            memcpy(to, "\xef\xbf\xbd", 3);
        to += length ? length : 3;
        text += length ? length : 1;
    }
    *to = 0;
}

const char *iol__valid_text(iol__arena *arena, const char *text) {
    if (!text || iol__plain_utf8(text)) return text;
    char *copy = iol__arena_alloc(arena, 3 * strlen(text) + 1, 1);
    write_valid(copy, text);
    return copy;
}

char *iol__valid_copy(const char *text) {
    char *copy = malloc(3 * strlen(text) + 1);
    if (copy) write_valid(copy, text);
    return copy;
}

static uint64_t hash(const char *text) { /* FNV-1a */
    uint64_t h = UINT64_C(0xcbf29ce484222325);
    for (; *text; text++) h = (h ^ (unsigned char)*text) * UINT64_C(0x100000001b3);
    return h;
}

const char *iol__short_text(iol__arena *arena, const char *text) {
    const char *valid = iol__valid_text(arena, text);
    if (!valid || strlen(valid) <= IOL_SHORT) return valid;
    size_t kept = IOL_SHORT - 17;
    while (((unsigned char)valid[kept] & 0xc0) == 0x80) kept--; /* in the middle of a character */
    return iol__arena_print(arena, "%.*s~%016llx", (int)kept, valid, (unsigned long long)hash(valid));
}

const char *iol__hex_text(iol__arena *arena, const char *text) {
    if (!text || iol__plain_utf8(text)) return NULL;
    char *hex = iol__arena_alloc(arena, 2 * strlen(text) + 1, 1), *to = hex;
    for (; *text; text++) to += sprintf(to, "%02x", (unsigned char)*text);
    return hex;
}

char *iol__key_of_path(const char *path) {
    char *key = malloc(4 * strlen(path) + 1), *to = key;
    while (key && *path) {
        size_t length = character(path);
        unsigned char c = (unsigned char)*path;
        if (!length || c < 0x20 || c == 0x7f || c == '\\') {
            to += sprintf(to, "\\x%02x", c);
            path++;
        } else {
            memcpy(to, path, length);
            to += length;
            path += length;
        }
    }
    if (key) *to = 0;
    return key;
}

char *iol__path_of_key(const char *key) {
    char *path = malloc(strlen(key) + 1), *to = path;
    while (path && *key) {
        unsigned code;
        if (key[0] == '\\' && key[1] == 'x' && sscanf(key + 2, "%2x", &code) == 1) {
            *to++ = (char)code;
            key += 4;
        } else {
            *to++ = *key++;
        }
    }
    if (path) *to = 0;
    return path;
}

/* The key of a bundle ends with a '#'. */
char *iol__path_of_place(const char *dir, const char *name) {
    char *before = iol__path_of_key(dir), *behind = iol__path_of_key(name), *path = NULL;
    const bool joined = before && *before && strchr("/#", before[strlen(before) - 1]);
    if (before && behind && asprintf(&path, "%s%s%s", before, joined ? "" : "/", behind) < 0) path = NULL;
    free(before);
    free(behind);
    return path;
}
