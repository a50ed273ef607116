/* Which summaries of jobs are taken, what follows from their figures, and who ran when. */
#include "site/analyze/analyze_testing.h"
#include "site/analyze/jobinfo.h"
#include "site/analyze/summaries.h"
#include "site/analyze/weeks.h"

static const char table[] =
    "[{\"_jobid\": \"3\", \"_datetime_start\": 300, \"darshan_app\": \"/opt/ior\", \"_file_system\": \"scratch\","
    "  \"darshan_biggest_write_api_bytes\": 10, \"darshan_biggest_read_api_bytes\": 1, \"darshan_total_gibs_posix\": "
    "4},"
    " {\"_jobid\": \"1\", \"_datetime_start\": 100, \"darshan_app\": \"ior\", \"darshan_biggest_read_fs\": \"/home/x\","
    "  \"darshan_biggest_write_api_bytes\": 1, \"darshan_biggest_read_api_bytes\": 10, \"darshan_total_gibs_posix\": "
    "2},"
    " {\"_jobid\": \"2\", \"_datetime_start\": 200, \"darshan_app\": \"hacc\", \"_file_system\": \"scratch\","
    "  \"darshan_biggest_write_api_bytes\": 10, \"darshan_biggest_read_api_bytes\": 1, \"darshan_total_gibs_posix\": "
    "8}]";

static void select_gives(const iol__selection *wanted, const char *ids) {
    const iol__value *kept = iol__summaries_select(&arena, tree_of(table), wanted);
    char got[16] = "";
    for (size_t i = 0; i < kept->count; i++) strcat(got, iol__map_text(kept->items[i], "_jobid"));
    assert_string_equal(got, ids);
}

static void rows_are_selected_in_order_of_start(void **state) {
    (void)state;
    select_gives(&(iol__selection){0}, "123");
    select_gives(&(iol__selection){.app = "ior"}, "13");
    select_gives(&(iol__selection){.fs = "scratch"}, "23");
    select_gives(&(iol__selection){.fs = "/home"}, "1");
    select_gives(&(iol__selection){.direction = 1}, "23");
    select_gives(&(iol__selection){.direction = -1}, "1");
    select_gives(&(iol__selection){.ranged = true, .start = 100, .end = 300}, "12");
    select_gives(&(iol__selection){.least_gib = 2}, "23");
}

static void coverage_follows_from_the_traffic_of_servers(void **state) {
    (void)state;
    const iol__value *row = tree_of(
        "{\"darshan_tot_bytes_read_posix\": 30, \"darshan_tot_bytes_written_posix\": 10, \"fs_tot_bytes_read\": 60,"
        " \"fs_tot_bytes_written\": 40, \"darshan_tot_opens_posix\": 5, \"fs_tot_open_ops\": 50, "
        "\"coverage_factor_x\": 7}");
    is_close(iol__summary_metric(row, "coverage_factor_bw"), 0.4);
    is_close(iol__summary_metric(row, "coverage_factor_read_bw"), 0.5);
    is_close(iol__summary_metric(row, "coverage_factor_write_bw"), 0.25);
    is_close(iol__summary_metric(row, "coverage_factor_opens"), 0.1);
    assert_true(isnan(iol__summary_metric(row, "coverage_factor_stats")));
    is_close(iol__summary_metric(row, "coverage_factor_x"), 7); /* what is there is not computed */
}

static void a_job_lasts_from_its_first_step_to_its_last(void **state) {
    (void)state;
    int64_t start, end;
    const iol__value *jobs = iol__jobs_by_number(
        &arena,
        tree_of("{\"7\": {\"jobid\": \"5_2\", \"start\": 20, \"end\": 90}, \"7.batch\": {\"start\": 10, \"end\": 80},"
                " \"7.0\": {\"start\": 30, \"end\": 95}, \"8\": {\"start\": 1, \"end\": null}}"));
    assert_true(iol__job_times(jobs, "7", &start, &end));
    assert_int_equal(start, 10);
    assert_int_equal(end, 95);
    assert_string_equal(iol__job_number(jobs, "5_2"), "7"); /* a task of an array by the name that its user knows */
    assert_null(iol__job_number(jobs, "9"));
    assert_false(iol__job_times(jobs, "8", &start, &end));
}

/* 1 January 2021 was a Friday of the last week of 2020. */
static void days_have_the_label_of_their_span(void **state) {
    (void)state;
    const int64_t day = 1609459200;
    assert_string_equal(iol__span_label(&arena, IOL__DAYS, day), "2021-01-01");
    assert_string_equal(iol__span_label(&arena, IOL__WEEKS, day), "2020-W53");
    assert_string_equal(iol__span_label(&arena, IOL__WEEKS, day + 3 * 86400), "2021-W01");
    assert_string_equal(iol__span_label(&arena, IOL__MONTHS, day), "2021-01");
}

int main(void) {
    setenv("TZ", "UTC", 1);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_are_selected_in_order_of_start),
        cmocka_unit_test(coverage_follows_from_the_traffic_of_servers),
        cmocka_unit_test(a_job_lasts_from_its_first_step_to_its_last),
        cmocka_unit_test(days_have_the_label_of_their_span),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
