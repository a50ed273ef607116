/* Counters of the STDIO module against a second implementation on random calls, and characters that go through a
   stream's buffer without any call. */
#include "runtime/stdio/stdio.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/support/runtime_stubs.h"

typedef struct model {
    int64_t ints[IOL_STDIO_INTS];
    double reals[IOL_STDIO_REALS];
    double last[3];
    int64_t offset;
    bool timed[2], untimed[2]; /* reads, writes: of this stream any, and any since the last timed one */
} model;

static model expected;
static FILE *file;
static iol__rt_stream *stream;
static int64_t now_grains;
static double call_begin, call_end;

static void next_call(void) {
    now_grains += (int64_t)runtime_random(3000);
    const int64_t end = now_grains + 20000 - (runtime_random(8) ? 0 : (int64_t)runtime_random(9000));
    call_end = (double)end * IOL_GRAIN;
    call_begin = (double)(end - (int64_t)runtime_random(5000)) * IOL_GRAIN;
    runtime_clock(end);
}

static void model_time(int class) {
    static const int totals[] = {IOL_STDIO_F_READ_TIME, IOL_STDIO_F_WRITE_TIME, IOL_STDIO_F_META_TIME};
    double *last = &expected.last[class];
    const double more = call_begin > *last ? call_end - call_begin : call_end - *last;
    if (more > 0) expected.reals[totals[class]] += more;
    if (call_end > *last) *last = call_end;
}

static void model_stamps(int first, int last) {
    double *start = &expected.reals[first];
    if (*start == 0 || *start > call_begin) *start = call_begin;
    expected.reals[last] = call_end;
}

static void model_transfer(bool write, int64_t size, bool timed) {
    int64_t *ints = expected.ints, *most = &ints[write ? IOL_STDIO_MAX_BYTE_WRITTEN : IOL_STDIO_MAX_BYTE_READ];
    ints[write ? IOL_STDIO_WRITES : IOL_STDIO_READS]++;
    ints[write ? IOL_STDIO_BYTES_WRITTEN : IOL_STDIO_BYTES_READ] += size;
    if (*most < expected.offset + size - 1) *most = expected.offset + size - 1;
    expected.offset += size;
    expected.untimed[write] = !timed;
    if (!timed) return;
    expected.timed[write] = true;
    model_stamps(write ? IOL_STDIO_F_WRITE_START_TIMESTAMP : IOL_STDIO_F_READ_START_TIMESTAMP,
                 write ? IOL_STDIO_F_WRITE_END_TIMESTAMP : IOL_STDIO_F_READ_END_TIMESTAMP);
    model_time(write ? 1 : 0);
}

/* What the buffer served is over when the stream is flushed or closed. */
static void model_over(void) {
    for (int write = 0; write < 2; write++) {
        double *end = &expected.reals[write ? IOL_STDIO_F_WRITE_END_TIMESTAMP : IOL_STDIO_F_READ_END_TIMESTAMP];
        if (expected.untimed[write] && expected.timed[write] && *end < call_end) *end = call_end;
        expected.untimed[write] = false;
    }
}

static void do_open(bool from_descriptor) {
    next_call();
    iol__stdio_opened(file, from_descriptor ? NULL : "/data/stream", O_RDWR, from_descriptor, call_begin);
    stream = iol__stream_of(file);
    assert_non_null(stream);
    expected.ints[IOL_STDIO_OPENS]++;
    expected.ints[IOL_STDIO_FDOPENS] += from_descriptor;
    expected.offset = 0;
    expected.timed[0] = expected.timed[1] = false;
    model_stamps(IOL_STDIO_F_OPEN_START_TIMESTAMP, IOL_STDIO_F_OPEN_END_TIMESTAMP);
    model_time(2);
}

static void do_close(void) {
    next_call();
    iol__stdio_closed(stream, call_begin);
    iol__stream_forget(fileno(file));
    model_stamps(IOL_STDIO_F_CLOSE_START_TIMESTAMP, IOL_STDIO_F_CLOSE_END_TIMESTAMP);
    model_time(2);
    model_over();
}

static void do_something(void) {
    next_call();
    const int64_t size = (int64_t)runtime_random(runtime_random(2) ? 10 : 100000);
    switch (runtime_random(10)) {
    case 0:
        iol__stdio_flushed(stream, call_begin);
        expected.ints[IOL_STDIO_FLUSHES]++;
        model_stamps(IOL_STDIO_F_WRITE_START_TIMESTAMP, IOL_STDIO_F_WRITE_END_TIMESTAMP);
        model_time(1);
        model_over();
        break;
    case 1:
        iol__stdio_sought(stream, size, call_begin);
        expected.ints[IOL_STDIO_SEEKS]++;
        model_time(2);
        expected.offset = size;
        break;
    case 2:
        iol__stdio_quiet_read(stream, 1);
        model_transfer(false, 1, false);
        break;
    case 3:
        iol__stdio_quiet_write(stream, 1);
        model_transfer(true, 1, false);
        break;
    case 4:
        assert_int_equal(iol__stdio_quiet_read_of(stream, size + 1, stream->handle, 3), 3);
        model_transfer(false, size + 1, false);
        break;
    case 5:
        assert_int_equal(iol__stdio_quiet_write_of(stream, size + 1, stream->handle, 4), 4);
        model_transfer(true, size + 1, false);
        break;
    case 6:
    case 7:
        iol__stdio_read(stream, size, stream->handle, 0, call_begin);
        model_transfer(false, size, true);
        break;
    default: iol__stdio_write(stream, size, stream->handle, 0, call_begin); model_transfer(true, size, true);
    }
}

