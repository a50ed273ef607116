/* Mapped files of Iolite as logs: their traced operations are records, whatever the order of the chunks, and what is
   damaged is reported. */
#include "log/read/mapped.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/count.h"
#include "log/read/log_internal.h"
#include "record/record.h"
#include "tests/support/opened.h"
#include "tests/support/runmaker.h"

enum { A = 100, B = 200 };

static const lm_segment some[] = {
    {0, 10, 0.1, 0.2, 1}, {10, 10, 0.2, 0.3, 2}, {20, 10, 0.3, 0.4, 3}, {30, 10, 0.4, 0.5, 4}, {40, 10, 0.5, 0.6, 5},
};

static lm_log *killed(void) {
    lm_log *log = lm_new(41, false, LM_NONE);
    rm_make(log, &(iol__mapped){.pid = 77, .born = 5, .start = 0.05});
    log->metadata = "lib_ver=3.5.0\nhostname=node17\n";
    return log;
}

/* Chunks of two files, their directions and their modules all mixed. */
static lm_log *traced(void) {
    lm_log *log = killed();
    rm_trace(log, LM_DXT_POSIX, B, false, some + 3, 1, 1);
    rm_trace(log, LM_DXT_POSIX, A, true, some, 1, 4);
    rm_trace(log, LM_DXT_MPIIO, A, true, some + 4, 1, 1);
    rm_trace(log, LM_DXT_POSIX, A, false, some + 2, 1, 2);
    rm_trace(log, LM_DXT_POSIX, A, true, some + 1, 1, 1);
    rm_trace(log, LM_DXT_POSIX, 300, true, some, 0, 2);
    return log;
}

static void assert_segments(iol_records *records, size_t count, const int *expected) {
    for (size_t i = 0; i < count; i++) {
        iol_segment segment;
        size_t got;
        const lm_segment *want = &some[expected[i]];
        assert_int_equal(iol_records_segments(records, &segment, 1, &got), IOL_OK);
        assert_int_equal(segment.offset, want->offset);
        assert_int_equal(segment.length, want->length);
        assert_true(segment.start == want->start && segment.end == want->end);
        assert_int_equal(segment.thread, want->thread);
    }
}

static void check_traced(const opened *o) {
    iol_records *records = records_of(o, LM_DXT_POSIX);
    const iol_record *record = next_of(records);
    assert_int_equal(record->id, B);
    assert_int_equal(record->rank, 0);
    assert_string_equal(record->trace.host, "node17");
    assert_int_equal(record->trace.writes, 0);
    assert_int_equal(record->trace.reads, 1);
    assert_segments(records, 1, (const int[]){3});
    record = next_of(records);
    assert_int_equal(record->id, A);
    assert_int_equal(record->trace.writes, 2);
    assert_int_equal(record->trace.reads, 1);
    assert_true(record->trace.threads);
    assert_segments(records, 3, (const int[]){0, 1, 2});
    ends_well(records);
    records = records_of(o, LM_DXT_MPIIO);
    record = next_of(records);
    assert_int_equal(record->id, A);
    assert_segments(records, 1, (const int[]){4});
    ends_well(records);
    assert_int_equal(iol_log_error_count(o->log), 0);
}

static void chunks_are_records(void **state) {
    (void)state;
    for (int packed = 0; packed < 2; packed++) {
        lm_log *log = traced();
        log->packed = packed;
        opened o = opened_from(log);
        check_traced(&o);
        assert_true(iol_log_info(o.log)->mapped);
        assert_int_equal(iol_log_info(o.log)->partial_flags, 0);
        opened_close(&o);
    }
}

/* More than fits into any buffer on the way. */
static void long_traces_come_out_whole(void **state) {
    (void)state;
    enum { CHUNKS = 500, EACH = 100 };
    lm_log *log = killed();
    lm_segment segments[EACH];
    for (int64_t i = 0; i < CHUNKS; i++) {
        for (int64_t k = 0; k < EACH; k++) segments[k] = (lm_segment){i * EACH + k, 1, 1, 2, 0};
        rm_trace(log, LM_DXT_POSIX, A, i < CHUNKS / 2, segments, EACH, EACH + 3);
    }
    opened o = opened_from(log);
    iol_records *records = records_of(&o, LM_DXT_POSIX);
    assert_int_equal(next_of(records)->trace.writes, CHUNKS / 2 * EACH);
    iol_segment got[37];
    size_t n;
    int64_t next = 0;
    while (iol_records_segments(records, got, 37, &n) == IOL_OK)
        for (size_t i = 0; i < n; i++) assert_int_equal(got[i].offset, next++);
    assert_int_equal(next, CHUNKS * EACH);
    ends_well(records);
    opened_close(&o);
}

