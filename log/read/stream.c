/* Decompression of one region.
   Input is a window of compressed bytes, output a window of decompressed ones that records are cut from. At the start of
   each compressed stream libdeflate gets a chance to inflate it whole; when the stream is too large for the window, or
   damaged, zlib takes over and delivers it piece by piece. bzip2 and zstd always work piece by piece, archives block by
   block.

     fill() -> whole_stream() or one of the decoders below, each of which moves in_at and out_end forward */
#include "log/read/stream.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "log/archive/archive.h"
#include "base/deadline.h"
#include "log/read/kept.h"
#include "log/read/log_internal.h"
#include "log/read/mapped.h"

#if IOL_HAVE_LIBDEFLATE
#include <libdeflate.h>
#endif
#if IOL_HAVE_BZIP2
#include <bzlib.h>
#endif
#if IOL_HAVE_ZSTD
#include <zstd.h>
#endif

enum {
    IN_BYTES = 1 << 20,   /* compressed bytes held at a time */
    IN_LOW = 1 << 18,     /* top up before trying a whole stream with fewer */
    OUT_WHOLE = 4 << 20,  /* largest stream that is inflated in one call */
    OUT_PIECE = 1 << 18,  /* room for one piece otherwise */
    ZSTD_WINDOW_LOG = 23, /* largest zstd window: 8 MiB */
};

struct iol__stream {
    iol_log *log;
    int slot;
    uint64_t next, end; /* file offsets: next compressed byte to load, end of the region */
    const uint8_t *in;  /* the loaded bytes, or the source itself */
    uint8_t *in_buffer;
    size_t in_at, in_end;
    uint8_t *out;
    size_t out_at, out_end, out_room;
    uint64_t began; /* file offset at which the current compressed stream begins */
    bool inside;    /* a stream is being decoded piece by piece */
    bool done;
    iol_status status;

    z_stream zlib;
    bool zlib_ready;
#if IOL_HAVE_LIBDEFLATE
    struct libdeflate_decompressor *whole;
#endif
#if IOL_HAVE_BZIP2
    bz_stream bzip2;
    bool bzip2_ready;
#endif
#if IOL_HAVE_ZSTD
    ZSTD_DCtx *zstd;
#endif
    iol__archive *archive;
    uint8_t *frame; /* of the block that is unpacked */
    size_t frame_room;
    bool chunks; /* a trace that is put together from chunks */
    iol__trace_cursor cursor;
    bool keeps;                           /* what comes out of it is kept for those who read it again */
    const struct iol__kept_module *again; /* read from there; NULL: from the file */
};

static void stream_fail(iol__stream *s, iol_status status, uint64_t offset, const char *what) {
    s->done = true;
    s->status = iol__fail(s->log, status, s->slot, offset, "%s", what);
}

uint64_t iol__stream_offset(const iol__stream *s) { return s->next - (s->in_end - s->in_at); }
iol_status iol__stream_status(const iol__stream *s) { return s->status; }

/* Load compressed bytes behind those not yet used. False at the end of the region or on a read error. */
static bool stream_load(iol__stream *s) {
    if (s->next >= s->end) return false;
    const uint8_t *direct = iol__source_direct(s->log->source);
    if (direct) {
        s->in = direct + s->next;
        s->in_at = 0;
        s->in_end = (size_t)(s->end - s->next);
        s->next = s->end;
        return true;
    }
    size_t kept = s->in_end - s->in_at;
    if (kept) memmove(s->in_buffer, s->in_buffer + s->in_at, kept);
    size_t want = IN_BYTES - kept;
    if (want > s->end - s->next) want = (size_t)(s->end - s->next);
    int64_t got = iol__source_read(s->log->source, s->next, s->in_buffer + kept, want);
    s->in = s->in_buffer;
    s->in_at = 0;
    s->in_end = kept;
    if (got < 0) {
        stream_fail(s, IOL_SYSTEM, s->next, strerror(errno));
        return false;
    }
    if (got == 0) {
        stream_fail(s, IOL_DAMAGED, s->next, "the file became shorter while it was read");
        return false;
    }
    s->in_end += (size_t)got;
    s->next += (uint64_t)got;
    return true;
}

