/* Traced operations: read back through the log library they are those that were made, in order; past the budget none is
   written over, and the rest is counted. */
#include "runtime/posix/trace.h"

#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "runtime/core/store.h"
#include "tests/support/runtime_stubs.h"

enum { FILES = 3, FIRST_FD = 300, MOST = 40000 };

static iol_segment made[FILES][2][MOST]; /* written, read */
static size_t n_made[FILES][2];
static int64_t now;

static const char *name_of(int file) {
    static const char names[FILES][20] = {"/data/a", "/data/b", "/data/untraced"};
    return names[file];
}

static void open_files(void) {
    memset(n_made, 0, sizeof n_made);
    for (int i = 0; i < FILES; i++)
        iol__posix_opened(FIRST_FD + i, AT_FDCWD, name_of(i), O_RDWR | O_CREAT, 0, IOL_GRAIN);
}

static void transfer(int file, bool write, int64_t offset, int64_t size) {
    now += 1 + (int64_t)runtime_random(100);
    runtime_clock(now + 5);
    const double begin = (double)now * IOL_GRAIN;
    iol__opened *of = iol__descriptor(FIRST_FD + file);
    (write ? iol__posix_write : iol__posix_read)(of, FIRST_FD + file, offset, size, false, begin);
    made[file][!write][n_made[file][!write]++] = (iol_segment){.offset = offset,
                                                               .length = size,
                                                               .start = begin,
                                                               .end = (double)(now + 5) * IOL_GRAIN,
                                                               .thread = (uint64_t)pthread_self()};
}

static void transfers(int count) {
    for (int i = 0; i < count; i++)
        transfer((int)runtime_random(FILES), runtime_random(2), (int64_t)runtime_random(1 << 20),
                 (int64_t)runtime_random(5000));
}

static void assert_segments(iol_records *records, const iol_segment *expected, size_t count) {
    for (size_t i = 0; i < count; i++) {
        iol_segment segment;
        size_t got;
        assert_int_equal(iol_records_segments(records, &segment, 1, &got), IOL_OK);
        assert_int_equal(segment.offset, expected[i].offset);
        assert_int_equal(segment.length, expected[i].length);
        assert_true(segment.start == expected[i].start && segment.end == expected[i].end);
        assert_int_equal(segment.thread, expected[i].thread);
    }
}

/* Returns how many operations the trace of all files has. */
static size_t check_traces(bool complete) {
    opened o = runtime_log();
    size_t there = 0;
    for (int file = 0; file < 2; file++) {
        iol_records *records;
        iol_trace trace;
        assert_int_equal(iol_record_trace(runtime_record(&o, IOL_SLOT_DXT_POSIX, name_of(file), &records), &trace),
                         IOL_OK);
        assert_true(trace.writes <= n_made[file][0] && trace.reads <= n_made[file][1]);
        if (complete) {
            assert_int_equal(trace.writes, n_made[file][0]);
            assert_int_equal(trace.reads, n_made[file][1]);
        }
        assert_segments(records, made[file][0], trace.writes);
        assert_segments(records, made[file][1], trace.reads);
        there += trace.writes + trace.reads;
        iol_records_close(records);
    }
    opened_close(&o);
    return there;
}

static void operations_come_back_as_they_were(void **state) {
    (void)state;
    open_files();
    transfer(0, true, 0, 10);
    transfer(1, false, 7, 20);
    check_traces(true);
    for (int i = 0; i < 40; i++) {
        transfers(1 + (int)runtime_random(100));
        check_traces(true);
    }
    assert_int_equal(iol__store_facts()->trace_lost, 0);
}

/* The log is written by going from chunk to chunk. */
static void chunks_of_a_file_are_linked(void **state) {
    (void)state;
    open_files();
    transfers(3000);
    for (int file = 0; file < 2; file++)
        for (int direction = 0; direction < 2; direction++) {
            const iol__posix *p = (const iol__posix *)(const void *)iol__descriptor(FIRST_FD + file)->posix;
            const iol__trace_chunk *chunk = p->trace.first_chunks[direction];
            size_t there = 0;
            for (; chunk; chunk = iol__trace_following(chunk)) {
                assert_int_equal(chunk->id, iol_name_id(name_of(file), strlen(name_of(file))));
                assert_int_equal(chunk->write, direction == IOL_WRITE);
                there += chunk->used;
            }
            assert_int_equal(there, n_made[file][direction == IOL_READ]);
        }
}

/* A megabyte is full after about 26000; what came before stays. */
static void past_the_budget_the_rest_is_counted(void **state) {
    (void)state;
    open_files();
    transfers(MOST);
    const size_t there = check_traces(false), all = n_made[0][0] + n_made[0][1] + n_made[1][0] + n_made[1][1];
    assert_int_equal(there + iol__store_facts()->trace_lost, all);
    assert_in_range(there * 40, (1 << 20) * 9 / 10, 1 << 20);
    opened o = runtime_log();
    assert_int_equal(iol_log_info(o.log)->partial_flags, UINT64_C(1) << IOL_SLOT_DXT_POSIX);
    opened_close(&o);
}

/* A share of small or unaligned accesses can be asked for: files below it lose their trace at the end. */
static void unwanted_traces_go_at_the_end(void **state) {
    (void)state;
    open_files();
    for (int i = 0; i < 100; i++) {
        transfer(0, true, 0, i < 50 ? 10240 : 10241);
        transfer(1, true, 0, i < 49 ? 10240 : 10241);
    }
    iol__setting_value *small = &iol__core_state.config.values[IOL_SET_TRACE_SMALL_IO];
    const char *before = small->text;
    small->text = "0.5";
    iol__posix_finish();
    small->text = before;
    opened o = runtime_log();
    iol_records *records = records_of(&o, IOL_SLOT_DXT_POSIX);
    const iol_record *record = next_of(records);
    iol_trace trace;
    assert_string_equal(iol_log_name(o.log, iol_record_id(record)), name_of(0));
    assert_int_equal(iol_record_trace(record, &trace), IOL_OK);
    assert_int_equal(trace.writes, 100);
    ends_well(records);
    opened_close(&o);
}

static int start(void **state) {
    (void)state;
    runtime_start("NAME_EXCLUDE untraced DXT_POSIX\n",
                  (const char *const[]){"IOLITE_TRACE=1", "IOLITE_TRACE_MEMORY=1", NULL});
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(operations_come_back_as_they_were, reset_runtime),
        cmocka_unit_test_setup(chunks_of_a_file_are_linked, reset_runtime),
        cmocka_unit_test_setup(past_the_budget_the_rest_is_counted, reset_runtime),
        cmocka_unit_test_setup(unwanted_traces_go_at_the_end, reset_runtime),
    };
    return cmocka_run_group_tests(tests, start, stop_runtime);
}
