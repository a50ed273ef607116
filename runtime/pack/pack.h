/* One compressor for each kind of region: rows of records, names, or anything. */
#ifndef IOL_RUNTIME_PACK_H
#define IOL_RUNTIME_PACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct iol__pack_shape {
    uint32_t row; /* length of records that stand one after the other, a multiple of 8; 0: they do not */
    bool names;   /* ids and texts */
    bool text;    /* with zeros behind it, as a job record has */
    bool quick;   /* rather than small */
} iol__pack_shape;

size_t iol__pack_bound(size_t bytes);
/* One zlib stream of bytes that are aligned to 8; `to` has room for iol__pack_bound(length). Its length, 0 if there is
   nothing to compress with, or no memory for it. */
size_t iol__pack(iol__pack_shape shape, const uint8_t *raw, size_t length, uint8_t *to);
/* The same of texts, a raw stream behind a dictionary; `bytes` are those of both. */
size_t iol__pack_texts(const uint8_t *from, size_t known, size_t bytes, uint8_t *to);

#endif
