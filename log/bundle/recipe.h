/* A log without its compression, and the recipe to compress it again: where its zlib streams were, who wrote them, and what
   was in them. What nobody here can compress to the same bytes stays as it is. The log need not be a sound one; any bytes
   will do.

     recipe     varint number of streams
     each       varint bytes before it, varint its own, varint encoder, varint bytes in it, varint where they are: 0 here,
                else 1 + region of the same log in columns (0 names, 1 + slot)
     then       varint bytes behind the last
     contents   for each stream the bytes before it and, if they are here, those in it; the bytes behind the last */
#ifndef IOL_LOG_BUNDLE_RECIPE_H
#define IOL_LOG_BUNDLE_RECIPE_H

#include "iolite/log.h"
#include "log/bundle/encoders.h"
#include "log/archive/columns.h"

enum { IOL_RECIPE_MOST = 64 << 20 }; /* bytes inside of the streams of a log; with more it stays as it is */

typedef struct iol__zlib_piece {
    size_t at, bytes;      /* the stream in the log */
    size_t raw_at, length; /* what is in it, in `raw` */
    int encoder;
} iol__zlib_piece;

typedef struct iol__pieces {
    iol__zlib_piece *all;
    size_t count;
    iol__body raw;
} iol__pieces;

/* The streams of a log that can be made again. False without memory. */
bool iol__pieces_find(iol__encoders *encoders, const uint8_t *log, size_t length, iol__pieces *pieces);
void iol__pieces_free(iol__pieces *pieces);

/* The recipe with its contents. What `columns` has, the same log in the column form (NULL: none), is taken from there;
   `log` is then the log itself, opened. False without memory, or if the two differ. */
bool iol__recipe_write(const iol__pieces *pieces, const uint8_t *bytes, size_t length, iol_log *log, iol_log *columns,
                       iol__body *recipe);
/* The log again, exactly `length` bytes. NULL, or what is wrong. */
const char *iol__recipe_follow(iol__encoders *encoders, const uint8_t *recipe, size_t bytes, iol_log *columns,
                               uint8_t *log, size_t length);

/* The log with the same content in streams of another compression, for machines whose libraries make other bytes. All bytes
   in streams have to be here. Free the log. NULL, or what is wrong. */
const char *iol__recipe_content(const uint8_t *recipe, size_t bytes, iol__body *log);

/* For the two above: the steps of a recipe. */
typedef struct iol__recipe_step {
    uint64_t before, stream, encoder, length, from;
} iol__recipe_step;

/* Both cursors to their places: the first step, the first byte of the contents. False if that makes no sense. */
bool iol__recipe_open(const uint8_t *recipe, size_t bytes, iol__cursor *steps, iol__cursor *contents, uint64_t *count);
bool iol__recipe_next(iol__cursor *steps, iol__recipe_step *step);
extern const char iol__recipe_senseless[];

#endif