/* Make room for `bytes` of output behind what is not yet consumed. */
static bool make_stream_room(iol__stream *s, size_t bytes) {
    size_t kept = s->out_end - s->out_at;
    if (s->out_at) {
        memmove(s->out, s->out + s->out_at, kept);
        s->out_at = 0;
        s->out_end = kept;
    }
    if (s->out_room - kept >= bytes) return true;
    size_t room = kept + kept / 2 + bytes;
    uint8_t *grown = realloc(s->out, room);
    if (!grown) {
        stream_fail(s, IOL_SYSTEM, iol__stream_offset(s), "out of memory");
        return false;
    }
    s->out = grown;
    s->out_room = room;
    return true;
}

/* Decoders, piece by piece ------------------------------------------------------------------------------------ */

/* Each gets input and room for output and says how it went; IOL_END is the end of one compressed stream. */
static iol_status zlib_piece(iol__stream *s) {
    s->zlib.next_in = (Bytef *)(uintptr_t)(s->in + s->in_at);
    s->zlib.avail_in = (uInt)(s->in_end - s->in_at > UINT32_MAX ? UINT32_MAX : s->in_end - s->in_at);
    s->zlib.next_out = s->out + s->out_end;
    s->zlib.avail_out = (uInt)(s->out_room - s->out_end);
    int result = inflate(&s->zlib, Z_NO_FLUSH);
    s->in_at = (size_t)(s->zlib.next_in - s->in);
    s->out_end = (size_t)(s->zlib.next_out - s->out);
    if (result == Z_STREAM_END) return IOL_END;
    if (result == Z_OK || result == Z_BUF_ERROR) return IOL_OK;
    stream_fail(s, IOL_DAMAGED, iol__stream_offset(s), s->zlib.msg ? s->zlib.msg : "not a zlib stream");
    return IOL_DAMAGED;
}

static bool stream_zlib_start(iol__stream *s) {
    int result = s->zlib_ready ? inflateReset(&s->zlib) : inflateInit(&s->zlib);
    s->zlib_ready = s->zlib_ready || result == Z_OK;
    if (result == Z_OK) return true;
    stream_fail(s, IOL_SYSTEM, iol__stream_offset(s), "zlib cannot start");
    return false;
}

#if IOL_HAVE_BZIP2
static iol_status bzip2_piece(iol__stream *s) {
    s->bzip2.next_in = (char *)(uintptr_t)(s->in + s->in_at);
    s->bzip2.avail_in = (unsigned)(s->in_end - s->in_at > UINT32_MAX ? UINT32_MAX : s->in_end - s->in_at);
    s->bzip2.next_out = (char *)s->out + s->out_end;
    s->bzip2.avail_out = (unsigned)(s->out_room - s->out_end);
    int result = BZ2_bzDecompress(&s->bzip2);
    s->in_at = (size_t)((const uint8_t *)s->bzip2.next_in - s->in);
    s->out_end = (size_t)((uint8_t *)s->bzip2.next_out - s->out);
    if (result == BZ_STREAM_END) return IOL_END;
    if (result == BZ_OK) return IOL_OK;
    stream_fail(s, IOL_DAMAGED, iol__stream_offset(s), "not a bzip2 stream, or a damaged one");
    return IOL_DAMAGED;
}

static void bzip2_stop(iol__stream *s) {
    if (s->bzip2_ready) BZ2_bzDecompressEnd(&s->bzip2);
    s->bzip2_ready = false;
}

static bool bzip2_start(iol__stream *s) {
    bzip2_stop(s);
    s->bzip2 = (bz_stream){0};
    s->bzip2_ready = BZ2_bzDecompressInit(&s->bzip2, 0, 0) == BZ_OK;
    if (!s->bzip2_ready) stream_fail(s, IOL_SYSTEM, iol__stream_offset(s), "bzip2 cannot start");
    return s->bzip2_ready;
}
#endif

