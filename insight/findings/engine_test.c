/* What becomes of findings: which of them stay, what they cost, how serious and how certain they are, what they advise.
   Jobs of several ranks: engine_parallel_test.c. */
#include <math.h>
#include <stdio.h>

#include "base/count.h"
#include "insight/findings/problems_testing.h"

static void one_cause_gives_one_finding(void **state) {
    (void)state;
    static const struct {
        const char *cause, *silent;
    } pairs[] = {
        {"posix.fsync.heavy", "posix.small.write"},  {"mpiio.collective.none.write", "posix.small.shared.write"},
        {"hdf5.fill", "posix.redundant.write"},      {"posix.readall", "posix.redundant.read"},
        {"dl.epoch.reread", "posix.redundant.read"}, {"mpiio.aggregators.funnel", "posix.balance.time"},
        {"stdio.redundant.read", "stdio.tiny"}};
    for (size_t i = 0; i < IOL_COUNT(pairs); i++) {
        opened o = log_of(problem_log(pairs[i].cause), false);
        iol__diagnosis *d = diagnose(&o, NULL);
        assert_non_null(find(d, pairs[i].cause));
        if (find(d, pairs[i].silent)) fail_msg("%s is found beside %s", pairs[i].silent, pairs[i].cause);
        iol__diagnosis_free(d);
        opened_close(&o);
    }
}

#define SMALL_AND_SYNCED(max, syncs)                                                                          \
    "POSIX 0 /scratch/a POSIX_OPENS=1 POSIX_WRITES=20000 POSIX_BYTES_WRITTEN=81920000 POSIX_F_WRITE_TIME=20 " \
    "POSIX_SIZE_WRITE_1K_10K=20000 POSIX_SEQ_WRITES=20000 POSIX_MAX_BYTE_WRITTEN=" max " POSIX_FSYNCS=" syncs

/* Time in syncs is not saved by other writes; where it is most of the time, it is what is reported. */
static void syncs_are_not_blamed_on_writes(void **state) {
    (void)state;
    opened o = log_of("job 1 100\nOPER 200 19\n" SMALL_AND_SYNCED("40959999", "200"), false);
    iol__diagnosis *d = diagnose(&o, NULL);
    const iol__finding *f = find(d, "posix.fsync.heavy");
    assert_non_null(f);
    assert_non_null(strstr(f->note, "19 s of the 20 s"));
    assert_non_null(strstr(f->note, "written again"));
    assert_true(f->cost.best > 18.8 && f->cost.best < 19);
    assert_null(find(d, "posix.small.write"));
    assert_null(find(d, "posix.redundant.write"));
    iol__diagnosis_free(d);
    opened_close(&o);
    /* Few syncs: the writes are reported, but what they cost is without the syncs' 5 s. */
    static const struct {
        const char *id, *plain, *with_syncs;
    } costs[] = {{"posix.small.write", "job 1 100\n" SMALL_AND_SYNCED("81919999", "99"),
                  "job 1 100\nOPER 99 5\n" SMALL_AND_SYNCED("81919999", "99")},
                 {"posix.redundant.write", "job 1 100\n" SMALL_AND_SYNCED("40959999", "99"),
                  "job 1 100\nOPER 99 5\n" SMALL_AND_SYNCED("40959999", "99")}};
    for (int i = 0; i < 2; i++) {
        double plain = cost_of(costs[i].plain, costs[i].id), with = cost_of(costs[i].with_syncs, costs[i].id);
        if (!(plain > 0 && fabs(with / plain - 0.75) < 0.01)) fail_msg("%s: %g, %g", costs[i].id, plain, with);
    }
}

/* A log that lacks a part is never called clean, and what is found in the rest is less certain. */
static void damage_is_reported(void **state) {
    (void)state;
    static const struct {
        const char *lines, *sentence;
    } logs[] = {
        {"POSIX 0 /a POSIX_OPENS=1\nlost 8", "The log is damaged: POSIX cannot be read."},
        {"POSIX 0 /a POSIX_OPENS=1 POSIX_READS=2\nPOSIX 0 /b POSIX_OPENS=1\nlost 8",
         "The log is damaged: of POSIX only a part can be read."},
    };
    for (size_t i = 0; i < IOL_COUNT(logs); i++) {
        opened o = log_of(logs[i].lines, false);
        iol__diagnosis *d = diagnose(&o, NULL);
        assert_true(d->damaged);
        assert_true(d->n_quality > 0);
        assert_string_equal(d->quality[0], logs[i].sentence);
        assert_string_equal(find(d, "data.partial")->title, "The log is damaged: data of one module is missing");
        assert_int_equal(find(d, "data.partial")->n_advice, 0); /* memory would not have helped */
        assert_null(find(d, "job.io.none"));
        assert_null(find(d, "data.unreadable"));
        for (size_t f = 0; f < d->n_findings; f++)
            if (strncmp(d->findings[f].id, "data.", 5) != 0) assert_true(d->findings[f].confidence.data <= 0.6);
        iol__diagnosis_free(d);
        opened_close(&o);
    }
    opened o = log_of("POSIX 0 /a POSIX_OPENS=1 POSIX_READS=2", false);
    iol__diagnosis *d = diagnose(&o, NULL);
    assert_false(d->damaged);
    assert_int_equal(d->n_quality, 0);
    iol__diagnosis_free(d);
    opened_close(&o);
}

