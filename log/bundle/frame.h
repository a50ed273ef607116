/* Compressed bytes of a bundle: zstd frames, those of logs with a dictionary that all logs of the bundle share. Without
   zstd in the build nothing here can be made or read. */
#ifndef IOL_LOG_BUNDLE_FRAME_H
#define IOL_LOG_BUNDLE_FRAME_H

#include "log/archive/columns.h"

enum { IOL_DICTIONARY_MOST = 256 << 10 };

/* What logs have in common. Threads may share it. */
typedef struct iol__dictionary iol__dictionary;

/* Takes a copy. `packing`: for compressing too, else only for the way back. NULL without memory. */
iol__dictionary *iol__dictionary_new(const uint8_t *bytes, size_t length, bool packing);
void iol__dictionary_free(iol__dictionary *dictionary);
/* Learn one from `count` samples that stand one after the other; at most `most` bytes. Empty if there is nothing to learn
   from them. */
void iol__dictionary_train(const uint8_t *samples, const size_t *lengths, size_t count, size_t most, iol__body *to);

/* State of the compressor, for one thread. */
typedef struct iol__framer iol__framer;

iol__framer *iol__framer_new(void);
void iol__framer_free(iol__framer *framer);
/* Append a frame; `dictionary` may be NULL. False without memory. */
bool iol__frame_pack(iol__framer *framer, const iol__dictionary *dictionary, const uint8_t *bytes, size_t length,
                     iol__body *to);
/* Exactly `length` bytes; false if the frame does not hold them. */
bool iol__frame_unpack(iol__framer *framer, const iol__dictionary *dictionary, const uint8_t *frame, size_t stored,
                       uint8_t *to, size_t length);
/* Whether this build can read and write bundles. */
bool iol__frames_here(void);

#endif
