/* The summary: the time of shared and single files, what is left out, and numbers that cannot be. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/count.h"
#include "report/summary.h"
#include "tests/support/logrecords.h"
#include "tests/support/opened.h"

/* A POSIX record with some reads, writes and times; everything else is 0. */
static void posix(lm_log *log, const char *name, int64_t rank, double read, double write, double meta, double slowest) {
    lm_counts counts = {0};
    counts.ints[IOL_POSIX_READS] = 2;
    counts.ints[IOL_POSIX_WRITES] = 3;
    counts.ints[IOL_POSIX_BYTES_READ] = 100;
    counts.ints[IOL_POSIX_BYTES_WRITTEN] = 200;
    counts.ints[IOL_POSIX_SIZE_READ_0_100] = 2;
    counts.reals[IOL_POSIX_F_READ_TIME] = read;
    counts.reals[IOL_POSIX_F_WRITE_TIME] = write;
    counts.reals[IOL_POSIX_F_META_TIME] = meta;
    counts.reals[IOL_POSIX_F_SLOWEST_RANK_TIME] = slowest;
    lm_fixed(lm_records(log, LM_POSIX, 4), LM_POSIX, 4, lm_id(name), rank, 0, &counts);
    lm_name(log, lm_id(name), name);
}

static iol__summary summary_of(const opened *o) {
    iol__summary summary;
    assert_true(iol__summary_make(o->log, 5, NULL, &summary));
    return summary;
}

static void time_is_the_slowest_ranks(void **state) {
    (void)state;
    lm_log *log = lm_new(41, false, LM_ZLIB);
    posix(log, "/a", 0, 1, 2, 3, 0);    /* rank 0: 6 s */
    posix(log, "/b", 0, 1, 0, 0, 0);    /* and 1 s more */
    posix(log, "/c", 1, 4, 0, 0, 0);    /* rank 1: 4 s */
    posix(log, "/d", -1, 10, 10, 4, 8); /* all ranks: 8 s, whatever they add up to */
    opened o = opened_from(log);
    iol__summary s = summary_of(&o);
    assert_int_equal(s.n_layers, 1);
    const iol__layer *layer = &s.layers[0];
    assert_true(layer->traffic && layer->readable);
    assert_int_equal(layer->records, 4);
    assert_true(layer->time == 15);
    assert_true(layer->bytes_read == 400 && layer->bytes_written == 800);
    assert_true(layer->reads == 8 && layer->writes == 12);
    assert_true(layer->bytes_per_second == 80);
    assert_true(fabs(iol__layer_meta_share(layer) - 7.0 / 35) < 1e-12);
    assert_true(layer->totals->estimated);
    assert_true(layer->totals->performance.time == layer->time);
    assert_int_equal(layer->totals->record.ints[IOL_POSIX_READS], 8);
    assert_int_equal(layer->totals->files[IOL_FILES_ALL].count, 4);
    iol__summary_free(&s);
    opened_close(&o);
}

static void files_are_ordered_by_time(void **state) {
    (void)state;
    lm_log *log = lm_new(41, false, LM_ZLIB);
    posix(log, "/short", 0, 1, 0, 0, 0);
    posix(log, "/parts", 0, 2, 0, 0, 0);
    posix(log, "/parts", 1, 3, 0, 0, 0);
    posix(log, "/shared", -1, 100, 0, 0, 2.5);
    opened o = opened_from(log);
    iol__summary s = summary_of(&o);
    assert_int_equal(s.n_top, 3);
    assert_string_equal(iol_log_name(o.log, s.top[0].id), "/parts");
    assert_true(s.top[0].time == 3 && s.top[0].ranks == 2 && !s.top[0].shared);
    assert_string_equal(iol_log_name(o.log, s.top[1].id), "/shared");
    assert_true(s.top[1].time == 2.5 && s.top[1].shared);
    iol__summary_free(&s);
    opened_close(&o);
}

static void impossible_values_are_left_out_and_counted(void **state) {
    (void)state;
    lm_log *log = lm_new(41, false, LM_ZLIB);
    posix(log, "/nan", 0, (double)NAN, 1, 0, 0);
    posix(log, "/inf", 1, (double)INFINITY, 1, 0, 0);
    posix(log, "/negative", 2, -5, 1, 0, 0);
    posix(log, "/unknown", 3, -1, 1, 0, 0); /* -1 only says that the writer did not know */
    posix(log, "/rank", INT64_MAX, 1, 1, 0, 0);
    opened o = opened_from(log);
    iol__summary s = summary_of(&o);
    assert_int_equal(s.layers[0].odd_records, 4);
    assert_true(s.layers[0].time == 1);
    iol__summary_free(&s);
    opened_close(&o);
}