/* What the head says fits together: bytes by time is the rate, also where threads add up to more than the run. */
static void the_rate_is_bytes_over_time(void **state) {
    (void)state;
    opened o = log_of(
        "job 1 100\nPOSIX 0 /a" IO(
            "10", "1000", "999", "700") "\n"
                                        "STDIO 0 <STDOUT> STDIO_WRITES=5 STDIO_BYTES_WRITTEN=500 STDIO_F_WRITE_TIME=1",
        false);
    iol__diagnosis *d = diagnose(&o, NULL);
    assert_true(d->io_time == 100);
    assert_true(d->bytes_read == 0 && d->bytes_written == 1500);
    assert_true(fabs(d->rate - 15) < 1e-9);
    iol__diagnosis_free(d);
    opened_close(&o);
}

/* Less than a tenth of a second is nobody's problem, and a job of a few seconds has no serious one. */
static void small_losses_and_short_jobs(void **state) {
    (void)state;
    static const struct {
        const char *seconds, *time;
        iol__level level;
    } cases[] = {{"100", "50", IOL_LEVEL_HIGH},
                 {"100", "5", IOL_LEVEL_WARN},
                 {"100", "1", IOL_LEVEL_INFO},
                 {"9", "5", IOL_LEVEL_WARN},
                 {"1", "0.09", IOL_LEVEL_INFO}};
    for (size_t i = 0; i < IOL_COUNT(cases); i++) {
        char text[400];
        snprintf(text, sizeof text,
                 "job 1 %s\nPOSIX 0 /scratch/a POSIX_OPENS=1 POSIX_WRITES=2000 POSIX_SEQ_WRITES=1999 "
                 "POSIX_BYTES_WRITTEN=20000 "
                 "POSIX_SIZE_WRITE_0_100=2000 POSIX_F_WRITE_TIME=%s",
                 cases[i].seconds, cases[i].time);
        opened o = log_of(text, false);
        iol__diagnosis *d = diagnose(&o, NULL);
        const iol__finding *f = find(d, "posix.small.write");
        assert_non_null(f);
        if (f->level != cases[i].level)
            fail_msg("%s s of %s s: %s", cases[i].time, cases[i].seconds, iol__level_name(f->level));
        iol__diagnosis_free(d);
        opened_close(&o);
    }
}

static void without_times_the_fallback_counts(void **state) {
    (void)state;
    opened o = log_of(
        "job 1 100\nPOSIX 0 /scratch/a POSIX_OPENS=1 POSIX_WRITES=2000 POSIX_SEQ_WRITES=1999 POSIX_BYTES_WRITTEN=20000 "
        "POSIX_SIZE_WRITE_0_100=2000",
        false);
    iol__diagnosis *d = diagnose(&o, NULL);
    const iol__finding *f = find(d, "posix.small.write");
    assert_non_null(f);
    assert_false(f->cost.known);
    assert_int_equal(f->level, IOL_LEVEL_HIGH);
    iol__diagnosis_free(d);
    opened_close(&o);
}

/* Requests of exactly 1 MiB are not small, although they are in the same bin. */
static void one_mebibyte_is_not_small(void **state) {
    (void)state;
    opened o = log_of("job 1 100\nPOSIX 0 /scratch/a POSIX_OPENS=1 POSIX_WRITES=5000 POSIX_BYTES_WRITTEN=5242880000 "
                      "POSIX_SIZE_WRITE_100K_1M=5000 POSIX_ACCESS1_ACCESS=1048576 POSIX_ACCESS1_COUNT=5000 "
                      "POSIX_F_WRITE_TIME=50",
                      false);
    iol__diagnosis *d = diagnose(&o, NULL);
    assert_null(find(d, "posix.small.write"));
    iol__diagnosis_free(d);
    opened_close(&o);
}

