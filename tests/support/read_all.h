/* Read everything that a log holds through the public interface, and insist on what must hold for any bytes at all:
   it ends, it yields no more than the bytes can hold, and every failure has a message that names the file.
   A broken promise aborts, which fuzzers, sanitizers and test runners all take for a failure. */
#ifndef IOL_TESTS_READ_ALL_H
#define IOL_TESTS_READ_ALL_H

#include "iolite/log.h"

typedef struct read_all_result {
    iol_status opened;
    size_t errors;
    /* Among them: parts of a form that this Iolite does not know, and sections of the trailer that make no sense. A rewrite
       copies them as they are. */
    size_t unknown;
    uint64_t records, segments, names, trailer_bytes;
    uint64_t touched; /* everything handed out, added up */
} read_all_result;

read_all_result read_all(const void *bytes, size_t length, const char *name);

#endif
