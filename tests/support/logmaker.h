/* Synthetic logs for tests: every log version, byte order, compression and layout, built in memory.
   Written from the format description alone and sharing no code with the reader, so that the two check each other.
   A log is a plain struct: fill what the test is about, then lm_finish() lays out the file. */
#ifndef IOL_TESTS_LOGMAKER_H
#define IOL_TESTS_LOGMAKER_H

#include "tests/support/bytes.h"

enum { LM_SLOTS = 64, LM_CUTS = 16 };

enum { LM_ZLIB = 0, LM_BZIP2 = 1, LM_NONE = 2, LM_ZSTD = 128, LM_ARCHIVE = 129 };

/* A region before compression. Each cut ends a compressed stream, wherever in a record it may fall. */
typedef struct lm_region {
    bytes payload;
    size_t cuts[LM_CUTS];
    size_t n_cuts;
    uint32_t version;
    int order;     /* regions are laid out by ascending order; at first the slot number, the name region's is -1 */
    size_t gap;    /* bytes of nothing before the region */
    bool anchored; /* the map has an offset even though the region is empty */
} lm_region;

typedef struct lm_log {
    int minor; /* 0, 10, 20, 21 or 41 */
    bool big;
    uint8_t compression;
    uint64_t partial_flags; /* in today's slot numbers */

    int64_t uid, start, start_ns, end, end_ns, processes, job_id;
    const char *metadata;
    const char *text; /* command line and mounts */
    bytes job;        /* the whole job payload, when a test wants another one than the fields give */

    lm_region names;
    lm_region slots[LM_SLOTS]; /* in today's numbers */

    bool mapped; /* the run-time layout: fixed places, no compression */
    bool packed; /* the same without the room that nothing took, as in a spool */
    /* What only mapped files of Iolite have: a block of facts, and behind everything else traced operations. */
    bytes facts, chunks;
    bytes trailer;
} lm_log;

/* A log of one process with a command line and one mount; no records. */
lm_log *lm_new(int minor, bool big, uint8_t compression);
void lm_free(lm_log *log);
/* Whether this build of the tests can compress so. */
bool lm_can(uint8_t compression);
/* Append one complete compressed stream. The archive form has blocks instead, which tests put into payloads. */
void lm_pack(bytes *out, uint8_t compression, const uint8_t *data, size_t length);
/* Append a block of the archive form: a body that stands for `raw` bytes with this checksum. */
void lm_archive_block(bytes *out, uint8_t kind, const uint8_t *body, size_t length, uint32_t raw, uint32_t check);
/* A correct block of the simplest kind. */
void lm_archive_plain(bytes *out, const uint8_t *data, size_t length);

void lm_name(lm_log *log, uint64_t id, const char *name);
/* The id of a name (Jenkins' lookup8). */
uint64_t lm_id(const char *name);
uint64_t lm_id_bytes(const void *key, size_t length);
/* The payload of a slot, to append a record of this version to. */
bytes *lm_records(lm_log *log, int slot, unsigned version);
/* End the compressed stream here. */
void lm_cut(lm_region *region);
/* Turn into a log as the run-time keeps it while the program runs. */
void lm_make_mapped(lm_log *log);
/* Add a trailer section: method 0 stored, 1 zlib. */
void lm_trailer(lm_log *log, const char *tag, uint32_t method, const void *data, size_t length);

/* The file; the caller frees it. */
uint8_t *lm_finish(lm_log *log, size_t *length);

/* Where things are in the header, for tests that put other values there. */
size_t lm_header_bytes(int minor);
int lm_slot_count(int minor);
/* The place of today's slot in the maps of a log version, or -1. */
int lm_stored_slot(int minor, int slot);
size_t lm_flags_at(int minor);
size_t lm_name_map_at(int minor);
size_t lm_map_at(int minor, int stored_slot);
size_t lm_version_at(int minor, int stored_slot);

#endif