/* Times that cannot be make a question of what rests on them. */
static void doubtful_times_make_questions(void **state) {
    (void)state;
    opened o = log_of("job 1 100\nPOSIX 0 /scratch/a POSIX_OPENS=1 POSIX_STATS=5000 POSIX_F_META_TIME=60000", false);
    iol__diagnosis *d = diagnose(&o, NULL);
    const iol__finding *f = find(d, "posix.meta.time");
    assert_non_null(find(d, "data.time.implausible"));
    assert_non_null(f);
    assert_int_equal(f->level, IOL_LEVEL_INFO);
    assert_int_equal(strncmp(f->title, "Is this so?", 11), 0);
    iol__diagnosis_free(d);
    opened_close(&o);
}

/* What a cause explains stands below it, once, and costs nothing of its own. */
static void symptoms_stand_below_their_cause(void **state) {
    (void)state;
    opened o = log_of("job 1 100\nPOSIX 0 /scratch/a POSIX_OPENS=2000 POSIX_STATS=5000 POSIX_READS=2000 "
                      "POSIX_BYTES_READ=20000 POSIX_MAX_BYTE_READ=9 POSIX_F_META_TIME=50",
                      false);
    iol__diagnosis *d = diagnose(&o, NULL);
    const iol__finding *f = find(d, "posix.open.repeat");
    assert_non_null(f);
    assert_null(find(d, "posix.stat.heavy"));
    size_t stats = 0;
    for (size_t i = 0; i < f->n_symptoms; i++) {
        assert_non_null(f->symptoms[i].title);
        assert_int_equal(f->symptoms[i].depth, 1);
        assert_string_equal(f->symptoms[i].parent, "posix.open.repeat");
        stats += strcmp(f->symptoms[i].id, "posix.stat.heavy") == 0;
    }
    assert_int_equal(stats, 1);
    iol__diagnosis_free(d);
    opened_close(&o);
}

/* All requests are in one bin of the profile; the trace knows which of them are below 1 MiB, and how far below. */
static void a_trace_counts_small_requests(void **state) {
    (void)state;
    static const char *const traces[] = {"TRACE 0 /scratch/a r 3000 0 300000 300000 1 0.01 0.01\n"
                                         "TRACE 0 /scratch/a r 1000 900000000 1048576 1048576 40 0.01 0.01",
                                         "TRACE 0 /scratch/a r 3999 0 300000 300000 1 0.01 0.01"};
    static const double expected[] = {3000, 4000}; /* the second trace is incomplete: bins count */
    for (int i = 0; i < 2; i++) {
        char text[600];
        snprintf(text, sizeof text,
                 "job 1 100\nPOSIX 0 /scratch/a POSIX_OPENS=1 POSIX_READS=4000 POSIX_BYTES_READ=1948576000 "
                 "POSIX_SEQ_READS=3999 POSIX_MAX_BYTE_READ=1948575999 POSIX_SIZE_READ_100K_1M=4000 "
                 "POSIX_F_READ_TIME=40\n%s",
                 traces[i]);
        opened o = log_of(text, false);
        iol__diagnosis *d = diagnose(&o, NULL);
        const iol__finding *f = find(d, "posix.small.read");
        assert_non_null(f);
        assert_float_equal(figure_of(f, "small_reads"), expected[i], 0);
        if (i == 0) assert_float_equal(figure_of(f, "small_read_mean"), 300000, 0);
        iol__diagnosis_free(d);
        opened_close(&o);
    }
}

/* Evenly spread over four OSTs by the profile; by the trace all of it goes to the first stripe. */
static void a_trace_knows_the_busiest_ost(void **state) {
    (void)state;
    for (int traced = 0; traced < 2; traced++) {
        char text[400];
        snprintf(text, sizeof text,
                 "job 1 100\nLUSTRE /scratch/a 1048576 4\nPOSIX 0 /scratch/a POSIX_WRITES=104 "
                 "POSIX_BYTES_WRITTEN=104000000 POSIX_F_WRITE_TIME=50\n%s",
                 traced ? "TRACE 0 /scratch/a w 101 0 4194304 1048576 1 0.1 0.1\n"
                          "TRACE 0 /scratch/a w 3 1048576 1048576 1048576 50 0.1 0.1"
                        : "");
        opened o = log_of(text, false);
        iol__diagnosis *d = diagnose(&o, NULL);
        const iol__finding *f = find(d, "lustre.ost.skew");
        assert_int_equal(f != NULL, traced);
        if (f) assert_float_equal(figure_of(f, "ost_most"), 101.0F / 26, 1e-5);
        iol__diagnosis_free(d);
        opened_close(&o);
    }
}

