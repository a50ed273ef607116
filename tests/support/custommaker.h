/* The section of custom modules (record/custom.h), for tests: byte by byte, in either order. */
#ifndef IOL_TESTS_CUSTOMMAKER_H
#define IOL_TESTS_CUSTOMMAKER_H

#include "tests/support/bytes.h"

typedef struct am_counter {
    const char *name, *unit;
    uint8_t kind, rule; /* iolite_kind, iolite_rule */
} am_counter;

void am_begin(bytes *section);
void am_schema(bytes *section, uint32_t module, const char *name, uint32_t version, const am_counter *counters,
               uint32_t count);
void am_rank(bytes *section, int64_t rank);
/* Values are bits, as they are stored. */
void am_record(bytes *section, uint32_t module, uint64_t id, const char *name, const uint64_t *values, uint32_t count);
void am_span(bytes *section, uint32_t module, uint64_t id, double begin, double end);
uint64_t am_real(double value);
/* One module with two records of two ranks and a span: what a small log has. */
void am_sample(bytes *section);

#endif
