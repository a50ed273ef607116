/* Framing of archive blocks: what surrounds the column and name codecs. The checksum is over the region's own bytes, so
   that it vouches for the whole way, ids looked up in the names included. */
#include "log/archive/archive.h"

#include <stdlib.h>
#include <string.h>

#include "log/archive/name_block.h"

#if IOL_HAVE_LIBDEFLATE
#include <libdeflate.h>
#else
#include <zlib.h>
#endif
#if IOL_HAVE_ZSTD
#include <zstd.h>
#endif

enum { LEVEL = 19, WINDOW_LOG = 23, SMALL = 1 << 16 };

/* A body may be larger than what it stands for, but not by much: else the block is stored plain. */
static size_t body_most(size_t raw) { return raw + raw / 8 + 4096; }

static uint32_t u32_at(const uint8_t *bytes) {
    return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

bool iol__block_parse(const uint8_t bytes[IOL_BLOCK_HEAD], iol__block *block) {
    *block = (iol__block){u32_at(bytes), u32_at(bytes + 4), u32_at(bytes + 8), bytes[12]};
    return block->raw > 0 && block->raw <= IOL_BLOCK_MOST && block->kind <= IOL_BLOCK_NAMES &&
           block->stored <= 2 * body_most(block->raw) && bytes[13] == 0 && bytes[14] == 0 && bytes[15] == 0;
}

#if IOL_HAVE_ZSTD

struct iol__archive {
    int level;
    ZSTD_CCtx *packer;
    ZSTD_DCtx *unpacker;
    iol__body body;
    uint8_t *out; /* a block with its head, or a frame's content */
    size_t out_room;
};

static uint32_t check_of(const uint8_t *bytes, size_t length) {
#if IOL_HAVE_LIBDEFLATE
    return libdeflate_crc32(0, bytes, length);
#else
    return (uint32_t)crc32(crc32(0, NULL, 0), bytes, (uInt)length);
#endif
}

iol__archive *iol__archive_new(int level) {
    iol__archive *a = calloc(1, sizeof *a);
    if (a) a->level = level ? level : LEVEL;
    return a;
}

void iol__archive_free(iol__archive *a) {
    if (!a) return;
    ZSTD_freeCCtx(a->packer);
    ZSTD_freeDCtx(a->unpacker);
    free(a->body.bytes);
    free(a->out);
    free(a);
}

static bool archive_reserve(iol__archive *a, size_t bytes) {
    if (a->out_room >= bytes) return true;
    free(a->out);
    a->out = malloc(bytes);
    a->out_room = a->out ? bytes : 0;
    return a->out != NULL;
}

/* Packing ---------------------------------------------------------------------------------------------------------- */

static bool start_packer(iol__archive *a) {
    if (a->packer) return true;
    a->packer = ZSTD_createCCtx();
    return a->packer && !ZSTD_isError(ZSTD_CCtx_setParameter(a->packer, ZSTD_c_compressionLevel, a->level)) &&
           !ZSTD_isError(ZSTD_CCtx_setParameter(a->packer, ZSTD_c_windowLog, WINDOW_LOG));
}

static void put_archive_head(uint8_t *to, const iol__block *block) {
    const uint32_t words[] = {block->raw, block->stored, block->check};
    memset(to, 0, IOL_BLOCK_HEAD);
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 4; k++) to[4 * i + k] = (uint8_t)(words[i] >> 8 * k);
    to[12] = block->kind;
}

/* Compress into a->out behind the head. 0 on failure. */
static size_t pack_frame(iol__archive *a, const uint8_t *content, size_t length) {
    size_t room = ZSTD_compressBound(length);
    if (!start_packer(a) || !archive_reserve(a, IOL_BLOCK_HEAD + room)) return 0;
    size_t frame = ZSTD_compress2(a->packer, a->out + IOL_BLOCK_HEAD, room, content, length);
    return ZSTD_isError(frame) ? 0 : frame;
}