/* The advice of a finding: what it must say, and what it must not. */
static void snippets_fit_what_was_done(void **state) {
    (void)state;
    static const struct {
        const char *log, *id, *action, *has, *lacks;
    } cases[] = {
        {"job 1 100\nSTDIO 0 /scratch/a STDIO_WRITES=2000 STDIO_BYTES_WRITTEN=8191999 STDIO_MAX_BYTE_WRITTEN=8191998 "
         "STDIO_F_WRITE_TIME=40",
         "stdio.tiny", "setvbuf", "setvbuf(f", "\"rb\""},
        {"job 1 100\nPOSIX 0 /scratch/a POSIX_OPENS=1 POSIX_WRITES=9000 POSIX_CONSEC_WRITES=60 "
         "POSIX_SEQ_WRITES=8999 POSIX_BYTES_WRITTEN=9000000 POSIX_MAX_BYTE_WRITTEN=99999999 "
         "POSIX_SIZE_WRITE_100_1K=9000 POSIX_F_WRITE_TIME=50",
         "posix.small.write", "sort_writes", "pwritev(", "flush_pending"},
        {"job 1 100\nPOSIX 0 /scratch/a POSIX_OPENS=1 POSIX_WRITES=9000 POSIX_CONSEC_WRITES=8999 "
         "POSIX_SEQ_WRITES=8999 POSIX_BYTES_WRITTEN=9000000 POSIX_MAX_BYTE_WRITTEN=8999999 "
         "POSIX_SIZE_WRITE_100_1K=9000 POSIX_F_WRITE_TIME=50",
         "posix.small.write", "buffer", "flush_pending", "pwritev("},
        {"job 4 100\nMPI-IO -1 /scratch/it's MPIIO_INDEP_WRITES=1001 MPIIO_BYTES_WRITTEN=1001000 "
         "MPIIO_F_WRITE_TIME=80 MPIIO_F_SLOWEST_RANK_TIME=20\nPOSIX -1 /scratch/it's POSIX_WRITES=1001 "
         "POSIX_BYTES_WRITTEN=1001000 POSIX_SIZE_WRITE_100_1K=1001 POSIX_F_WRITE_TIME=80",
         "mpiio.collective.none.write", "collective_write_fortran", "'/scratch/it''s'", "'data'"},
    };
    for (size_t i = 0; i < IOL_COUNT(cases); i++) {
        opened o = log_of(cases[i].log, false);
        iol__diagnosis *d = diagnose(&o, NULL);
        const iol__finding *f = find(d, cases[i].id);
        assert_non_null(f);
        const iol__advice *advice = advice_of(f, cases[i].action);
        const char *code = advice ? advice->code : "";
        if (!strstr(code, cases[i].has)) fail_msg("%s does not advise %s", cases[i].id, cases[i].action);
        assert_null(strstr(code, cases[i].lacks));
        iol__diagnosis_free(d);
        opened_close(&o);
    }
    opened o = log_of("job 4 100\nSTDIO -1 /scratch/a STDIO_OPENS=4 STDIO_READS=5000 STDIO_BYTES_READ=40000000 "
                      "STDIO_MAX_BYTE_READ=9999999 STDIO_F_READ_TIME=40 STDIO_F_SLOWEST_RANK_TIME=10",
                      false);
    iol__diagnosis *d = diagnose(&o, NULL);
    const iol__finding *f = find(d, "stdio.redundant.read");
    assert_non_null(f);
    assert_string_equal(advice_of(f, "broadcast_read")->check, "STDIO_BYTES_READ falls to 10,000,000");
    iol__diagnosis_free(d);
    opened_close(&o);
}

/* Rows that the library keeps in its buffer hardly reach the file, and yet the loop takes its time. */
static void row_loops_of_python_have_their_price(void **state) {
    (void)state;
#define ROWS                                                                                                  \
    "H5F 0 /scratch/a.h5 H5F_OPENS=1\nH5D 0 /scratch/a.h5:d H5D_WRITES=30000 H5D_BYTES_WRITTEN=1920000 "      \
    "H5D_F_WRITE_TIME=0.4 H5D_F_WRITE_START_TIMESTAMP=2 H5D_F_WRITE_END_TIMESTAMP=12\nPOSIX 0 /scratch/a.h5 " \
    "POSIX_OPENS=1 POSIX_WRITES=30 POSIX_BYTES_WRITTEN=1920000 POSIX_MAX_BYTE_WRITTEN=1919999 POSIX_F_WRITE_TIME=0.01"
    double plain = cost_of("job 1 14\n" ROWS, "hdf5.rows");
    double python = cost_of("job 1 14\nexe /usr/bin/python3 rows.py\n" ROWS, "hdf5.rows");
#undef ROWS
    assert_true(plain > 0.3 && plain < 0.5);
    assert_true(python > 5 && python < 8);
}

