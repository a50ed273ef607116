/* The job metrics: each figure from a few records, and each limit of selection from both sides. */
#include "insight/facts/facts_testing.h"

#include "insight/facts/metrics.h"

static const double near = 1e-9;

static iol__metrics metrics_of(lm_log *log) {
    known k = know(log);
    iol__metrics metrics;
    iol__metrics_make(&k.facts, &iol__metric_limits_usual, &metrics);
    forget(&k);
    return metrics;
}

static void redundant_bytes_are_those_beyond_the_end(void **state) {
    (void)state;
    lm_log *log = job_of(2);
    put(log, LM_POSIX, "/twice", 0, WITH(I(POSIX_BYTES_READ, 100), I(POSIX_MAX_BYTE_READ, 99)));
    put(log, LM_POSIX, "/twice", 1, WITH(I(POSIX_BYTES_READ, 100), I(POSIX_MAX_BYTE_READ, 99)));
    put(log, LM_POSIX, "/once", 0, WITH(I(POSIX_BYTES_READ, 100), I(POSIX_MAX_BYTE_READ, 99)));
    put(log, LM_POSIX, "/holes", 0, WITH(I(POSIX_BYTES_READ, 100), I(POSIX_MAX_BYTE_READ, 5000)));
    put(log, LM_POSIX, "/empty", 0, WITH(I(POSIX_READS, 3), I(POSIX_MAX_BYTE_READ, 0)));
    put(log, LM_POSIX, "/both", 0,
        WITH(I(POSIX_BYTES_READ, 30), I(POSIX_MAX_BYTE_READ, 9), I(POSIX_BYTES_WRITTEN, 50),
             I(POSIX_MAX_BYTE_WRITTEN, 44)));
    iol__metrics m = metrics_of(log);
    assert_int_equal(m.redundant_read_bytes, 100 + 20);
    assert_int_equal(m.redundant_read_files, 2);
    assert_int_equal(m.redundant_read_ro_bytes, 100);
    assert_int_equal(m.redundant_write_bytes, 5);
    assert_false(m.match1);
}

static void an_offset_of_31_bits_in_an_old_log_says_nothing(void **state) {
    (void)state;
    for (int old = 0; old < 2; old++) {
        lm_log *log = job_of(2);
        log->metadata = old ? "prev_ver=2.00\n" : "lib_ver=3.4.4\n";
        put(log, LM_POSIX, "/large", 0, WITH(I(POSIX_BYTES_READ, 1e13), I(POSIX_MAX_BYTE_READ, 2147483647)));
        put(log, LM_POSIX, "/large", 1, WITH(I(POSIX_BYTES_READ, 100), I(POSIX_MAX_BYTE_READ, 99)));
        iol__metrics m = metrics_of(log);
        assert_int_equal(m.extents, !old);
        assert_int_equal(m.match1, !old);
        assert_int_equal(m.redundant_read_files, !old);
    }
}

static void a_tebibyte_selects(void **state) {
    (void)state;
    for (int more = 0; more < 2; more++) {
        lm_log *log = job_of(1);
        put(log, LM_POSIX, "/a", 0, WITH(I(POSIX_BYTES_READ, 1099511627777.0 + more), I(POSIX_MAX_BYTE_READ, 0)));
        assert_int_equal(metrics_of(log).match1, more);
    }
}

