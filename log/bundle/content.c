/* A log from its recipe without the encoder that it was written with. Its streams get other lengths, so that what tells where
   they are has to change with them: the map in the header, and the trailer, whose sections are stored as they are. */
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "log/bundle/recipe.h"
#include "log/read/log_internal.h"
#include "record/trailer.h"

enum { MAGIC = 6567223, FASTEST = 1 };

/* A stream: where it was, where it is now. */
typedef struct moved {
    uint64_t old_at, old_end, new_at, new_end;
} moved;

typedef struct content {
    iol__cursor steps, contents;
    iol__body *log;
    moved *streams;
    size_t n_streams;
    uint64_t old_at;
    iol__trailer_footer footer; /* as it was; length 0: none */
} content;

static bool copy_content_bytes(content *c, uint64_t count) {
    if (count > (uint64_t)(c->contents.end - c->contents.at)) return false;
    const uint8_t *bytes = iol__cursor_take(&c->contents, (size_t)count);
    c->old_at += count;
    return count == 0 || (bytes && iol__body_put(c->log, bytes, (size_t)count));
}

static bool in_trailer(const content *c, uint64_t at) {
    return c->footer.length && at >= c->footer.offset && at - c->footer.offset < c->footer.length;
}

/* The head before a section says how it is stored. */
static bool put_content_section(content *c, const uint8_t *raw, size_t length) {
    if (c->log->length < IOL_TRAILER_HEAD) return false;
    uint8_t *head = c->log->bytes + c->log->length - IOL_TRAILER_HEAD;
    char tag[5] = {0};
    memcpy(tag, head, 4);
    iol__trailer_head(head, tag, IOL_TRAILER_STORED, length, length);
    return iol__body_put(c->log, raw, length);
}

static bool put_stream(content *c, const uint8_t *raw, size_t length) {
    uLongf packed = compressBound((uLong)length);
    uint8_t *room = malloc(packed);
    const bool good =
        room && compress2(room, &packed, raw, (uLong)length, FASTEST) == Z_OK && iol__body_put(c->log, room, packed);
    free(room);
    return good;
}

static bool copy_stream(content *c) {
    static const uint8_t nothing[1];
    iol__recipe_step step;
    if (!iol__recipe_next(&c->steps, &step) || step.from != 0 || !copy_content_bytes(c, step.before)) return false;
    const uint8_t *raw = step.length ? iol__cursor_take(&c->contents, (size_t)step.length) : nothing;
    moved *m = &c->streams[c->n_streams++];
    if (!raw) return false;
    *m = (moved){.old_at = c->old_at, .old_end = c->old_at + step.stream, .new_at = c->log->length};
    const bool good = in_trailer(c, c->old_at) ? put_content_section(c, raw, (size_t)step.length)
                                               : put_stream(c, raw, (size_t)step.length);
    m->new_end = c->log->length;
    c->old_at += step.stream;
    return good;
}

/* Where a place of the old log is now; places inside of streams are none. */
static uint64_t content_place_of(const content *c, uint64_t old) {
    uint64_t shift_old = 0, shift_new = 0;
    for (size_t i = 0; i < c->n_streams && c->streams[i].old_end <= old; i++) {
        shift_old = c->streams[i].old_end;
        shift_new = c->streams[i].new_end;
    }
    return old - shift_old + shift_new;
}

/* Header ----------------------------------------------------------------------------------------------------------------- */

static void put_content_u64(uint8_t *to, uint64_t value, bool swap) {
    const uint64_t stored = swap ? __builtin_bswap64(value) : value;
    memcpy(to, &stored, 8);
}

static void move_region(const content *c, uint8_t *map, bool swap) {
    const uint64_t offset = iol__u64(map, swap), length = iol__u64(map + 8, swap);
    if (offset == 0 && length == 0) return;
    const uint64_t now = content_place_of(c, offset);
    put_content_u64(map, now, swap);
    if (length) put_content_u64(map + 8, content_place_of(c, offset + length) - now, swap);
}

static void move_regions(const content *c) {
    enum { NAMES = 32, OLD_NAMES = 24, OLD_SLOTS = 16 };
    uint8_t *header = c->log->bytes;
    const bool swap = c->log->length >= IOL_HEADER_OLD && iol__u64(header + 8, true) == MAGIC;
    if (c->log->length < IOL_HEADER_OLD || (!swap && iol__u64(header + 8, false) != MAGIC)) return;
    const bool new = memcmp(header, "3.41", 4) == 0;
    if (new && c->log->length < IOL_HEADER_NEW) return;
    uint8_t *map = header + (new ? NAMES : OLD_NAMES);
    for (int i = 0; i <= (new ? IOL_SLOTS : OLD_SLOTS); i++) move_region(c, map + (ptrdiff_t)16 * i, swap);
}

/* Trailer ---------------------------------------------------------------------------------------------------------------- */

/* The last bytes of the contents are those of the log, if no stream ends there. */
static void find_trailer(content *c, const uint8_t *end, uint64_t behind) {
    if (behind < IOL_TRAILER_FOOTER || !iol__trailer_footer_parse(end - IOL_TRAILER_FOOTER, &c->footer))
        c->footer.length = 0;
}

static void move_trailer(const content *c) {
    if (!c->footer.length || c->log->length < IOL_TRAILER_FOOTER) return;
    iol__trailer_footer footer = c->footer;
    const uint64_t end = c->log->length - IOL_TRAILER_FOOTER;
    footer.offset = content_place_of(c, c->footer.offset);
    if (footer.offset > end) return;
    footer.length = end - footer.offset;
    footer.crc = iol__crc32(0, c->log->bytes + footer.offset, (size_t)footer.length);
    iol__trailer_footer_write(c->log->bytes + end, &footer);
}

static bool last_gap(iol__cursor steps, uint64_t count, uint64_t *behind) {
    iol__recipe_step step;
    for (uint64_t i = 0; i < count; i++)
        if (!iol__recipe_next(&steps, &step)) return false;
    *behind = iol__cursor_varint(&steps);
    return !steps.bad;
}

const char *iol__recipe_content(const uint8_t *recipe, size_t bytes, iol__body *log) {
    content c = {.log = log};
    uint64_t count, behind;
    *log = (iol__body){0};
    if (!iol__recipe_open(recipe, bytes, &c.steps, &c.contents, &count) || !last_gap(c.steps, count, &behind) ||
        behind > (uint64_t)(c.contents.end - c.contents.at))
        return iol__recipe_senseless;
    find_trailer(&c, recipe + bytes, behind);
    c.streams = calloc((size_t)count + 1, sizeof *c.streams);
    bool good = c.streams != NULL;
    for (uint64_t i = 0; good && i < count; i++) good = copy_stream(&c);
    good = good && copy_content_bytes(&c, behind);
    if (good) move_regions(&c);
    if (good) move_trailer(&c);
    free(c.streams);
    return good ? NULL : iol__recipe_senseless;
}