/* A cause takes the place of its symptoms: chunks of what is read again and again, independent datasets of independent
   MPI-IO calls, metadata of HDF5 of the small requests that it makes. */
static void causes_of_hdf5_come_before_symptoms(void **state) {
    (void)state;
    opened o =
        log_of("job 1 100\nH5F 0 /scratch/a.h5 H5F_OPENS=1\nH5D 0 /scratch/a.h5:d H5D_READS=256 H5D_BYTES_READ=1048576 "
               "H5D_DATATYPE_SIZE=8 H5D_DATASPACE_NDIMS=1 H5D_CHUNK_SIZE_D1=32768\nPOSIX 0 /scratch/a.h5 "
               "POSIX_READS=256 POSIX_BYTES_READ=67108864 POSIX_MAX_BYTE_READ=1048575 POSIX_F_READ_TIME=40",
               false);
    iol__diagnosis *d = diagnose(&o, NULL);
    assert_non_null(find(d, "hdf5.chunk.partial"));
    assert_null(find(d, "posix.redundant.read"));
    iol__diagnosis_free(d);
    opened_close(&o);
    /* From the cache of chunks: no byte is moved twice. */
    o = log_of("job 1 100\nH5F 0 /scratch/a.h5 H5F_OPENS=1\nH5D 0 /scratch/a.h5:d H5D_READS=256 H5D_BYTES_READ=1048576 "
               "H5D_DATATYPE_SIZE=8 H5D_DATASPACE_NDIMS=1 H5D_CHUNK_SIZE_D1=32768\nPOSIX 0 /scratch/a.h5 "
               "POSIX_READS=4 POSIX_BYTES_READ=1048576 POSIX_MAX_BYTE_READ=1048575 POSIX_F_READ_TIME=40",
               false);
    d = diagnose(&o, NULL);
    assert_null(find(d, "hdf5.chunk.partial"));
    iol__diagnosis_free(d);
    opened_close(&o);
    o = log_of(
        "job 4 100\nH5F -1 /scratch/a.h5 H5F_OPENS=4 H5F_USE_MPIIO=1\nH5D -1 /scratch/a.h5:d H5D_WRITES=4000 "
        "H5D_BYTES_WRITTEN=16384000\nMPI-IO -1 /scratch/a.h5 MPIIO_INDEP_WRITES=4000 MPIIO_BYTES_WRITTEN=16384000 "
        "MPIIO_F_WRITE_TIME=80 MPIIO_F_SLOWEST_RANK_TIME=20\nPOSIX -1 /scratch/a.h5 POSIX_WRITES=4000 "
        "POSIX_BYTES_WRITTEN=16384000 POSIX_SIZE_WRITE_1K_10K=4000 POSIX_F_WRITE_TIME=80 "
        "POSIX_F_SLOWEST_RANK_TIME=20",
        false);
    d = diagnose(&o, NULL);
    assert_non_null(find(d, "hdf5.indep.data"));
    assert_null(find(d, "mpiio.collective.none.write"));
    iol__diagnosis_free(d);
    opened_close(&o);
}

/* What a finding rests on can be looked up in the log. */
static void findings_name_their_records(void **state) {
    (void)state;
    static const char *const ids[] = {"lustre.stripe.narrow", "mpiio.aggregators.many", "mpiio.wait", "hdf5.meta.small",
                                      "fs.slow.target"};
    for (size_t i = 0; i < IOL_COUNT(ids); i++) {
        opened o = log_of(problem_log(ids[i]), false);
        iol__diagnosis *d = diagnose(&o, NULL);
        const iol__finding *f = find(d, ids[i]);
        assert_non_null(f);
        if (!records_in(f)) fail_msg("%s names no record", ids[i]);
        iol__diagnosis_free(d);
        opened_close(&o);
    }
    /* Bulk data through streams has no POSIX record. */
    opened o = log_of(
        "job 1 100\nSTDIO 0 /home/u/a STDIO_WRITES=100 STDIO_BYTES_WRITTEN=67108864 STDIO_F_WRITE_TIME=20", false);
    iol__diagnosis *d = diagnose(&o, NULL);
    const iol__finding *f = find(d, "fs.slow.target");
    assert_non_null(f);
    assert_int_equal(records_in(f), 1);
    const iol__evidence *record = &f->evidence[1];
    assert_string_equal(record->module, "STDIO");
    assert_string_equal(record->figures[1].name, "STDIO_BYTES_WRITTEN");
    assert_float_equal(record->figures[1].value, 67108864, 0);
    iol__diagnosis_free(d);
    opened_close(&o);
}