#if IOL_HAVE_ZSTD
static iol_status zstd_piece(iol__stream *s) {
    ZSTD_inBuffer in = {s->in + s->in_at, s->in_end - s->in_at, 0};
    ZSTD_outBuffer out = {s->out + s->out_end, s->out_room - s->out_end, 0};
    size_t result = ZSTD_decompressStream(s->zstd, &out, &in);
    s->in_at += in.pos;
    s->out_end += out.pos;
    if (ZSTD_isError(result)) {
        stream_fail(s, IOL_DAMAGED, iol__stream_offset(s), ZSTD_getErrorName(result));
        return IOL_DAMAGED;
    }
    return result == 0 ? IOL_END : IOL_OK;
}

static bool zstd_start(iol__stream *s) {
    if (!s->zstd) {
        s->zstd = ZSTD_createDCtx();
        if (s->zstd) ZSTD_DCtx_setParameter(s->zstd, ZSTD_d_windowLogMax, ZSTD_WINDOW_LOG);
    }
    if (s->zstd) return !ZSTD_isError(ZSTD_DCtx_reset(s->zstd, ZSTD_reset_session_only));
    stream_fail(s, IOL_SYSTEM, iol__stream_offset(s), "zstd cannot start");
    return false;
}
#endif

static bool stream_start(iol__stream *s) {
    switch (s->log->info.compression) {
#if IOL_HAVE_BZIP2
    case IOL_BZIP2: return bzip2_start(s);
#endif
#if IOL_HAVE_ZSTD
    case IOL_ZSTD: return zstd_start(s);
#endif
    default: return stream_zlib_start(s);
    }
}

static iol_status stream_piece(iol__stream *s) {
    switch (s->log->info.compression) {
#if IOL_HAVE_BZIP2
    case IOL_BZIP2: return bzip2_piece(s);
#endif
#if IOL_HAVE_ZSTD
    case IOL_ZSTD: return zstd_piece(s);
#endif
    default: return zlib_piece(s);
    }
}

/* Whole streams ------------------------------------------------------------------------------------------------ */

/* Inflate the stream that begins here in one call. False if it has to be done piece by piece. */
static bool whole_stream(iol__stream *s) {
#if IOL_HAVE_LIBDEFLATE
    if (s->log->info.compression != IOL_ZLIB) return false;
    if (!s->whole && !(s->whole = libdeflate_alloc_decompressor())) return false;
    if (s->in_end - s->in_at < IN_LOW) stream_load(s);
    if (s->done || !make_stream_room(s, OUT_WHOLE)) return false;
    size_t used, got;
    enum libdeflate_result result = libdeflate_zlib_decompress_ex(
        s->whole, s->in + s->in_at, s->in_end - s->in_at, s->out + s->out_end, s->out_room - s->out_end, &used, &got);
    if (result != LIBDEFLATE_SUCCESS) return false;
    s->in_at += used;
    s->out_end += got;
    return true;
#else
    (void)s;
    return false;
#endif
}

/* The window ---------------------------------------------------------------------------------------------------- */

static bool fill_uncompressed(iol__stream *s) {
    if (!make_stream_room(s, OUT_PIECE)) return false;
    size_t want = s->out_room - s->out_end;
    if (want > s->end - s->next) want = (size_t)(s->end - s->next);
    if (want == 0) {
        s->done = true;
        return false;
    }
    int64_t got = iol__source_read(s->log->source, s->next, s->out + s->out_end, want);
    if (got <= 0) {
        stream_fail(s, got < 0 ? IOL_SYSTEM : IOL_DAMAGED, s->next,
                    got < 0 ? strerror(errno) : "the file became shorter while it was read");
        return false;
    }
    s->out_end += (size_t)got;
    s->next += (uint64_t)got;
    return true;
}

