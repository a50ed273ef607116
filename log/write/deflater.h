/* Whole zlib streams, compressed by a thread of its own while the next one is collected: most of the time of writing a
   large log goes into compression. Small logs never start the thread. */
#ifndef IOL_LOG_DEFLATER_H
#define IOL_LOG_DEFLATER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One stream at once, by a compressor no larger than its input: for a few hundred bytes the tables of a large one would
   be most of the work. Its length; 0 if it does not fit, or without memory. */
size_t iol__deflate_fitted(int level, const void *bytes, size_t length, void *to, size_t room);

typedef struct iol__deflater iol__deflater;

/* For streams of at most `most` bytes. NULL without memory, or where libdeflate is not in the build. */
iol__deflater *iol__deflater_new(int level, size_t most);
void iol__deflater_free(iol__deflater *deflater);

/* Compress *raw. The buffer may be taken and another of the same size given in its place. What was given before must have
   been collected. */
void iol__deflater_give(iol__deflater *deflater, uint8_t **raw, size_t length);
/* The compressed bytes of what was given, valid until the next is given; *length is 0 if nothing was. False if it failed. */
bool iol__deflater_collect(iol__deflater *deflater, const uint8_t **bytes, size_t *length);

#endif
