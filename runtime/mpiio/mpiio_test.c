/* Counters of the MPI-IO module: against a second implementation on random calls; and what is special about it, case by
   case: bytes beyond 2 GiB, operations that end later than they return, views, names, hints. */
#include "runtime/mpiio/mpiio.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "runtime/core/store.h"
#include "runtime/mpiio/module.h"
#include "runtime/posix/posix.h"
#include "tests/support/runtime_stubs.h"

#define CALLS (&iol__mpiio_calls)
enum { HANDLE = 0x5000, REQUEST = 0x9000 };

static const char name[] = "/data/field";
static iol__mpiio_file *file;

static double at(int64_t grains) { return (double)grains * IOL_GRAIN; }

static iol__mpiio_file *open_file(uint64_t handle, const char *path) {
    return CALLS->opened(handle, path, &(iol__mpiio_opening){.mode = 9, .begin = at(100), .end = at(150)});
}

static iol__mpiio_transfer moved(bool write, iol__mpiio_kind kind, int64_t size, int64_t begin, int64_t end) {
    return (iol__mpiio_transfer){write, kind, size, IOL_MPIIO_NOWHERE, at(begin), at(end), 0};
}

static int64_t count(const char *path, const char *counter) {
    opened o = runtime_log();
    iol_records *records;
    const int64_t value = int_of(runtime_record(&o, IOL_SLOT_MPIIO, path, &records), counter);
    iol_records_close(records);
    opened_close(&o);
    return value;
}

static double seconds(const char *counter) {
    opened o = runtime_log();
    iol_records *records;
    const double value = real_of(runtime_record(&o, IOL_SLOT_MPIIO, name, &records), counter);
    iol_records_close(records);
    opened_close(&o);
    return value;
}

/* The segments of a file, in one direction; returns how many there are. */
static size_t segments(const char *path, bool write, iol_segment *to, size_t room) {
    opened o = runtime_log();
    iol_records *records;
    iol_trace trace;
    size_t got = 0, passed = 0;
    const iol_record *record = runtime_record(&o, IOL_SLOT_DXT_MPIIO, path, &records);
    assert_int_equal(iol_record_trace(record, &trace), IOL_OK);
    for (size_t i = 0; !write && i < trace.writes; i++) iol_records_segments(records, to, 1, &passed);
    const size_t wanted = write ? trace.writes : trace.reads;
    assert_in_range(wanted, 1, room);
    for (size_t i = 0; i < wanted; i++) assert_int_equal(iol_records_segments(records, to + i, 1, &got), IOL_OK);
    iol_records_close(records);
    opened_close(&o);
    return wanted;
}

/* The whole record ------------------------------------------------------------------------------------------------- */

typedef struct model {
    int64_t ints[IOL_MPIIO_INTS];
    double reals[IOL_MPIIO_REALS];
    double last[3];
    int last_direction;
    int64_t values[32], counts[32];
    size_t known;
} model;
static model expected;

static void model_time(int class, double begin, double end) {
    static const int totals[] = {IOL_MPIIO_F_READ_TIME, IOL_MPIIO_F_WRITE_TIME, IOL_MPIIO_F_META_TIME};
    double *last = &expected.last[class];
    const double more = begin > *last ? end - begin : end - *last;
    if (more > 0) expected.reals[totals[class]] += more;
    if (end > *last) *last = end;
}

static void model_size(int64_t size) {
    size_t i = 0;
    while (i < expected.known && expected.values[i] != size) i++;
    if (i == 32) return;
    if (i == expected.known) expected.values[expected.known++] = size;
    expected.counts[i]++;
}