static bool fill_from_chunks(iol__stream *s) {
    if (!make_stream_room(s, OUT_PIECE)) return false;
    int64_t got = iol__mapped_trace(s->log, s->slot, &s->cursor, s->out + s->out_end, s->out_room - s->out_end);
    if (got <= 0) {
        s->done = true;
        if (got < 0) s->status = (iol_status)-got;
        return false;
    }
    s->out_end += (size_t)got;
    return true;
}

static bool read_stream_whole(iol__stream *s, uint8_t *to, size_t length) {
    int64_t got = iol__source_read(s->log->source, s->next, to, length);
    if (got >= 0 && (size_t)got == length) return true;
    stream_fail(s, got < 0 ? IOL_SYSTEM : IOL_DAMAGED, s->next,
                got < 0 ? strerror(errno) : "the file became shorter while it was read");
    return false;
}

/* The ids that records refer to; a region that is no module cannot refer to names. */
static const iol__id_list *ids_for(iol__stream *s, const iol__block *block) {
    if (block->kind != IOL_BLOCK_COLUMNS_IDS || s->slot < 0) return NULL;
    iol__ids_load(s->log);
    return &s->log->ids;
}

static bool unpack_block(iol__stream *s, const iol__block *block) {
    if (!s->archive) s->archive = iol__archive_new(0);
    if (block->stored > s->frame_room) {
        free(s->frame);
        s->frame = malloc(block->stored);
        s->frame_room = s->frame ? block->stored : 0;
    }
    if (!s->archive || (block->stored && !s->frame)) {
        stream_fail(s, IOL_SYSTEM, s->next, iol__no_memory);
        return false;
    }
    if (!make_stream_room(s, block->raw) || !read_stream_whole(s, s->frame, block->stored)) return false;
    const char *wrong =
        iol__archive_unpack(s->archive, block, s->frame, ids_for(s, block), s->log->swap, s->out + s->out_end);
    if (!wrong) return true;
    stream_fail(s, wrong == iol__no_memory ? IOL_SYSTEM : IOL_DAMAGED, s->next, wrong);
    return false;
}

static bool fill_archive(iol__stream *s) {
    uint8_t head[IOL_BLOCK_HEAD];
    iol__block block;
    uint64_t left = s->end - s->next;
    if (left == 0) {
        s->done = true;
        return false;
    }
    if (left < sizeof head) {
        stream_fail(s, IOL_DAMAGED, s->next, "the region ends inside the head of a block");
        return false;
    }
    if (!read_stream_whole(s, head, sizeof head)) return false;
    if (!iol__block_parse(head, &block) || block.stored > left - sizeof head) {
        stream_fail(s, IOL_DAMAGED, s->next, "not a block of an archive, or one that is cut off");
        return false;
    }
    s->next += sizeof head;
    if (!unpack_block(s, &block)) return false;
    s->next += block.stored;
    s->out_end += block.raw;
    return true;
}

static bool stream_decode(iol__stream *s) {
    if (s->chunks) return fill_from_chunks(s);
    if (s->log->info.compression == IOL_UNCOMPRESSED) return fill_uncompressed(s);
    if (s->log->info.compression == IOL_ARCHIVE) return fill_archive(s);
    if (s->in_at == s->in_end && !stream_load(s)) {
        if (!s->done && s->inside)
            stream_fail(s, IOL_DAMAGED, s->end, "the compressed data ends in the middle of a stream");
        s->done = true;
        return false;
    }
    if (!s->inside) {
        s->began = iol__stream_offset(s);
        if (whole_stream(s)) return true;
        if (s->done || !stream_start(s)) return false;
        s->inside = true;
    }
    if (!make_stream_room(s, OUT_PIECE)) return false;
    iol_status status = stream_piece(s);
    if (status == IOL_END) s->inside = false;
    /* After damage the bytes before it are still good. */
    return true;
}

/* Decode some more. False when there is nothing more to come; then status says whether that is the true end. */
static bool stream_fill(iol__stream *s) {
    if (s->done) return false;
    if (iol__is_past(s->log->deadline)) {
        stream_fail(s, IOL_SYSTEM, iol__stream_offset(s), "reading it took too long");
        return false;
    }
    const size_t had = s->out_end - s->out_at;
    const bool more = stream_decode(s);
    const size_t new = s->out_end - s->out_at - had;
    if (s->keeps && new) iol__kept_add(s->log->kept, s->slot, s->out + s->out_end - new, new);
    return more;
}