bool iol__archive_pack(iol__archive *a, iol__block_kind kind, const uint8_t *raw, size_t length,
                       const iol__column_run *runs, size_t n_runs, const iol__idmap *ids, const uint8_t **bytes,
                       size_t *stored) {
    bool with_ids = false;
    bool good = kind == IOL_BLOCK_NAMES   ? iol__name_block_encode(raw, length, &a->body)
                : kind == IOL_BLOCK_PLAIN ? false
                                          : iol__columns_encode(raw, runs, n_runs, ids, &a->body, &with_ids);
    if (with_ids) kind = IOL_BLOCK_COLUMNS_IDS;
    if (good && a->body.length > body_most(length)) good = false;
    /* Few rows make poor columns. */
    size_t plain = good && length > SMALL ? SIZE_MAX : pack_frame(a, raw, length);
    size_t frame = good ? pack_frame(a, a->body.bytes, a->body.length) : SIZE_MAX;
    if (plain == 0 || frame == 0) return false;
    if (plain <= frame) {
        kind = IOL_BLOCK_PLAIN;
        if (good) pack_frame(a, raw, length); /* again: the columns have taken its place */
        frame = plain;
    }
    put_archive_head(a->out, &(iol__block){(uint32_t)length, (uint32_t)frame, check_of(raw, length), (uint8_t)kind});
    *bytes = a->out;
    *stored = IOL_BLOCK_HEAD + frame;
    return true;
}

/* Unpacking -------------------------------------------------------------------------------------------------------- */

/* The frame's content into a->out, or straight to `raw` for a plain block. */
static const char *inflate_frame(iol__archive *a, const iol__block *block, const uint8_t *frame, uint8_t *raw,
                                 size_t *length) {
    bool plain = block->kind == IOL_BLOCK_PLAIN;
    unsigned long long content = ZSTD_getFrameContentSize(frame, block->stored);
    if (content > body_most(block->raw)) return "a block whose zstd frame is damaged or too large";
    if (!a->unpacker && !(a->unpacker = ZSTD_createDCtx())) return "zstd cannot start";
    if (!plain && !archive_reserve(a, (size_t)content + 1)) return iol__no_memory;
    *length = ZSTD_decompressDCtx(a->unpacker, plain ? raw : a->out, plain ? block->raw : (size_t)content, frame,
                                  block->stored);
    if (ZSTD_isError(*length)) return ZSTD_getErrorName(*length);
    return plain && *length != block->raw ? "a block of another length than it says" : NULL;
}

const char *iol__archive_unpack(iol__archive *a, const iol__block *block, const uint8_t *frame, const iol__id_list *ids,
                                bool swap, uint8_t *raw) {
    size_t length;
    const char *wrong = inflate_frame(a, block, frame, raw, &length);
    if (wrong) return wrong;
    if (block->kind == IOL_BLOCK_NAMES)
        wrong = iol__name_block_decode(a->out, length, swap, raw, block->raw);
    else if (block->kind != IOL_BLOCK_PLAIN)
        wrong = iol__columns_decode(a->out, length, block->kind == IOL_BLOCK_COLUMNS_IDS ? ids : NULL, swap, raw,
                                    block->raw);
    if (wrong) return wrong;
    return check_of(raw, block->raw) == block->check ? NULL : "a block whose checksum does not match";
}

#else

iol__archive *iol__archive_new(int level) {
    (void)level;
    return NULL;
}

void iol__archive_free(iol__archive *archive) { (void)archive; }

bool iol__archive_pack(iol__archive *a, iol__block_kind kind, const uint8_t *raw, size_t length,
                       const iol__column_run *runs, size_t n_runs, const iol__idmap *ids, const uint8_t **bytes,
                       size_t *stored) {
    (void)a, (void)kind, (void)raw, (void)length, (void)runs, (void)n_runs, (void)ids, (void)bytes, (void)stored;
    return false;
}

const char *iol__archive_unpack(iol__archive *a, const iol__block *block, const uint8_t *frame, const iol__id_list *ids,
                                bool swap, uint8_t *raw) {
    (void)a, (void)block, (void)frame, (void)ids, (void)swap, (void)raw;
    return "this build of Iolite has no zstd";
}

#endif
