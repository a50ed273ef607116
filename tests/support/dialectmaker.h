/* Logs that keep to a version number and not to its records: traces whose segments have a thread or text behind them, and
   records of LUSTRE with leftover memory between them. */
#ifndef IOL_TESTS_DIALECTMAKER_H
#define IOL_TESTS_DIALECTMAKER_H

#include "tests/support/logrecords.h"

enum { DM_RECORDS = 5, DM_SEGMENTS = 3, DM_RANKS = 4, DM_FILES = 3, DM_BEHIND = 80 };

/* DM_RECORDS records of DM_SEGMENTS segments, or of any number with these bytes behind each. */
lm_log *dm_traced(int slot, unsigned version, bool big, int size, const char *text);
lm_log *dm_traced_bytes(int slot, unsigned version, bool big, int segments, int size, const uint8_t *behind);
/* `kind` 0 to 4: what the leftover memory holds. */
lm_log *dm_lustre(bool big, uint8_t compression, size_t gap, int kind);

/* What fuzz_dialect.c takes: a selector (bit 0 big-endian, the others which module), then the records, which become a
   compressed region, because only what a checksum confirms is searched for other forms. */
lm_log *dm_frame(const uint8_t *input, size_t size);
bool dm_input(lm_log *log, bytes *input);

#endif
