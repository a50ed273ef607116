/* Streams are found by trying: where two bytes look like the head of one, and what follows inflates to its own checksum, it
   is one. That needs no knowledge of logs, so that iol__recipe_senseless ones and trailers are served too. */
#include "log/bundle/recipe.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "base/grow.h"
#include "log/read/log_internal.h"
#include "log/read/stream.h"

enum {
    PIECE = 1 << 16,
    LEAST = 11,    /* bytes of the shortest stream worth a thought */
    ATTEMPTS = 64, /* bytes that may be inflated in vain per byte of a log, and PIECE at least */
    NO_REGION = -1,
};

static bool looks_like_stream(const uint8_t *at) {
    return at[0] == 0x78 && (at[0] << 8 | at[1]) % 31 == 0 && !(at[1] & 0x20);
}

typedef struct recipe_finding {
    iol__encoders *encoders;
    const uint8_t *log;
    size_t length;
    z_stream zlib;
    uint64_t in_vain; /* that may still be inflated without a result */
    iol__pieces *to;
    bool failed;
} recipe_finding;

/* Inflate what may be a stream to the end of `raw`. Its length, 0 if it is none. */
static size_t inflate_at(recipe_finding *f, size_t at) {
    iol__body *raw = &f->to->raw;
    const size_t before = raw->length;
    uint8_t room[PIECE];
    if (inflateReset(&f->zlib) != Z_OK) return 0;
    f->zlib.next_in = (Bytef *)(uintptr_t)(f->log + at);
    f->zlib.avail_in = (uInt)(f->length - at);
    for (;;) {
        f->zlib.next_out = room;
        f->zlib.avail_out = sizeof room;
        const int result = inflate(&f->zlib, Z_NO_FLUSH);
        const size_t made = sizeof room - f->zlib.avail_out;
        if ((result != Z_OK && result != Z_STREAM_END) || raw->length + made > IOL_RECIPE_MOST) break;
        if (result == Z_OK && made == 0 && f->zlib.avail_in == 0) break;
        if (made && !iol__body_put(raw, room, made)) {
            f->failed = true;
            break;
        }
        if (result == Z_STREAM_END) return f->zlib.total_in;
    }
    f->in_vain -= f->in_vain < f->zlib.total_out + 1 ? f->in_vain : f->zlib.total_out + 1;
    raw->length = before;
    return 0;
}

static bool add_piece(iol__pieces *to, const iol__zlib_piece *piece) {
    if (!IOL_GROW_NEXT(to->all, to->count)) return false;
    to->all[to->count++] = *piece;
    return true;
}

/* How far to go on: behind the stream, or by a byte where there is none, or none that can be made again. */
static size_t find_at(recipe_finding *f, size_t at) {
    iol__pieces *to = f->to;
    const size_t before = to->raw.length;
    if (!looks_like_stream(f->log + at) || f->in_vain == 0) return 1;
    const size_t bytes = inflate_at(f, at);
    if (!bytes) return 1;
    iol__zlib_piece piece = {.at = at, .bytes = bytes, .raw_at = before, .length = to->raw.length - before};
    piece.encoder = iol__encoder_find(f->encoders, to->raw.bytes + before, piece.length, f->log + at, bytes);
    if (piece.encoder < 0)
        to->raw.length = before;
    else if (!add_piece(to, &piece))
        f->failed = true;
    return bytes;
}

bool iol__pieces_find(iol__encoders *encoders, const uint8_t *log, size_t length, iol__pieces *pieces) {
    *pieces = (iol__pieces){0};
    recipe_finding f = {.encoders = encoders, .log = log, .length = length, .to = pieces};
    f.in_vain = (uint64_t)ATTEMPTS * length + PIECE;
    if (length > UINT32_MAX || inflateInit(&f.zlib) != Z_OK) return length > UINT32_MAX;
    for (size_t at = 0; !f.failed && length - at >= LEAST;) {
        const uint8_t *next = memchr(log + at, 0x78, length - at - LEAST + 1);
        if (!next) break;
        at = (size_t)(next - log);
        at += find_at(&f, at);
    }
    inflateEnd(&f.zlib);
    return !f.failed;
}

void iol__pieces_free(iol__pieces *pieces) {
    free(pieces->all);
    free(pieces->raw.bytes);
    *pieces = (iol__pieces){0};
}

