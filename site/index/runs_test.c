/* Which names say that the job id is the process id, and which logs of a store become one job, whenever they come. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "site/index/jobs.h"
#include "site/index/runs.h"
#include "site/query/query.h"
#include "tests/support/empty_store.h"

static void names_tell_whether_there_was_a_batch_system(void **state) {
    (void)state;
    assert_true(iol__names_process_as_job("ann_uname_id23176-23176_4-19-75207-1_1.darshan"));
    assert_true(iol__names_process_as_job("ann_my_id5_app_id7-7_4-19-75207-1_1.darshan"));
    assert_false(iol__names_process_as_job("ann_app_id4478544-23176_3-20-7800-1_1.darshan"));
    assert_false(iol__names_process_as_job("ann_app_id4478544_3-20-7800-1_1.darshan"));
    assert_false(iol__names_process_as_job("ann_app_id7-71_3-20-7800-1_1.darshan"));
    assert_false(iol__names_process_as_job("anything.darshan"));
}

enum { SECOND = 1000000, BEGIN = 1700000000 };

/* The log of a process that began so many seconds after the first, and met others at a file. */
static void put_log(iol__store *store, int64_t pid, int64_t uid, int64_t start, const char *meeting) {
    char jobid[24], identity[24];
    iol__cell cells[IOL_WIDEST];
    const int64_t began = (BEGIN + start) * INT64_C(1000000), ended = began + 100 * SECOND;
    snprintf(jobid, sizeof jobid, "%lld", (long long)pid);
    snprintf(identity, sizeof identity, "%lld of %lld", (long long)pid, (long long)uid);
    for (size_t i = 0; i < iol__table_width(IOL_TABLE_log); i++)
        cells[i] = iol__tables[IOL_TABLE_log].columns[i].type == IOL_TYPE_TEXT ? iol__text("") : iol__integer(0);
    cells[IOL_AT(log, log_id)] = iol__integer(pid);
    cells[IOL_AT(log, cluster)] = iol__text("onyx");
    cells[IOL_AT(log, identity)] = iol__text(identity);
    cells[IOL_AT(log, jobid)] = iol__text(jobid);
    cells[IOL_AT(log, uid)] = iol__integer(uid);
    cells[IOL_AT(log, run_evidence)] = iol__null();
    cells[IOL_AT(log, start)] = iol__integer(began);
    cells[IOL_AT(log, ended)] = iol__integer(ended);
    assert_int_equal(iol__store_put(store, IOL_TABLE_log, cells), IOL_OK);
    const iol__run_log_row row = {.log_id = pid,
                                  .cluster = "onyx",
                                  .uid = uid,
                                  .jobid = jobid,
                                  .pid = pid,
                                  .start = began,
                                  .ended = ended,
                                  .hosts = "n1\nn2",
                                  .meetings = meeting,
                                  .waits = 1};
    assert_int_equal(iol__store_put_run_log(store, &row), IOL_OK);
    iol__job_key key = {"onyx", jobid};
    assert_int_equal(iol__jobs_rebuild(store, NULL, &key, 1, NULL, 0), IOL_OK);
}

static bool take_log_text(void *context, const iol__log_of_run_row *row) {
    snprintf(context, 200, "%s, %s", row->jobid, row->run_evidence ? row->run_evidence : "not looked at");
    return false;
}

static void is_job(iol__store *store, int64_t pid, const char *wanted) {
    char got[200] = "not there";
    iol__sql sql;
    iol__select_log_of_run(&sql);
    iol__sql_add(&sql, " FROM log WHERE log_id = ?");
    iol__sql_value(&sql, iol__integer(pid));
    assert_int_equal(iol__ask_log_of_run(&sql, store, take_log_text, got), IOL_OK);
    assert_string_equal(got, wanted);
}

static int64_t number_in(iol__store *store, const char *sql) {
    int64_t number;
    assert_int_equal(iol__store_number(store, sql, NULL, 0, -1, &number), IOL_OK);
    return number;
}

static void find(iol__store *store) { assert_int_equal(iol__runs_find(store, NULL), IOL_OK); }

static void logs_of_a_run_may_come_one_by_one(void **state) {
    iol__store *store = ((fixture *)*state)->store;
    put_log(store, 100, 7, 10, "file /run/s.json");
    find(store);
    is_job(store, 100, "100, alone");
    put_log(store, 200, 7, 20, "file /run/s.json");
    put_log(store, 300, 8, 20, "file /run/s.json"); /* another user */
    put_log(store, 400, 7, 20, "file /other/s.json");
    find(store);
    is_job(store, 100, "100.1700000010, file /run/s.json");
    is_job(store, 200, "100.1700000010, file /run/s.json");
    is_job(store, 300, "300, alone");
    is_job(store, 400, "400, alone");
    assert_int_equal(number_in(store, "SELECT COUNT(*) FROM job"), 3);
    put_log(store, 50, 7, 0, "file /run/s.json"); /* the first one */
    find(store);
    is_job(store, 50, "50.1700000000, file /run/s.json");
    is_job(store, 100, "50.1700000000, file /run/s.json");
    is_job(store, 200, "50.1700000000, file /run/s.json");
    assert_int_equal(number_in(store, "SELECT COUNT(*) FROM job"), 3);
    assert_int_equal(number_in(store, "SELECT logs FROM job WHERE jobid = '50.1700000000'"), 3);
    assert_int_equal(number_in(store, "SELECT COUNT(*) FROM run_log WHERE waits = 1"), 0);
}

static void a_log_between_joins_what_was_apart(void **state) {
    iol__store *store = ((fixture *)*state)->store;
    put_log(store, 100, 7, 0, "address tcp://n9:1");
    put_log(store, 102, 7, 280, "address tcp://n9:1"); /* more than a minute behind the end of the first */
    put_log(store, 500, 7, 3 * 86400, "address tcp://n9:1");
    find(store);
    is_job(store, 100, "100, alone");
    is_job(store, 102, "102, alone");
    put_log(store, 101, 7, 130, "address tcp://n9:1");
    find(store);
    is_job(store, 100, "100.1700000000, address tcp://n9:1");
    is_job(store, 102, "100.1700000000, address tcp://n9:1");
    is_job(store, 500, "500, alone");
    assert_int_equal(number_in(store, "SELECT COUNT(*) FROM job"), 2);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_tell_whether_there_was_a_batch_system),
        cmocka_unit_test_setup_teardown(logs_of_a_run_may_come_one_by_one, open_empty, close_and_remove),
        cmocka_unit_test_setup_teardown(a_log_between_joins_what_was_apart, open_empty, close_and_remove)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