/* The record that stands for all files beyond the recorder's memory does not count as a file. */
static void folded_files_are_counted_not_judged(void **state) {
    (void)state;
    opened o = log_of("job 1 100\nFOLD 5000\nPOSIX 0 /scratch/a POSIX_OPENS=1 POSIX_F_META_TIME=1\n"
                      "POSIX 0 <FOLDED> POSIX_OPENS=5000 POSIX_WRITES=5000 POSIX_BYTES_WRITTEN=500000000 "
                      "POSIX_MAX_BYTE_WRITTEN=99999 POSIX_F_META_TIME=20",
                      false);
    iol__diagnosis *d = diagnose(&o, NULL);
    const iol__finding *f = find(d, "posix.files.many");
    assert_non_null(f);
    assert_float_equal(figure_of(f, "files"), 5001, 0);
    assert_true(f->cost.best > 20);
    assert_null(find(d, "posix.open.repeat"));
    assert_null(find(d, "posix.redundant.write"));
    iol__diagnosis_free(d);
    opened_close(&o);
}

static void findings_never_cost_more_than_io_took(void **state) {
    (void)state;
    for (size_t i = 0; i < IOL_COUNT(problems); i++) {
        opened o = log_of(problems[i].log, false);
        iol__diagnosis *d = diagnose(&o, problems[i].context);
        double sum = 0;
        for (size_t k = 0; k < d->n_findings; k++) sum += d->findings[k].cost.best;
        if (d->io_time > 0 && sum > d->io_time * 1.000001) fail_msg("%s: %g of %g s", problems[i].id, sum, d->io_time);
        iol__diagnosis_free(d);
        opened_close(&o);
    }
}

/* A file that is read as a stream and written by descriptor: what is said of POSIX is not said of the job. */
static void the_mix_of_requests_names_its_layer(void **state) {
    (void)state;
    opened o = log_of("job 1 100\nPOSIX 0 /a POSIX_OPENS=1 POSIX_WRITES=1 POSIX_BYTES_WRITTEN=1000\n"
                      "STDIO 0 /a STDIO_OPENS=1 STDIO_READS=5 STDIO_BYTES_READ=5000000",
                      false);
    iol__diagnosis *d = diagnose(&o, NULL);
    const iol__finding *f = find(d, "posix.mix");
    assert_string_equal(f ? f->title : "nothing", "POSIX calls only write: 1000 B in one write");
    iol__diagnosis_free(d);
    opened_close(&o);
}

static void selection_by_glob_and_level(void **state) {
    (void)state;
    static const char *const only[] = {"posix.small.*", NULL}, *const skip[] = {"P06", NULL};
    opened o = log_of(problem_log("posix.small.write"), false);
    iol__diagnose_options options = {.rulebook = book, .only = only};
    iol__diagnosis *d;
    assert_int_equal(iol__diagnose(o.log, &options, &d, NULL), IOL_OK);
    assert_int_equal(d->n_findings, 1);
    iol__diagnosis_free(d);
    options = (iol__diagnose_options){.rulebook = book, .skip = skip};
    assert_int_equal(iol__diagnose(o.log, &options, &d, NULL), IOL_OK);
    assert_null(find(d, "posix.small.write"));
    assert_non_null(find(d, "posix.mix"));
    iol__diagnosis_free(d);
    options = (iol__diagnose_options){.rulebook = book, .min_level = IOL_LEVEL_WARN};
    assert_int_equal(iol__diagnose(o.log, &options, &d, NULL), IOL_OK);
    for (size_t i = 0; i < d->n_findings; i++) assert_true(d->findings[i].level >= IOL_LEVEL_WARN);
    assert_int_equal(d->count[IOL_LEVEL_WARN], 1);
    assert_int_equal(d->count[IOL_LEVEL_INFO], 0);
    iol__diagnosis_free(d);
    opened_close(&o);
}