static void odd_jobs_have_no_share(void **state) {
    (void)state;
    lm_log *log = lm_new(41, false, LM_ZLIB);
    posix(log, "/a", 0, 1, 0, 0, 0);
    log->end = log->end_ns = 0;
    log->processes = -7;
    opened o = opened_from(log);
    iol__summary s = summary_of(&o);
    assert_true(iol__layer_run_share(&s.layers[0], iol_log_job(o.log)) < 0);
    iol__summary_free(&s);
    opened_close(&o);
}

/* Threads that write at the same time add up to more than the run, which is not a share of it. */
static void more_than_the_run_is_no_share(void **state) {
    (void)state;
    lm_log *log = lm_new(41, false, LM_ZLIB);
    posix(log, "/a", 0, 1, 0, 0, 0);
    opened o = opened_from(log);
    iol__summary s = summary_of(&o);
    iol_job job = *iol_log_job(o.log);
    iol__layer *layer = &s.layers[0];
    const struct { double time, share; } cases[] = {{25, 0.25}, {100, 1}, {104, 1}, {764, -1}};
    job.run_time = 100;
    for (size_t i = 0; i < IOL_COUNT(cases); i++) {
        layer->time = cases[i].time;
        assert_true(iol__layer_run_share(layer, &job) == cases[i].share);
    }
    iol__summary_free(&s);
    opened_close(&o);
}

static void access_sizes_come_from_the_lowest_layer(void **state) {
    (void)state;
    lm_log *log = lm_new(41, false, LM_ZLIB);
    posix(log, "/a", 0, 1, 0, 0, 0);
    lm_sample(log, LM_MPIIO, 3, 5, 0, 1);
    lm_sample(log, LM_HEATMAP, 1, 6, 0, 1);
    opened o = opened_from(log);
    iol__summary s = summary_of(&o);
    assert_int_equal(s.n_layers, 3);
    const iol__layer *sizes = iol__summary_sizes(&s);
    assert_ptr_equal(sizes, &s.layers[0]);
    assert_true(iol__layer_size_count(sizes, false, 0) == 2);
    assert_true(iol__layer_size_count(sizes, true, 0) == 0);
    assert_false(s.layers[2].traffic);
    iol__summary_free(&s);
    opened_close(&o);
}

/* A module whose data ends early is there in part; one without a record is not there at all. */
static void damaged_layers_are_marked(void **state) {
    (void)state;
    lm_log *log = lm_new(41, false, LM_ZLIB);
    posix(log, "/a", 0, 1, 5, 0, 0);
    posix(log, "/b", 0, 1, 5, 0, 0);
    lm_sample(log, LM_MPIIO, 3, 5, 0, 1);
    lm_sample(log, LM_STDIO, 2, 5, 0, 1);
    log->slots[LM_POSIX].payload.length -= 8;
    log->slots[LM_MPIIO].payload.length -= 8;
    opened o = opened_from(log);
    iol__summary s = summary_of(&o);
    assert_int_equal(s.n_layers, 3);
    assert_true(s.layers[0].damaged && s.layers[0].readable && s.layers[0].records == 1);
    assert_true(s.layers[1].damaged && !s.layers[1].readable && !s.layers[1].traffic);
    assert_true(!s.layers[2].damaged && s.layers[2].readable);
    iol__summary_free(&s);
    opened_close(&o);
}

static void an_empty_log_has_an_empty_summary(void **state) {
    (void)state;
    opened o = opened_from(lm_new(41, false, LM_ZLIB));
    iol__summary s = summary_of(&o);
    assert_int_equal(s.n_layers, 0);
    assert_int_equal(s.n_top, 0);
    assert_null(iol__summary_sizes(&s));
    iol__summary_free(&s);
    opened_close(&o);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(time_is_the_slowest_ranks),
        cmocka_unit_test(files_are_ordered_by_time),
        cmocka_unit_test(impossible_values_are_left_out_and_counted),
        cmocka_unit_test(odd_jobs_have_no_share),
        cmocka_unit_test(more_than_the_run_is_no_share),
        cmocka_unit_test(access_sizes_come_from_the_lowest_layer),
        cmocka_unit_test(damaged_layers_are_marked),
        cmocka_unit_test(an_empty_log_has_an_empty_summary),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
