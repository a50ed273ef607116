/* The paragraph about the worst job of each metric says each figure of its log where it belongs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "site/query/fleet.h"
#include "site/query/query.h"
#include "tests/support/empty_store.h"

/* One log, written and asked for as the fleet asks: no figure is taken from the place of another. */
static const iol__log_row the_log = {
    .log_id = 1,
    .cluster = "onyx",
    .identity = "1",
    .state = "ok",
    .reader = "test",
    .jobid = "77",
    .owner = "ana",
    .nprocs = 10,
    .run = {100000000, true},
    .log_version = "3.41",
    .modules = 0,
    .files = 5,
    .bytes_read = INT64_C(8) << 30,
    .bytes_written = INT64_C(2) << 30,
    .reads = 1024,
    .writes = 512,
    .opens = 50,
    .stats = 20,
    .redundant_read_bytes = {INT64_C(6) << 30, true},
    .redundant_read_ro_bytes = {INT64_C(5) << 30, true},
    .small_shared_indep_writes = {77000, true},
    .read_time = 20000000,
    .write_time = 30000000,
    .meta_ratio = 0.75,
    .meta_s_per_proc = 12,
};

static bool keep_log(void *context, const iol__fleet_log_row *row) {
    *(iol__fleet_log_row *)context = *row;
    return false;
}

/* What is said of the log by a metric has these texts, in this order. */
__attribute__((sentinel)) static void says_all(void **state, int metric, ...) {
    fixture *f = *state;
    const iol__fleet_job job = {.jobid = "77", .owner = "ana", .exename = "heat", .nprocs = 10, .logs = 3};
    iol__fleet_log_row log = {0};
    iol__sql sql;
    assert_int_equal(iol__store_put_log(f->store, &the_log), IOL_OK);
    iol__select_fleet_log(&sql);
    iol__sql_add(&sql, " FROM log");
    assert_int_equal(iol__ask_fleet_log(&sql, f->store, keep_log, &log), IOL_OK);
    char *text = iol__fleet_paragraph(metric, &job, &log);
    assert_non_null(text);
    const char *at = text, *wanted;
    va_list texts;
    va_start(texts, metric);
    while ((wanted = va_arg(texts, const char *))) {
        const char *found = strstr(at, wanted);
        if (!found) fail_msg("no '%s' where it should be in: %s", wanted, text);
        at = found + strlen(wanted);
    }
    va_end(texts);
    free(text);
}

#define SAYS(state, metric, ...) says_all(state, metric, __VA_ARGS__, (const char *)NULL)

static void redundant_reads_are_told_with_what_was_written_too(void **state) {
    SAYS(state, 0, "Job 77 of ana ran heat on 10 processes for 100 s, the worst of its 3 logs",
         ": it read 8 GiB from at most 2 GiB of data, every byte 4 times on average, in 1,024 reads of 8 MiB that took "
         "2 s",
         "1 GiB of it came from files that were written too", "without MPI-IO");
}

static void metadata_is_told_per_process_and_per_file(void **state) {
    SAYS(state, 1,
         ": 75% of its I/O time are metadata calls, 12 s per process, to move 1 GiB per process: 5 files of 2 GiB",
         "10 opens and 4 stats per file");
}

static void small_writes_are_told_with_their_size(void **state) {
    SAYS(state, 2, ": it made 77,000 writes of at most 1 MiB",
         "2 GiB were written, 4 MiB per write on average, in 3 s per process");
}

int main(void) {
#define STORED(test) cmocka_unit_test_setup_teardown(test, open_empty, close_and_remove)
    const struct CMUnitTest tests[] = {
        STORED(redundant_reads_are_told_with_what_was_written_too),
        STORED(metadata_is_told_per_process_and_per_file),
        STORED(small_writes_are_told_with_their_size),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