static void model_transfer(const iol__mpiio_transfer *t) {
    static const int ops[4][2] = {{IOL_MPIIO_INDEP_READS, IOL_MPIIO_INDEP_WRITES},
                                  {IOL_MPIIO_COLL_READS, IOL_MPIIO_COLL_WRITES},
                                  {IOL_MPIIO_SPLIT_READS, IOL_MPIIO_SPLIT_WRITES},
                                  {IOL_MPIIO_NB_READS, IOL_MPIIO_NB_WRITES}};
    static const int64_t limits[] = {100,     1024,     10240,     102400,     1048576,
                                     4194304, 10485760, 104857600, 1073741824, INT64_MAX};
    expected.ints[ops[t->kind][t->write]]++;
    expected.ints[t->write ? IOL_MPIIO_BYTES_WRITTEN : IOL_MPIIO_BYTES_READ] += t->bytes;
    int bucket = 0;
    while (t->bytes > limits[bucket]) bucket++;
    expected.ints[(t->write ? IOL_MPIIO_SIZE_WRITE_AGG_0_100 : IOL_MPIIO_SIZE_READ_AGG_0_100) + bucket]++;
    model_size(t->bytes);
    if (expected.last_direction && expected.last_direction != 1 + t->write) expected.ints[IOL_MPIIO_RW_SWITCHES]++;
    expected.last_direction = 1 + t->write;
    double *start = &expected.reals[t->write ? IOL_MPIIO_F_WRITE_START_TIMESTAMP : IOL_MPIIO_F_READ_START_TIMESTAMP];
    if (*start == 0 || *start > t->begin) *start = t->begin;
    expected.reals[t->write ? IOL_MPIIO_F_WRITE_END_TIMESTAMP : IOL_MPIIO_F_READ_END_TIMESTAMP] = t->end;
    double *most = &expected.reals[t->write ? IOL_MPIIO_F_MAX_WRITE_TIME : IOL_MPIIO_F_MAX_READ_TIME];
    if (t->end - t->begin > *most) {
        *most = t->end - t->begin;
        expected.ints[t->write ? IOL_MPIIO_MAX_WRITE_TIME_SIZE : IOL_MPIIO_MAX_READ_TIME_SIZE] = t->bytes;
    }
    model_time(t->write, t->begin, t->end);
}

/* The four of the record, in order: more often first, then larger. */
static void model_common(void) {
    bool used[32] = {false};
    for (int slot = 0; slot < 4; slot++) {
        size_t best = 32;
        for (size_t i = 0; i < expected.known; i++)
            if (!used[i] && expected.values[i] != 0 &&
                (best == 32 || expected.counts[i] > expected.counts[best] ||
                 (expected.counts[i] == expected.counts[best] && expected.values[i] > expected.values[best])))
                best = i;
        if (best == 32) return;
        used[best] = true;
        expected.ints[IOL_MPIIO_ACCESS1_ACCESS + slot] = expected.values[best];
        expected.ints[IOL_MPIIO_ACCESS1_COUNT + slot] = expected.counts[best];
    }
}

static void assert_record(void) {
    opened o = runtime_log();
    iol_records *records;
    const iol_record *record = runtime_record(&o, IOL_SLOT_MPIIO, name, &records);
    for (int i = 0; i < IOL_MPIIO_INTS + IOL_MPIIO_REALS; i++) {
        const iol__counter *counter = &iol__modules[IOL_SLOT_MPIIO].counters[i];
        if (i < IOL_MPIIO_INTS && int_of(record, counter->name) != expected.ints[i])
            fail_msg("%s is %lld instead of %lld", counter->name, (long long)int_of(record, counter->name),
                     (long long)expected.ints[i]);
        if (i >= IOL_MPIIO_INTS && real_of(record, counter->name) != expected.reals[i - IOL_MPIIO_INTS])
            fail_msg("%s is %.9f instead of %.9f", counter->name, real_of(record, counter->name),
                     expected.reals[i - IOL_MPIIO_INTS]);
    }
    iol_records_close(records);
    opened_close(&o);
}

