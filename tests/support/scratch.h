/* Files for fuzzers of what writes: in memory where the system has such a place, one name a process and number. */
#ifndef IOL_TESTS_SCRATCH_H
#define IOL_TESTS_SCRATCH_H

#include <stddef.h>
#include <stdint.h>

/* The name; valid until the next eight calls. */
const char *scratch_path(int number);
const char *scratch_write(int number, const uint8_t *data, size_t length);
/* A log that we wrote ourselves must be readable without any complaint, whatever it was made of. Then it is removed. */
void scratch_must_be_clean(int number);

#endif
