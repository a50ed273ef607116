/* zlib streams of names: an id, which is a hash and like nothing else, then a text that ends with NUL, most often that
   of the name before but for a few letters. */
#ifndef IOL_RUNTIME_NAMES_H
#define IOL_RUNTIME_NAMES_H

#include <stddef.h>
#include <stdint.h>

/* Working memory, about 100 KB; NULL if there is none. */
typedef struct iol__pack_names iol__pack_names;
iol__pack_names *iol__names_start(void);

/* One stream, with room for iol__tokens_bound(bytes); its length. */
size_t iol__names_deflate(iol__pack_names *names, const void *from, size_t bytes, uint8_t *to);
/* The same of anything, in which texts and zeros come again. */
size_t iol__text_deflate(iol__pack_names *names, const void *from, size_t bytes, uint8_t *to);
/* A raw stream of any text, after a dictionary of `known` bytes that stands before it; `bytes` are those of both. */
size_t iol__texts_deflate(iol__pack_names *names, const void *from, size_t known, size_t bytes, uint8_t *to);

#endif
