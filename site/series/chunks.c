/* Rows of a matrix without HDF5's own inflation: chunks are read as they are and inflated here, faster, and kept for the
   next question, because jobs overlap. What is stored in another way is left to the library. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "site/series/series_internal.h"
#if IOL_HAVE_LIBDEFLATE
#include <libdeflate.h>
#endif

enum { CHUNKED = 2, DEFLATE = 1, SLOTS = 96, MOST_CELLS = 1 << 20 };

/* A chunk that was inflated. */
typedef struct chunks_slot {
    uint64_t owner, number;
    double *values;
    size_t cells;
    uint64_t used;
} chunks_slot;

static chunks_slot slots[SLOTS];
static uint64_t uses;

bool iol__chunks_plain(const iol__hdf5 *h, int64_t dataset, uint64_t chunk[2]) {
    int64_t list = h->H5Dget_create_plist(dataset), type = h->H5Dget_type(dataset);
    unsigned flags = 0, config = 0, values[8];
    size_t count = 8;
    char name[32];
    bool good = list >= 0 && type >= 0 && h->H5Tequal(type, h->ieee_f64) > 0 && h->H5Pget_layout(list) == CHUNKED &&
                h->H5Pget_chunk(list, 2, chunk) == 2 && chunk[0] && chunk[1] && chunk[0] <= MOST_CELLS &&
                chunk[1] <= MOST_CELLS / chunk[0] && h->H5Pget_nfilters(list) == 1 &&
                h->H5Pget_filter2(list, 0, &flags, &count, values, sizeof name, name, &config) == DEFLATE;
    if (type >= 0) h->H5Tclose(type);
    if (list >= 0) h->H5Pclose(list);
    return good && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__;
}

#if IOL_HAVE_LIBDEFLATE
static bool inflate_all(const void *from, size_t packed, double *to, size_t room) {
    static struct libdeflate_decompressor *inflater;
    size_t made = 0;
    if (!inflater) inflater = libdeflate_alloc_decompressor();
    return inflater && libdeflate_zlib_decompress(inflater, from, packed, to, room, &made) == LIBDEFLATE_SUCCESS &&
           made == room;
}
#else
static bool inflate_all(const void *from, size_t packed, double *to, size_t room) {
    uLongf made = room;
    return uncompress((Bytef *)to, &made, from, packed) == Z_OK && made == room;
}
#endif

/* The chunk's bytes, inflated; an absent one was never measured. */
static bool chunks_fill(const iol__hdf5 *h, const iol__dataset *is, const uint64_t at[2], chunks_slot *to) {
    uint64_t length = 0;
    uint32_t mask = 0;
    size_t bytes = to->cells * sizeof *to->values;
    if (h->H5Dget_chunk_storage_size(is->id, at, &length) < 0 || length == 0) {
        for (size_t i = 0; i < to->cells; i++) to->values[i] = -0.0;
        return true;
    }
    if (length > 2 * bytes + 4096) return false;
    void *raw = malloc(length);
    bool good = raw && h->H5Dread_chunk(is->id, IOL__H5_DEFAULT, at, &mask, raw) >= 0;
    if (good && mask)
        good = length == bytes && memcpy(to->values, raw, bytes);
    else if (good)
        good = inflate_all(raw, length, to->values, bytes);
    free(raw);
    return good;
}

static const double *chunk_at(const iol__hdf5 *h, const iol__dataset *is, uint64_t row, uint64_t column) {
    uint64_t across = (is->sizes[1] + is->chunk[1] - 1) / is->chunk[1], number = row * across + column;
    chunks_slot *oldest = &slots[0];
    for (size_t i = 0; i < SLOTS; i++) {
        if (slots[i].values && slots[i].owner == is->serial && slots[i].number == number) {
            slots[i].used = ++uses;
            return slots[i].values;
        }
        if (slots[i].used < oldest->used) oldest = &slots[i];
    }
    size_t cells = (size_t)(is->chunk[0] * is->chunk[1]);
    if (oldest->cells != cells) {
        free(oldest->values);
        oldest->values = malloc(cells * sizeof *oldest->values);
    }
    *oldest = (chunks_slot){is->serial, number, oldest->values, oldest->values ? cells : 0, ++uses};
    const uint64_t at[2] = {row * is->chunk[0], column * is->chunk[1]};
    if (oldest->values && chunks_fill(h, is, at, oldest)) return oldest->values;
    oldest->owner = 0;
    return NULL;
}

bool iol__chunks_read(const iol__hdf5 *h, const iol__dataset *is, size_t first, iol__frame *frame) {
    size_t last = first + frame->rows;
    if (!is->plain || !frame->rows || !frame->columns) return false;
    for (uint64_t row = first / is->chunk[0]; row * is->chunk[0] < last; row++)
        for (uint64_t column = 0; column * is->chunk[1] < is->sizes[1]; column++) {
            const double *values = chunk_at(h, is, row, column);
            if (!values) return false;
            uint64_t left = column * is->chunk[1], width = is->sizes[1] - left;
            if (width > is->chunk[1]) width = is->chunk[1];
            for (uint64_t i = 0; i < is->chunk[0]; i++) {
                uint64_t at = row * is->chunk[0] + i;
                if (at < first || at >= last) continue;
                memcpy(iol__frame_at(frame, at - first, left), values + i * is->chunk[1], width * sizeof *values);
            }
        }
    return true;
}
