/* The body is a count and six parts, each behind its length: what an entry shares with the one before it at its
   beginning, at its end, how long the middle is (varints); whether the id is stored, and the ids that are; the middles.
   Apart, these parts repeat themselves much more than the entries do. */
#include "log/archive/name_block.h"

#include <stdlib.h>
#include <string.h>

#include "record/hash.h"

enum { PREFIXES, SUFFIXES, LENGTHS, STORED, IDS, MIDDLES, PARTS };

typedef struct text {
    const uint8_t *at;
    size_t length;
} text;

static bool put_entry(iol__body parts[PARTS], const uint8_t *id, text name, text before) {
    size_t most = name.length < before.length ? name.length : before.length, prefix = 0, suffix = 0;
    while (prefix < most && name.at[prefix] == before.at[prefix]) prefix++;
    while (suffix < most - prefix && name.at[name.length - 1 - suffix] == before.at[before.length - 1 - suffix])
        suffix++;
    size_t middle = name.length - prefix - suffix;
    uint64_t hash = iol__hash(name.at, name.length, 0);
    uint8_t stored = memcmp(&hash, id, sizeof hash) != 0;
    return iol__body_varint(&parts[PREFIXES], prefix) && iol__body_varint(&parts[SUFFIXES], suffix) &&
           iol__body_varint(&parts[LENGTHS], middle) && iol__body_put(&parts[STORED], &stored, 1) &&
           (!stored || iol__body_put(&parts[IDS], id, 8)) && iol__body_put(&parts[MIDDLES], name.at + prefix, middle);
}

bool iol__name_block_encode(const uint8_t *raw, size_t length, iol__body *body) {
    iol__body parts[PARTS] = {0};
    text before = {raw, 0};
    uint64_t count = 0;
    bool good = true;
    for (size_t at = 0; good && at < length; count++) {
        const uint8_t *end = length - at > 8 ? memchr(raw + at + 8, 0, length - at - 8) : NULL;
        good = end != NULL;
        if (!good) break;
        text name = {raw + at + 8, (size_t)(end - (raw + at + 8))};
        good = put_entry(parts, raw + at, name, before);
        before = name;
        at += 8 + name.length + 1;
    }
    body->length = 0;
    good = good && iol__body_varint(body, count);
    for (int i = 0; i < PARTS; i++) {
        good = good && iol__body_varint(body, parts[i].length) && iol__body_put(body, parts[i].bytes, parts[i].length);
        free(parts[i].bytes);
    }
    return good;
}

/* Decoding --------------------------------------------------------------------------------------------------------- */

typedef struct name_block_output {
    uint8_t *at, *end;
    bool swap;
} name_block_output;

/* One entry behind the others; `before` becomes it. */
static bool take_name_block_entry(iol__cursor parts[PARTS], name_block_output *out, text *before) {
    uint64_t prefix = iol__cursor_varint(&parts[PREFIXES]), suffix = iol__cursor_varint(&parts[SUFFIXES]);
    uint64_t middle = iol__cursor_varint(&parts[LENGTHS]);
    size_t room = (size_t)(out->end - out->at);
    if (prefix > before->length || suffix > before->length || middle > room) return false;
    if (room < 9 || prefix + suffix + middle > room - 9) return false;
    uint8_t *name = out->at + 8, *to = name;
    const uint8_t *own = iol__cursor_take(&parts[MIDDLES], (size_t)middle);
    const uint8_t *stored = iol__cursor_take(&parts[STORED], 1);
    if (!own || !stored) return false;
    memcpy(to, before->at, (size_t)prefix);
    memcpy(to += prefix, own, (size_t)middle);
    memcpy(to += middle, before->at + before->length - suffix, (size_t)suffix);
    to += suffix;
    *to++ = 0;
    *before = (text){name, (size_t)(prefix + middle + suffix)};
    uint64_t id = iol__hash(name, before->length, 0);
    if (out->swap) id = __builtin_bswap64(id);
    const uint8_t *bytes = *stored ? iol__cursor_take(&parts[IDS], 8) : (const uint8_t *)&id;
    if (!bytes) return false;
    memcpy(out->at, bytes, 8);
    out->at = to;
    return true;
}

const char *iol__name_block_decode(const uint8_t *body, size_t length, bool swap, uint8_t *raw, size_t raw_length) {
    iol__cursor all = {body, body + length, false}, parts[PARTS];
    uint64_t count = iol__cursor_varint(&all);
    for (int i = 0; i < PARTS; i++) {
        uint64_t bytes = iol__cursor_varint(&all);
        const uint8_t *at = bytes <= length ? iol__cursor_take(&all, (size_t)bytes) : NULL;
        if (!at) return "a block of names is cut off";
        parts[i] = (iol__cursor){at, at + bytes, false};
    }
    name_block_output out = {raw, raw + raw_length, swap};
    text before = {raw, 0};
    for (uint64_t i = 0; i < count; i++)
        if (!take_name_block_entry(parts, &out, &before)) return "a block of names is damaged";
    return out.at == out.end ? NULL : "a block of names is shorter than it says";
}
