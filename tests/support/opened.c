/* Opens synthetic logs for unit tests, from memory. */
#include "tests/support/opened.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const char name[] = "synthetic.darshan";

opened opened_bytes(uint8_t *file, size_t length) {
    opened o = {.file = file, .length = length};
    iol_error error = {0};
    if (iol_log_open_memory(file, length, name, &o.log, &error) != IOL_OK) fail_msg("cannot open: %s", error.message);
    assert_non_null(o.log);
    return o;
}

opened opened_from(lm_log *made) {
    size_t length;
    uint8_t *file = lm_finish(made, &length);
    lm_free(made);
    return opened_bytes(file, length);
}

void opened_close(opened *o) {
    iol_log_close(o->log);
    free(o->file);
}

iol_status open_fails(uint8_t *file, size_t length, iol_error *error) {
    iol_log *log = (iol_log *)file; /* anything but NULL, to see that it is overwritten */
    memset(error, 0, sizeof *error);
    iol_status status = iol_log_open_memory(file, length, name, &log, error);
    assert_int_not_equal(status, IOL_OK);
    assert_null(log);
    assert_int_equal(error->status, status);
    assert_non_null(strstr(error->message, name));
    free(file);
    return status;
}

iol_records *records_of(const opened *o, int slot) {
    iol_records *records = NULL;
    assert_int_equal(iol_records_open(o->log, slot, &records), IOL_OK);
    return records;
}

const iol_record *next_of(iol_records *records) {
    const iol_record *record = NULL;
    assert_int_equal(iol_records_next(records, &record), IOL_OK);
    return record;
}

void ends_with(iol_records *records, iol_status status) {
    const iol_record *record;
    assert_int_equal(iol_records_next(records, &record), status);
    assert_int_not_equal(iol_records_next(records, &record), IOL_OK);
    iol_records_close(records);
}

void ends_well(iol_records *records) { ends_with(records, IOL_END); }

int64_t int_of(const iol_record *record, const char *counter) {
    iol_value value;
    if (iol_record_find(record, counter, &value) != IOL_OK) fail_msg("no counter %s", counter);
    assert_int_not_equal(value.kind, IOL_REAL);
    return value.as.i;
}

double real_of(const iol_record *record, const char *counter) {
    iol_value value;
    if (iol_record_find(record, counter, &value) != IOL_OK) fail_msg("no counter %s", counter);
    assert_int_equal(value.kind, IOL_REAL);
    return value.as.d;
}

iol_log *rewritten(iol_log *log, const iol__rewrite *how) {
    iol_writer *writer;
    iol_error error;
    iol_log *out;
    assert_int_equal(iol__writer_spool(&writer, &error), IOL_OK);
    assert_int_equal(iol__rewrite_log(log, writer, how), IOL_OK);
    assert_int_equal(iol__writer_reread(writer, NULL, &out, &error), IOL_OK);
    return out;
}
