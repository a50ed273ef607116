/* The table of encoders, tried one after the other: the one that fitted last first, then those whose mark is in the
   second byte of the stream. */
#include "log/bundle/encoders.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "base/count.h"

#if IOL_HAVE_LIBDEFLATE
#include <libdeflate.h>
#endif

typedef enum library { ZLIB, LIBDEFLATE } library;

typedef struct encoders_encoder {
    library library;
    int level, memory, strategy;
} encoders_encoder;

static const encoders_encoder encoders[] = {
#define ENCODER(library, level, memory, strategy) {library, level, memory, strategy},
#include "log/bundle/encoders.def"
#undef ENCODER
};

enum {
    COUNT = IOL_COUNT(encoders),
    WHOLE_MOST = 16 << 20, /* libdeflate compresses in one call */
    WINDOW = 15,
};

struct iol__encoders {
    z_stream zlib;
    int zlib_of; /* the row that it is set up for; -1: none */
    int last;    /* that fitted */
    uint8_t *room;
    size_t room_bytes;
#if IOL_HAVE_LIBDEFLATE
    struct libdeflate_compressor *whole[13];
#endif
};

iol__encoders *iol__encoders_new(void) {
    iol__encoders *e = calloc(1, sizeof *e);
    if (e) e->zlib_of = -1;
    return e;
}

void iol__encoders_free(iol__encoders *e) {
    if (!e) return;
    if (e->zlib_of >= 0) deflateEnd(&e->zlib);
#if IOL_HAVE_LIBDEFLATE
    for (size_t i = 0; i < IOL_COUNT(e->whole); i++) libdeflate_free_compressor(e->whole[i]);
#endif
    free(e->room);
    free(e);
}

/* What a stream says about the effort that went into it. */
static unsigned effort(const encoders_encoder *row) {
    const int usual = row->library == ZLIB ? 6 : 7; /* up to where the two call it the usual one */
    if (row->level < 2 || (row->library == ZLIB && row->strategy >= Z_HUFFMAN_ONLY)) return 0;
    if (row->level < 6) return 1;
    return row->level <= usual ? 2 : 3;
}

/* zlib: piece by piece, so that the first difference ends it ---------------------------------------------------------- */

static bool zlib_start(iol__encoders *e, int number) {
    const encoders_encoder *row = &encoders[number];
    if (e->zlib_of == number) return deflateReset(&e->zlib) == Z_OK;
    if (e->zlib_of >= 0) deflateEnd(&e->zlib);
    e->zlib = (z_stream){0};
    const bool good = deflateInit2(&e->zlib, row->level, Z_DEFLATED, WINDOW, row->memory, row->strategy) == Z_OK;
    e->zlib_of = good ? number : -1;
    return good;
}

static size_t zlib_again(iol__encoders *e, int number, const uint8_t *raw, size_t length, uint8_t *to, size_t room) {
    if (length > UINT32_MAX || !zlib_start(e, number)) return 0;
    e->zlib.next_in = (Bytef *)(uintptr_t)raw;
    e->zlib.avail_in = (uInt)length;
    e->zlib.next_out = to;
    e->zlib.avail_out = room > UINT32_MAX ? UINT32_MAX : (uInt)room;
    return deflate(&e->zlib, Z_FINISH) == Z_STREAM_END ? e->zlib.total_out : 0;
}

static bool zlib_fits(iol__encoders *e, int number, const uint8_t *raw, size_t length, const uint8_t *packed,
                      size_t bytes) {
    uint8_t piece[4096];
    if (length > UINT32_MAX || !zlib_start(e, number)) return false;
    e->zlib.next_in = (Bytef *)(uintptr_t)raw;
    e->zlib.avail_in = (uInt)length;
    for (size_t at = 0;;) {
        e->zlib.next_out = piece;
        e->zlib.avail_out = sizeof piece;
        const int result = deflate(&e->zlib, Z_FINISH);
        const size_t made = sizeof piece - e->zlib.avail_out;
        if (made > bytes - at || memcmp(piece, packed + at, made) != 0) return false;
        at += made;
        if (result == Z_STREAM_END) return at == bytes;
        if (result != Z_OK) return false;
    }
}

/* libdeflate: at once -------------------------------------------------------------------------------------------------- */

#if IOL_HAVE_LIBDEFLATE

static size_t whole_again(iol__encoders *e, int number, const uint8_t *raw, size_t length) {
    const int level = encoders[number].level;
    if (length > WHOLE_MOST) return 0;
    if (!e->whole[level]) e->whole[level] = libdeflate_alloc_compressor(level);
    if (!e->whole[level]) return 0;
    const size_t most = libdeflate_zlib_compress_bound(e->whole[level], length);
    if (e->room_bytes < most) {
        free(e->room);
        e->room = malloc(most);
        e->room_bytes = e->room ? most : 0;
    }
    return e->room ? libdeflate_zlib_compress(e->whole[level], raw, length, e->room, most) : 0;
}

const char *iol__encoders_here(void) { return "zlib " ZLIB_VERSION ", libdeflate " LIBDEFLATE_VERSION_STRING; }

#else

static size_t whole_again(iol__encoders *e, int number, const uint8_t *raw, size_t length) {
    (void)e, (void)number, (void)raw, (void)length;
    return 0;
}

const char *iol__encoders_here(void) { return "zlib " ZLIB_VERSION; }

#endif

/* The table ------------------------------------------------------------------------------------------------------------ */

static bool encoders_fits(iol__encoders *e, int number, const uint8_t *raw, size_t length, const uint8_t *packed,
                          size_t bytes) {
    if (effort(&encoders[number]) != (unsigned)packed[1] >> 6) return false;
    if (encoders[number].library == ZLIB) return zlib_fits(e, number, raw, length, packed, bytes);
    return whole_again(e, number, raw, length) == bytes && memcmp(e->room, packed, bytes) == 0;
}

int iol__encoder_find(iol__encoders *e, const uint8_t *raw, size_t length, const uint8_t *packed, size_t bytes) {
    if (bytes < 2) return -1;
    if (encoders_fits(e, e->last, raw, length, packed, bytes)) return e->last;
    const int before = e->last;
    for (int i = 0; i < COUNT; i++)
        if (i != before && encoders_fits(e, i, raw, length, packed, bytes)) return e->last = i;
    return -1;
}

size_t iol__encoder_again(iol__encoders *e, uint64_t number, const uint8_t *raw, size_t length, uint8_t *to,
                          size_t room) {
    if (number >= COUNT) return 0;
    if (encoders[number].library == ZLIB) return zlib_again(e, (int)number, raw, length, to, room);
    const size_t made = whole_again(e, (int)number, raw, length);
    if (made > room) return 0;
    if (made) memcpy(to, e->room, made);
    return made;
}
