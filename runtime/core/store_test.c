/* The store: opened with the log library after every step, it is a log that says exactly what was committed. */
#include "runtime/core/store.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "record/record.h"
#include "runtime/posix/posix.h"
#include "runtime/stdio/stdio.h"
#include "tests/support/runtime_stubs.h"

typedef struct expectation {
    size_t names;
    int64_t records[2]; /* POSIX, STDIO */
} expectation;

static const int slots[2] = {IOL_SLOT_POSIX, IOL_SLOT_STDIO};

static const iol__runtime_module *module_of(int which) { return which ? &iol__stdio_module : &iol__posix_module; }

/* The n-th record of a module has id n + 1 and n in its last counter, so that a mix-up shows. */
static void fill(uint8_t *record, int which, int64_t n) {
    const int64_t base[2] = {n + 1, 0};
    memcpy(record, base, sizeof base);
    memcpy(record + module_of(which)->record_bytes - sizeof n, &(double){(double)n}, sizeof n);
}

static void assert_store(const expectation *expected) {
    opened o = runtime_log();
    assert_int_equal(iol_log_name_count(o.log), expected->names);
    for (int which = 0; which < 2; which++) {
        iol_module module;
        const bool there = iol_log_module(o.log, slots[which], &module) == IOL_OK && module.length > 0;
        assert_int_equal(there, expected->records[which] > 0);
        if (!there) continue;
        iol_records *records = records_of(&o, slots[which]);
        const size_t last = iol_counter_count(slots[which]) - 1;
        for (int64_t n = 0; n < expected->records[which]; n++) {
            const iol_record *record = next_of(records);
            iol_value value;
            assert_int_equal(iol_record_id(record), n + 1);
            assert_int_equal(iol_record_counter(record, last, &value), IOL_OK);
            assert_true(value.as.d == (double)n);
        }
        ends_well(records);
    }
    opened_close(&o);
}

static void commit(int which) {
    iol__store_commit(slots[which], module_of(which)->version, module_of(which)->record_bytes);
}

static void an_empty_store_is_a_log(void **state) {
    (void)state;
    assert_true(iol__store_open());
    assert_store(&(expectation){0});
    struct stat facts;
    assert_int_equal(stat(iol__store_state.path, &facts), 0);
    assert_int_equal(facts.st_mode & 0777, 0600);
    opened o = runtime_log();
    assert_int_equal(iol_log_job(o.log)->processes, 1);
    assert_int_equal(iol_log_job(o.log)->end_seconds, 0);
    opened_close(&o);
}

/* What is written but not committed is not there. */
static void half_a_record_is_none(void **state) {
    (void)state;
    expectation expected = {0};
    for (int64_t n = 0; n < 3; n++) {
        uint8_t *record = iol__store_record(IOL_SLOT_POSIX, iol__posix_module.record_bytes, false);
        assert_non_null(record);
        assert_store(&expected);
        memset(record, 0xff, iol__posix_module.record_bytes / 2);
        assert_store(&expected);
        memset(record, 0, iol__posix_module.record_bytes / 2);
        fill(record, 0, n);
        commit(0);
        expected.records[0]++;
        assert_store(&expected);
    }
}

static void it_is_readable_after_every_step(void **state) {
    (void)state;
    expectation expected = {0};
    for (int i = 0; i < 400; i++) {
        if (runtime_random(3) == 0) {
            char name[1000];
            const size_t length = 1 + runtime_random(runtime_random(2) ? 20 : sizeof name - 1);
            memset(name, 'n', length);
            assert_true(iol__store_name(1000 + (uint64_t)i, name, length, false));
            expected.names++;
        } else {
            const int which = (int)runtime_random(2);
            uint8_t *record = iol__store_record(slots[which], module_of(which)->record_bytes, false);
            assert_non_null(record);
            fill(record, which, expected.records[which]);
            commit(which);
            expected.records[which]++;
        }
        assert_store(&expected);
    }
}

