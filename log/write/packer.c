/* Compressors, whole or piece by piece. A buffer collects up to 1 MiB of records; what does not fit a buffer goes
   through a streaming compressor. Archives have neither: their blocks are packed one by one, and may end in the middle of
   a record. */
#include "log/write/packer.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "base/grow.h"
#include "log/archive/archive.h"
#include "log/write/deflater.h"
#include "log/read/methods.h"
#include "log/read/names.h"

#if IOL_HAVE_BZIP2
#include <bzlib.h>
#endif
#if IOL_HAVE_ZSTD
#include <zstd.h>
#endif

enum { RAW_MOST = 1 << 20, OUT_BYTES = 1 << 18, ZLIB_LEVEL = 6, ZSTD_LEVEL = 9, BZIP2_BLOCKS = 9 };

struct iol__packer {
    iol_compression compression;
    int level;
    bool one_stream;
    iol__sink sink;
    void *context;
    uint8_t *raw;
    size_t raw_length, raw_most;
    uint8_t *out; /* for pieces; made when it is needed */
    size_t out_room;
    bool streaming; /* a stream is being compressed piece by piece */
    bool large;     /* only because of one record, which ends it */
    z_stream zlib;
    bool zlib_ready;
    iol__deflater *whole; /* NULL: streams are made piece by piece */
#if IOL_HAVE_BZIP2
    bz_stream bzip2;
    bool bzip2_ready;
#endif
#if IOL_HAVE_ZSTD
    ZSTD_CCtx *zstd;
#endif

    /* Archives */
    iol__archive *archive;
    iol__column_run *runs; /* the rows in `raw` */
    size_t n_runs, runs_room;
    size_t row;           /* width of the rows that come */
    iol__block_kind kind; /* of the region's blocks */
    iol__idmap ids;       /* of the names, by place */
    bool ids_end;         /* no more of them are taken */
};

/* Piece by piece --------------------------------------------------------------------------------------------------- */

static bool packer_zlib_piece(iol__packer *p, const void *bytes, size_t length, bool end) {
    p->zlib.next_in = (Bytef *)(uintptr_t)bytes;
    p->zlib.avail_in = (uInt)length;
    int result;
    do {
        p->zlib.next_out = p->out;
        p->zlib.avail_out = (uInt)p->out_room;
        result = deflate(&p->zlib, end ? Z_FINISH : Z_NO_FLUSH);
        if (result == Z_STREAM_ERROR) return false;
        if (!p->sink(p->context, p->out, p->out_room - p->zlib.avail_out)) return false;
    } while (end ? result != Z_STREAM_END : p->zlib.avail_out == 0);
    return true;
}

static bool packer_zlib_start(iol__packer *p) {
    if (p->zlib_ready) return deflateReset(&p->zlib) == Z_OK;
    /* libdeflate has levels that zlib does not. */
    int level = p->level > Z_BEST_COMPRESSION ? Z_BEST_COMPRESSION : p->level;
    p->zlib_ready = deflateInit(&p->zlib, level ? level : ZLIB_LEVEL) == Z_OK;
    return p->zlib_ready;
}

#if IOL_HAVE_BZIP2
static bool packer_bzip2_piece(iol__packer *p, const void *bytes, size_t length, bool end) {
    p->bzip2.next_in = (char *)(uintptr_t)bytes;
    p->bzip2.avail_in = (unsigned)length;
    int result;
    do {
        p->bzip2.next_out = (char *)p->out;
        p->bzip2.avail_out = (unsigned)p->out_room;
        result = BZ2_bzCompress(&p->bzip2, end ? BZ_FINISH : BZ_RUN);
        if (result < 0) return false;
        if (!p->sink(p->context, p->out, p->out_room - p->bzip2.avail_out)) return false;
    } while (end ? result != BZ_STREAM_END : p->bzip2.avail_in > 0);
    return true;
}

static bool packer_bzip2_start(iol__packer *p) {
    if (p->bzip2_ready) BZ2_bzCompressEnd(&p->bzip2);
    p->bzip2 = (bz_stream){0};
    p->bzip2_ready = BZ2_bzCompressInit(&p->bzip2, p->level ? p->level : BZIP2_BLOCKS, 0, 0) == BZ_OK;
    return p->bzip2_ready;
}
#endif

#if IOL_HAVE_ZSTD
static bool packer_zstd_piece(iol__packer *p, const void *bytes, size_t length, bool end) {
    ZSTD_inBuffer in = {bytes, length, 0};
    size_t left;
    do {
        ZSTD_outBuffer out = {p->out, p->out_room, 0};
        left = ZSTD_compressStream2(p->zstd, &out, &in, end ? ZSTD_e_end : ZSTD_e_continue);
        if (ZSTD_isError(left) || !p->sink(p->context, p->out, out.pos)) return false;
    } while (end ? left != 0 : in.pos < in.size);
    return true;
}

