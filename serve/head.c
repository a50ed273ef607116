/* RFC 9112 without its leniency: lines end with CRLF, names are tokens, nothing is folded, and what says how long the body is
   or whom the request is for is said once. */
#include "serve/head.h"

#include <string.h>
#include <strings.h>

#include "base/count.h"

enum { BAD = 400, MOST_DIGITS = 18, MOST_CHUNK_DIGITS = 15 };

typedef struct head_line {
    const char *text;
    size_t length;
} head_line;

typedef struct head_reading {
    iol__head *head;
    const char **why;
    bool newest; /* HTTP/1.1 */
    bool has_length, has_encoding, has_host, has_proof;
} head_reading;

static int head_refuse(const char **why, const char *reason) {
    *why = reason;
    return BAD;
}

static bool is_token(const char *text, size_t length) {
    static const char others[] = "!#$%&'*+-.^_`|~";
    for (size_t i = 0; i < length; i++) {
        const char c = text[i];
        const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
        if (!letter && (!c || !strchr(others, c))) return false;
    }
    return length > 0;
}

static bool has_control(const char *text, size_t length, bool tab_counts) {
    for (size_t i = 0; i < length; i++) {
        const unsigned char c = (unsigned char)text[i];
        if ((c < ' ' && (c != '\t' || tab_counts)) || c == 127) return true;
    }
    return false;
}

static bool head_is_number(const char *text, size_t length, uint64_t *value) {
    *value = 0;
    for (size_t i = 0; i < length; i++) {
        if (text[i] < '0' || text[i] > '9') return false;
        *value = 10 * *value + (uint64_t)(text[i] - '0');
    }
    return length > 0 && length <= MOST_DIGITS;
}

/* METHOD SP TARGET SP HTTP/1.x */
static int read_request_line(head_reading *r, head_line l) {
    const char *space = memchr(l.text, ' ', l.length);
    if (!space || !is_token(l.text, (size_t)(space - l.text))) return head_refuse(r->why, "the method is malformed");
    const char *target = space + 1, *end = l.text + l.length;
    const char *second = memchr(target, ' ', (size_t)(end - target));
    if (!second || second == target || has_control(target, (size_t)(second - target), true))
        return head_refuse(r->why, "the address is malformed");
    const char *version = second + 1;
    const size_t length = (size_t)(end - version);
    if (length != 8 || memcmp(version, "HTTP/1.", 7) != 0 || (version[7] != '0' && version[7] != '1'))
        return head_refuse(r->why, "this server speaks HTTP/1.1");
    r->newest = version[7] == '1';
    return 0;
}

/* Name, or an address in brackets, and a port. False: malformed. */
static bool find_head_host(iol__head *head, head_line value) {
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._:[]%";
    for (size_t i = 0; i < value.length; i++)
        if (!value.text[i] || !strchr(letters, value.text[i])) return false;
    const bool brackets = value.length && *value.text == '[';
    const char *end = memchr(value.text, brackets ? ']' : ':', value.length);
    if (brackets && !end) return false;
    const size_t length = end ? (size_t)(end - value.text) + brackets : value.length, rest = value.length - length;
    uint64_t port;
    if (rest && (value.text[length] != ':' || (rest > 1 && !head_is_number(value.text + length + 1, rest - 1, &port))))
        return false;
    head->host = value.text + (brackets ? 1 : 0);
    head->host_length = length - (brackets ? 2 : 0);
    return true;
}

static int read_host(head_reading *r, head_line value) {
    if (r->has_host) return head_refuse(r->why, "the header has two hosts");
    r->has_host = true;
    r->head->strange_host = !find_head_host(r->head, value);
    return 0;
}

static int read_length(head_reading *r, head_line value) {
    if (r->has_length) return head_refuse(r->why, "the header has two lengths");
    r->has_length = true;
    return head_is_number(value.text, value.length, &r->head->body_length)
               ? 0
               : head_refuse(r->why, "the length is no number");
}

static int read_encoding(head_reading *r, head_line value) {
    if (r->has_encoding) return head_refuse(r->why, "the header has two transfer encodings");
    r->has_encoding = r->head->chunked = true;
    if (value.length == 7 && strncasecmp(value.text, "chunked", 7) == 0) return 0;
    return head_refuse(r->why, "the only transfer encoding is chunked");
}

static int read_proof(head_reading *r, head_line value) {
    (void)value;
    if (r->has_proof) return head_refuse(r->why, "the header has two authorizations");
    r->has_proof = true;
    return 0;
}

