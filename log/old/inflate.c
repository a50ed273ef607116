/* See inflate.h. A step takes compressed bytes and leaves decompressed ones; the loop around it reads and keeps. */
#include "log/old/inflate.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include "log/write/output.h"

#if IOL_HAVE_BZIP2
#include <bzlib.h>
#endif

enum {
    PIECE = 1 << 16,
    IN_MEMORY = 16 << 20,
    OUT_BASE = 16 << 20, /* may always come out */
    OUT_FACTOR = 128,    /* and so much for each byte that went in: a record has at least an id that cannot be packed */
};

iol__wrapping iol__wrapping_of(const uint8_t *bytes, size_t length) {
    if (length > 3 && bytes[0] == 0x1f && bytes[1] == 0x8b && bytes[2] == 8) return IOL_WRAPPED_GZIP;
    if (length > 3 && memcmp(bytes, "BZh", 3) == 0 && bytes[3] >= '1' && bytes[3] <= '9') return IOL_WRAPPED_BZIP2;
    return IOL_NOT_WRAPPED;
}

const char *iol__wrapping_name(iol__wrapping packing) {
    return packing == IOL_WRAPPED_GZIP ? "gzip" : packing == IOL_WRAPPED_BZIP2 ? "bzip2" : "none";
}

/* What came out ------------------------------------------------------------------------------------------------- */

typedef struct sink {
    uint8_t *bytes; /* NULL once it is in the file */
    size_t room;
    iol__output file;
    bool in_file;
    uint64_t length, most;
} sink;

static int move_to_file(sink *s) {
    int error = iol__output_anonymous(&s->file);
    if (error) return error;
    s->in_file = true;
    error = iol__output_write(&s->file, 0, s->bytes, s->length);
    free(s->bytes);
    s->bytes = NULL;
    return error;
}

static int keep_in_memory(sink *s, const uint8_t *bytes, size_t length) {
    if (s->room - s->length < length) {
        size_t room = s->room ? 2 * s->room : PIECE;
        while (room - s->length < length) room *= 2;
        uint8_t *grown = realloc(s->bytes, room);
        if (!grown) return ENOMEM;
        s->bytes = grown;
        s->room = room;
    }
    memcpy(s->bytes + s->length, bytes, length);
    return 0;
}

static int keep_piece(sink *s, const uint8_t *bytes, size_t length) {
    int error = 0;
    if (length == 0) return 0;
    if (!s->in_file && s->length + length > IN_MEMORY) error = move_to_file(s);
    if (!error)
        error = s->in_file ? iol__output_write(&s->file, s->length, bytes, length) : keep_in_memory(s, bytes, length);
    if (!error) s->length += length;
    return error;
}

/* The source of what is there; NULL if that is nothing, or there is no memory. */
static iol__source *source_of(sink *s) {
    iol__source *source = NULL;
    if (s->in_file) {
        const int fd = iol__output_keep(&s->file);
        if (s->length && iol__source_regular_file(fd, &source) != 0) source = NULL;
        close(fd);
    } else if (s->length) {
        iol__source_owned(s->bytes, s->length, &source);
    } else {
        free(s->bytes);
    }
    return source;
}

/* Unpackers ------------------------------------------------------------------------------------------------------- */

typedef struct unpacker {
    z_stream zlib;
#if IOL_HAVE_BZIP2
    bz_stream bzip2;
#endif
    iol__wrapping packing;
    const uint8_t *in;
    size_t left;
    uint8_t out[PIECE];
    size_t got;
} unpacker;

static bool start_stream(unpacker *u) {
    u->got = 0;
    if (u->packing == IOL_WRAPPED_GZIP) return inflateInit2(&u->zlib, 16 + MAX_WBITS) == Z_OK;
#if IOL_HAVE_BZIP2
    return BZ2_bzDecompressInit(&u->bzip2, 0, 0) == BZ_OK;
#else
    return false;
#endif
}

static void end_stream(unpacker *u) {
    if (u->packing == IOL_WRAPPED_GZIP) inflateEnd(&u->zlib);
#if IOL_HAVE_BZIP2
    if (u->packing == IOL_WRAPPED_BZIP2) BZ2_bzDecompressEnd(&u->bzip2);
    u->bzip2 = (bz_stream){0};
#endif
    u->zlib = (z_stream){0};
}