/* A script's loop over rows is in I/O for a fraction of what it takes: what Python does around each call counts, but not
   the work of a loop that computes between them. Calls of a compiled program cost what they take themselves. */
static void a_loop_over_rows_costs_the_loop(void **state) {
    (void)state;
    static const struct {
        const char *python, *calls;
        double least, most;
        iol__level level;
    } cases[] = {{"python\n", "60000", 12, 13, IOL_LEVEL_HIGH},
                 {"python\n", "20000", 4.5, 5, IOL_LEVEL_HIGH},
                 {"", "60000", 0.9, 1, IOL_LEVEL_WARN}};
    for (size_t i = 0; i < IOL_COUNT(cases); i++) {
        char text[600];
        snprintf(text, sizeof text,
                 "%sjob 1 20\nH5F 0 /scratch/a.h5 H5F_OPENS=1\nH5D 0 /scratch/a.h5:d H5D_WRITES=%s "
                 "H5D_BYTES_WRITTEN=1280000 H5D_F_WRITE_TIME=1 H5D_F_WRITE_START_TIMESTAMP=2 "
                 "H5D_F_WRITE_END_TIMESTAMP=17\nPOSIX 0 /scratch/a.h5 POSIX_OPENS=1 POSIX_WRITES=60000 "
                 "POSIX_BYTES_WRITTEN=1280000 POSIX_MAX_BYTE_WRITTEN=1279999 POSIX_CONSEC_WRITES=60000 "
                 "POSIX_SEQ_WRITES=60000 POSIX_SIZE_WRITE_0_100=60000 POSIX_F_WRITE_TIME=0.1",
                 cases[i].python, cases[i].calls);
        opened o = log_of(text, false);
        iol__diagnosis *d = diagnose(&o, NULL);
        const iol__finding *f = find(d, "hdf5.rows");
        assert_non_null(f);
        assert_true(f->cost.best >= cases[i].least && f->cost.best <= cases[i].most);
        assert_int_equal(f->level, cases[i].level);
        iol__diagnosis_free(d);
        opened_close(&o);
    }
}

/* A program that reads a file again understands it again, between the open and the close; who holds a file open for longer than
   that computes. */
static void reading_again_costs_understanding_again(void **state) {
    (void)state;
    static const struct {
        const char *span;
        double least, most;
    } cases[] = {{"0", 0.9, 1}, {"9", 7.9, 9}, {"500", 0.9, 1}};
    for (size_t i = 0; i < IOL_COUNT(cases); i++) {
        char text[400];
        snprintf(text, sizeof text,
                 "job 1 1000\nCALLS reopened 99 %s\nPOSIX 0 /scratch/a POSIX_OPENS=100 POSIX_READS=1000 "
                 "POSIX_BYTES_READ=400000000 POSIX_MAX_BYTE_READ=3999999 POSIX_F_READ_TIME=1",
                 cases[i].span);
        const double cost = cost_of(text, "posix.redundant.read");
        if (!(cost >= cases[i].least && cost <= cases[i].most)) fail_msg("%s: %g", cases[i].span, cost);
    }
}

static bool advises(const iol__finding *f, const char *text) {
    for (size_t i = 0; f && i < f->n_advice; i++)
        if (strstr(f->advice[i].text, text)) return true;
    return false;
}

