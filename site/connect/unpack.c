/* One function per form of compression, behind one table of first bytes. */
#include "site/connect/unpack.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "base/count.h"
#include "site/connect/feed.h"

#if IOL_HAVE_BZIP2
#include <bzlib.h>
#endif
#if IOL_HAVE_ZSTD
#include <zstd.h>
#endif
#if IOL_HAVE_LZMA
#include <lzma.h>
#endif

static const char ends_early[] = "the compressed data ends too early; what there is of it is used";
static const char damaged[] = "the compressed data is damaged; what comes before the damage is used";
static const char large[] = "more than 1 GiB when decompressed";
static const char no_memory[] = "no memory to decompress it";

bool iol__unpack_room(iol__unpacked *all, size_t more) {
    const size_t most = IOL__FEED_MOST + (1 << 18);
    if (all->room - all->length > more) return true;
    if (more >= most || all->length >= most - more) {
        all->too_large = true;
        return false;
    }
    size_t room = all->room ? all->room * 2 : 1 << 16;
    while (room - all->length <= more) room *= 2;
    if (room > most) room = most;
    char *grown = realloc(all->bytes, room);
    if (!grown) return false;
    all->bytes = grown;
    all->room = room;
    return true;
}

static iol_status no_room(const iol__unpacked *all, const char **why) {
    *why = all->too_large ? large : no_memory;
    return all->too_large ? IOL_LIMIT : IOL_SYSTEM;
}

static iol_status unpack_plain(const void *bytes, size_t length, iol__unpacked *all, const char **why) {
    if (!iol__unpack_room(all, length)) return no_room(all, why);
    memcpy(all->bytes, bytes, length);
    all->length = length;
    return IOL_OK;
}

/* What a finished or a broken stream means: nothing at all is an error, anything is used. */
static iol_status outcome(const iol__unpacked *all, bool whole, bool at_end, const char **why) {
    if (whole) return IOL_OK;
    *why = at_end ? ends_early : damaged;
    return all->length ? IOL_OK : IOL_DAMAGED;
}

static iol_status gunzip(const void *bytes, size_t length, iol__unpacked *all, const char **why) {
    z_stream z = {.next_in = (Bytef *)(uintptr_t)bytes, .avail_in = (uInt)length};
    if (inflateInit2(&z, 15 + 16) != Z_OK) return no_room(all, why);
    int state = Z_OK;
    while (state == Z_OK) {
        if (!iol__unpack_room(all, 1 << 16)) {
            inflateEnd(&z);
            return no_room(all, why);
        }
        z.next_out = (Bytef *)all->bytes + all->length;
        z.avail_out = (uInt)(all->room - all->length - 1);
        uInt before = z.avail_out;
        state = inflate(&z, Z_NO_FLUSH);
        all->length += before - z.avail_out;
        if (state == Z_STREAM_END && z.avail_in > 1 && z.next_in[0] == 0x1f) state = inflateReset(&z);
        if (state == Z_BUF_ERROR && z.avail_out == 0) state = Z_OK;
    }
    bool at_end = z.avail_in == 0;
    inflateEnd(&z);
    return outcome(all, state == Z_STREAM_END, at_end, why);
}

#if IOL_HAVE_BZIP2
static iol_status bunzip(const void *bytes, size_t length, iol__unpacked *all, const char **why) {
    bz_stream b = {.next_in = (char *)(uintptr_t)bytes, .avail_in = (unsigned)length};
    if (BZ2_bzDecompressInit(&b, 0, 0) != BZ_OK) return no_room(all, why);
    int state = BZ_OK;
    bool stuck = false;
    while (state == BZ_OK && !stuck) {
        if (!iol__unpack_room(all, 1 << 16)) {
            BZ2_bzDecompressEnd(&b);
            return no_room(all, why);
        }
        b.next_out = all->bytes + all->length;
        b.avail_out = (unsigned)(all->room - all->length - 1);
        unsigned before = b.avail_out, left = b.avail_in;
        state = BZ2_bzDecompress(&b);
        all->length += before - b.avail_out;
        stuck = before == b.avail_out && left == b.avail_in;
    }
    bool at_end = b.avail_in == 0;
    BZ2_bzDecompressEnd(&b);
    return outcome(all, state == BZ_STREAM_END, at_end, why);
}
#endif