/* One step: IOL_END at the end of a stream. */
static iol_status unpack_piece(unpacker *u) {
    if (u->packing == IOL_WRAPPED_GZIP) {
        u->zlib.next_in = (Bytef *)(uintptr_t)u->in;
        u->zlib.avail_in = (uInt)u->left;
        u->zlib.next_out = u->out;
        u->zlib.avail_out = PIECE;
        const int result = inflate(&u->zlib, Z_NO_FLUSH);
        u->in = u->zlib.next_in;
        u->left = u->zlib.avail_in;
        u->got = PIECE - u->zlib.avail_out;
        if (result == Z_STREAM_END) return IOL_END;
        return result == Z_OK || result == Z_BUF_ERROR ? IOL_OK : IOL_DAMAGED;
    }
#if IOL_HAVE_BZIP2
    u->bzip2.next_in = (char *)(uintptr_t)u->in;
    u->bzip2.avail_in = (unsigned)u->left;
    u->bzip2.next_out = (char *)u->out;
    u->bzip2.avail_out = PIECE;
    const int result = BZ2_bzDecompress(&u->bzip2);
    u->in = (const uint8_t *)u->bzip2.next_in;
    u->left = u->bzip2.avail_in;
    u->got = PIECE - u->bzip2.avail_out;
    if (result == BZ_STREAM_END) return IOL_END;
    return result == BZ_OK ? IOL_OK : IOL_DAMAGED;
#else
    return IOL_DAMAGED;
#endif
}

/* The whole ------------------------------------------------------------------------------------------------------- */

typedef struct inflate_reading {
    iol__source *from;
    uint64_t at;
    uint8_t bytes[PIECE];
    unpacker unpacker;
    sink sink;
    const char *why;
} inflate_reading;

/* More compressed bytes behind those that are left; false at the end of the file. */
static bool load_packed(inflate_reading *r) {
    unpacker *u = &r->unpacker;
    if (u->left) memmove(r->bytes, u->in, u->left);
    const int64_t got = iol__source_read(r->from, r->at, r->bytes + u->left, PIECE - u->left);
    u->in = r->bytes;
    if (got <= 0) return false;
    r->at += (uint64_t)got;
    u->left += (size_t)got;
    return true;
}

static iol_status keep_output(inflate_reading *r) {
    sink *s = &r->sink;
    const uint64_t room = s->most - s->length;
    const bool fits = r->unpacker.got <= room;
    const int error = keep_piece(s, r->unpacker.out, fits ? r->unpacker.got : (size_t)room);
    if (error) r->why = strerror(error);
    if (!error && !fits) r->why = "more comes out of the stream than a file of this size can hold";
    return error ? IOL_SYSTEM : fits ? IOL_OK : IOL_LIMIT;
}

/* One stream; IOL_END when it is complete. */
static iol_status unpack_stream(inflate_reading *r) {
    unpacker *u = &r->unpacker;
    iol_status status = IOL_OK;
    while (status == IOL_OK) {
        const bool waiting = u->got == PIECE; /* more may come out without more going in */
        if (u->left == 0 && !load_packed(r) && !waiting) {
            r->why = "the compressed stream ends too early";
            return IOL_DAMAGED;
        }
        status = unpack_piece(u);
        if (status == IOL_DAMAGED) r->why = "the compressed stream is damaged";
        const iol_status kept = keep_output(r);
        if (kept != IOL_OK) return kept;
    }
    return status;
}

/* Streams may follow each other; what is no stream behind the last is padding. */
static iol_status unpack_all(inflate_reading *r) {
    for (;;) {
        if (!start_stream(&r->unpacker)) {
            r->why = "this build of Iolite cannot unpack it";
            return IOL_UNSUPPORTED;
        }
        const iol_status status = unpack_stream(r);
        end_stream(&r->unpacker);
        if (status != IOL_END) return status;
        if (r->unpacker.left < 4) load_packed(r);
        if (iol__wrapping_of(r->unpacker.in, r->unpacker.left) != r->unpacker.packing) return IOL_OK;
    }
}

iol_status iol__unwrap(iol__source *packed, iol__wrapping packing, iol__source **plain, const char **why) {
    *plain = NULL;
    *why = "out of memory";
    inflate_reading *r = calloc(1, sizeof *r);
    if (!r) return IOL_SYSTEM;
    r->from = packed;
    r->unpacker.packing = packing;
    r->sink.most = OUT_BASE + OUT_FACTOR * iol__source_size(packed);
    iol_status status = unpack_all(r);
    *plain = source_of(&r->sink);
    if (status == IOL_OK && !*plain) {
        r->why = "the compressed stream is empty";
        status = IOL_NOT_A_LOG;
    }
    *why = r->why;
    free(r);
    return status;
}