static void ratios_are_by_layer(void **state) {
    (void)state;
    lm_log *log = job_of(4);
    put(log, LM_POSIX, "/a", -1, WITH(F(POSIX_F_READ_TIME, 1), F(POSIX_F_WRITE_TIME, 2), F(POSIX_F_META_TIME, 1)));
    put(log, LM_MPIIO, "/a", -1,
        WITH(I(MPIIO_BYTES_READ, 1), I(MPIIO_COLL_WRITES, 3), F(MPIIO_F_READ_TIME, 1), F(MPIIO_F_META_TIME, 9)));
    iol__metrics m = metrics_of(log);
    assert_true(m.meta_ratio_posix == 0.25 && m.meta_ratio_mpiio == 0.9 && m.meta_ratio == 0.9);
    assert_string_equal(m.meta_layer, "MPI-IO");
    assert_true(m.meta_s_per_proc == 0.25);
    assert_true(m.meta_s_layer == 2.25);
    assert_int_equal(m.coll_writes, 3);

    log = job_of(4);
    put(log, LM_POSIX, "/a", -1, WITH(F(POSIX_F_READ_TIME, 1), F(POSIX_F_META_TIME, 1)));
    put(log, LM_MPIIO, "/b", -1, WITH(F(MPIIO_F_META_TIME, 5), F(MPIIO_F_WRITE_TIME, 1)));
    put(log, LM_POSIX, "/b", -1, WITH(F(POSIX_F_META_TIME, 2))); /* below MPI-IO: counted there */
    m = metrics_of(log);
    assert_true(m.meta_ratio == 0.75);
    assert_true(m.meta_s_layer == 1.5);
    assert_string_equal(m.meta_layer, "both");

    log = job_of(4);
    put(log, LM_POSIX, "/a", -1, WITH(F(POSIX_F_READ_TIME, 1), F(POSIX_F_META_TIME, 1)));
    put(log, LM_POSIX, "<FOLDED>", 0, WITH(F(POSIX_F_META_TIME, 6))); /* many files in one record */
    m = metrics_of(log);
    assert_true(m.meta_ratio == 0.875);
    assert_string_equal(m.meta_layer, "POSIX");
}

static bool selected(double processes, double each, double other) {
    lm_log *log = job_of((int64_t)processes);
    put(log, LM_POSIX, "/a", -1, WITH(F(POSIX_F_READ_TIME, other), F(POSIX_F_META_TIME, processes * each)));
    return metrics_of(log).match2;
}

static void metadata_selects_when_all_three_hold(void **state) {
    (void)state;
    assert_true(selected(192, 31, 31 * 192 * 3));
    assert_false(selected(192, 31, 31 * 192 * 3.01));
    assert_false(selected(191, 31, 0));
    assert_false(selected(192, 30, 0));
}

static void the_worst_rank_has_two_bounds(void **state) {
    (void)state;
    lm_log *log = job_of(10);
    put(log, LM_POSIX, "/all", -1, WITH(F(POSIX_F_META_TIME, 20), F(POSIX_F_SLOWEST_RANK_TIME, 6)));
    put(log, LM_POSIX, "/a", 1, WITH(F(POSIX_F_META_TIME, 3)));
    put(log, LM_POSIX, "/b", 1, WITH(F(POSIX_F_META_TIME, 4)));
    put(log, LM_POSIX, "/c", 2, WITH(F(POSIX_F_META_TIME, 5)));
    iol__metrics m = metrics_of(log);
    assert_true(fabs(m.meta_s_rank_max_lo - 9) < near);
    assert_true(fabs(m.meta_s_rank_max_hi - 13) < near);
}

static lm_log *small_writes(double count, bool collective) {
    lm_log *log = job_of(4);
    put(log, LM_POSIX, "/all", -1, WITH(I(POSIX_WRITES, count), I(POSIX_SIZE_WRITE_100K_1M, count)));
    put(log, LM_POSIX, "/one", 0, WITH(I(POSIX_WRITES, 7), I(POSIX_SIZE_WRITE_0_100, 7)));
    put(log, LM_POSIX, "/large", -1, WITH(I(POSIX_WRITES, 7), I(POSIX_SIZE_WRITE_1M_4M, 7)));
    if (collective) put(log, LM_MPIIO, "/all", -1, WITH(I(MPIIO_COLL_WRITES, 1)));
    return log;
}

static void small_shared_writes_are_counted(void **state) {
    (void)state;
    lm_log *log = small_writes(5, false);
    put(log, LM_POSIX, "/some", 0, WITH(I(POSIX_WRITES, 2), I(POSIX_SIZE_WRITE_0_100, 2)));
    put(log, LM_POSIX, "/some", 1, WITH(I(POSIX_WRITES, 2), I(POSIX_SIZE_WRITE_0_100, 2)));
    put(log, LM_MPIIO, "/some", 1, WITH(I(MPIIO_COLL_WRITES, 2)));
    iol__metrics m = metrics_of(log);
    assert_int_equal(m.small_shared_indep_writes, 9);
    assert_int_equal(m.small_shared_indep_writes_strict, 5);
    assert_false(metrics_of(small_writes(1e8, false)).match3);
    assert_true(metrics_of(small_writes(1e8 + 1, false)).match3);
    assert_false(metrics_of(small_writes(1e8 + 1, true)).match3);
}