/* An area grows to three quarters of what the others leave of the budget, so that there is room for those that come
   later; only what has to be there goes beyond. */
static void it_grows_up_to_the_budget(void **state) {
    (void)state;
    expectation expected = {0};
    const uint64_t budget = 1 << 20;
    uint8_t *record;
    while ((record = iol__store_record(IOL_SLOT_POSIX, iol__posix_module.record_bytes, false)) != NULL) {
        for (size_t i = 0; i < iol__posix_module.record_bytes; i++) assert_int_equal(record[i], 0);
        fill(record, 0, expected.records[0]++);
        commit(0);
        assert_true(iol__store_state.charged <= budget);
        assert_true(iol__store_state.modules[IOL_SLOT_POSIX].used <= iol__store_state.modules[IOL_SLOT_POSIX].ready);
    }
    const uint64_t used = (uint64_t)expected.records[0] * iol__posix_module.record_bytes;
    assert_in_range(used, budget / 4 * 3 - 16384 - 4096 - iol__posix_module.record_bytes, budget / 4 * 3);
    assert_store(&expected);
    while (iol__store_name(7000 + expected.names, "some/name", 9, false)) expected.names++;
    assert_in_range(expected.names, (budget / 16 * 3 - 4096) / 18, (budget / 16 * 3 + 16384) / 18);
    assert_true(iol__store_name(7000 + expected.names++, "beyond", 6, true));
    assert_null(iol__store_record(IOL_SLOT_POSIX, iol__posix_module.record_bytes, false));
    record = iol__store_record(IOL_SLOT_POSIX, iol__posix_module.record_bytes, true);
    assert_non_null(record);
    fill(record, 0, expected.records[0]++);
    commit(0);
    assert_store(&expected);
}

static void a_limit_on_records_holds(void **state) {
    (void)state;
    expectation expected = {0};
    for (; expected.records[1] < 900; expected.records[1]++) {
        uint8_t *record = iol__store_record(IOL_SLOT_STDIO, iol__stdio_module.record_bytes, false);
        assert_non_null(record);
        fill(record, 1, expected.records[1]);
        commit(1);
    }
    assert_null(iol__store_record(IOL_SLOT_STDIO, iol__stdio_module.record_bytes, false));
    assert_non_null(iol__store_record(IOL_SLOT_STDIO, iol__stdio_module.record_bytes, true));
    assert_non_null(iol__store_record(IOL_SLOT_POSIX, iol__posix_module.record_bytes, false));
    assert_store(&expected);
}

static void partial_modules_are_marked(void **state) {
    (void)state;
    assert_true(iol__store_open());
    iol__store_partial(IOL_SLOT_STDIO);
    opened o = runtime_log();
    assert_int_equal(iol_log_info(o.log)->partial_flags, UINT64_C(1) << IOL_SLOT_STDIO);
    opened_close(&o);
}

static void each_store_has_a_file_of_its_own(void **state) {
    (void)state;
    char first[sizeof iol__store_state.path];
    struct stat facts;
    assert_true(iol__store_open());
    strcpy(first, iol__store_state.path);
    const uint32_t generation = iol__store_state.generation;
    runtime_forked();
    assert_true(iol__store_open());
    assert_string_not_equal(first, iol__store_state.path);
    assert_int_not_equal(generation, iol__store_state.generation);
    assert_int_equal(stat(first, &facts), 0);
    assert_int_equal(remove(first), 0);
    iol__store_remove();
    assert_int_not_equal(stat(iol__store_state.path, &facts), 0);
}

/* What the next process finds of a file that another has done with: pages, and nothing in them. */
static uint64_t leave_a_spare_file(void) {
    static const char name[] = "/of/the/one/before";
    iol__core_state.run = 1;
    strcpy(iol__core_state.directory, iol__core_state.config.values[IOL_SET_MMAP_DIR].text);
    assert_true(iol__store_open());
    const uint64_t inode = iol__store_state.inode;
    assert_true(iol__store_name(1, name, strlen(name), false));
    for (int which = 0; which < 2; which++) {
        fill(iol__store_record(slots[which], module_of(which)->record_bytes, false), which, 0);
        commit(which);
    }
    assert_true(iol__store_done_with());
    assert_int_not_equal(access(iol__store_state.path, F_OK), 0);
    runtime_forked();
    return inode;
}

