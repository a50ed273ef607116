/* The raw piece that is being added to is on a stage, which all piles share: fresh memory is what costs most here, and so
   little of it is touched. */
#include "runtime/finalize/pile.h"

#include <string.h>

#include "runtime/pack/deflate.h"
#include "runtime/core/sys.h"
#include "runtime/finalize/memory.h"
#include "runtime/pack/pack.h"

/* Raw bytes that are worth a stream of their own: each begins with some hundred bytes of codes. What follows a
   compressed piece has to be one anyway, sooner or later. */
enum { ROWS_LEAST = 256 << 10, TEXT_LEAST = 64 << 10, REST_LEAST = 32 << 10, FIRST = 16 << 10, SLACK = 64 };

static struct {
    iol__rt_pile *of; /* whose piece it is; NULL: nobody's */
    uint8_t *bytes;
    size_t used;
} stage;

static uint8_t *scratch;

void iol__pile_stop(void) {
    scratch = NULL;
    memset(&stage, 0, sizeof stage);
}

static size_t filled(size_t length) { return (length + 7) & ~(size_t)7; }

static iol__rt_piece *piece_at(const iol__rt_pile *pile, size_t at) {
    return (iol__rt_piece *)(void *)(pile->bytes + at);
}

static bool make_room(iol__rt_pile *pile, size_t more) {
    if (pile->used + more <= pile->room) return true;
    size_t room = pile->room ? pile->room : FIRST;
    while (room < pile->used + more) room *= 2;
    uint8_t *bytes = iol__memory_grow(pile->bytes, pile->room, room);
    if (!bytes) {
        pile->failed = true;
        return false;
    }
    pile->bytes = bytes;
    pile->room = room;
    return true;
}

static void put_piece(iol__rt_pile *pile, const void *bytes, size_t length, bool packed) {
    if (!make_room(pile, sizeof(iol__rt_piece) + filled(length))) return;
    pile->last = pile->used;
    *piece_at(pile, pile->last) = (iol__rt_piece){length, packed};
    memcpy(piece_at(pile, pile->last) + 1, bytes, length);
    pile->used += sizeof(iol__rt_piece) + filled(length);
    pile->packed |= packed;
}

/* The stage -------------------------------------------------------------------------------------------------------- */

/* 0: it stays raw. */
static size_t compress(const iol__rt_pile *pile, const uint8_t *raw, size_t length) {
    if (!scratch) scratch = iol__memory_take(iol__pack_bound(IOL_PILE_BLOCK));
    return scratch ? iol__pack(pile->shape, raw, length, scratch) : 0;
}

static size_t least(const iol__rt_pile *pile) {
    return pile->packed ? REST_LEAST : pile->shape.row ? ROWS_LEAST : TEXT_LEAST;
}

/* What is on the stage becomes a piece of its pile. */
static void clear_stage(bool packed) {
    iol__rt_pile *pile = stage.of;
    if (!pile || stage.used == 0) return;
    const size_t length = packed || stage.used >= least(pile) ? compress(pile, stage.bytes, stage.used) : 0;
    put_piece(pile, length ? scratch : stage.bytes, length ? length : stage.used, length > 0);
    stage.used = 0;
}

/* A raw piece at the end of the pile comes back onto it. */
static bool set_stage(iol__rt_pile *pile) {
    if (stage.of == pile) return true;
    if (!stage.bytes) stage.bytes = iol__memory_take(IOL_PILE_BLOCK + SLACK);
    if (!stage.bytes) return false;
    clear_stage(false);
    stage.of = pile;
    if (!pile->used || piece_at(pile, pile->last)->packed) return true;
    const iol__rt_piece *piece = piece_at(pile, pile->last);
    if (piece->length > IOL_PILE_BLOCK) return true;
    memcpy(stage.bytes, piece + 1, piece->length);
    stage.used = piece->length;
    pile->used = pile->last;
    pile->last = 0;
    for (size_t at = 0; at < pile->used; at += sizeof *piece + filled(piece_at(pile, at)->length)) pile->last = at;
    return true;
}