static const struct {
    const char *name;
    int (*read)(head_reading *r, head_line value);
} known[] = {{"Host", read_host},
             {"Content-Length", read_length},
             {"Transfer-Encoding", read_encoding},
             {"Authorization", read_proof}};

static int read_field(head_reading *r, head_line l) {
    if (*l.text == ' ' || *l.text == '\t') return head_refuse(r->why, "a header line is folded");
    const char *colon = memchr(l.text, ':', l.length);
    if (!colon || !is_token(l.text, (size_t)(colon - l.text))) return head_refuse(r->why, "a header line is malformed");
    head_line value = {colon + 1, (size_t)(l.text + l.length - colon - 1)};
    if (has_control(value.text, value.length, false))
        return head_refuse(r->why, "a header line has a control character");
    while (value.length && (*value.text == ' ' || *value.text == '\t')) value.text++, value.length--;
    while (value.length && (value.text[value.length - 1] == ' ' || value.text[value.length - 1] == '\t'))
        value.length--;
    const size_t name = (size_t)(colon - l.text);
    for (size_t i = 0; i < IOL_COUNT(known); i++)
        if (strlen(known[i].name) == name && strncasecmp(known[i].name, l.text, name) == 0)
            return known[i].read(r, value);
    return 0;
}

static int judge_whole(const head_reading *r) {
    if (r->has_length && r->has_encoding) return head_refuse(r->why, "the header has a length and a transfer encoding");
    if (r->has_encoding && !r->newest) return head_refuse(r->why, "a transfer encoding needs HTTP/1.1");
    if (r->newest && !r->has_host) return head_refuse(r->why, "the header has no host");
    return 0;
}

/* Lines are judged as they are complete: a request that is wrong is not waited for. */
int iol__head_read(const char *bytes, size_t length, iol__head *head, const char **why) {
    head_reading r = {.head = head, .why = why};
    *head = (iol__head){0};
    for (size_t at = 0, lines = 0;; lines++) {
        const char *end = memchr(bytes + at, '\n', length - at);
        if (memchr(bytes + at, 0, end ? (size_t)(end - bytes) - at : length - at))
            return head_refuse(why, "the header has a NUL byte");
        if (!end) return -1;
        const size_t stop = (size_t)(end - bytes);
        if (stop == at || end[-1] != '\r') return head_refuse(why, "a header line ends without CR");
        const head_line l = {bytes + at, stop - 1 - at};
        at = stop + 1;
        if (lines && !l.length) {
            head->length = at;
            return judge_whole(&r);
        }
        const int status = lines ? read_field(&r, l) : read_request_line(&r, l);
        if (status) return status;
    }
}

/* Chunks ---------------------------------------------------------------------------------------------------------- */

static bool add_digit(iol__chunks *c, char byte) {
    const int digit = byte >= '0' && byte <= '9'   ? byte - '0'
                      : byte >= 'a' && byte <= 'f' ? byte - 'a' + 10
                      : byte >= 'A' && byte <= 'F' ? byte - 'A' + 10
                                                   : -1;
    if (digit < 0 || c->seen++ == MOST_CHUNK_DIGITS) return false;
    c->left = 16 * c->left + (uint64_t)digit;
    return true;
}

/* CR, then LF. False for anything else. */
static bool ends_line(iol__chunks *c, char byte, bool *over) {
    *over = c->returned && byte == '\n';
    const bool good = *over || (!c->returned && byte == '\r');
    c->returned = byte == '\r';
    return good;
}

static bool take_byte(iol__chunks *c, char byte) {
    bool over;
    if (c->state == IOL_CHUNK_SIZE && !c->returned && byte != '\r') return add_digit(c, byte);
    if (c->state == IOL_CHUNK_SIZE && !c->seen) return false;
    if (!ends_line(c, byte, &over)) return false;
    if (!over) return true;
    c->seen = 0;
    if (c->state == IOL_CHUNK_SIZE)
        c->state = c->left ? IOL_CHUNK_DATA : IOL_CHUNK_LAST;
    else
        c->state = c->state == IOL_CHUNK_LAST ? IOL_CHUNKS_DONE : IOL_CHUNK_SIZE;
    return true;
}

size_t iol__chunks_take(iol__chunks *c, const char *bytes, size_t length) {
    size_t at = 0;
    while (at < length && c->state != IOL_CHUNKS_DONE) {
        if (c->state == IOL_CHUNK_DATA) {
            const size_t piece = c->left < length - at ? (size_t)c->left : length - at;
            at += piece;
            c->left -= piece;
            if (!c->left) c->state = IOL_CHUNK_END;
            continue;
        }
        if (!take_byte(c, bytes[at++])) return SIZE_MAX;
    }
    return at;
}