static void leave_the_run(void) {
    assert_true(iol__store_remove());
    iol__core_state.run = 0;
    iol__core_state.directory[0] = 0;
}

static void a_spare_file_is_taken_over_empty(void **state) {
    (void)state;
    const uint64_t inode = leave_a_spare_file();
    assert_true(iol__store_open());
    assert_int_equal(iol__store_state.inode, inode);
    assert_store(&(expectation){0});
    const uint8_t *record = iol__store_record(IOL_SLOT_POSIX, iol__posix_module.record_bytes, false);
    for (size_t i = 0; i < iol__posix_module.record_bytes; i++) assert_int_equal(record[i], 0);
    leave_the_run();
}

/* Its process is still on the way out, and may write to it. */
static void a_spare_file_that_is_locked_is_not_used(void **state) {
    (void)state;
    char path[512];
    const uint64_t inode = leave_a_spare_file();
    int fd = -1;
    for (int i = 0; i < 4 && fd < 0; i++) {
        snprintf(path, sizeof path, "%s/" IOL_SPARE_FILE "%d", iol__core_state.directory, i);
        fd = open(path, O_RDWR | O_CLOEXEC);
    }
    assert_true(fd >= 0);
    assert_int_equal(flock(fd, LOCK_SH | LOCK_NB), 0);
    assert_true(iol__store_open());
    assert_int_not_equal(iol__store_state.inode, inode);
    assert_int_not_equal(access(path, F_OK), 0);
    assert_store(&(expectation){0});
    close(fd);
    leave_the_run();
}

/* The first place that works is taken; without any, records live in memory. */
static void places_are_tried_in_turn(void **state) {
    (void)state;
    const char *const setting = iol__core_state.config.values[IOL_SET_MMAP_DIR].text;
    assert_string_equal(iol__store_place(0), setting);
    assert_string_equal(iol__store_place(1), "/dev/shm");
    assert_string_equal(iol__store_place(2), "/tmp");
    assert_null(iol__store_place(3));
    iol__core_state.run = 1;
    strcpy(iol__core_state.directory, "/does/not/exist");
    assert_string_equal(iol__store_place(0), "/does/not/exist");
    assert_string_equal(iol__store_place(1), setting);
    assert_true(iol__store_open());
    iol__core_state.run = 0;
    iol__core_state.directory[0] = 0;
    assert_true(iol__store_state.mapped);
    assert_int_equal(strncmp(iol__store_state.path, setting, strlen(setting)), 0);
}

static int start(void **state) {
    (void)state;
    runtime_start("MAX_RECORDS 900 STDIO\n", (const char *const[]){"IOLITE_MEMORY=1", NULL});
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(an_empty_store_is_a_log, reset_runtime),
        cmocka_unit_test_setup(half_a_record_is_none, reset_runtime),
        cmocka_unit_test_setup(it_is_readable_after_every_step, reset_runtime),
        cmocka_unit_test_setup(it_grows_up_to_the_budget, reset_runtime),
        cmocka_unit_test_setup(a_limit_on_records_holds, reset_runtime),
        cmocka_unit_test_setup(partial_modules_are_marked, reset_runtime),
        cmocka_unit_test_setup(each_store_has_a_file_of_its_own, reset_runtime),
        cmocka_unit_test_setup(a_spare_file_is_taken_over_empty, reset_runtime),
        cmocka_unit_test_setup(a_spare_file_that_is_locked_is_not_used, reset_runtime),
        cmocka_unit_test_setup(places_are_tried_in_turn, reset_runtime),
    };
    return cmocka_run_group_tests(tests, start, stop_runtime);
}
