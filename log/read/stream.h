/* One region of a log as a sequence of decompressed bytes.
   A region is any number of complete compressed streams back to back. Small streams are inflated in one call by the
   fastest library there is; large or damaged ones piece by piece, so that memory stays small and everything before
   the damage comes out. */
#ifndef IOL_LOG_STREAM_H
#define IOL_LOG_STREAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "iolite/log.h"

typedef struct iol__stream iol__stream;

/* `slot` is for messages; -1 outside modules. */
iol_status iol__stream_open(iol_log *log, int slot, uint64_t offset, uint64_t length, iol__stream **stream);
/* Closing keeps the buffers in the log for the next region; freeing is for the end of the log. */
void iol__stream_close(iol__stream *stream);
void iol__stream_free(iol__stream *stream);

/* Make at least `want` bytes available in one piece, if the region has them. Returns how many there are (perhaps more
   than asked for, fewer only at the end) and where. `want` must not exceed IOL_STREAM_MOST. */
enum { IOL_STREAM_MOST = 8 << 20 };
size_t iol__stream_peek(iol__stream *stream, size_t want, const uint8_t **bytes);
void iol__stream_consume(iol__stream *stream, size_t bytes);
/* Skip ahead; returns how many bytes there were to skip. */
uint64_t iol__stream_skip(iol__stream *stream, uint64_t bytes);
/* How the region ended: IOL_OK while it goes on or ended well, else the error (already noted in the log). */
iol_status iol__stream_status(const iol__stream *stream);
/* Position in the file of the compressed bytes last read, for messages. */
uint64_t iol__stream_offset(const iol__stream *stream);

#endif
