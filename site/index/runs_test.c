/* Which names say that the job id is the process id, and runs whose logs lie in several directories. */
#include <ftw.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include <cmocka.h>

#include "site/index/runs.h"
#include "tests/support/logrecords.h"

static void names_tell_whether_there_was_a_batch_system(void **state) {
    (void)state;
    assert_true(iol__names_process_as_job("ann_uname_id23176-23176_4-19-75207-1_1.darshan"));
    assert_true(iol__names_process_as_job("ann_my_id5_app_id7-7_4-19-75207-1_1.darshan"));
    assert_false(iol__names_process_as_job("ann_app_id4478544-23176_3-20-7800-1_1.darshan"));
    assert_false(iol__names_process_as_job("ann_app_id4478544_3-20-7800-1_1.darshan"));
    assert_false(iol__names_process_as_job("ann_app_id7-71_3-20-7800-1_1.darshan"));
    assert_false(iol__names_process_as_job("anything.darshan"));
}

static void without_runs_every_log_is_alone(void **state) {
    (void)state;
    const char *jobid, *evidence;
    assert_false(iol__runs_of(NULL, "a.darshan", &jobid, &evidence));
}

static int remove_entry(const char *path, const struct stat *status, int kind, struct FTW *place) {
    (void)status, (void)kind, (void)place;
    return remove(path);
}

static void remove_tree(const char *root) { nftw(root, remove_entry, 8, FTW_DEPTH | FTW_PHYS); }

/* A worker of a run as a log file. */
static void put_worker(const char *directory, const char *user, int pid, int64_t start, const char *meeting) {
    size_t length;
    lm_log *made = lm_new(41, false, LM_ZLIB);
    made->uid = 7;
    made->start = start;
    made->end = start + 1000;
    made->job_id = pid;
    made->text = "python dask worker --scheduler-file=scheduler.json";
    lm_name(made, 1, meeting);
    uint8_t *file_bytes = lm_finish(made, &length);
    lm_free(made);
    char path[600];
    snprintf(path, sizeof path, "%s/%s_python_id%d-%d_11-17-1-1_1.darshan", directory, user, pid, pid);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_int_equal(fwrite(file_bytes, 1, length, file), length);
    assert_int_equal(fclose(file), 0);
    free(file_bytes);
}

static void a_run_may_lie_in_the_directories_of_two_days(void **state) {
    (void)state;
    char root[] = "runs_test_XXXXXX";
    assert_non_null(mkdtemp(root));
    char days[3][500];
    const char *jobid, *same, *evidence;
    for (int i = 0; i < 3; i++) {
        snprintf(days[i], sizeof days[i], "%s/%d", root, 17 + i);
        assert_int_equal(mkdir(days[i], 0700), 0);
    }
    put_worker(days[0], "ann", 100, 86000, "/run/scheduler.json");
    put_worker(days[1], "ann", 200, 86401, "/run/scheduler.json");
    put_worker(days[1], "bob", 300, 86401, "/run/scheduler.json"); /* another user */
    put_worker(days[1], "ann", 400, 86401, "/other/scheduler.json");
    put_worker(days[2], "ann", 400, 86401, "/other/scheduler.json"); /* a copy is no second process */
    const char *paths[] = {root};
    iol__runs *runs = iol__runs_find(paths, 1, NULL);
    assert_non_null(runs);
    assert_true(iol__runs_of(runs, "ann_python_id100-100_11-17-1-1_1.darshan", &jobid, &evidence));
    assert_string_equal(jobid, "100.86000");
    assert_string_equal(evidence, "file /run/scheduler.json");
    assert_true(iol__runs_of(runs, "ann_python_id200-200_11-17-1-1_1.darshan", &same, &evidence));
    assert_string_equal(same, jobid);
    assert_false(iol__runs_of(runs, "bob_python_id300-300_11-17-1-1_1.darshan", &same, &evidence));
    assert_false(iol__runs_of(runs, "ann_python_id400-400_11-17-1-1_1.darshan", &same, &evidence));
    iol__runs_free(runs);
    remove_tree(root);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(names_tell_whether_there_was_a_batch_system),
                                       cmocka_unit_test(without_runs_every_log_is_alone),
                                       cmocka_unit_test(a_run_may_lie_in_the_directories_of_two_days)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
