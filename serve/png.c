/* PNG in its simplest form: true colour, no filter, one piece of data. */
#include "serve/png.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

static void put_png_number(uint8_t bytes[4], uint32_t number) {
    for (int i = 0; i < 4; i++) bytes[i] = (uint8_t)(number >> (24 - 8 * i));
}

static void put_png_chunk(iol__out *out, const char name[4], const uint8_t *data, size_t length) {
    uint8_t number[4];
    put_png_number(number, (uint32_t)length);
    iol__out_bytes(out, (const char *)number, 4);
    iol__out_bytes(out, name, 4);
    if (length) iol__out_bytes(out, (const char *)data, length);
    uLong sum = crc32(crc32(0, NULL, 0), (const Bytef *)name, 4);
    put_png_number(number, (uint32_t)(length ? crc32(sum, data, (uInt)length) : sum));
    iol__out_bytes(out, (const char *)number, 4);
}

bool iol__png(iol__out *out, const uint8_t *pixels, size_t width, size_t height) {
    static const char magic[8] = {'\x89', 'P', 'N', 'G', '\r', '\n', '\x1a', '\n'};
    size_t line = 3 * width + 1; /* the first byte says which filter: none */
    uLongf length = compressBound((uLong)(line * height));
    uint8_t *plain = calloc(height ? height : 1, line), *packed = malloc(length), head[13] = {0};
    bool good = plain && packed;
    for (size_t i = 0; good && i < height; i++) memcpy(plain + i * line + 1, pixels + i * 3 * width, 3 * width);
    good = good && compress2(packed, &length, plain, (uLong)(line * height), 6) == Z_OK;
    if (good) {
        put_png_number(head, (uint32_t)width);
        put_png_number(head + 4, (uint32_t)height);
        head[8] = 8; /* bits */
        head[9] = 2; /* red, green, blue */
        iol__out_bytes(out, magic, sizeof magic);
        put_png_chunk(out, "IHDR", head, sizeof head);
        put_png_chunk(out, "IDAT", packed, length);
        put_png_chunk(out, "IEND", NULL, 0);
    }
    free(plain);
    free(packed);
    return good;
}