#if IOL_HAVE_ZSTD
static iol_status unzstd(const void *bytes, size_t length, iol__unpacked *all, const char **why) {
    ZSTD_DStream *stream = ZSTD_createDStream();
    if (!stream) return no_room(all, why);
    ZSTD_inBuffer in = {bytes, length, 0};
    size_t state = 1;
    bool stuck = false;
    while ((in.pos < in.size || !stuck) && !ZSTD_isError(state) && !stuck) {
        if (!iol__unpack_room(all, 1 << 17)) {
            ZSTD_freeDStream(stream);
            return no_room(all, why);
        }
        ZSTD_outBuffer out = {all->bytes + all->length, all->room - all->length - 1, 0};
        size_t before = in.pos;
        state = ZSTD_decompressStream(stream, &out, &in);
        all->length += out.pos;
        stuck = in.pos == before && out.pos == 0;
        if (state == 0 && in.pos == in.size) break;
    }
    bool whole = state == 0;
    ZSTD_freeDStream(stream);
    return outcome(all, whole, !ZSTD_isError(state), why);
}
#endif

#if IOL_HAVE_LZMA
static iol_status unxz(const void *bytes, size_t length, iol__unpacked *all, const char **why) {
    lzma_stream x = LZMA_STREAM_INIT;
    if (lzma_stream_decoder(&x, UINT64_C(1) << 28, LZMA_CONCATENATED) != LZMA_OK) return no_room(all, why);
    x.next_in = bytes;
    x.avail_in = length;
    lzma_ret state = LZMA_OK;
    while (state == LZMA_OK) {
        if (!iol__unpack_room(all, 1 << 16)) {
            lzma_end(&x);
            return no_room(all, why);
        }
        x.next_out = (uint8_t *)all->bytes + all->length;
        x.avail_out = all->room - all->length - 1;
        size_t before = x.avail_out;
        state = lzma_code(&x, LZMA_FINISH);
        all->length += before - x.avail_out;
    }
    bool at_end = x.avail_in == 0;
    lzma_end(&x);
    return outcome(all, state == LZMA_STREAM_END, at_end, why);
}
#endif

#if !IOL_HAVE_BZIP2 || !IOL_HAVE_ZSTD || !IOL_HAVE_LZMA
static iol_status absent(const void *bytes, size_t length, iol__unpacked *all, const char **why) {
    (void)bytes, (void)length, (void)all;
    *why = "this build cannot decompress it: bzip2, xz or zstd was not there";
    return IOL_UNSUPPORTED;
}
#endif
#if !IOL_HAVE_BZIP2
#define bunzip absent
#endif
#if !IOL_HAVE_ZSTD
#define unzstd absent
#endif
#if !IOL_HAVE_LZMA
#define unxz absent
#endif

static const struct form {
    const char *first;
    size_t length;
    iol_status (*unpack)(const void *bytes, size_t length, iol__unpacked *all, const char **why);
} forms[] = {
    {"\x1f\x8b", 2, gunzip},
    {"BZh", 3, bunzip},
    {"\xfd"
     "7zXZ\0",
     6, unxz},
    {"\x28\xb5\x2f\xfd", 4, unzstd},
};

bool iol__unpack_packed(const void *bytes, size_t length) {
    for (size_t i = 0; i < IOL_COUNT(forms); i++)
        if (length > forms[i].length && memcmp(bytes, forms[i].first, forms[i].length) == 0) return true;
    return false;
}

iol_status iol__unpack(const void *bytes, size_t length, iol__unpacked *all, const char **why) {
    iol_status (*how)(const void *, size_t, iol__unpacked *, const char **) = unpack_plain;
    for (size_t i = 0; i < IOL_COUNT(forms); i++)
        if (length > forms[i].length && memcmp(bytes, forms[i].first, forms[i].length) == 0) how = forms[i].unpack;
    iol_status status = how(bytes, length, all, why);
    if (status == IOL_OK) all->bytes[all->length] = 0;
    return status;
}