size_t iol__stream_peek(iol__stream *s, size_t want, const uint8_t **bytes) {
    if (s->again) {
        *bytes = s->again->bytes + s->out_at;
        return s->again->length - s->out_at;
    }
    while (s->out_end - s->out_at < want && stream_fill(s)) {}
    *bytes = s->out ? s->out + s->out_at : NULL;
    return s->out_end - s->out_at;
}

void iol__stream_consume(iol__stream *s, size_t bytes) { s->out_at += bytes; }

uint64_t iol__stream_skip(iol__stream *s, uint64_t bytes) {
    uint64_t skipped = 0;
    while (skipped < bytes) {
        const uint8_t *at;
        size_t have = iol__stream_peek(s, 1, &at);
        if (have == 0) break;
        if (have > bytes - skipped) have = (size_t)(bytes - skipped);
        iol__stream_consume(s, have);
        skipped += have;
    }
    return skipped;
}

/* Opening ------------------------------------------------------------------------------------------------------ */

/* A closed stream is kept with its buffers for the next region: most logs have many small ones. */
static iol__stream *take_stream(iol_log *log) {
    iol__stream *s = log->spare;
    log->spare = NULL;
    if (s) return s;
    s = calloc(1, sizeof *s);
    if (s && !iol__source_direct(log->source) && log->info.compression != IOL_UNCOMPRESSED) {
        s->in_buffer = malloc(IN_BYTES);
        if (!s->in_buffer) {
            free(s);
            return NULL;
        }
    }
    return s;
}

/* The first who reads a module keeps it; others take what was kept, or, while the first still reads, the file. */
static void begin_kept(iol__stream *s) {
    s->keeps = false;
    s->again = NULL;
    if (!s->log->kept || s->slot < 0) return;
    struct iol__kept_module *kept = &s->log->kept->modules[s->slot];
    if (kept->whole) {
        s->again = kept;
    } else if (!kept->taken && !kept->large) {
        s->keeps = kept->taken = true;
    }
}

iol_status iol__stream_open(iol_log *log, int slot, uint64_t offset, uint64_t length, iol__stream **out) {
    *out = NULL;
    iol__stream *s = take_stream(log);
    if (!s) return iol__fail(log, IOL_SYSTEM, slot, IOL_NO_OFFSET, "out of memory");
    uint64_t size = iol__source_size(log->source);
    s->log = log;
    s->slot = slot;
    s->next = offset < size ? offset : size;
    s->end = length < size - s->next ? s->next + length : size;
    s->in_at = s->in_end = s->out_at = s->out_end = 0;
    s->inside = s->done = false;
    s->status = IOL_OK;
    s->chunks = iol__mapped_has_trace(log, slot);
    s->cursor = (iol__trace_cursor){0};
    begin_kept(s);
    *out = s;
    return IOL_OK;
}

void iol__stream_close(iol__stream *s) {
    if (!s) return;
    if (s->keeps) iol__kept_end(s->log->kept, s->slot, s->done && s->status == IOL_OK);
    s->keeps = false;
    if (!s->log->spare)
        s->log->spare = s;
    else
        iol__stream_free(s);
}

void iol__stream_free(iol__stream *s) {
    if (!s) return;
    if (s->zlib_ready) inflateEnd(&s->zlib);
#if IOL_HAVE_LIBDEFLATE
    libdeflate_free_decompressor(s->whole);
#endif
#if IOL_HAVE_BZIP2
    bzip2_stop(s);
#endif
#if IOL_HAVE_ZSTD
    ZSTD_freeDCtx(s->zstd);
#endif
    iol__archive_free(s->archive);
    free(s->frame);
    free(s->in_buffer);
    free(s->out);
    free(s);
}
