/* The figures of a job: each file once, in the layer that the program used. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "base/count.h"
#include "log/figures/figures.h"
#include "record/record.h"
#include "schema/schema.h"
#include "tests/support/logrecords.h"
#include "tests/support/opened.h"

/* MPI-IO first, as everybody does. */
static iol__figures figures_of(iol_log *log) {
    static const int order[] = {IOL_SLOT_MPIIO, IOL_SLOT_POSIX, IOL_SLOT_STDIO, IOL_SLOT_DFS, IOL_SLOT_H5D};
    iol__figures f;
    iol__figures_start(&f, log);
    assert_true(iol__figures_want_parts(&f));
    for (size_t i = 0; i < IOL_COUNT(order); i++) {
        iol_records *records;
        const iol_record *record;
        if (iol_records_open(log, order[i], &records) != IOL_OK) continue;
        while (iol_records_next(records, &record) == IOL_OK) iol__figures_add(&f, record);
        iol_records_close(records);
    }
    assert_true(iol__figures_finish(&f));
    return f;
}

typedef struct use {
    int slot;
    uint64_t id;
    int64_t rank, read, written;
    double read_time, write_time, meta_time, slowest;
} use;

static double
    later; /* seconds from the use of one shared file to that of the next; its slowest rank is its number less 1 */

static void put(lm_log *made, const use *u) {
    const iol__roles *roles = iol__modules[u->slot].roles;
    const unsigned version = lm_newest(u->slot);
    lm_counts counts = {0};
    counts.ints[roles->bytes_read] = u->read;
    counts.ints[roles->bytes_written] = u->written;
    counts.reals[roles->read_time] = u->read_time;
    counts.reals[roles->write_time] = u->write_time;
    counts.reals[roles->meta_time] = u->meta_time;
    counts.reals[roles->slowest_time] = u->slowest;
    counts.ints[roles->slowest_rank] = (int64_t)u->id - 1;
    if (u->slot == LM_POSIX && u->rank == -1) {
        counts.reals[IOL_POSIX_F_OPEN_START_TIMESTAMP] = 10 + later * (double)u->id;
        counts.reals[IOL_POSIX_F_CLOSE_END_TIMESTAMP] = 15 + later * (double)u->id;
    }
    lm_fixed(lm_records(made, u->slot, version), u->slot, version, u->id, u->rank, 0, &counts);
}

static opened log_of(const use *uses, size_t count) {
    lm_log *made = lm_new(41, false, LM_ZLIB);
    made->start = 1000;
    made->end = 1100;
    made->processes = 4;
    for (size_t i = 0; i < count; i++) put(made, &uses[i]);
    return opened_from(made);
}

#define FIGURES_OF(...)                       \
    const use uses[] = {__VA_ARGS__};         \
    opened o = log_of(uses, IOL_COUNT(uses)); \
    iol__figures f = figures_of(o.log);       \
    const double *v = f.value

#define DONE               \
    iol__figures_free(&f); \
    opened_close(&o)

static void assert_near(double a, double b) {
    if (!(fabs(a - b) <= 1e-9 * fmax(1, fabs(b)))) fail_msg("%.17g instead of %.17g", a, b);
}

/* What MPI-IO did is in POSIX again, with other sizes and times. */
static void a_file_of_mpiio_is_not_counted_below_it(void **state) {
    (void)state;
    FIGURES_OF({LM_POSIX, 1, -1, 0, 4000, 0, 1, 0.5, 0.25}, {LM_MPIIO, 1, -1, 0, 1000, 0, 8, 2, 3});
    assert_near(v[IOL_FIGURE_bytes_written], 1000);
    assert_near(v[IOL_FIGURE_call_time], 10);
    assert_near(v[IOL_FIGURE_io_time], 3);
    assert_near(v[IOL_FIGURE_rate], 1000.0 / 3);
    DONE;
}

/* open() and fdopen(): the open is a record of POSIX, the bytes are one of STDIO. */
static void bytes_of_a_stream_over_a_descriptor_count(void **state) {
    (void)state;
    FIGURES_OF({LM_POSIX, 1, 0, 0, 0, 0, 0, 0.5, 0}, {LM_STDIO, 1, 0, 5000, 0, 2, 0, 0, 0});
    assert_near(v[IOL_FIGURE_bytes_read], 5000);
    assert_near(v[IOL_FIGURE_bytes], 5000);
    assert_near(v[IOL_FIGURE_call_time], 2.5);
    assert_near(v[IOL_FIGURE_io_time], 2.5);
    DONE;
}

static void the_job_waits_for_its_slowest_rank(void **state) {
    (void)state;
    FIGURES_OF({LM_POSIX, 1, 0, 10, 0, 1, 0, 0, 0}, {LM_POSIX, 2, 1, 10, 0, 5, 0, 0, 0},
               {LM_POSIX, 3, 1, 10, 0, 2, 0, 0, 0}, {LM_POSIX, 4, -1, 10, 0, 4, 0, 0, 1.5});
    assert_near(v[IOL_FIGURE_io_time], 7 + 1.5);
    assert_near(v[IOL_FIGURE_io_share], 8.5 / v[IOL_FIGURE_run_time]);
    assert_near(v[IOL_FIGURE_read_time], 12);
    assert_true(isnan(v[IOL_FIGURE_concurrency]));
    DONE;
}

