/* Compressors and their memory are made when there is something for them, and stay: a process may write several logs. */
#include "runtime/pack/pack.h"

#include "runtime/pack/deflate.h"
#include "runtime/pack/names.h"
#include "runtime/pack/quick.h"
#include "runtime/pack/rows.h"
#include "runtime/pack/tokens.h"

static iol__pack_rows *rows;
static iol__pack_names *names;

size_t iol__pack_bound(size_t bytes) {
    const size_t own = iol__quick_bound(bytes) + iol__tokens_bound(0), library = iol__deflate_bound(bytes);
    return own > library ? own : library;
}

size_t iol__pack(iol__pack_shape shape, const uint8_t *raw, size_t length, uint8_t *to) {
    if (!iol__deflate_compresses()) return 0;
    const bool in_rows = shape.row > 0 && shape.row <= IOL_MATCH_FARTHEST;
    if (in_rows && shape.quick) return iol__quick_deflate(raw, length, shape.row, to);
    if (in_rows && !rows) rows = iol__rows_start();
    if ((shape.names || shape.text) && !names) names = iol__names_start();
    if (in_rows && rows) return iol__rows_deflate(rows, raw, length, shape.row, to);
    if (shape.names && names) return iol__names_deflate(names, raw, length, to);
    if (shape.text && names) return iol__text_deflate(names, raw, length, to);
    return iol__deflate_start() ? iol__deflate(raw, length, to, iol__deflate_bound(length)) : 0;
}

size_t iol__pack_texts(const uint8_t *from, size_t known, size_t bytes, uint8_t *to) {
    if (iol__deflate_compresses() && !names) names = iol__names_start();
    return iol__deflate_compresses() && names ? iol__texts_deflate(names, from, known, bytes, to) : 0;
}
