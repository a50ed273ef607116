/* What becomes of findings: which of them stay, what they cost, how serious and how certain they are, what they advise. */
#include <math.h>
#include <stdio.h>

#include "insight/problems_testing.h"
#include "schema/schema.h"
#include "tests/support/logrecords.h"

/* Causes, costs, levels --------------------------------------------------------------------------------------- */

static const char *problem_log(const char *id) {
    for (size_t i = 0; i < sizeof problems / sizeof *problems; i++)
        if (strcmp(problems[i].id, id) == 0) return problems[i].log;
    fail_msg("no problem %s", id);
    return NULL;
}

static void one_cause_gives_one_finding(void **state) {
    (void)state;
    static const struct {
        const char *cause, *silent;
    } pairs[] = {
        {"posix.fsync.heavy", "posix.small.write"},  {"mpiio.collective.none.write", "posix.small.shared.write"},
        {"hdf5.fill", "posix.redundant.write"},      {"posix.readall", "posix.redundant.read"},
        {"dl.epoch.reread", "posix.redundant.read"}, {"mpiio.aggregators.funnel", "posix.balance.time"},
        {"stdio.redundant.read", "stdio.tiny"}};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        opened o = log_of(problem_log(pairs[i].cause), false);
        iol__diagnosis *d = diagnose(&o, NULL);
        assert_non_null(find(d, pairs[i].cause));
        if (find(d, pairs[i].silent)) fail_msg("%s is found beside %s", pairs[i].silent, pairs[i].cause);
        iol__diagnosis_free(d);
        opened_close(&o);
    }
}