/* Three files of four ranks, each slow for another one: in turn they take 12 s, but all of them were in use for 5 s only. Each
   rank has its slow file and a third of what the others have of the two others. */
static void files_in_use_at_once_are_not_added_up(void **state) {
    (void)state;
    FIGURES_OF({LM_POSIX, 1, -1, 10, 0, 0, 0, 7, 4}, {LM_POSIX, 2, -1, 10, 0, 0, 0, 7, 4},
               {LM_POSIX, 3, -1, 10, 0, 0, 0, 7, 4});
    assert_near(v[IOL_FIGURE_io_time], 4 + 1 + 1);
    assert_near(v[IOL_FIGURE_io_time_low], 6);
    DONE;
}

static void files_one_after_the_other_are_added_up(void **state) {
    (void)state;
    later = 10;
    FIGURES_OF({LM_POSIX, 1, -1, 10, 0, 0, 0, 7, 4}, {LM_POSIX, 2, -1, 10, 0, 0, 0, 7, 4},
               {LM_POSIX, 3, -1, 10, 0, 0, 0, 7, 4});
    assert_near(v[IOL_FIGURE_io_time], 12);
    later = 0;
    DONE;
}

/* Four threads read for 90 s each in a run of 100 s; the longest file took 120 s, also in threads. */
static void threads_have_a_lower_bound(void **state) {
    (void)state;
    FIGURES_OF({LM_POSIX, 1, 0, 10, 0, 80, 0, 0, 0}, {LM_POSIX, 2, 0, 10, 0, 90, 0, 0, 0},
               {LM_POSIX, 3, 0, 10, 0, 60, 0, 0, 0}, {LM_POSIX, 4, 0, 10, 0, 40, 0, 0, 0});
    assert_near(v[IOL_FIGURE_io_time], v[IOL_FIGURE_run_time]);
    assert_near(v[IOL_FIGURE_io_time_low], 90);
    DONE;
}

static void io_never_takes_longer_than_the_run(void **state) {
    (void)state;
    FIGURES_OF({LM_POSIX, 1, 0, 10, 0, 500, 0, 0, 0});
    assert_near(v[IOL_FIGURE_io_time], v[IOL_FIGURE_run_time]);
    assert_near(v[IOL_FIGURE_io_share], 1);
    assert_near(f.waited, 500);
    DONE;
}

static void what_cannot_be_counts_as_nothing(void **state) {
    (void)state;
    FIGURES_OF({LM_POSIX, 1, 0, -1, -7, (double)NAN, (double)INFINITY, -5, 0}, {LM_POSIX, 2, -3, 1, 1, 1, 1, 1, 1},
               {LM_POSIX, 3, INT64_MAX, 1, 1, 1, 1, 1, 1});
    assert_near(v[IOL_FIGURE_bytes], 4);
    assert_near(v[IOL_FIGURE_io_time], 0);
    assert_true(isnan(v[IOL_FIGURE_rate]));
    DONE;
}

/* Only what ranks did in files of their own is known per rank; what is on no mount is behind the last one. */
static void sums_are_known_per_rank_and_per_file_system(void **state) {
    (void)state;
    FIGURES_OF({LM_POSIX, 1, 0, 10, 1, 1, 0, 0, 0}, {LM_POSIX, 2, 700, 20, 2, 5, 0, 0, 0},
               {LM_POSIX, 3, 700, 30, 3, 2, 0, 0, 0}, {LM_POSIX, 4, -1, 40, 4, 4, 0, 0, 1.5});
    assert_int_equal(f.n_ranks, 701);
    assert_near(f.rank[0].value[IOL_FIGURE_bytes_read], 10);
    assert_near(f.rank[700].value[IOL_FIGURE_bytes_read], 50);
    assert_near(f.rank[700].value[IOL_FIGURE_read_time], f.rank_time[700]);
    assert_near(f.rank[699].value[IOL_FIGURE_bytes_read], 0);
    double places[IOL_SUMMED_FIGURES] = {0};
    for (size_t i = 0; i <= iol_log_mount_count(o.log); i++)
        for (int k = 0; k < IOL_SUMMED_FIGURES; k++) places[k] += f.place[i].value[k];
    for (int k = 0; k < IOL_SUMMED_FIGURES; k++) assert_near(places[k], v[k]);
    assert_near(f.place[iol_log_mount_count(o.log)].value[IOL_FIGURE_bytes_written], 10);
    DONE;
}

static void every_figure_says_what_it_is(void **state) {
    (void)state;
    for (int i = 0; i < IOL_JOB_FIGURES; i++) {
        assert_true(strlen(iol__figure_infos[i].formula) > 8);
        assert_true(strlen(iol__figure_infos[i].unknown) > 4);
        assert_non_null(iol__figure_units[iol__figure_infos[i].unit]);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_file_of_mpiio_is_not_counted_below_it),
        cmocka_unit_test(bytes_of_a_stream_over_a_descriptor_count),
        cmocka_unit_test(the_job_waits_for_its_slowest_rank),
        cmocka_unit_test(files_in_use_at_once_are_not_added_up),
        cmocka_unit_test(files_one_after_the_other_are_added_up),
        cmocka_unit_test(threads_have_a_lower_bound),
        cmocka_unit_test(io_never_takes_longer_than_the_run),
        cmocka_unit_test(what_cannot_be_counts_as_nothing),
        cmocka_unit_test(sums_are_known_per_rank_and_per_file_system),
        cmocka_unit_test(every_figure_says_what_it_is),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