static void the_largest_shared_file_tells_who_carries(void **state) {
    (void)state;
    lm_log *log = job_of(4);
    put(log, LM_POSIX, "/small", -1, WITH(I(POSIX_BYTES_READ, 100), F(POSIX_F_VARIANCE_RANK_BYTES, 0)));
    put(log, LM_POSIX, "/large", 0, WITH(I(POSIX_BYTES_WRITTEN, 300)));
    put(log, LM_POSIX, "/large", 1, WITH(I(POSIX_BYTES_WRITTEN, 300)));
    put(log, LM_POSIX, "/own", 1, WITH(I(POSIX_BYTES_WRITTEN, 90000)));
    iol__metrics m = metrics_of(log);
    assert_true(m.effective_ranks == 2);
    assert_true(m.time_excess == 0);
}

static void the_largest_lag_is_kept(void **state) {
    (void)state;
    lm_log *log = job_of(4);
    put(log, LM_POSIX, "/a", -1, WITH(F(POSIX_F_READ_TIME, 8), F(POSIX_F_SLOWEST_RANK_TIME, 7)));
    put(log, LM_POSIX, "/b", -1, WITH(F(POSIX_F_READ_TIME, 8), F(POSIX_F_SLOWEST_RANK_TIME, 3)));
    put(log, LM_POSIX, "/c", 0, WITH(I(POSIX_OPENS, 2), I(POSIX_READS, 9), I(POSIX_WRITES, 4)));
    iol__metrics m = metrics_of(log);
    assert_true(m.time_excess == 5);
    assert_true(isnan(m.effective_ranks)); /* shared files, but no bytes */
    assert_int_equal(m.random_reads, 7);
    assert_int_equal(m.random_writes, 2);
}

static void sums_of_large_counts_stop_at_the_largest(void **state) {
    (void)state;
    lm_log *log = job_of(2);
    for (int i = 0; i < 2; i++)
        put(log, LM_POSIX, i ? "/b" : "/a", -1,
            WITH(I(POSIX_BYTES_READ, 9e18), I(POSIX_BYTES_WRITTEN, 9e18), I(POSIX_READS, 9e18), I(POSIX_WRITES, 9e18),
                 I(POSIX_SIZE_WRITE_0_100, 9e18), I(POSIX_SIZE_WRITE_100_1K, 9e18)));
    iol__metrics m = metrics_of(log);
    assert_int_equal(m.redundant_read_bytes, INT64_MAX);
    assert_int_equal(m.redundant_write_bytes, INT64_MAX);
    assert_int_equal(m.small_shared_indep_writes_strict, INT64_MAX);
    assert_int_equal(m.random_reads, INT64_MAX);
    assert_int_equal(m.random_writes, INT64_MAX);
}

static void without_records_nothing_is_known(void **state) {
    (void)state;
    iol__metrics m = metrics_of(job_of(4));
    assert_false(m.posix || m.match1 || m.match2 || m.match3);
    assert_true(isnan(m.meta_ratio) && isnan(m.meta_s_per_proc) && isnan(m.meta_s_rank_max_lo));
    assert_true(isnan(m.effective_ranks) && isnan(m.time_excess));
    assert_null(m.meta_layer);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(redundant_bytes_are_those_beyond_the_end),
        cmocka_unit_test(an_offset_of_31_bits_in_an_old_log_says_nothing),
        cmocka_unit_test(a_tebibyte_selects),
        cmocka_unit_test(ratios_are_by_layer),
        cmocka_unit_test(metadata_selects_when_all_three_hold),
        cmocka_unit_test(the_worst_rank_has_two_bounds),
        cmocka_unit_test(small_shared_writes_are_counted),
        cmocka_unit_test(the_largest_shared_file_tells_who_carries),
        cmocka_unit_test(the_largest_lag_is_kept),
        cmocka_unit_test(sums_of_large_counts_stop_at_the_largest),
        cmocka_unit_test(without_records_nothing_is_known),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
