/* Values of the attribute lustre.lov as Lustre makes them, and as it should never make them: for the tests of the
   decoder, its fuzzer, and the file system that serves them (fuse_lustre.c). Each has a name. */
#ifndef IOL_TESTS_BLOBS_H
#define IOL_TESTS_BLOBS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct blob {
    uint8_t bytes[65536 + 64];
    size_t length;
} blob;

/* One plain layout: how it is striped over which OSTs. */
typedef struct blob_stripes {
    const char *pool; /* NULL: the version without one */
    uint32_t pattern, size;
    uint16_t count;       /* as the head says */
    const uint32_t *osts; /* as many as `there` */
    uint16_t there;
} blob_stripes;

typedef struct blob_part {
    uint32_t id, flags;
    uint64_t start, end;
    blob_stripes stripes;
} blob_part;

void blob_plain(blob *to, const blob_stripes *layout);
void blob_composite(blob *to, uint32_t magic, const blob_part *parts, uint16_t count);
/* A 32-bit number somewhere in it. */
void blob_patch(blob *to, size_t at, uint32_t value);

/* The number-th of all; NULL behind the last one. */
const char *blob_name(unsigned number);
/* False if there is none of this name. */
bool blob_named(blob *to, const char *name);

#endif