static void counters_are_those_of_the_model(void **state) {
    (void)state;
    static const int64_t sizes[] = {0, 1, 100, 101, 4096, 1048576, 1048577, INT64_C(3) << 30, 104857600, 512};
    memset(&expected, 0, sizeof expected);
    expected.ints[IOL_MPIIO_INDEP_OPENS] = 1;
    expected.ints[IOL_MPIIO_MODE] = 9;
    expected.reals[IOL_MPIIO_F_OPEN_START_TIMESTAMP] = at(100);
    expected.reals[IOL_MPIIO_F_OPEN_END_TIMESTAMP] = at(150);
    model_time(2, at(100), at(150));
    int64_t now = 1000;
    for (int i = 0; i < 3000; i++) {
        now += (int64_t)runtime_random(300);
        const int64_t begin = now + (int64_t)runtime_random(400), end = begin + (int64_t)runtime_random(500);
        const int64_t size = runtime_random(3) ? sizes[runtime_random(10)] : (int64_t)runtime_random(60) * 7;
        const iol__mpiio_transfer t = moved(
            runtime_random(2), runtime_random(2) ? IOL_MPIIO_INDEPENDENT : IOL_MPIIO_COLLECTIVE, size, begin, end);
        switch (runtime_random(12)) {
        case 0:
            CALLS->synced(file, t.begin, t.end);
            expected.ints[IOL_MPIIO_SYNCS]++;
            model_time(1, t.begin, t.end);
            break;
        case 1:
            CALLS->viewed(file, &(iol__mpiio_view){0}, t.write, t.begin, t.end);
            expected.ints[IOL_MPIIO_VIEWS]++;
            expected.ints[IOL_MPIIO_HINTS] += t.write;
            model_time(2, t.begin, t.end);
            break;
        default: CALLS->transfer(file, &t); model_transfer(&t);
        }
        if (i % 100 == 0) {
            model_common();
            assert_record();
        }
    }
    model_common();
    assert_record();
}

/* Case by case ----------------------------------------------------------------------------------------------------- */

static void bytes_do_not_wrap_at_2_gib(void **state) {
    (void)state;
    const int64_t size = INT64_C(3000) << 20;
    const iol__mpiio_transfer t = moved(false, IOL_MPIIO_INDEPENDENT, size, 200, 300);
    CALLS->transfer(file, &t);
    CALLS->transfer(file, &t);
    assert_int_equal(count(name, "MPIIO_BYTES_READ"), 2 * size);
    assert_int_equal(count(name, "MPIIO_SIZE_READ_AGG_1G_PLUS"), 2);
    assert_int_equal(count(name, "MPIIO_SIZE_READ_AGG_0_100"), 0);
    assert_int_equal(count(name, "MPIIO_ACCESS1_ACCESS"), size);
}

/* Held up from 200 to 300 and from 700 to 750: that is its time; it was under way from 200 to 750. */
static void a_request_costs_what_it_blocks_and_ends_when_it_is_seen_to(void **state) {
    (void)state;
    iol_segment segment = {0};
    const iol__mpiio_transfer t = moved(true, IOL_MPIIO_NONBLOCKING, 4096, 200, 300);
    assert_true(CALLS->begun(file, REQUEST, &t));
    assert_int_equal(count(name, "MPIIO_NB_WRITES"), 1);
    assert_int_equal(count(name, "MPIIO_BYTES_WRITTEN"), 4096);
    assert_true(seconds("MPIIO_F_WRITE_END_TIMESTAMP") == at(300));
    assert_null(CALLS->operation(REQUEST + 8));
    iol__mpiio_operation *operation = CALLS->operation(REQUEST);
    assert_non_null(operation);
    CALLS->done(operation, at(700), at(750));
    assert_null(CALLS->operation(REQUEST));
    CALLS->done(operation, at(800), at(850)); /* a second time, as by a request that another call has freed */
    assert_int_equal(count(name, "MPIIO_NB_WRITES"), 1);
    assert_true(seconds("MPIIO_F_WRITE_START_TIMESTAMP") == at(200));
    assert_true(seconds("MPIIO_F_WRITE_END_TIMESTAMP") == at(750));
    assert_true(seconds("MPIIO_F_WRITE_TIME") == at(150));
    assert_true(seconds("MPIIO_F_MAX_WRITE_TIME") == at(150));
    assert_int_equal(count(name, "MPIIO_MAX_WRITE_TIME_SIZE"), 4096);
    assert_int_equal(segments(name, true, &segment, 1), 1);
    assert_true(segment.start == at(200) && segment.end == at(750) && segment.length == 4096 && segment.offset == -1);
}

static void waiting_for_many_at_once_counts_once(void **state) {
    (void)state;
    enum { MANY = 500 };
    for (int i = 0; i < MANY; i++) {
        const iol__mpiio_transfer t = moved(false, IOL_MPIIO_NONBLOCKING, i, 200 + i, 201 + i);
        assert_true(CALLS->begun(file, REQUEST + 8 * (uint64_t)i, &t));
    }
    for (int i = 0; i < MANY; i++) CALLS->done(CALLS->operation(REQUEST + 8 * (uint64_t)i), at(2000), at(3000));
    assert_int_equal(count(name, "MPIIO_NB_READS"), MANY);
    assert_true(seconds("MPIIO_F_READ_TIME") == at(MANY + 1000));
    static iol_segment all[MANY];
    assert_int_equal(segments(name, false, all, MANY), MANY);
    for (int i = 0; i < MANY; i++) assert_true(all[i].start == at(200 + i) && all[i].end == at(3000));
}