static void assert_counters(void) {
    opened o = runtime_log();
    iol_records *records;
    const iol_record *record = runtime_record(&o, IOL_SLOT_STDIO, "/data/stream", &records);
    for (int i = 0; i < IOL_STDIO_INTS + IOL_STDIO_REALS; i++) {
        iol_value value;
        iol_counter counter;
        const bool real = i >= IOL_STDIO_INTS;
        assert_int_equal(iol_record_counter(record, (size_t)i, &value), IOL_OK);
        assert_int_equal(iol_counter_at(IOL_SLOT_STDIO, (size_t)i, &counter), IOL_OK);
        const double is = real ? value.as.d : (double)value.as.i,
                     should = real ? expected.reals[i - IOL_STDIO_INTS] : (double)expected.ints[i];
        if (is != should) fail_msg("%s is %.17g, not %.17g", counter.name, is, should);
    }
    iol_records_close(records);
    opened_close(&o);
}

static void random_calls_count_as_the_rules_say(void **state) {
    (void)state;
    for (int round = 0; round < 50; round++) {
        do_open(false);
        for (int i = 0; i < 200; i++) do_something();
        do_close();
        do_open(runtime_random(2));
        for (int i = 0; i < 50; i++) do_something();
        assert_counters();
        do_close();
        assert_counters();
        iol__descriptor_forget(fileno(file));
        runtime_reset();
        memset(&expected, 0, sizeof expected);
    }
}

/* The compiler's own code for getc and putc does not call anybody while the buffer lasts. */
static void characters_in_the_buffer_are_counted_at_the_next_call(void **state) {
    (void)state;
    do_open(false);
    for (int i = 0; i < 30; i++) putc_unlocked('x', file);
    assert_ptr_equal(iol__stream_of(file), stream);
    model_transfer(true, 30, false);
    assert_counters();
    rewind(file);
    iol__stream_seen(stream, file);
    iol__stdio_sought(stream, 0, call_begin);
    expected.ints[IOL_STDIO_SEEKS]++;
    model_time(2);
    expected.offset = 0;
    for (int i = 0; i < 20; i++) assert_int_equal(getc_unlocked(file), 'x');
    iol__stream_of(file);
    model_transfer(false, 20, false);
    for (int i = 0; i < 5; i++) assert_int_equal(getc_unlocked(file), 'x');
    iol__stdio_finish(); /* what is left at the end counts too */
    model_transfer(false, 5, false);
    assert_counters();
    iol__stdio_finish(); /* once */
    assert_counters();
}

static void standard_streams_have_names_and_one_open(void **state) {
    (void)state;
    stream = iol__stream_of(stdout);
    assert_non_null(stream);
    iol__stdio_write(stream, 5, stream->handle, 0, IOL_GRAIN);
    opened o = runtime_log();
    iol_records *records;
    const iol_record *record = runtime_record(&o, IOL_SLOT_STDIO, "<STDOUT>", &records);
    assert_int_equal(iol_record_id(record), UINT64_C(15920181672442173319));
    assert_int_equal(int_of(record, "STDIO_OPENS"), 1);
    assert_int_equal(int_of(record, "STDIO_BYTES_WRITTEN"), 5);
    assert_true(real_of(record, "STDIO_F_META_TIME") == 0);
    assert_true(real_of(record, "STDIO_F_OPEN_START_TIMESTAMP") == 0);
    iol_records_close(records);
    opened_close(&o);
    iol__stream_forget(STDOUT_FILENO);
}

static int start(void **state) {
    (void)state;
    runtime_start(NULL, NULL);
    runtime_clock(1000);
    return 0;
}

static int open_file(void **state) {
    (void)state;
    file = tmpfile();
    runtime_reset();
    memset(&expected, 0, sizeof expected);
    return file ? 0 : -1;
}

static int close_file(void **state) {
    (void)state;
    iol__stream_forget(fileno(file));
    iol__descriptor_forget(fileno(file));
    return fclose(file);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(random_calls_count_as_the_rules_say, open_file, close_file),
        cmocka_unit_test_setup_teardown(characters_in_the_buffer_are_counted_at_the_next_call, open_file, close_file),
        cmocka_unit_test_setup_teardown(standard_streams_have_names_and_one_open, open_file, close_file),
    };
    return cmocka_run_group_tests(tests, start, stop_runtime);
}
