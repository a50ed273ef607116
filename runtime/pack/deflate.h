/* Compression, from whatever library was there when Iolite was built; its code is inside, its names are hidden. */
#ifndef IOL_RUNTIME_DEFLATE_H
#define IOL_RUNTIME_DEFLATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

bool iol__deflate_start(void);
/* False in a build without any library: then blocks stay as they are. */
bool iol__deflate_compresses(void);
size_t iol__deflate_bound(size_t bytes);
/* One whole zlib stream; its length, 0 if that failed. */
size_t iol__deflate(const void *from, size_t bytes, void *to, size_t room);
/* The checksum of such streams, which begins with 1. */
uint32_t iol__deflate_adler(uint32_t adler, const void *from, size_t bytes);

#endif
