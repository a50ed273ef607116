/* Data inside HTML: zlib streams as base64, which has no letter that means anything to HTML. */
#include <stdlib.h>
#include <zlib.h>

#include "log/write/deflater.h"
#include "report/html/html_internal.h"

/* A report should be there at once; higher levels take much longer for a few percent. */
enum { DEFLATER_LEVEL = 4, ZLIB_LEVEL = 3 };

void iol__html_base64(iol__out *out, const void *bytes, size_t length) {
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const unsigned char *in = bytes;
    char *at = iol__out_room(out, (length + 2) / 3 * 4);
    for (size_t left = length; left > 0; in += 3) {
        unsigned two = left > 1 ? in[1] : 0, three = left > 2 ? in[2] : 0;
        unsigned all = (unsigned)in[0] << 16 | two << 8 | three;
        *at++ = letters[all >> 18];
        *at++ = letters[all >> 12 & 63];
        *at++ = left > 1 ? letters[all >> 6 & 63] : '=';
        *at++ = left > 2 ? letters[all & 63] : '=';
        left -= left < 3 ? left : 3;
    }
    out->length += (length + 2) / 3 * 4;
}

static bool pack_fast(iol__out *out, iol__out *raw) {
    iol__deflater *deflater = iol__deflater_new(DEFLATER_LEVEL, raw->length + 1);
    if (!deflater) return false;
    const uint8_t *packed;
    size_t length;
    uint8_t *bytes = (uint8_t *)raw->buffer;
    iol__deflater_give(deflater, &bytes, raw->length);
    raw->buffer = (char *)bytes; /* another one; it is freed all the same */
    bool good = iol__deflater_collect(deflater, &packed, &length);
    if (good) iol__html_base64(out, packed, length);
    iol__deflater_free(deflater);
    return good;
}

/* Without libdeflate. */
static void html_pack(iol__out *out, const iol__out *raw) {
    uLongf length = compressBound((uLong)raw->length);
    Bytef *packed = malloc(length);
    if (packed && compress2(packed, &length, (const Bytef *)raw->buffer, (uLong)raw->length, ZLIB_LEVEL) == Z_OK)
        iol__html_base64(out, packed, length);
    free(packed);
}

void iol__html_packed(iol__out *out, iol__out *raw) {
    if (!pack_fast(out, raw)) html_pack(out, raw);
}
