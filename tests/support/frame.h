/* The inputs of the fuzzers. A fuzzer of one part of the format gets only the bytes of that part, and this wraps them
   in an uncompressed log that is correct elsewhere: no compressor and no checksum stands between the fuzzer and the
   code that it is meant to reach. */
#ifndef IOL_TESTS_FRAME_H
#define IOL_TESTS_FRAME_H

#include "tests/support/logmaker.h"

enum {
    FRAME_OPEN,    /* a whole file */
    FRAME_NAMES,   /* selector, name region */
    FRAME_JOB,     /* selector, job region */
    FRAME_MAPPED,  /* a whole file that is said to be an uncompressed log of version 3.41 */
    FRAME_TRAILER, /* trailer sections; the footer is made to fit */
    FRAME_ARCHIVE, /* selector, slot, kind, two bytes of length, the body of one archive block */
    FRAME_CONVERT, /* options, then as FRAME_MAPPED */
    FRAME_MERGE,   /* options, then twice: two bytes of length, as FRAME_MAPPED; and the rest: see fuzz_merge.c */
    FRAME_RECORDS, /* plus a slot: selector, module region */
};

/* Selector byte: bit 0 big-endian, bits 1 to 3 the module version or the place in the list of log versions. */
uint8_t *frame_log(int target, const uint8_t *input, size_t size, size_t *length);
/* The part of a log that a fuzzer would get; false if the log has no such part. */
bool frame_input(int target, lm_log *log, bytes *input);

int frame_targets(void);
/* As in the name of the binary: "open", "records-mpiio". NULL for a slot that has no records of its own. */
const char *frame_name(int target);

#endif
