/* Calibration: figures of the right logs at the right percentile, and no proposal from too few. */
#include "insight/calibrate/calibrate.h"

#include <string.h>

#include "insight/facts/facts_testing.h"

/* Job number i of ten: 1 GiB in large requests at (i + 1) * 100 MB/s over 4 OSTs, and 1000 small requests of
   (i + 1) ms. Of 10000 s, or of the time it takes: healthy or not. */
static lm_log *job_number(int i, bool healthy) {
    static const int64_t osts[] = {0, 1, 2, 3};
    double seconds = 1e9 / ((i + 1) * 1e8), small_seconds = i + 1;
    lm_log *log = job_of(1);
    log->start = 1000;
    log->end = 1000 + (healthy ? 10000 : (int64_t)(seconds + small_seconds) + 1);
    log->text = "solver\nlustre\t/scratch\next4\t/";
    put(log, LM_POSIX, "/scratch/large", 0,
        WITH(I(POSIX_OPENS, 1), I(POSIX_WRITES, 100), I(POSIX_BYTES_WRITTEN, 1e9), I(POSIX_MAX_BYTE_WRITTEN, 999999999),
             I(POSIX_SIZE_WRITE_4M_10M, 100), F(POSIX_F_WRITE_TIME, seconds)));
    lm_lustre_1(lm_records(log, LM_LUSTRE, 1), lm_id("/scratch/large"), -1, 1048576, osts, 4);
    put(log, LM_POSIX, "/scratch/small", 0,
        WITH(I(POSIX_OPENS, 1), I(POSIX_READS, 1000), I(POSIX_BYTES_READ, 100000), I(POSIX_MAX_BYTE_READ, 99999),
             I(POSIX_SIZE_READ_0_100, 1000), F(POSIX_F_READ_TIME, small_seconds)));
    /* The machine's own disk says nothing about the file system. */
    put(log, LM_POSIX, "/tmp/local", 0,
        WITH(I(POSIX_OPENS, 1), I(POSIX_WRITES, 100), I(POSIX_BYTES_WRITTEN, 1e9), I(POSIX_MAX_BYTE_WRITTEN, 999999999),
             I(POSIX_SIZE_WRITE_4M_10M, 100), F(POSIX_F_WRITE_TIME, 0.001)));
    return log;
}

static void add(iol__calibration *c, const iol__rulebook *book, lm_log *log) {
    opened o = opened_from(log);
    iol__observation *observation = NULL;
    assert_int_equal(iol__observe(o.log, book, &observation, NULL), IOL_OK);
    assert_true(iol__calibration_add(c, observation));
    iol__observation_free(observation);
    opened_close(&o);
}

static const iol__proposal *find(const iol__proposal *list, size_t count, const char *path, const char *mount) {
    for (size_t i = 0; i < count; i++)
        if (strcmp(list[i].path, path) == 0 &&
            (mount ? list[i].mount && strcmp(list[i].mount, mount) == 0 : !list[i].mount))
            return &list[i];
    return NULL;
}

static void about(double value, double expected) { assert_true(fabs(value - expected) <= 1e-6 * expected); }

static void rates_come_from_the_file_system(void **state) {
    (void)state;
    iol__rulebook *book = NULL;
    assert_int_equal(iol__rulebook_new(&book, NULL), IOL_OK);
    iol__calibration *c = iol__calibration_new(book, 10);
    for (int i = 0; i < 10; i++) add(c, book, job_number(i, i % 2));
    assert_int_equal(iol__calibration_logs(c), 10);
    assert_int_equal(iol__calibration_healthy(c), 5);
    size_t count;
    iol__proposal *list = iol__calibration_propose(c, &count);
    const iol__proposal *ost = find(list, count, "site.ost_bandwidth", NULL);
    assert_true(ost && ost->usable);
    assert_int_equal(ost->logs, 10);
    about(ost->value, 10 * 1e8 / 4);
    about(ost->now, 1e9);
    about(find(list, count, "site.node_bandwidth", NULL)->value, 10 * 1e8);
    about(find(list, count, "site.latency", NULL)->value, 0.001);
    about(find(list, count, "site.ost_bandwidth", "/scratch")->value, 10 * 1e8 / 4);
    assert_null(find(list, count, "site.ost_bandwidth", "/"));
    free(list);
    iol__calibration_free(c);
    iol__rulebook_free(book);
}

/* posix.small.count is compared with small requests by file: 1000 in each of these jobs, more in the sick ones. */
static void thresholds_come_from_healthy_jobs(void **state) {
    (void)state;
    iol__rulebook *book = NULL;
    assert_int_equal(iol__rulebook_new(&book, NULL), IOL_OK);
    iol__calibration *c = iol__calibration_new(book, 5);
    for (int i = 0; i < 10; i++) add(c, book, job_number(i, i < 4));
    size_t count;
    iol__proposal *list = iol__calibration_propose(c, &count);
    const iol__proposal *small = find(list, count, "posix.small.count", NULL);
    assert_non_null(small);
    assert_int_equal(small->logs, 4);
    assert_false(small->usable); /* four of five */
    free(list);
    add(c, book, job_number(9, true));
    list = iol__calibration_propose(c, &count);
    small = find(list, count, "posix.small.count", NULL);
    assert_true(small->usable);
    assert_int_equal(small->basis, IOL_BASIS_MOST);
    about(small->value, 1000);
    /* How large a job is, and the published limits, are no matter of what is usual. */
    assert_null(find(list, count, "posix.single.nprocs", NULL));
    assert_null(find(list, count, "metric.nprocs", NULL));
    free(list);
    iol__calibration_free(c);
    iol__rulebook_free(book);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rates_come_from_the_file_system),
        cmocka_unit_test(thresholds_come_from_healthy_jobs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