/* One request for all that was done at once: each counts, each is traced. */
static void a_request_that_comes_again_was_done(void **state) {
    (void)state;
    iol_segment all[3] = {{0}};
    for (int i = 0; i < 3; i++) {
        const iol__mpiio_transfer t = moved(true, IOL_MPIIO_NONBLOCKING, 10, 200 + 10 * i, 205 + 10 * i);
        CALLS->begun(file, REQUEST, &t);
    }
    CALLS->done(CALLS->operation(REQUEST), at(400), at(410));
    assert_int_equal(segments(name, true, all, 3), 3);
    assert_true(all[0].end == at(205) && all[1].end == at(215) && all[2].end == at(410));
    assert_int_equal(count(name, "MPIIO_NB_WRITES"), 3);
}

static void what_is_never_waited_for_is_traced_at_the_end(void **state) {
    (void)state;
    iol_segment all[2] = {{0}};
    const iol__mpiio_transfer first = moved(true, IOL_MPIIO_NONBLOCKING, 10, 200, 210);
    const iol__mpiio_transfer second = moved(true, IOL_MPIIO_SPLIT, 20, 220, 230);
    CALLS->begun(file, REQUEST, &first);
    CALLS->split_begun(file, &second);
    iol__mpiio_finish();
    assert_null(CALLS->operation(REQUEST));
    assert_int_equal(segments(name, true, all, 2), 2);
    assert_int_equal(all[0].length + all[1].length, 30);
    CALLS->split_ended(file, at(300), at(310)); /* too late */
    assert_int_equal(segments(name, true, all, 2), 2);
}

static void split_collectives_are_one_operation_of_two_calls(void **state) {
    (void)state;
    iol_segment segment = {0};
    iol__mpiio_transfer t = moved(false, IOL_MPIIO_SPLIT, 512, 200, 240);
    t.offset = 77;
    CALLS->split_begun(file, &t);
    CALLS->split_ended(file, at(500), at(600));
    CALLS->split_ended(file, at(700), at(800)); /* of nothing */
    assert_int_equal(count(name, "MPIIO_SPLIT_READS"), 1);
    assert_int_equal(count(name, "MPIIO_BYTES_READ"), 512);
    assert_true(seconds("MPIIO_F_READ_TIME") == at(140));
    assert_true(seconds("MPIIO_F_READ_END_TIMESTAMP") == at(600));
    assert_int_equal(segments(name, false, &segment, 1), 1);
    assert_true(segment.offset == 77 && segment.start == at(200) && segment.end == at(600));
}

static void offsets_follow_the_view(void **state) {
    (void)state;
    assert_int_equal(CALLS->offset(file, 12345), 12345);
    /* integers from byte 100 on */
    CALLS->viewed(file, &(iol__mpiio_view){100, 4, 4, 0, 4}, false, at(200), at(210));
    assert_int_equal(CALLS->offset(file, 0), 100);
    assert_int_equal(CALLS->offset(file, 25), 200);
    /* the third block of 8 bytes of every 32 */
    CALLS->viewed(file, &(iol__mpiio_view){1000, 8, 8, 16, 32}, false, at(220), at(230));
    assert_int_equal(CALLS->offset(file, 0), 1016);
    assert_int_equal(CALLS->offset(file, 3), 1016 + 3 * 32);
    /* the same in bytes, from the middle of a block */
    CALLS->viewed(file, &(iol__mpiio_view){0, 1, 8, 16, 32}, false, at(240), at(250));
    assert_int_equal(CALLS->offset(file, 13), 32 + 16 + 5);
    CALLS->viewed(file, &(iol__mpiio_view){0, 1, 0, 0, 0}, false, at(260), at(270));
    assert_int_equal(CALLS->offset(file, 0), IOL_MPIIO_NOWHERE);
    CALLS->viewed(file, &(iol__mpiio_view){0, INT64_MAX, 1, 0, 2}, false, at(280), at(290));
    assert_int_equal(CALLS->offset(file, 2), IOL_MPIIO_NOWHERE);
    assert_true(seconds("MPIIO_F_META_TIME") == at(50 + 5 * 10));
}

