/* An ETag is a keyed hash of the bytes that this viewer gets, so that it tells nothing that they do not. */
#include "serve/finish.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <zlib.h>

#include "log/write/keyed.h"
#include "serve/serve.h"

enum { WORTH_PACKING = 860, LEVEL = 4 };

/* Whether a list of marks in a header has this one. */
static bool lists(const char *header, const char *mark) {
    return header && (strcmp(header, "*") == 0 || strstr(header, mark));
}

/* Whether a word of Accept-Encoding is wanted: its weight is not 0. */
static bool is_wanted(const char *word, size_t length) {
    const char *weight = memmem(word, length, "q=", 2);
    return !weight || strtod(weight + 2, NULL) > 0;
}

/* Words of Accept-Encoding; `*` stands for what is not named. */
bool iol__takes_gzip(const char *header) {
    bool any = false;
    for (const char *at = header; at && *at;) {
        at += strspn(at, ", \t");
        size_t length = strcspn(at, ","), name = strcspn(at, ";, \t");
        if (name == 4 && strncasecmp(at, "gzip", 4) == 0) return is_wanted(at, length);
        if (name == 1 && *at == '*') any = is_wanted(at, length);
        at += length;
    }
    return any;
}

static bool pack(iol__out *body) {
    z_stream z = {0};
    iol__out packed;
    if (deflateInit2(&z, LEVEL, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) != Z_OK) return false;
    iol__out_open(&packed, -1);
    size_t room = deflateBound(&z, body->length);
    z.next_in = (Bytef *)body->buffer;
    z.avail_in = (uInt)body->length;
    z.next_out = (Bytef *)iol__out_room(&packed, room);
    z.avail_out = (uInt)room;
    bool done = deflate(&z, Z_FINISH) == Z_STREAM_END;
    packed.length = z.total_out;
    deflateEnd(&z);
    if (!done) return iol__out_close(&packed), false;
    iol__out_close(body);
    *body = packed;
    return true;
}

/* A table opens in a spreadsheet, not in the page's place. */
static const char *attachment_of(iol__exchange *x) {
    return iol__arena_print(&x->arena, "attachment; filename=\"iolite-%s.csv\"", x->route->name);
}

void iol__finish(iol__exchange *x) {
    static const char *const never = "no-store";
    static _Thread_local char mark[64];
    bool good = x->status == 200 && x->file < 0 && strcmp(x->method, "POST") != 0;
    if (!good) {
        iol__header_add(x, "Cache-Control", never);
        return;
    }
    iol__key key;
    memcpy(key.words, x->serve->tokens.key, sizeof key.words);
    snprintf(mark, sizeof mark, "\"%016llx\"",
             (unsigned long long)iol__keyed_hash(&key, x->body.buffer, x->body.length));
    iol__header_add(x, "ETag", mark);
    iol__header_add(x, "Vary", "Accept, Accept-Encoding, Cookie, Authorization");
    iol__header_add(x, "Cache-Control", x->keep ? "public, max-age=3600" : "private, no-cache");
    if (x->route && x->type && strncmp(x->type, "text/csv", 8) == 0)
        iol__header_add(x, "Content-Disposition", attachment_of(x));
    if (lists(x->headers.if_none_match, mark)) {
        x->status = 304;
        x->body.length = 0;
    } else if (x->body.length >= WORTH_PACKING && x->body.length < (1u << 30) &&
               iol__takes_gzip(x->headers.accept_encoding) && pack(&x->body)) {
        iol__header_add(x, "Content-Encoding", "gzip");
    }
}
