/* The seed logs: one small log per feature of the format, by name.
   They start the fuzzers, feed the mutation test, and are what the end-to-end tests run on. */
#ifndef IOL_TESTS_SEEDS_H
#define IOL_TESTS_SEEDS_H

#include "tests/support/logmaker.h"

size_t seeds_count(void);
/* Without ".darshan". */
const char *seeds_name(size_t index);
/* NULL where this build of the tests lacks the compression that the seed is about. */
lm_log *seeds_log(size_t index);
/* The index of a name; a name that does not exist ends the test. */
size_t seeds_find(const char *name);

/* Adds a file of this name, written by rank 0 in 5,000 tiny pieces, each of them synced: it is in findings. */
void seed_synced_pieces(lm_log *log, uint64_t id, const char *name, double seconds);

#endif
