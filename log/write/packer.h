/* Compression of one region: records in, compressed streams out.
   A stream holds whole records, at most 1 MiB of them, so that readers can inflate it in one call; a single larger record,
   or a region that shall be one stream, is compressed piece by piece. An archive is packed in blocks of up to 4 MiB, for
   which the packer also notes how wide the rows are. */
#ifndef IOL_LOG_PACKER_H
#define IOL_LOG_PACKER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "iolite/log.h"

typedef struct iol__packer iol__packer;

/* Takes the compressed bytes; false stops everything. */
typedef bool (*iol__sink)(void *context, const void *bytes, size_t length);

/* NULL when the compression is not in this build, or without memory. Level 0 is a good one for the method. */
iol__packer *iol__packer_new(iol_compression compression, int level, bool one_stream, iol__sink sink, void *context);
void iol__packer_free(iol__packer *packer);

/* A record of this many bytes comes next. */
bool iol__packer_record(iol__packer *packer, uint64_t bytes);
/* A piece of it. */
bool iol__packer_bytes(iol__packer *packer, const void *bytes, size_t length);
/* Room for the whole record in place of pieces, NULL if it is too large for that (or on failure). */
uint8_t *iol__packer_room(iol__packer *packer, uint64_t bytes);
/* What follows, to the end of the record, are rows of this width; without a word a record is one row. */
void iol__packer_rows(iol__packer *packer, size_t width);
/* An entry of the name region in place of a record; `length` is without the NUL. */
bool iol__packer_name(iol__packer *packer, uint64_t id, const char *name, size_t length);
/* Some bytes of a region that nobody here can decode; at most IOL_PACKER_OPAQUE in one call. */
enum { IOL_PACKER_OPAQUE = 1 << 16 };
bool iol__packer_opaque(iol__packer *packer, const void *bytes, size_t length);
/* The end of the region. The packer can take another one then. */
bool iol__packer_end(iol__packer *packer);

#endif