static void records_tell_the_rank(void **state) {
    (void)state;
    lm_log *log = traced();
    lm_sample(log, LM_POSIX, 4, 1, 6, 1);
    opened o = opened_from(log);
    iol_records *records = records_of(&o, LM_DXT_POSIX);
    assert_int_equal(next_of(records)->rank, 6);
    iol_records_close(records);
    opened_close(&o);
}

static void facts_speak_of_end_and_losses(void **state) {
    (void)state;
    lm_log *log = lm_new(41, false, LM_NONE);
    iol__mapped facts = {.ended = IOL_ENDED_EXIT, .start = 0.5, .end = 2.875, .trace_lost = 9};
    facts.folded[LM_STDIO] = 4;
    rm_make(log, &facts);
    opened o = opened_from(log);
    const iol_job *job = iol_log_job(o.log);
    assert_int_equal(job->end_seconds, 1700000003);
    assert_int_equal(job->end_nanoseconds, 125000000);
    assert_true(job->run_time == 2.875);
    assert_false(iol_log_info(o.log)->mapped);
    assert_true(iol_log_info(o.log)->partial_flags == (UINT64_C(1) << LM_STDIO | UINT64_C(1) << LM_DXT_POSIX));
    opened_close(&o);
}

/* Damage ---------------------------------------------------------------------------------------------------------- */

static opened changed(size_t at, uint64_t value) {
    lm_log *log = traced();
    size_t length;
    log->packed = true;
    uint8_t *file = lm_finish(log, &length);
    lm_free(log);
    put_u64(file + at, value, false);
    return opened_bytes(file, length);
}

static size_t count_records(const opened *o, int slot) {
    iol_records *records;
    const iol_record *record;
    size_t count = 0;
    if (iol_records_open(o->log, slot, &records) != IOL_OK) return 0;
    while (iol_records_next(records, &record) == IOL_OK) count++;
    iol_records_close(records);
    return count;
}

static void places_that_cannot_be(void **state) {
    (void)state;
    static const uint64_t wrong[] = {1, 5424, 1 << 30, UINT64_MAX};
    for (size_t i = 0; i < IOL_COUNT(wrong); i++) {
        opened o = changed(IOL_MAPPED_AT + offsetof(iol__mapped, trace_at), wrong[i]);
        assert_int_equal(count_records(&o, LM_DXT_POSIX), 0);
        assert_int_equal(iol_log_error(o.log, 0)->status, IOL_DAMAGED);
        opened_close(&o);
    }
    opened o = changed(IOL_MAPPED_AT + offsetof(iol__mapped, trace_bytes), UINT64_MAX - 100);
    assert_int_equal(count_records(&o, LM_DXT_POSIX), 2); /* all that the file has */
    assert_int_equal(iol_log_error_count(o.log), 1);
    opened_close(&o);
}

static void chunks_that_cannot_be(void **state) {
    (void)state;
    lm_log *log = traced();
    put_u32(log->chunks.data + 32 + 40 + 16, 1000000, false); /* the second one has too much room */
    opened o = opened_from(log);
    assert_int_equal(count_records(&o, LM_DXT_POSIX), 1);
    assert_int_equal(iol_log_error(o.log, 0)->status, IOL_DAMAGED);
    opened_close(&o);
    log = traced();
    put_u32(log->chunks.data + 8, LM_POSIX, false); /* the first one is of a module without traces */
    o = opened_from(log);
    assert_int_equal(count_records(&o, LM_DXT_POSIX), 1);
    assert_int_equal(iol_log_error(o.log, 0)->status, IOL_DAMAGED);
    opened_close(&o);
}

/* Room at the end that no chunk took. */
static void zeros_end_the_chunks(void **state) {
    (void)state;
    lm_log *log = traced();
    bytes_fill(&log->chunks, 0, 5000);
    opened o = opened_from(log);
    check_traced(&o);
    opened_close(&o);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(chunks_are_records),    cmocka_unit_test(long_traces_come_out_whole),
        cmocka_unit_test(records_tell_the_rank), cmocka_unit_test(facts_speak_of_end_and_losses),
        cmocka_unit_test(places_that_cannot_be), cmocka_unit_test(chunks_that_cannot_be),
        cmocka_unit_test(zeros_end_the_chunks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
