/* For unit tests: a synthetic log that is open for reading, and short ways to ask it things.
   A failure here fails the running cmocka test. */
#ifndef IOL_TESTS_OPENED_H
#define IOL_TESTS_OPENED_H

#include "iolite/log.h"
#include "log/write/rewrite.h"
#include "tests/support/logmaker.h"

typedef struct opened {
    uint8_t *file;
    size_t length;
    iol_log *log;
} opened;

/* Finish and free the made log, and open the file; the test fails if that fails. */
opened opened_from(lm_log *made);
/* The same for bytes that the test has changed; takes them over. */
opened opened_bytes(uint8_t *file, size_t length);
void opened_close(opened *o);

/* How opening ends when it must not succeed. Frees the file. */
iol_status open_fails(uint8_t *file, size_t length, iol_error *error);

/* The iterator at the first record of a slot. */
iol_records *records_of(const opened *o, int slot);
/* The next record, which must exist. */
const iol_record *next_of(iol_records *records);
/* No further record, and no error. Closes the iterator. */
void ends_well(iol_records *records);
/* Further records are impossible, for this reason. Closes the iterator. */
void ends_with(iol_records *records, iol_status status);

/* The log as it is after rewriting. */
iol_log *rewritten(iol_log *log, const iol__rewrite *how);

int64_t int_of(const iol_record *record, const char *counter);
double real_of(const iol_record *record, const char *counter);

#endif
