/* zstd, with and without a dictionary. */
#include "log/bundle/frame.h"

#include <stdlib.h>
#include <string.h>

#if IOL_HAVE_ZSTD

#include <zdict.h>
#include <zstd.h>

enum { LEVEL = 19, WINDOW_LOG = 24 };

struct iol__dictionary {
    ZSTD_CDict *packing;
    ZSTD_DDict *unpacking;
};

struct iol__framer {
    ZSTD_CCtx *packer;
    ZSTD_DCtx *unpacker;
};

bool iol__frames_here(void) { return true; }

iol__dictionary *iol__dictionary_new(const uint8_t *bytes, size_t length, bool packing) {
    iol__dictionary *d = calloc(1, sizeof *d);
    if (!d) return NULL;
    d->unpacking = ZSTD_createDDict(bytes, length);
    if (packing) d->packing = ZSTD_createCDict(bytes, length, LEVEL);
    if (d->unpacking && (!packing || d->packing)) return d;
    iol__dictionary_free(d);
    return NULL;
}

void iol__dictionary_free(iol__dictionary *d) {
    if (!d) return;
    ZSTD_freeCDict(d->packing);
    ZSTD_freeDDict(d->unpacking);
    free(d);
}

void iol__dictionary_train(const uint8_t *samples, const size_t *lengths, size_t count, size_t most, iol__body *to) {
    to->length = 0;
    uint8_t *room = malloc(most);
    const size_t made = room ? ZDICT_trainFromBuffer(room, most, samples, lengths, (unsigned)count) : 0;
    if (room && !ZDICT_isError(made)) iol__body_put(to, room, made);
    free(room);
}

iol__framer *iol__framer_new(void) { return calloc(1, sizeof(iol__framer)); }

void iol__framer_free(iol__framer *f) {
    if (!f) return;
    ZSTD_freeCCtx(f->packer);
    ZSTD_freeDCtx(f->unpacker);
    free(f);
}

static bool set_up(iol__framer *f, const iol__dictionary *dictionary) {
    if (!f->packer) f->packer = ZSTD_createCCtx();
    if (!f->packer) return false;
    ZSTD_CCtx_reset(f->packer, ZSTD_reset_session_and_parameters);
    if (dictionary) return !ZSTD_isError(ZSTD_CCtx_refCDict(f->packer, dictionary->packing));
    return !ZSTD_isError(ZSTD_CCtx_setParameter(f->packer, ZSTD_c_compressionLevel, LEVEL)) &&
           !ZSTD_isError(ZSTD_CCtx_setParameter(f->packer, ZSTD_c_windowLog, WINDOW_LOG));
}

bool iol__frame_pack(iol__framer *f, const iol__dictionary *dictionary, const uint8_t *bytes, size_t length,
                     iol__body *to) {
    const size_t most = ZSTD_compressBound(length);
    uint8_t *room = set_up(f, dictionary) ? malloc(most) : NULL;
    const size_t made = room ? ZSTD_compress2(f->packer, room, most, bytes, length) : 0;
    const bool good = room && !ZSTD_isError(made) && iol__body_put(to, room, made);
    free(room);
    return good;
}

bool iol__frame_unpack(iol__framer *f, const iol__dictionary *dictionary, const uint8_t *frame, size_t stored,
                       uint8_t *to, size_t length) {
    if (!f->unpacker) f->unpacker = ZSTD_createDCtx();
    if (!f->unpacker) return false;
    const size_t made = dictionary
                            ? ZSTD_decompress_usingDDict(f->unpacker, to, length, frame, stored, dictionary->unpacking)
                            : ZSTD_decompressDCtx(f->unpacker, to, length, frame, stored);
    return !ZSTD_isError(made) && made == length;
}

#else

bool iol__frames_here(void) { return false; }
iol__dictionary *iol__dictionary_new(const uint8_t *bytes, size_t length, bool packing) {
    (void)bytes, (void)length, (void)packing;
    return NULL;
}
void iol__dictionary_free(iol__dictionary *dictionary) { (void)dictionary; }
void iol__dictionary_train(const uint8_t *samples, const size_t *lengths, size_t count, size_t most, iol__body *to) {
    (void)samples, (void)lengths, (void)count, (void)most;
    to->length = 0;
}
iol__framer *iol__framer_new(void) { return NULL; }
void iol__framer_free(iol__framer *framer) { (void)framer; }
bool iol__frame_pack(iol__framer *framer, const iol__dictionary *dictionary, const uint8_t *bytes, size_t length,
                     iol__body *to) {
    (void)framer, (void)dictionary, (void)bytes, (void)length, (void)to;
    return false;
}
bool iol__frame_unpack(iol__framer *framer, const iol__dictionary *dictionary, const uint8_t *frame, size_t stored,
                       uint8_t *to, size_t length) {
    (void)framer, (void)dictionary, (void)frame, (void)stored, (void)to, (void)length;
    return false;
}

#endif