static double cost_of(const char *log, const char *id) {
    opened o = log_of(log, false);
    iol__diagnosis *d = diagnose(&o, NULL);
    const iol__finding *f = find(d, id);
    if (!f) fail_msg("%s was not found", id);
    double best = f ? f->cost.best : NAN;
    iol__diagnosis_free(d);
    opened_close(&o);
    return best;
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
    for (size_t i = 0; i < sizeof logs / sizeof *logs; i++) {
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

/* The first finding, and the others that are reported above INFO: a cause leaves none of its symptoms. */
static const struct {
    const char *log, *first, *gone;
} causes[] = {
    /* Sieving reads and writes whole blocks; a hint that switches collective buffering off is the cause of that. */
    {"job 4 100\nMPI-IO -1 /scratch/a MPIIO_INDEP_WRITES=40 MPIIO_BYTES_WRITTEN=80000000 MPIIO_F_WRITE_TIME=240 "
     "MPIIO_F_SLOWEST_RANK_TIME=60\nPOSIX -1 /scratch/a POSIX_WRITES=640 POSIX_READS=640 POSIX_BYTES_WRITTEN=320000000 "
     "POSIX_BYTES_READ=240000000 POSIX_MAX_BYTE_WRITTEN=79999999 POSIX_MAX_BYTE_READ=79999999 POSIX_F_READ_TIME=40 "
     "POSIX_F_WRITE_TIME=160 POSIX_F_SLOWEST_RANK_TIME=50",
     "mpiio.sieving.write", "posix.redundant.write"},
    {"job 4 100\nHINT romio_cb_write=disable\nMPI-IO -1 /scratch/a MPIIO_COLL_WRITES=40 MPIIO_BYTES_WRITTEN=80000000 "
     "MPIIO_F_WRITE_TIME=240 MPIIO_F_SLOWEST_RANK_TIME=60\nPOSIX -1 /scratch/a POSIX_WRITES=640 POSIX_READS=640 "
     "POSIX_BYTES_WRITTEN=320000000 POSIX_BYTES_READ=240000000 POSIX_MAX_BYTE_WRITTEN=79999999 "
     "POSIX_MAX_BYTE_READ=79999999 POSIX_F_READ_TIME=40 POSIX_F_WRITE_TIME=160 POSIX_F_SLOWEST_RANK_TIME=50",
     "mpiio.hints.off", "posix.redundant.write"},
    /* Ranks that read at random meet in some bytes by chance. */
    {"job 4 100\nPOSIX -1 /scratch/a POSIX_OPENS=4 POSIX_READS=800000 POSIX_BYTES_READ=3276800000 "
     "POSIX_MAX_BYTE_READ=1073741823 POSIX_SEQ_READS=400000 POSIX_SIZE_READ_1K_10K=800000 POSIX_F_READ_TIME=200 "
     "POSIX_F_SLOWEST_RANK_TIME=50",
     "posix.random.read", "posix.redundant.read"},
    /* Each rank reads the same text byte by byte, without a buffer. */
    {"job 4 100\nSTDIO -1 /scratch/a STDIO_OPENS=4 STDIO_READS=10000000 STDIO_BYTES_READ=10000000 "
     "STDIO_MAX_BYTE_READ=2499999 STDIO_F_READ_TIME=40 STDIO_F_SLOWEST_RANK_TIME=10",
     "stdio.tiny", "stdio.redundant.read"},
    /* One writer is not unbalanced work besides. */
    {"job 8 100\nMPI-IO -1 /scratch/a MPIIO_INDEP_WRITES=91 MPIIO_BYTES_WRITTEN=91000000 MPIIO_F_WRITE_TIME=50 "
     "MPIIO_F_SLOWEST_RANK_TIME=50\nPOSIX -1 /scratch/a POSIX_OPENS=8 POSIX_WRITES=91 POSIX_BYTES_WRITTEN=91000000 "
     "POSIX_MAX_BYTE_WRITTEN=90999999 POSIX_F_WRITE_TIME=50 POSIX_SLOWEST_RANK=0 POSIX_SLOWEST_RANK_BYTES=91000000 "
     "POSIX_F_SLOWEST_RANK_TIME=50 "
     "POSIX_F_VARIANCE_RANK_BYTES=905734375000000",
     "posix.single.writer", "posix.balance.bytes"},
};

static void a_cause_leaves_no_symptom(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof causes / sizeof *causes; i++) {
        opened o = log_of(causes[i].log, false);
        iol__diagnosis *d = diagnose(&o, NULL);
        assert_string_equal(d->n_findings ? d->findings[0].id : "nothing", causes[i].first);
        assert_true(d->findings[0].level >= IOL_LEVEL_WARN);
        assert_null(find(d, causes[i].gone));
        iol__diagnosis_free(d);
        opened_close(&o);
    }
}

/* Lines that fprintf puts into a buffer cost processor time: no other buffer saves it. */
static void buffered_lines_cost_no_io(void **state) {
    (void)state;
    opened o = log_of("job 4 1\nSTDIO * /scratch/log%*4 STDIO_OPENS=1 STDIO_WRITES=300000 STDIO_BYTES_WRITTEN=9750000 "
                      "STDIO_MAX_BYTE_WRITTEN=9749999 STDIO_F_WRITE_TIME=0.3",
                      false);
    iol__diagnosis *d = diagnose(&o, NULL);
    assert_int_equal(d->count[IOL_LEVEL_HIGH] + d->count[IOL_LEVEL_WARN], 0);
    iol__diagnosis_free(d);
    opened_close(&o);
}

/* The example of the specification: one aggregator, 43 GB, 750 s. */
static void a_funnel_costs_what_spreading_would_save(void **state) {
    (void)state;
    opened o = log_of(problem_log("mpiio.aggregators.funnel"), false);
    iol__diagnosis *d = diagnose(&o, NULL);
    const iol__finding *f = find(d, "mpiio.aggregators.funnel");
    assert_int_equal(f->level, IOL_LEVEL_HIGH);
    assert_float_equal(f->cost.best, 750 * (1 - 1.0 / 4), 1);
    assert_ptr_equal(f, &d->findings[0]);
    assert_int_equal(f->evidence[0].kind, IOL_EVIDENCE_FILE);
    assert_int_equal(f->evidence[1].kind, IOL_EVIDENCE_RECORD);
    assert_string_equal(f->evidence[1].figures[2].name, "POSIX_F_SLOWEST_RANK_TIME");
    assert_float_equal(f->evidence[1].figures[2].value, 700, 0);
    iol__diagnosis_free(d);
    opened_close(&o);
}

/* Files of different ranks are used side by side: their costs do not add up. */
static void costs_of_ranks_are_not_added(void **state) {
    (void)state;
    opened o = log_of("job 8 100\nPOSIX * /scratch/own%*8 POSIX_OPENS=1 POSIX_WRITES=2000 POSIX_SEQ_WRITES=1999 "
                      "POSIX_BYTES_WRITTEN=20000 "
                      "POSIX_SIZE_WRITE_0_100=2000 POSIX_F_WRITE_TIME=30\n"
                      "POSIX * /scratch/large%*8 POSIX_OPENS=1 POSIX_READS=10 POSIX_BYTES_READ=100000000 "
                      "POSIX_SIZE_READ_4M_10M=10 POSIX_F_READ_TIME=60",
                      false);
    iol__diagnosis *d = diagnose(&o, NULL);
    const iol__finding *f = find(d, "posix.small.write");
    assert_non_null(f);
    assert_float_equal(f->cost.best, 30, 0.1);
    assert_int_equal(f->subject_count, 8);
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
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
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
    opened o = log_of("job 1 100\nPOSIX 0 /scratch/a POSIX_OPENS=1 POSIX_STATS=5000 POSIX_F_META_TIME=5000", false);
    iol__diagnosis *d = diagnose(&o, NULL);
    const iol__finding *f = find(d, "posix.meta.time");
    assert_non_null(find(d, "data.time.implausible"));
    assert_non_null(f);
    assert_int_equal(f->level, IOL_LEVEL_INFO);
    assert_int_equal(strncmp(f->title, "Is this so?", 11), 0);
    iol__diagnosis_free(d);
    opened_close(&o);
}

/* What is found of one phase goes with what was found of the whole run, if that is about the same file. */
static void a_closer_look_joins_the_finding(void **state) {
    (void)state;
    opened o = log_of("job 4 100\nPOSIX -1 /scratch/a POSIX_OPENS=4 POSIX_WRITES=3200 POSIX_BYTES_WRITTEN=5036000000 "
                      "POSIX_SEQ_WRITES=3196 POSIX_SIZE_WRITE_1K_10K=1200 POSIX_SIZE_WRITE_1M_4M=2000 "
                      "POSIX_F_WRITE_TIME=60 POSIX_F_SLOWEST_RANK_TIME=40\n"
                      "TRACE 0 /scratch/a w 500 0 8388608 2097152 1 0.02 0.02\n"
                      "TRACE 1 /scratch/a w 500 2097152 8388608 2097152 1 0.02 0.02\n"
                      "TRACE 2 /scratch/a w 500 4194304 8388608 2097152 1 0.02 0.02\n"
                      "TRACE 3 /scratch/a w 500 6291456 8388608 2097152 1 0.02 0.02\n"
                      "TRACE 1 /scratch/a w 100 8000000000 3072 3072 60 0.02 0.02\n"
                      "TRACE 3 /scratch/a w 1100 9000000000 3072 3072 60 0.02 0.02",
                      false);
    iol__diagnosis *d = diagnose(&o, NULL);
    const iol__finding *f = find(d, "posix.small.shared.write");
    assert_non_null(f);
    assert_null(find(d, "phase.small.write"));
    assert_non_null(f->note);
    assert_non_null(strstr(f->note, "1 of 4 ranks issue 92% of the 3 KiB writes to a"));
    const iol__evidence *range = NULL;
    for (size_t i = 0; i < f->n_evidence; i++)
        if (f->evidence[i].kind == IOL_EVIDENCE_TIMERANGE) range = &f->evidence[i];
    assert_non_null(range);
    assert_string_equal(range->ranks, "3");
    assert_float_equal(range->t0, 60, 1e-9);
    assert_float_equal(range->t1, 82, 0.1);
    assert_string_equal(range->name, "/scratch/a");
    iol__diagnosis_free(d);
    opened_close(&o);
}

static double figure_of(const iol__finding *f, const char *name) {
    for (size_t i = 0; i < f->n_figures; i++)
        if (strcmp(f->figures[i].name, name) == 0) return f->figures[i].value;
    fail_msg("%s has no figure %s", f->id, name);
    return NAN;
}

/* All requests are in one bin of the profile; the trace knows which of them are below 1 MiB, and how far below. */
static void a_trace_counts_small_requests(void **state) {
    (void)state;
    static const char *const traces[] = {"TRACE 0 /scratch/a r 3000 0 300000 300000 1 0.01 0.01\n"
                                         "TRACE 0 /scratch/a r 1000 900000000 1048576 1048576 40 0.01 0.01",
                                         "TRACE 0 /scratch/a r 3999 0 300000 300000 1 0.01 0.01"};
    static const double expected[] = {3000, 4000}; /* the second is no complete trace: bins count */
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

/* The stripe that a write ends in counts as much as the one it begins in. */
static void locks_travel_at_both_ends(void **state) {
    (void)state;
    opened o = log_of("job 2 10\nLUSTRE /scratch/a 1048576 4\nPOSIX -1 /scratch/a POSIX_WRITES=202 "
                      "POSIX_BYTES_WRITTEN=158866000 POSIX_F_WRITE_TIME=2\n"
                      "TRACE 0 /scratch/a w 101 0 3145728 1572864 1 0.01 0.001\n"
                      "TRACE 1 /scratch/a w 101 1600000 3145728 100 1.005 0.01 0.001",
                      false);
    iol__diagnosis *d = diagnose(&o, NULL);
    const iol__finding *f = find(d, "lustre.lock.conflict");
    assert_non_null(f);
    assert_float_equal(figure_of(f, "lock_conflicts"), 101, 0);
    assert_float_equal(figure_of(f, "lock_writes"), 202, 0);
    iol__diagnosis_free(d);
    opened_close(&o);
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

static size_t records_in(const iol__finding *f) {
    size_t n = 0;
    for (size_t i = 0; i < f->n_evidence; i++) n += f->evidence[i].kind == IOL_EVIDENCE_RECORD;
    return n;
}

static const iol__advice *advice_of(const iol__finding *f, const char *action) {
    for (size_t i = 0; i < f->n_advice; i++)
        if (strcmp(f->advice[i].action, action) == 0) return &f->advice[i];
    return NULL;
}

static bool tells(const iol__diagnosis *d, const char *part) {
    for (size_t i = 0; i < d->n_cannot_tell; i++)
        if (strstr(d->cannot_tell[i], part)) return true;
    return false;
}

/* The ranks that wait for an OST are no stragglers; what it costs is what the slowest of them took more than usual. */
static void a_slow_ost_is_named(void **state) {
    (void)state;
    for (int innocent = 0; innocent < 2; innocent++) {
        opened o = log_of(problem_log("lustre.ost.slow"), innocent);
        iol__diagnosis *d = diagnose(&o, NULL);
        const iol__finding *f = find(d, "lustre.ost.slow");
        assert_int_equal(f != NULL, !innocent);
        assert_int_equal(find(d, "posix.balance.ranks") != NULL, innocent);
        assert_int_equal(tells(d, "slow disks are unknown"), innocent);
        if (f) {
            assert_ptr_equal(f, &d->findings[0]);
            assert_non_null(strstr(f->title, "OST 9 is slow: 2 files on it took 30.5 s"));
            assert_float_equal(figure_of(f, "ost_slow"), 9, 0);
            assert_float_equal(figure_of(f, "ost_slow_rank"), 1, 0);
            assert_float_equal(figure_of(f, "ost_slow_ranks"), 2, 0);
            assert_float_equal(f->cost.best, 30, 1e-6);
            assert_string_equal(f->evidence[0].name, "/scratch/s1");
            assert_int_equal(records_in(f), 2);
            assert_non_null(strstr(advice_of(f, "avoid_ost")->code, "--ost 9 "));
            assert_non_null(strstr(advice_of(f, "report_ost")->code, "OST0009"));
        }
        iol__diagnosis_free(d);
        opened_close(&o);
    }
}

/* Each file is on two OSTs. Those beside the slow one share files with it, and are well. */
static void neighbours_of_a_slow_ost_are_well(void **state) {
    (void)state;
    char text[4000];
    int n = snprintf(text, sizeof text, "job 24 100\n");
    for (int i = 0; i < 24; i++)
        n += snprintf(text + n, sizeof text - (size_t)n,
                      "LUSTRE /scratch/%d 1048576 2@%d\nPOSIX %d /scratch/%d" TEN_MB "%d\n", i, i % 8, i, i,
                      i % 8 == 4 || i % 8 == 5 ? 40 : 2);
    opened o = log_of(text, false);
    iol__diagnosis *d = diagnose(&o, NULL);
    const iol__finding *f = find(d, "lustre.ost.slow");
    assert_non_null(f);
    assert_float_equal(figure_of(f, "ost_slow"), 5, 0);
    assert_float_equal(figure_of(f, "ost_slow_count"), 1, 0);
    assert_float_equal(figure_of(f, "ost_slow_ranks"), 6, 0);
    assert_float_equal(f->cost.best, 38, 1e-6);
    iol__diagnosis_free(d);
    opened_close(&o);
}

/* Title, advice and check name one stripe count, and what one finding advises the next does not repeat. */
static void one_stripe_count_is_advised_once(void **state) {
    (void)state;
    opened o =
        log_of("job 64 1000\nnodes 1\nLUSTRE /scratch/a 1048576 4 24\nMPI-IO -1 /scratch/a MPIIO_COLL_WRITES=6400 "
               "MPIIO_BYTES_WRITTEN=214748364800 MPIIO_F_WRITE_TIME=45000 MPIIO_F_SLOWEST_RANK_TIME=750\n"
               "POSIX -1 /scratch/a POSIX_WRITES=204800 POSIX_BYTES_WRITTEN=214748364800 "
               "POSIX_MAX_BYTE_WRITTEN=214748364799 POSIX_SIZE_WRITE_1M_4M=204800 POSIX_F_WRITE_TIME=40000 "
               "POSIX_F_SLOWEST_RANK_TIME=700",
               false);
    iol__diagnosis *d = diagnose(&o, NULL);
    const iol__finding *f = find(d, "lustre.stripe.narrow"), *many = find(d, "mpiio.aggregators.many");
    assert_non_null(f);
    assert_non_null(many);
    assert_float_equal(figure_of(f, "recommended_stripes"), 16, 0);
    assert_non_null(strstr(f->title, "16 would suit"));
    assert_non_null(strstr(advice_of(f, "stripe")->code, "setstripe -c 16 "));
    assert_non_null(strstr(advice_of(f, "stripe")->check, "becomes 16"));
    assert_non_null(advice_of(f, "hints"));
    assert_int_equal(many->n_advice, 1);
    iol__diagnosis_free(d);
    opened_close(&o);
}

/* POSIX_STRIDE is a gap. Four processes take turns with 4000 pieces of 512 bytes, one every 2048. */
static void a_file_view_fits_the_pieces(void **state) {
    (void)state;
    static const struct {
        const char *process, *direction, *call;
    } cases[] = {
        {"", "WRITE", "MPI_File_write_all("}, {"", "READ", "MPI_File_read_all("}, {"PROC /x\n", "WRITE", NULL}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[600];
        const char *direction = cases[i].direction, *done = strcmp(direction, "READ") == 0 ? "READ" : "WRITTEN";
        snprintf(text, sizeof text,
                 "job 4 100\n%sPOSIX -1 /scratch/a POSIX_%sS=16000 POSIX_BYTES_%s=8192000 POSIX_MAX_BYTE_%s=8191999 "
                 "POSIX_SIZE_%s_100_1K=16000 POSIX_STRIDE1_STRIDE=1536 POSIX_STRIDE1_COUNT=15996 "
                 "POSIX_ACCESS1_ACCESS=512 POSIX_ACCESS1_COUNT=16000 POSIX_F_%s_TIME=40",
                 cases[i].process, direction, done, done, direction, direction);
        opened o = log_of(text, false);
        iol__diagnosis *d = diagnose(&o, NULL);
        const iol__finding *f = find(d, "posix.strided");
        assert_non_null(f);
        assert_non_null(strstr(f->title, "512 B every 2 KiB"));
        const iol__advice *view = advice_of(f, "file_view");
        assert_int_equal(view != NULL, cases[i].call != NULL);
        if (view) assert_non_null(strstr(view->code, "MPI_Type_vector(4000, 512, 2048, MPI_BYTE"));
        if (view && cases[i].call) assert_non_null(strstr(view->code, cases[i].call));
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
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
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

/* The same requests are one finding, and what may have cost nothing is not HIGH. */
static void metadata_of_a_format_is_one_finding(void **state) {
    (void)state;
    opened o = log_of("job 4 100\nPOSIX -1 /scratch/a.h5 POSIX_READS=63488 POSIX_BYTES_READ=6348800 "
                      "POSIX_SIZE_READ_0_100=63488 POSIX_F_READ_TIME=80 POSIX_F_SLOWEST_RANK_TIME=20",
                      false);
    iol__diagnosis *d = diagnose(&o, NULL);
    const iol__finding *f = find(d, "posix.small.shared.read");
    assert_non_null(f);
    assert_null(find(d, "hdf5.meta.small"));
    assert_non_null(advice_of(f, "hdf5_metadata"));
    assert_non_null(strstr(f->note, "63,488 requests"));
    iol__diagnosis_free(d);
    opened_close(&o);
    o = log_of("job 4 100\nMPI-IO -1 /scratch/a MPIIO_COLL_WRITES=10 MPIIO_BYTES_WRITTEN=1000 MPIIO_F_WRITE_TIME=400 "
               "MPIIO_F_SLOWEST_RANK_TIME=100\nPOSIX -1 /scratch/a POSIX_WRITES=10 POSIX_BYTES_WRITTEN=1000 "
               "POSIX_F_WRITE_TIME=20 POSIX_F_SLOWEST_RANK_TIME=5",
               false);
    d = diagnose(&o, NULL);
    f = find(d, "mpiio.wait");
    assert_non_null(f);
    assert_true(f->cost.share > 0.4);
    assert_int_equal(f->level, IOL_LEVEL_WARN);
    iol__diagnosis_free(d);
    opened_close(&o);
}

static double price(const char *log, const char *id) {
    opened o = log_of(log, false);
    iol__diagnosis *d = diagnose(&o, NULL);
    const iol__finding *f = find(d, id);
    double best = f ? f->cost.best : -1;
    iol__diagnosis_free(d);
    opened_close(&o);
    return best;
}

/* HDF5 sets a view for each small collective call, which makes all ranks meet: that goes with the calls. */
static void views_of_small_calls_are_part_of_their_price(void **state) {
    (void)state;
#define SMALL_CALLS(views)                                                                                             \
    "job 4 1000\nnodes 1\nMPI-IO -1 /scratch/a MPIIO_COLL_WRITES=2000 MPIIO_VIEWS=" views                              \
    " MPIIO_BYTES_WRITTEN=8192000 "                                                                                    \
    "MPIIO_F_WRITE_TIME=80 MPIIO_F_META_TIME=160 MPIIO_F_SLOWEST_RANK_TIME=60\nPOSIX -1 /scratch/a POSIX_WRITES=2000 " \
    "POSIX_BYTES_WRITTEN=8192000 POSIX_SIZE_WRITE_1K_10K=2000 POSIX_F_WRITE_TIME=40 POSIX_F_SLOWEST_RANK_TIME=10"
    double few = price(SMALL_CALLS("4"), "posix.small.shared.write");
    double many = price(SMALL_CALLS("4000"), "posix.small.shared.write");
#undef SMALL_CALLS
    assert_true(few > 18 && few <= 20);
    assert_true(many > 2.5 * few && many <= 60);
}

/* Rows that the library keeps in its buffer hardly reach the file, and yet the loop takes its time. */
static void row_loops_of_python_have_their_price(void **state) {
    (void)state;
#define ROWS                                                                                                  \
    "H5F 0 /scratch/a.h5 H5F_OPENS=1\nH5D 0 /scratch/a.h5:d H5D_WRITES=30000 H5D_BYTES_WRITTEN=1920000 "      \
    "H5D_F_WRITE_TIME=0.4 H5D_F_WRITE_START_TIMESTAMP=2 H5D_F_WRITE_END_TIMESTAMP=12\nPOSIX 0 /scratch/a.h5 " \
    "POSIX_OPENS=1 POSIX_WRITES=30 POSIX_BYTES_WRITTEN=1920000 POSIX_MAX_BYTE_WRITTEN=1919999 POSIX_F_WRITE_TIME=0.01"
    double plain = price("job 1 14\n" ROWS, "hdf5.rows");
    double python = price("job 1 14\nexe /usr/bin/python3 rows.py\n" ROWS, "hdf5.rows");
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

/* Ranks of one node wait for each other and for the processor: that is not charged to I/O. */
static void waiting_on_one_node_costs_no_io(void **state) {
    (void)state;
    opened o = log_of("job 4 100\nnodes 1\nMPI-IO -1 /scratch/a MPIIO_COLL_WRITES=10 MPIIO_BYTES_WRITTEN=1000 "
                      "MPIIO_F_WRITE_TIME=400 MPIIO_F_SLOWEST_RANK_TIME=100\nPOSIX -1 /scratch/a POSIX_WRITES=10 "
                      "POSIX_BYTES_WRITTEN=1000 POSIX_F_WRITE_TIME=20 POSIX_F_SLOWEST_RANK_TIME=5",
                      false);
    iol__diagnosis *d = diagnose(&o, NULL);
    const iol__finding *f = find(d, "mpiio.wait");
    assert_non_null(f);
    assert_int_equal(f->level, IOL_LEVEL_INFO);
    iol__diagnosis_free(d);
    opened_close(&o);
}

/* What a finding rests on can be looked up in the log. */
static void findings_name_their_records(void **state) {
    (void)state;
    static const char *const ids[] = {"lustre.stripe.narrow", "mpiio.aggregators.many", "mpiio.wait", "hdf5.meta.small",
                                      "fs.slow.target"};
    for (size_t i = 0; i < sizeof ids / sizeof *ids; i++) {
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

/* One file behind the other; what runs beside them is not on the list. */
static void the_covering_set_is_the_smallest(void **state) {
    (void)state;
    opened o = log_of("job 3 100\nPOSIX 0 /scratch/first POSIX_WRITES=10\nPOSIX 1 /scratch/beside POSIX_WRITES=8\n"
                      "POSIX 2 /scratch/last POSIX_WRITES=11\nPOSIX 2 /scratch/other POSIX_WRITES=1\n"
                      "TRACE 0 /scratch/first w 10 0 100 100 1 1 1\nTRACE 1 /scratch/beside w 8 0 100 100 1 1 1\n"
                      "TRACE 2 /scratch/last w 11 0 100 100 9 1 1",
                      false);
    iol__diagnosis *d = diagnose(&o, NULL);
    assert_int_equal(d->phases.n_covering, 2);
    assert_int_equal(d->phases.kept_covering, 2);
    assert_string_equal(d->phases.covering[0].name, "/scratch/first");
    assert_float_equal(d->phases.covering[0].seconds, 10, 1e-9);
    assert_string_equal(d->phases.covering[1].name, "/scratch/last");
    assert_float_equal(d->phases.covering[1].seconds, 9, 1e-9);
    const iol__finding *f = find(d, "phase.covering");
    assert_non_null(f);
    assert_int_equal(f->subject_count, 2);
    assert_string_equal(f->evidence[0].name, "/scratch/first");
    iol__diagnosis_free(d);
    opened_close(&o);
}

/* A complete trace tells which ranks moved nothing. */
static void a_complete_trace_knows_idle_ranks(void **state) {
    (void)state;
    for (int writes = 1; writes < 3; writes++) {
        char text[300];
        snprintf(text, sizeof text,
                 "job 4 100\nPOSIX 0 /scratch/a POSIX_WRITES=%d POSIX_BYTES_WRITTEN=100\n"
                 "TRACE 0 /scratch/a w 1 0 100 100 1 1 1",
                 writes);
        opened o = log_of(text, false);
        iol__diagnosis *d = diagnose(&o, NULL);
        if (writes == 1) {
            assert_non_null(find(d, "rank.idle"));
            assert_float_equal(d->phases.idle_ranks, 3, 0);
        } else {
            assert_null(find(d, "rank.idle"));
        }
        iol__diagnosis_free(d);
        opened_close(&o);
    }
}

/* Ten processes that read the same for a second each: side by side they wait a second, one behind the other ten. */
static void processes_in_turn_wait_in_turn(void **state) {
    (void)state;
    for (int in_turn = 0; in_turn < 2; in_turn++) {
        double seconds = in_turn ? 10 : 1, saved = 0.9 * seconds;
        char text[6000] = "job 10 20\n";
        for (int i = 0; i < 10; i++) {
            size_t used = strlen(text);
            snprintf(text + used, sizeof text - used,
                     "LIFE %d %d %d\nPOSIX %d /data/genome POSIX_OPENS=1 POSIX_READS=20 POSIX_SEQ_READS=19 "
                     "POSIX_BYTES_READ=20000000 POSIX_MAX_BYTE_READ=19999999 POSIX_SIZE_READ_1M_4M=20 "
                     "POSIX_F_READ_TIME=1\n",
                     i, in_turn ? 2 * i : 0, in_turn ? 2 * i + 1 : 2, i);
        }
        opened o = log_of(text, false);
        iol__diagnosis *d = diagnose(&o, NULL);
        const iol__finding *f = find(d, "posix.readall");
        assert_non_null(f);
        assert_non_null(strstr(f->title, "Each of 10 processes"));
        assert_float_equal(d->io_time, seconds, 1e-9);
        assert_float_equal(f->cost.best, saved, 1e-6);
        iol__diagnosis_free(d);
        opened_close(&o);
    }
}

/* The record that stands for all files beyond the recorder's memory is no file. */
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

/* Hints come from outside: whatever they are, the rest of the log is judged. */
static void any_hints_are_survived(void **state) {
    (void)state;
    static const char *const texts[] = {"",
                                        "{",
                                        "{\"file\":",
                                        "{\"hints\":{\"hints\":{\"cb_nodes\":\"4\"}}}",
                                        "=",
                                        "file=",
                                        "cb_nodes=1e999",
                                        "{\"file\":5,\"cb_nodes\":null}",
                                        ";;{};=;file=/scratch/a;=="};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        char text[300];
        snprintf(text, sizeof text, "job 4 100\nMPI-IO -1 /scratch/a MPIIO_COLL_WRITES=6400\nHINT %s", texts[i]);
        opened o = log_of(text, false);
        iol__diagnosis *d = diagnose(&o, NULL);
        assert_non_null(find(d, "mpiio.collective.used.write"));
        assert_null(find(d, "mpiio.hints.few"));
        iol__diagnosis_free(d);
        opened_close(&o);
    }
}

static void findings_never_cost_more_than_io_took(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof problems / sizeof *problems; i++) {
        opened o = log_of(problems[i].log, false);
        iol__diagnosis *d = diagnose(&o, problems[i].context);
        double sum = 0;
        for (size_t k = 0; k < d->n_findings; k++) sum += d->findings[k].cost.best;
        if (d->io_time > 0 && sum > d->io_time * 1.000001) fail_msg("%s: %g of %g s", problems[i].id, sum, d->io_time);
        iol__diagnosis_free(d);
        opened_close(&o);
    }
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

/* A warning may cost more by its estimate than what is called serious, and still stands below it. */
static void serious_findings_stand_first(void **state) {
    (void)state;
    opened o =
        log_of("job 64 700\nnodes 4\nMPI-IO -1 /scratch/a MPIIO_COLL_WRITES=640 MPIIO_BYTES_WRITTEN=43000000000 "
               "MPIIO_F_WRITE_TIME=41000 MPIIO_F_SLOWEST_RANK_TIME=650\nPOSIX -1 /scratch/a POSIX_WRITES=10000 "
               "POSIX_BYTES_WRITTEN=43000000000 POSIX_MAX_BYTE_WRITTEN=42999999999 POSIX_SIZE_WRITE_4M_10M=10000 "
               "POSIX_SEQ_WRITES=10000 POSIX_F_WRITE_TIME=1280 POSIX_F_SLOWEST_RANK_TIME=120 "
               "POSIX_SLOWEST_RANK_BYTES=672000000 POSIX_F_VARIANCE_RANK_BYTES=0",
               false);
    iol__diagnosis *d = diagnose(&o, NULL);
    assert_string_equal(d->findings[0].id, "posix.balance.time");
    assert_int_equal(d->findings[0].level, IOL_LEVEL_HIGH);
    const iol__finding *wait = find(d, "mpiio.wait");
    assert_non_null(wait);
    assert_int_equal(wait->level, IOL_LEVEL_WARN);
    assert_true(wait->cost.best > d->findings[0].cost.best);
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
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
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

/* Reads that find nothing are what a write with gaps does first, and no metadata of a format. */
static void reads_beyond_the_end_are_no_metadata(void **state) {
    (void)state;
    opened o = log_of("job 4 60\nMPI-IO -1 /scratch/a.nc MPIIO_COLL_WRITES=400 MPIIO_BYTES_WRITTEN=400000000 "
                      "MPIIO_F_WRITE_TIME=80 MPIIO_F_SLOWEST_RANK_TIME=25\nPOSIX -1 /scratch/a.nc POSIX_READS=6000 "
                      "POSIX_SIZE_READ_0_100=6000 POSIX_WRITES=6000 POSIX_BYTES_WRITTEN=400000000 "
                      "POSIX_MAX_BYTE_WRITTEN=399999999 POSIX_SIZE_WRITE_10K_100K=6000 POSIX_SEQ_WRITES=6000 "
                      "POSIX_RW_SWITCHES=11000 POSIX_F_READ_TIME=5 POSIX_F_WRITE_TIME=60 POSIX_F_SLOWEST_RANK_TIME=20",
                      false);
    iol__diagnosis *d = diagnose(&o, NULL);
    assert_non_null(strstr(find(d, "mpiio.sieving.write")->title, "read 6,000 times beyond its end"));
    assert_null(find(d, "hdf5.meta.small"));
    assert_null(find(d, "posix.rw.switch"));
    const iol__finding *small = find(d, "posix.small.shared.write");
    assert_non_null(small);
    assert_null(small->note);
    assert_null(advice_of(small, "hdf5_metadata"));
    iol__diagnosis_free(d);
    opened_close(&o);
}

/* What independent calls take beyond reading and writing is locks on NFS, and is said there only. */
static void locks_of_nfs_are_named(void **state) {
    (void)state;
    static const struct {
        const char *calls;
        bool named;
    } cases[] = {{"MPIIO_INDEP_WRITES=128", true}, {"MPIIO_COLL_WRITES=128", false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[600];
        snprintf(text, sizeof text,
                 "job 32 14\nMPI-IO -1 /home/a %s MPIIO_BYTES_WRITTEN=4294967296 MPIIO_F_WRITE_TIME=230 "
                 "MPIIO_F_SLOWEST_RANK_TIME=9.4\nPOSIX -1 /home/a POSIX_WRITES=128 POSIX_BYTES_WRITTEN=4294967296 "
                 "POSIX_MAX_BYTE_WRITTEN=4294967295 POSIX_SIZE_WRITE_10M_100M=128 POSIX_SEQ_WRITES=128 "
                 "POSIX_F_WRITE_TIME=58 POSIX_F_SLOWEST_RANK_TIME=2.7 POSIX_F_VARIANCE_RANK_BYTES=0",
                 cases[i].calls);
        opened o = log_of(text, false);
        iol__diagnosis *d = diagnose(&o, NULL);
        const iol__finding *f = find(d, "fs.slow.target");
        assert_non_null(f);
        assert_int_equal(f->note && strstr(f->note, "6.7 s of 9.4 s"), cases[i].named);
        iol__diagnosis_free(d);
        opened_close(&o);
    }
}

/* All data through one rank of 64 on four nodes, in a file of this name. */
static iol__diagnosis *funnel_into(const char *name, opened *o) {
    char text[1000];
    snprintf(text, sizeof text,
             "job 64 1000\nnodes 4\nMPI-IO -1 %s MPIIO_COLL_WRITES=6400 MPIIO_BYTES_WRITTEN=43000000000 "
             "MPIIO_F_WRITE_TIME=45000 MPIIO_F_SLOWEST_RANK_TIME=750\nPOSIX -1 %s POSIX_WRITES=41000 "
             "POSIX_BYTES_WRITTEN=43000000000 POSIX_MAX_BYTE_WRITTEN=42999999999 POSIX_SIZE_WRITE_1M_4M=41000 "
             "POSIX_F_WRITE_TIME=700 POSIX_F_SLOWEST_RANK_TIME=700 POSIX_F_VARIANCE_RANK_BYTES=2.844e19",
             name, name);
    *o = log_of(text, false);
    return diagnose(o, NULL);
}

static bool says(const iol__diagnosis *d, const char *part) {
    for (size_t i = 0; i < d->n_cannot_tell; i++)
        if (strstr(d->cannot_tell[i], part)) return true;
    return false;
}

/* Lustre is mounted in both; what is said about it depends on where the file is. */
static void stripes_are_for_files_on_lustre(void **state) {
    (void)state;
    opened o;
    iol__diagnosis *d = funnel_into("/scratch/a", &o);
    assert_non_null(advice_of(find(d, "mpiio.aggregators.funnel"), "stripe"));
    assert_true(says(d, "on Lustre"));
    iol__diagnosis_free(d);
    opened_close(&o);
    d = funnel_into("/data/a", &o);
    const iol__finding *f = find(d, "mpiio.aggregators.funnel");
    assert_null(advice_of(f, "stripe"));
    assert_non_null(strstr(advice_of(f, "hints")->text, "4 aggregators with buffers of 1 MiB"));
    assert_null(strstr(advice_of(f, "hints")->code, "striping"));
    assert_false(says(d, "on Lustre"));
    iol__diagnosis_free(d);
    opened_close(&o);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(serious_findings_stand_first),
        cmocka_unit_test(a_loop_over_rows_costs_the_loop),
        cmocka_unit_test(reads_beyond_the_end_are_no_metadata),
        cmocka_unit_test(locks_of_nfs_are_named),
        cmocka_unit_test(stripes_are_for_files_on_lustre),
        cmocka_unit_test(one_cause_gives_one_finding),
        cmocka_unit_test(syncs_are_not_blamed_on_writes),
        cmocka_unit_test(damage_is_reported),
        cmocka_unit_test(the_rate_is_bytes_over_time),
        cmocka_unit_test(a_cause_leaves_no_symptom),
        cmocka_unit_test(buffered_lines_cost_no_io),
        cmocka_unit_test(a_funnel_costs_what_spreading_would_save),
        cmocka_unit_test(costs_of_ranks_are_not_added),
        cmocka_unit_test(small_losses_and_short_jobs),
        cmocka_unit_test(without_times_the_fallback_counts),
        cmocka_unit_test(one_mebibyte_is_not_small),
        cmocka_unit_test(doubtful_times_make_questions),
        cmocka_unit_test(a_closer_look_joins_the_finding),
        cmocka_unit_test(a_trace_counts_small_requests),
        cmocka_unit_test(locks_travel_at_both_ends),
        cmocka_unit_test(a_trace_knows_the_busiest_ost),
        cmocka_unit_test(a_slow_ost_is_named),
        cmocka_unit_test(neighbours_of_a_slow_ost_are_well),
        cmocka_unit_test(one_stripe_count_is_advised_once),
        cmocka_unit_test(a_file_view_fits_the_pieces),
        cmocka_unit_test(snippets_fit_what_was_done),
        cmocka_unit_test(metadata_of_a_format_is_one_finding),
        cmocka_unit_test(views_of_small_calls_are_part_of_their_price),
        cmocka_unit_test(row_loops_of_python_have_their_price),
        cmocka_unit_test(causes_of_hdf5_come_before_symptoms),
        cmocka_unit_test(waiting_on_one_node_costs_no_io),
        cmocka_unit_test(findings_name_their_records),
        cmocka_unit_test(the_covering_set_is_the_smallest),
        cmocka_unit_test(a_complete_trace_knows_idle_ranks),
        cmocka_unit_test(processes_in_turn_wait_in_turn),
        cmocka_unit_test(folded_files_are_counted_not_judged),
        cmocka_unit_test(any_hints_are_survived),
        cmocka_unit_test(findings_never_cost_more_than_io_took),
        cmocka_unit_test(selection_by_glob_and_level),
    };
    return cmocka_run_group_tests(tests, make_book, free_book);
}