static void names_lose_the_prefix_of_the_file_system(void **state) {
    (void)state;
    assert_non_null(open_file(HANDLE + 8, "ufs:/data/./of_ufs"));
    assert_int_equal(count("/data/of_ufs", "MPIIO_INDEP_OPENS"), 1);
    assert_string_equal(open_file(HANDLE + 16, "nfs:/data//b:c")->file->name, "/data/b:c");
    assert_string_equal(open_file(HANDLE + 24, "/a")->file->name, "/a");
    const char *drive = open_file(HANDLE + 32, "c:/a")->file->name;
    assert_string_equal(drive + strlen(drive) - 5, "/c:/a");
}

static void a_handle_stands_for_the_file_opened_last(void **state) {
    (void)state;
    assert_ptr_equal(CALLS->find(HANDLE), file);
    iol__mpiio_file *again = open_file(HANDLE, "/data/another"); /* closed unseen */
    assert_ptr_equal(CALLS->find(HANDLE), again);
    assert_ptr_equal(CALLS->closing(HANDLE), again);
    assert_null(CALLS->find(HANDLE));
    CALLS->closed(again, true, at(300), at(310)); /* it could not be closed */
    assert_ptr_equal(CALLS->find(HANDLE), again);
    CALLS->closed(CALLS->closing(HANDLE), false, at(320), at(330));
    assert_null(CALLS->find(HANDLE));
    assert_null(CALLS->closing(HANDLE));
}

static void excluded_files_have_no_record(void **state) {
    (void)state;
    assert_null(open_file(HANDLE, "/proc/field"));
    assert_null(CALLS->find(HANDLE)); /* the one before is gone, too */
}

static void a_forked_child_begins_again_with_the_same_files(void **state) {
    (void)state;
    const iol__mpiio_transfer t = moved(true, IOL_MPIIO_NONBLOCKING, 10, 200, 210);
    CALLS->begun(file, REQUEST, &t);
    static char parents[sizeof iol__store_state.path];
    strcpy(parents, iol__store_state.path);
    runtime_forked();
    assert_null(CALLS->operation(REQUEST));
    assert_ptr_equal(CALLS->find(HANDLE), file);
    const iol__mpiio_transfer own = moved(true, IOL_MPIIO_COLLECTIVE, 5, 300, 310);
    CALLS->transfer(file, &own);
    assert_int_equal(count(name, "MPIIO_BYTES_WRITTEN"), 5);
    assert_int_equal(count(name, "MPIIO_NB_WRITES"), 0);
    assert_int_equal(remove(parents), 0);
}

static void traffic_is_in_the_heat_map(void **state) {
    (void)state;
    const iol__mpiio_transfer t = moved(true, IOL_MPIIO_COLLECTIVE, 1000, 200, 210);
    CALLS->transfer(file, &t);
    opened o = runtime_log();
    iol_records *records;
    iol_heatmap map;
    assert_int_equal(iol_record_heatmap(runtime_record(&o, IOL_SLOT_HEATMAP, "heatmap:MPIIO", &records), &map), IOL_OK);
    assert_int_equal(map.written[0], 1000);
    iol_records_close(records);
    opened_close(&o);
}

/* The settings ask about POSIX accesses; a file that has too few of that kind loses the trace of both layers. */
static void a_trace_goes_with_that_of_posix(void **state) {
    (void)state;
    enum { FD = 300 };
    iol__setting_value *small = &iol__core_state.config.values[IOL_SET_TRACE_SMALL_IO];
    const char *before = small->text;
    const iol__mpiio_transfer t = moved(true, IOL_MPIIO_COLLECTIVE, 1 << 20, 200, 210);
    iol__posix_opened(FD, AT_FDCWD, name, O_RDWR, 0, at(100));
    iol__posix_write(iol__descriptor(FD), FD, 0, 1 << 20, false, at(200));
    CALLS->transfer(file, &t);
    CALLS->transfer(open_file(HANDLE + 8, "/data/without_posix"), &t);
    small->text = "0.5";
    iol__posix_finish();
    small->text = before;
    opened o = runtime_log();
    iol_records *records = records_of(&o, IOL_SLOT_DXT_MPIIO);
    assert_string_equal(iol_log_name(o.log, iol_record_id(next_of(records))), "/data/without_posix");
    ends_well(records);
    opened_close(&o);
}