static bool packer_zstd_start(iol__packer *p) {
    if (!p->zstd) p->zstd = ZSTD_createCCtx();
    if (!p->zstd) return false;
    ZSTD_CCtx_reset(p->zstd, ZSTD_reset_session_and_parameters);
    return !ZSTD_isError(ZSTD_CCtx_setParameter(p->zstd, ZSTD_c_compressionLevel, p->level ? p->level : ZSTD_LEVEL)) &&
           !ZSTD_isError(ZSTD_CCtx_setParameter(p->zstd, ZSTD_c_checksumFlag, 1)) &&
           !ZSTD_isError(ZSTD_CCtx_setParameter(p->zstd, ZSTD_c_windowLog, 22));
}
#endif

static bool packer_start(iol__packer *p) {
    if (!p->out) p->out = malloc(p->out_room);
    if (!p->out) return false;
    p->streaming = true;
    switch (p->compression) {
#if IOL_HAVE_BZIP2
    case IOL_BZIP2: return packer_bzip2_start(p);
#endif
#if IOL_HAVE_ZSTD
    case IOL_ZSTD: return packer_zstd_start(p);
#endif
    case IOL_UNCOMPRESSED: return true;
    default: return packer_zlib_start(p);
    }
}

static bool packer_piece(iol__packer *p, const void *bytes, size_t length, bool end) {
    switch (p->compression) {
#if IOL_HAVE_BZIP2
    case IOL_BZIP2: return packer_bzip2_piece(p, bytes, length, end);
#endif
#if IOL_HAVE_ZSTD
    case IOL_ZSTD: return packer_zstd_piece(p, bytes, length, end);
#endif
    case IOL_UNCOMPRESSED: return p->sink(p->context, bytes, length);
    default: return packer_zlib_piece(p, bytes, length, end);
    }
}

static bool end_packer_stream(iol__packer *p) {
    if (!p->streaming) return true;
    p->streaming = p->large = false;
    return packer_piece(p, "", 0, true);
}

/* Archives --------------------------------------------------------------------------------------------------------- */

/* Note which rows the bytes belong to that were put into the buffer. */
static bool add_packer_rows(iol__packer *p, size_t bytes) {
    iol__column_run *last = p->n_runs ? &p->runs[p->n_runs - 1] : NULL;
    if (last && last->width == p->row) {
        last->bytes += (uint32_t)bytes;
        return true;
    }
    if (!IOL_GROW(p->runs, p->runs_room, p->n_runs)) return false;
    p->runs[p->n_runs++] = (iol__column_run){(uint32_t)p->row, (uint32_t)bytes};
    return true;
}

static bool flush_block(iol__packer *p) {
    const uint8_t *bytes;
    size_t length;
    bool good =
        iol__archive_pack(p->archive, p->kind, p->raw, p->raw_length, p->runs, p->n_runs, &p->ids, &bytes, &length);
    p->n_runs = 0;
    return good && p->sink(p->context, bytes, length);
}

/* Whole streams ---------------------------------------------------------------------------------------------------- */

/* Hand on the stream that was being compressed meanwhile. */
static bool packer_settle(iol__packer *p) {
    const uint8_t *bytes;
    size_t length;
    if (!p->whole) return true;
    return iol__deflater_collect(p->whole, &bytes, &length) && (length == 0 || p->sink(p->context, bytes, length));
}

static bool flush_whole(iol__packer *p) {
    if (p->whole) {
        if (!packer_settle(p)) return false;
        iol__deflater_give(p->whole, &p->raw, p->raw_length);
        return true;
    }
    if (!packer_start(p) || !packer_piece(p, p->raw, p->raw_length, true)) return false;
    p->streaming = false;
    return true;
}

/* Turn what was collected into compressed bytes. */
static bool packer_flush(iol__packer *p) {
    if (p->raw_length == 0) return true;
    if (p->archive) {
        bool packed = flush_block(p);
        p->raw_length = 0;
        return packed;
    }
    if (p->one_stream && !p->streaming && !packer_start(p)) return false;
    bool done = p->streaming ? packer_piece(p, p->raw, p->raw_length, false) : flush_whole(p);
    p->raw_length = 0;
    return done;
}

/* The interface ---------------------------------------------------------------------------------------------------- */

bool iol__packer_record(iol__packer *p, uint64_t bytes) {
    iol__packer_rows(p, bytes > IOL_ROW_MOST ? sizeof(uint64_t) : (size_t)bytes);
    if (p->large && !(packer_flush(p) && end_packer_stream(p))) return false;
    if (bytes <= p->raw_most - p->raw_length) return true;
    if (!packer_flush(p)) return false;
    if (bytes <= p->raw_most || p->one_stream || p->archive) return true;
    p->large = true;
    return packer_settle(p) && packer_start(p);
}