/* Regions of the log in columns ---------------------------------------------------------------------------------------- */

/* Regions are read from their beginning, one at a time. */
typedef struct recipe_reading {
    iol_log *columns;
    int region;
    iol__stream *stream;
} recipe_reading;

static bool span_of(const iol_log *log, int region, uint64_t *offset, uint64_t *length) {
    iol_module module;
    *offset = log->name_offset;
    *length = log->info.name_bytes;
    if (region == 0) return true;
    if (iol_log_module(log, region - 1, &module) != IOL_OK) return false;
    *offset = module.offset;
    *length = module.length;
    return true;
}

static bool recipe_begin(recipe_reading *r, int region) {
    uint64_t offset, length;
    if (r->region == region) return true;
    if (r->stream) iol__stream_close(r->stream);
    r->stream = NULL;
    r->region = region;
    if (!span_of(r->columns, region, &offset, &length) || !length) return false;
    return iol__stream_open(r->columns, region - 1, offset, length, &r->stream) == IOL_OK;
}

static void recipe_end(recipe_reading *r) {
    if (r->stream) iol__stream_close(r->stream);
}

/* The region that a stream of the log lies in. */
static int region_of(const iol_log *log, const iol__zlib_piece *piece) {
    for (int region = 0; region <= IOL_SLOTS; region++) {
        uint64_t offset, length;
        if (!span_of(log, region, &offset, &length) || piece->at < offset) continue;
        if (piece->at - offset < length && piece->bytes <= length - (piece->at - offset)) return region;
    }
    return NO_REGION;
}

/* The next bytes of a region: compared with `bytes`, or put there. */
static bool next_bytes(recipe_reading *r, int region, uint8_t *to, const uint8_t *expected, size_t length) {
    if (!recipe_begin(r, region)) return false;
    while (length > 0) {
        const uint8_t *bytes;
        const size_t want = length < PIECE ? length : PIECE, got = iol__stream_peek(r->stream, want, &bytes);
        if (got < want || (expected && memcmp(bytes, expected, want) != 0)) return false;
        if (to) memcpy(to, bytes, want);
        iol__stream_consume(r->stream, want);
        length -= want;
        if (to) to += want;
        if (expected) expected += want;
    }
    return true;
}

/* Writing -------------------------------------------------------------------------------------------------------------- */

static bool put_recipe(const iol__pieces *pieces, const int *regions, size_t length, iol__body *to) {
    size_t at = 0;
    bool good = iol__body_varint(to, pieces->count);
    for (size_t i = 0; good && i < pieces->count; i++) {
        const iol__zlib_piece *p = &pieces->all[i];
        good = iol__body_varint(to, p->at - at) && iol__body_varint(to, p->bytes) &&
               iol__body_varint(to, (uint64_t)p->encoder) && iol__body_varint(to, p->length) &&
               iol__body_varint(to, (uint64_t)(regions[i] + 1));
        at = p->at + p->bytes;
    }
    return good && iol__body_varint(to, length - at);
}

static bool put_contents(const iol__pieces *pieces, const int *regions, const uint8_t *bytes, size_t length,
                         iol__body *to) {
    size_t at = 0;
    bool good = true;
    for (size_t i = 0; good && i < pieces->count; i++) {
        const iol__zlib_piece *p = &pieces->all[i];
        good = iol__body_put(to, bytes + at, p->at - at);
        if (good && regions[i] == NO_REGION) good = iol__body_put(to, pieces->raw.bytes + p->raw_at, p->length);
        at = p->at + p->bytes;
    }
    return good && iol__body_put(to, bytes + at, length - at);
}

bool iol__recipe_write(const iol__pieces *pieces, const uint8_t *bytes, size_t length, iol_log *log, iol_log *columns,
                       iol__body *recipe) {
    int *regions = malloc((pieces->count + 1) * sizeof *regions);
    recipe_reading r = {.columns = columns, .region = NO_REGION};
    bool good = regions != NULL;
    for (size_t i = 0; good && i < pieces->count; i++) {
        const iol__zlib_piece *p = &pieces->all[i];
        regions[i] = columns ? region_of(log, p) : NO_REGION;
        if (regions[i] != NO_REGION) good = next_bytes(&r, regions[i], NULL, pieces->raw.bytes + p->raw_at, p->length);
    }
    recipe_end(&r);
    recipe->length = 0;
    good = good && put_recipe(pieces, regions, length, recipe) && put_contents(pieces, regions, bytes, length, recipe);
    free(regions);
    return good;
}