void *iol__pile_room(iol__rt_pile *pile, size_t length) {
    const bool staged = set_stage(pile);
    if (staged && stage.used + length > IOL_PILE_BLOCK) clear_stage(true);
    if (!staged || length > IOL_PILE_BLOCK || pile->failed) {
        pile->failed = true;
        return NULL;
    }
    uint8_t *at = stage.bytes + stage.used;
    stage.used += length;
    return at;
}

bool iol__pile_add(iol__rt_pile *pile, const void *bytes, size_t length) {
    const uint8_t *from = bytes;
    while (length > 0) { /* a record may be longer than a block */
        const size_t part = length < IOL_PILE_BLOCK ? length : IOL_PILE_BLOCK;
        void *to = iol__pile_room(pile, part);
        if (!to) return false;
        memcpy(to, from, part);
        from += part;
        length -= part;
    }
    return true;
}

bool iol__pile_append(iol__rt_pile *pile, const uint8_t *pieces, size_t length) {
    for (size_t at = 0; at < length;) {
        iol__rt_piece piece;
        if (length - at < sizeof piece) return false;
        memcpy(&piece, pieces + at, sizeof piece);
        const size_t left = length - at - sizeof piece;
        const uint8_t *bytes = pieces + at + sizeof piece;
        if (piece.length > left || filled(piece.length) > left) return false;
        if (piece.packed) {
            if (stage.of == pile) clear_stage(false);
            put_piece(pile, bytes, piece.length, true);
        } else {
            iol__pile_add(pile, bytes, piece.length);
        }
        at += sizeof piece + filled(piece.length);
    }
    if (stage.of == pile && stage.used >= least(pile)) clear_stage(true);
    return true;
}

/* Raw pieces in between were too small to be worth a stream, and have to be one now. */
static void pack_all(iol__rt_pile *pile) {
    iol__rt_pile whole = {.shape = pile->shape, .failed = pile->failed};
    bool raw = false;
    for (size_t at = 0; at < pile->used && !raw; at += sizeof(iol__rt_piece) + filled(piece_at(pile, at)->length))
        raw = !piece_at(pile, at)->packed;
    if (!raw || !iol__deflate_compresses()) return;
    for (size_t at = 0; at < pile->used;) {
        const iol__rt_piece *piece = piece_at(pile, at);
        const size_t length = piece->packed ? 0 : compress(pile, (const uint8_t *)(piece + 1), piece->length);
        put_piece(&whole, length ? scratch : (const uint8_t *)(piece + 1), length ? length : piece->length, true);
        whole.failed |= !piece->packed && length == 0; /* a region is compressed as a whole, or damaged */
        at += sizeof *piece + filled(piece->length);
    }
    iol__pile_free(pile);
    *pile = whole;
}

void iol__pile_pack(iol__rt_pile *pile, bool all) {
    if (stage.of == pile) {
        clear_stage(all);
        stage.of = NULL;
    }
    if (all) pack_all(pile);
}

const uint8_t *iol__pile_next(const iol__rt_pile *pile, size_t *at, size_t *length) {
    if (*at >= pile->used) return NULL;
    const iol__rt_piece *piece = piece_at(pile, *at);
    *at += sizeof *piece + filled(piece->length);
    *length = piece->length;
    return (const uint8_t *)(piece + 1);
}

uint64_t iol__pile_bytes(const iol__rt_pile *pile) {
    uint64_t bytes = 0;
    size_t length;
    for (size_t at = 0; iol__pile_next(pile, &at, &length);) bytes += length;
    return bytes;
}

void iol__pile_free(iol__rt_pile *pile) {
    iol__memory_back(pile->bytes, pile->room);
    *pile = (iol__rt_pile){.shape = pile->shape};
}