void iol__packer_rows(iol__packer *p, size_t width) { p->row = width; }

/* As many whole rows as fit a block, then the next block. */
static bool archive_bytes(iol__packer *p, const uint8_t *at, size_t length) {
    while (length > 0) {
        size_t room = p->raw_most - p->raw_length, part = room - room % p->row;
        if (part > length) part = length;
        if (part == 0) {
            if (!packer_flush(p)) return false;
            continue;
        }
        memcpy(p->raw + p->raw_length, at, part);
        p->raw_length += part;
        at += part;
        length -= part;
        if (!add_packer_rows(p, part)) return false;
    }
    return true;
}

bool iol__packer_bytes(iol__packer *p, const void *bytes, size_t length) {
    const uint8_t *at = bytes;
    if (p->archive) return archive_bytes(p, at, length);
    while (length > 0) {
        size_t part = p->raw_most - p->raw_length;
        if (part > length) part = length;
        memcpy(p->raw + p->raw_length, at, part);
        p->raw_length += part;
        at += part;
        length -= part;
        /* Only a stream in pieces may end in the middle of a record. */
        bool in_pieces = p->large || p->one_stream;
        if (p->raw_length == p->raw_most && in_pieces && !packer_flush(p)) return false;
        if (p->raw_length == p->raw_most && length > 0) return false;
    }
    return true;
}

uint8_t *iol__packer_room(iol__packer *p, uint64_t bytes) {
    if (!iol__packer_record(p, bytes) || bytes > p->raw_most - p->raw_length) return NULL;
    if (p->archive && !add_packer_rows(p, (size_t)bytes)) return NULL;
    uint8_t *room = p->raw + p->raw_length;
    p->raw_length += (size_t)bytes;
    return room;
}

/* Readers number the ids of an archive by their place in the region. So does this map, up to an id that comes again,
   or a name that is too long to be read. */
static bool note_id(iol__packer *p, uint64_t id, size_t length) {
    p->ids_end = p->ids_end || length > IOL_NAME_MOST || iol__idmap_find(&p->ids, id) != IOL_IDMAP_NONE;
    return p->ids_end || iol__idmap_add(&p->ids, id) != IOL_IDMAP_NONE;
}

bool iol__packer_name(iol__packer *p, uint64_t id, const char *name, size_t length) {
    if (p->archive && !note_id(p, id, length)) return false;
    if (!iol__packer_record(p, sizeof id + length + 1)) return false;
    iol__packer_rows(p, 1);
    p->kind = IOL_BLOCK_NAMES;
    return iol__packer_bytes(p, &id, sizeof id) && iol__packer_bytes(p, name, length + 1);
}

bool iol__packer_opaque(iol__packer *p, const void *bytes, size_t length) {
    if (!iol__packer_record(p, length)) return false;
    iol__packer_rows(p, 1);
    p->kind = IOL_BLOCK_PLAIN;
    return iol__packer_bytes(p, bytes, length);
}

bool iol__packer_end(iol__packer *p) {
    bool good = packer_flush(p) && packer_settle(p) && end_packer_stream(p);
    p->kind = IOL_BLOCK_COLUMNS;
    return good;
}

iol__packer *iol__packer_new(iol_compression compression, int level, bool one_stream, iol__sink sink, void *context) {
    if (!iol__method_here(compression)) return NULL;
    iol__packer *p = calloc(1, sizeof *p);
    if (!p) return NULL;
    *p = (iol__packer){.compression = compression,
                       .level = level,
                       .one_stream = one_stream,
                       .sink = sink,
                       .context = context,
                       .kind = IOL_BLOCK_COLUMNS,
                       .out_room = OUT_BYTES,
                       .raw_most = compression == IOL_ARCHIVE ? IOL_BLOCK_MOST : RAW_MOST};
    p->raw = malloc(p->raw_most);
    bool good = p->raw != NULL;
    if (good && compression == IOL_ARCHIVE) {
        p->archive = iol__archive_new(level);
        good = p->archive != NULL;
    }
    if (compression == IOL_ZLIB && !one_stream) p->whole = iol__deflater_new(level ? level : ZLIB_LEVEL, RAW_MOST);
    if (good) return p;
    iol__packer_free(p);
    return NULL;
}

void iol__packer_free(iol__packer *p) {
    if (!p) return;
    if (p->zlib_ready) deflateEnd(&p->zlib);
    iol__deflater_free(p->whole);
#if IOL_HAVE_BZIP2
    if (p->bzip2_ready) BZ2_bzCompressEnd(&p->bzip2);
#endif
#if IOL_HAVE_ZSTD
    if (p->zstd) ZSTD_freeCCtx(p->zstd);
#endif
    iol__archive_free(p->archive);
    iol__idmap_free(&p->ids);
    free(p->runs);
    free(p->raw);
    free(p->out);
    free(p);
}
