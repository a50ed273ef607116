/* What every log that Iolite writes must keep to: the writer's checklist of the format description, on the raw bytes.
   Written from that description alone; of the project it uses nothing but the test support. */
#ifndef IOL_TESTS_CHECKLIST_H
#define IOL_TESTS_CHECKLIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct checklist_wishes {
    bool names;      /* every record id must have a name entry */
    bool one_stream; /* a region may be one stream of any size */
} checklist_wishes;

/* Complaints go to stderr; returns how many there were. Regions are looked into where they are zlib or not compressed;
   of others only the header is checked. */
int checklist(const char *path, const uint8_t *file, size_t length, const checklist_wishes *wishes);

/* The decompressed bytes of a zlib or uncompressed region, with the raw end of each stream; NULL if that cannot be. The
   caller frees both. */
typedef struct checklist_region {
    uint8_t *bytes;
    size_t length;
    size_t *ends;
    size_t n_ends;
} checklist_region;

bool checklist_inflate(const uint8_t *stored, size_t length, int compression, checklist_region *region);
void checklist_release(checklist_region *region);

#endif