/* Following ------------------------------------------------------------------------------------------------------------ */

typedef struct following {
    iol__encoders *encoders;
    iol__cursor steps, contents;
    recipe_reading from;
    uint8_t *log, *raw; /* raw: what comes from the columns */
    size_t at, length, raw_room;
} following;

const char iol__recipe_senseless[] = "the recipe makes no sense";
static const char other_bytes[] =
    "the compression library of this machine makes other bytes than the one that the bundle "
    "was packed with; the content is whole";

static const char *copy_recipe_bytes(following *f, uint64_t count) {
    if (count > f->length - f->at) return iol__recipe_senseless;
    const uint8_t *bytes = iol__cursor_take(&f->contents, (size_t)count);
    if (count == 0) return NULL;
    if (!bytes) return iol__recipe_senseless;
    memcpy(f->log + f->at, bytes, (size_t)count);
    f->at += (size_t)count;
    return NULL;
}

/* What was in a stream, from here or from the columns. */
static const uint8_t *stream_bytes(following *f, uint64_t count, uint64_t from, const char **wrong) {
    *wrong = iol__recipe_senseless;
    if (from == 0) return iol__cursor_take(&f->contents, (size_t)count);
    if (!f->from.columns || from > IOL_SLOTS + 1) return NULL;
    if (f->raw_room < count) {
        free(f->raw);
        f->raw = malloc((size_t)count);
        f->raw_room = f->raw ? (size_t)count : 0;
        *wrong = iol__no_memory;
        if (!f->raw) return NULL;
    }
    *wrong = "the columns do not hold what they should";
    return next_bytes(&f->from, (int)from - 1, f->raw, NULL, (size_t)count) ? f->raw : NULL;
}

bool iol__recipe_next(iol__cursor *steps, iol__recipe_step *step) {
    step->before = iol__cursor_varint(steps);
    step->stream = iol__cursor_varint(steps);
    step->encoder = iol__cursor_varint(steps);
    step->length = iol__cursor_varint(steps);
    step->from = iol__cursor_varint(steps);
    return !steps->bad && step->length <= IOL_RECIPE_MOST;
}

bool iol__recipe_open(const uint8_t *recipe, size_t bytes, iol__cursor *steps, iol__cursor *contents, uint64_t *count) {
    iol__recipe_step step;
    *contents = (iol__cursor){.at = recipe, .end = recipe + bytes};
    *count = iol__cursor_varint(contents);
    *steps = *contents;
    if (*count > bytes) return false;
    for (uint64_t i = 0; i < *count; i++)
        if (!iol__recipe_next(contents, &step)) return false;
    iol__cursor_varint(contents); /* bytes behind the last */
    return !contents->bad;
}

static const char *follow_stream(following *f) {
    static const uint8_t nothing[1];
    iol__recipe_step step;
    if (!iol__recipe_next(&f->steps, &step)) return iol__recipe_senseless;
    const char *wrong = copy_recipe_bytes(f, step.before);
    if (wrong) return wrong;
    const uint8_t *raw = step.length ? stream_bytes(f, step.length, step.from, &wrong) : nothing;
    if (!raw) return wrong;
    const size_t made =
        iol__encoder_again(f->encoders, step.encoder, raw, (size_t)step.length, f->log + f->at, f->length - f->at);
    f->at += made;
    return made && made == step.stream ? NULL : other_bytes;
}

const char *iol__recipe_follow(iol__encoders *encoders, const uint8_t *recipe, size_t bytes, iol_log *columns,
                               uint8_t *log, size_t length) {
    uint64_t count;
    following f = {
        .encoders = encoders, .from = {.columns = columns, .region = NO_REGION}, .log = log, .length = length};
    if (!iol__recipe_open(recipe, bytes, &f.steps, &f.contents, &count)) return iol__recipe_senseless;
    const char *wrong = NULL;
    for (uint64_t i = 0; !wrong && i < count; i++) wrong = follow_stream(&f);
    if (!wrong) wrong = copy_recipe_bytes(&f, iol__cursor_varint(&f.steps));
    if (!wrong && f.at != length) wrong = other_bytes;
    recipe_end(&f.from);
    free(f.raw);
    return wrong;
}