/* What is advised can be done with what the program does. */
static void advice_fits_what_was_done(void **state) {
    (void)state;
    static const struct {
        const char *id, *log, *said, *not_said;
    } cases[] = {
        {"mpiio.wait",
         "job 128 100\nMPI-IO -1 /scratch/a MPIIO_COLL_READS=1280 MPIIO_BYTES_READ=1280000000 MPIIO_F_READ_TIME=5000 "
         "MPIIO_F_SLOWEST_RANK_TIME=50\nPOSIX -1 /scratch/a POSIX_READS=1280 POSIX_BYTES_READ=1280000000 "
         "POSIX_MAX_BYTE_READ=1279999999 POSIX_F_READ_TIME=500 POSIX_F_SLOWEST_RANK_TIME=10",
         "MPI_File_read_at_all", "MPI_File_write_at_all"},
        {"mpiio.wait",
         "job 128 100\nMPI-IO -1 /scratch/a MPIIO_COLL_WRITES=1280 MPIIO_BYTES_WRITTEN=1280000000 "
         "MPIIO_F_WRITE_TIME=5000 "
         "MPIIO_F_SLOWEST_RANK_TIME=50\nPOSIX -1 /scratch/a POSIX_WRITES=1280 POSIX_BYTES_WRITTEN=1280000000 "
         "POSIX_MAX_BYTE_WRITTEN=1279999999 POSIX_F_WRITE_TIME=500 POSIX_F_SLOWEST_RANK_TIME=10",
         "MPI_File_write_at_all", "MPI_File_read_at_all"},
        {"posix.open.repeat",
         "job 1 100\nPOSIX 0 /scratch/state POSIX_OPENS=3000 POSIX_WRITES=3000 POSIX_BYTES_WRITTEN=60000000 "
         "POSIX_MAX_BYTE_WRITTEN=39999 POSIX_F_WRITE_TIME=1 POSIX_F_META_TIME=20",
         "Save less often", "Open each file once"},
        {"posix.open.repeat",
         "job 1 100\nPOSIX 0 /scratch/lines POSIX_OPENS=3000 POSIX_WRITES=3000 POSIX_BYTES_WRITTEN=60000000 "
         "POSIX_MAX_BYTE_WRITTEN=59999999 POSIX_F_WRITE_TIME=1 POSIX_F_META_TIME=20",
         "Open each file once", "Save less often"}};
    for (size_t i = 0; i < IOL_COUNT(cases); i++) {
        opened o = log_of(cases[i].log, false);
        iol__diagnosis *d = diagnose(&o, NULL);
        const iol__finding *f = find(d, cases[i].id);
        if (!advises(f, cases[i].said) || advises(f, cases[i].not_said)) fail_msg("%s, case %zu", cases[i].id, i);
        iol__diagnosis_free(d);
        opened_close(&o);
    }
}

/* A file that C++ opens through stdio and reads by itself is opened again and again, and nothing else is wrong with it. */
static void streams_of_cpp_are_opened_again(void **state) {
    (void)state;
    opened o = log_of(
        "job 1 10\nSTDIO 0 /scratch/a STDIO_OPENS=20000 STDIO_F_META_TIME=2\nPOSIX 0 /scratch/a POSIX_READS=40000 "
        "POSIX_BYTES_READ=21600000 POSIX_MAX_BYTE_READ=1079 POSIX_SIZE_READ_0_100=20000 "
        "POSIX_SIZE_READ_1K_10K=20000 POSIX_SEQ_READS=20000 POSIX_CONSEC_READS=20000 POSIX_F_READ_TIME=1",
        false);
    iol__diagnosis *d = diagnose(&o, NULL);
    const iol__finding *f = find(d, "stdio.open.repeat");
    assert_non_null(f);
    assert_true(f->cost.best > 2.9 && f->cost.best <= 3);
    assert_null(find(d, "posix.redundant.read"));
    assert_null(find(d, "posix.small.read"));
    iol__diagnosis_free(d);
    opened_close(&o);
    /* What goes by between opens and closes belongs to files whose bytes are read in between. */
    assert_true(cost_of("job 1 100\nCALLS reopened 19999 50\nSTDIO 0 /scratch/a STDIO_OPENS=20000 STDIO_F_META_TIME=2",
                        "stdio.open.repeat") <= 2);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_cause_gives_one_finding),
        cmocka_unit_test(syncs_are_not_blamed_on_writes),
        cmocka_unit_test(damage_is_reported),
        cmocka_unit_test(the_rate_is_bytes_over_time),
        cmocka_unit_test(small_losses_and_short_jobs),
        cmocka_unit_test(without_times_the_fallback_counts),
        cmocka_unit_test(one_mebibyte_is_not_small),
        cmocka_unit_test(doubtful_times_make_questions),
        cmocka_unit_test(symptoms_stand_below_their_cause),
        cmocka_unit_test(a_trace_counts_small_requests),
        cmocka_unit_test(a_trace_knows_the_busiest_ost),
        cmocka_unit_test(snippets_fit_what_was_done),
        cmocka_unit_test(row_loops_of_python_have_their_price),
        cmocka_unit_test(causes_of_hdf5_come_before_symptoms),
        cmocka_unit_test(findings_name_their_records),
        cmocka_unit_test(folded_files_are_counted_not_judged),
        cmocka_unit_test(findings_never_cost_more_than_io_took),
        cmocka_unit_test(the_mix_of_requests_names_its_layer),
        cmocka_unit_test(selection_by_glob_and_level),
        cmocka_unit_test(a_loop_over_rows_costs_the_loop),
        cmocka_unit_test(reading_again_costs_understanding_again),
        cmocka_unit_test(advice_fits_what_was_done),
        cmocka_unit_test(streams_of_cpp_are_opened_again),
    };
    return cmocka_run_group_tests(tests, make_book, free_book);
}
