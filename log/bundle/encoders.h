/* Who wrote a zlib stream, and the same stream once more. What a compressor makes of given bytes is decided by its code and
   a few parameters, so that a stream need not be kept where both are known. */
#ifndef IOL_LOG_BUNDLE_ENCODERS_H
#define IOL_LOG_BUNDLE_ENCODERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* State of compressors, for one thread. */
typedef struct iol__encoders iol__encoders;

iol__encoders *iol__encoders_new(void);
void iol__encoders_free(iol__encoders *encoders);

/* The number of an encoder that makes exactly these bytes; -1: none does. */
int iol__encoder_find(iol__encoders *encoders, const uint8_t *raw, size_t length, const uint8_t *packed, size_t bytes);
/* The stream of encoder `number`; its length, 0 if there is no such encoder here or it does not fit. */
size_t iol__encoder_again(iol__encoders *encoders, uint64_t number, const uint8_t *raw, size_t length, uint8_t *to,
                          size_t room);
/* The libraries and their versions, as in "zlib 1.2.13, libdeflate 1.14". */
const char *iol__encoders_here(void);

#endif
