/* Blocks of the archive form (compression 129). A region is a sequence of them: a head of 16 bytes, then one zstd
   frame, whose content is the region's bytes as they are, or turned into columns, or shortened names.
   Without zstd in the build nothing here can be made. */
#ifndef IOL_LOG_ARCHIVE_H
#define IOL_LOG_ARCHIVE_H

#include "iolite/log.h"
#include "log/archive/columns.h"

enum {
    IOL_BLOCK_HEAD = 16,
    IOL_BLOCK_MOST = 4 << 20, /* bytes of the region in one block */
    /* Ids are no random numbers in an archive, so a name can take next to nothing. What a reader's tables may take is
       this many times the file; a writer of very regular logs leaves a hole to make the file that long. */
    IOL_ARCHIVE_JUSTIFIES = 32,
    IOL_ARCHIVE_TABLES = 3, /* that a reader may need at once over all names: the names, the files of two modules */
};

typedef enum iol__block_kind {
    IOL_BLOCK_PLAIN = 0,
    IOL_BLOCK_COLUMNS = 1,
    IOL_BLOCK_COLUMNS_IDS = 2, /* columns with places in the table of names for ids */
    IOL_BLOCK_NAMES = 3,
} iol__block_kind;

typedef struct iol__block {
    uint32_t raw, stored; /* bytes in the region, bytes of the frame */
    uint32_t check;       /* CRC-32 of the raw bytes */
    uint8_t kind;
} iol__block;

/* False if it is not the head of a block that may exist. */
bool iol__block_parse(const uint8_t bytes[IOL_BLOCK_HEAD], iol__block *block);

/* One of these serves any number of blocks, in either direction. */
typedef struct iol__archive iol__archive;

/* `level` is zstd's; 0 for a good one. NULL without memory or without zstd. */
iol__archive *iol__archive_new(int level);
void iol__archive_free(iol__archive *archive);

/* Make a block, which lives until the next one. `kind` is IOL_BLOCK_NAMES for names, IOL_BLOCK_PLAIN for
   bytes that nobody here can decode, else IOL_BLOCK_COLUMNS; what does not fit its kind becomes plain. False without
   memory. */
bool iol__archive_pack(iol__archive *archive, iol__block_kind kind, const uint8_t *raw, size_t length,
                       const iol__column_run *runs, size_t n_runs, const iol__idmap *ids, const uint8_t **bytes,
                       size_t *stored);

/* Put the block's bytes into `raw`, which has room for them. NULL, or what is wrong. `ids` is for
   IOL_BLOCK_COLUMNS_IDS. */
const char *iol__archive_unpack(iol__archive *archive, const iol__block *block, const uint8_t *frame,
                                const iol__id_list *ids, bool swap, uint8_t *raw);

#endif