static void hints_are_lines_of_json(void **state) {
    (void)state;
    static const char pairs[] = "cb_nodes\0008\0quote\"d\0a\\b\nc";
    static const char others[] = "cb_nodes\00016";
    const char *text;
    CALLS->hints(file, pairs, sizeof pairs);
    CALLS->hints(file, pairs, sizeof pairs); /* as by the next open */
    CALLS->hints(file, others, sizeof others);
    const char expect[] =
        "{\"file\":\"/data/field\",\"hints\":{\"cb_nodes\":\"8\",\"quote\\\"d\":\"a\\\\b\\u000ac\"}}\n"
        "{\"file\":\"/data/field\",\"hints\":{\"cb_nodes\":\"16\"}}\n";
    const size_t length = iol__mpiio_hints(&text);
    assert_int_equal(length, sizeof expect - 1);
    assert_memory_equal(text, expect, length);
}

static void hints_are_asked_for_again_when_they_may_be_others(void **state) {
    (void)state;
    assert_true(CALLS->hints_wanted(file, 7));
    assert_false(CALLS->hints_wanted(file, 7));
    assert_true(CALLS->hints_wanted(file, 8));
    assert_false(CALLS->hints_wanted(file, 8));
    assert_true(CALLS->hints_wanted(file, 7));
}

static void hints_beyond_the_room_are_reported(void **state) {
    (void)state;
    static char pairs[4096];
    const char *text;
    memset(pairs, 'x', sizeof pairs - 1);
    pairs[1] = 0;
    for (int i = 0; i < 30; i++) {
        pairs[2] = (char)('a' + i);
        CALLS->hints(file, pairs, sizeof pairs);
    }
    const size_t length = iol__mpiio_hints(&text);
    assert_in_range(length, 60000, 64 << 10);
    static const char last[] = "}}\n{\"file\":\"<FOLDED>\",\"hints\":{\"dropped\":\"15\"}}\n";
    assert_memory_equal(text + length - (sizeof last - 1), last, sizeof last - 1);
}

/* ------------------------------------------------------------------------------------------------------------------ */

static int start(void **state) {
    (void)state;
    runtime_start(NULL, (const char *const[]){"IOLITE_TRACE=1", NULL});
    return 0;
}

static int reset_all(void **state) {
    (void)state;
    runtime_reset();
    file = open_file(HANDLE, name);
    assert_non_null(file);
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(counters_are_those_of_the_model, reset_all),
        cmocka_unit_test_setup(bytes_do_not_wrap_at_2_gib, reset_all),
        cmocka_unit_test_setup(a_request_costs_what_it_blocks_and_ends_when_it_is_seen_to, reset_all),
        cmocka_unit_test_setup(waiting_for_many_at_once_counts_once, reset_all),
        cmocka_unit_test_setup(a_request_that_comes_again_was_done, reset_all),
        cmocka_unit_test_setup(what_is_never_waited_for_is_traced_at_the_end, reset_all),
        cmocka_unit_test_setup(split_collectives_are_one_operation_of_two_calls, reset_all),
        cmocka_unit_test_setup(offsets_follow_the_view, reset_all),
        cmocka_unit_test_setup(names_lose_the_prefix_of_the_file_system, reset_all),
        cmocka_unit_test_setup(a_handle_stands_for_the_file_opened_last, reset_all),
        cmocka_unit_test_setup(excluded_files_have_no_record, reset_all),
        cmocka_unit_test_setup(a_forked_child_begins_again_with_the_same_files, reset_all),
        cmocka_unit_test_setup(traffic_is_in_the_heat_map, reset_all),
        cmocka_unit_test_setup(a_trace_goes_with_that_of_posix, reset_all),
        cmocka_unit_test_setup(hints_are_lines_of_json, reset_all),
        cmocka_unit_test_setup(hints_are_asked_for_again_when_they_may_be_others, reset_all),
        cmocka_unit_test_setup(hints_beyond_the_room_are_reported, reset_all),
    };
    return cmocka_run_group_tests(tests, start, stop_runtime);
}
