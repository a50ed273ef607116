/* What becomes of findings about jobs of several ranks: causes and symptoms, costs of ranks that wait for each other, MPI-IO,
   OSTs, hints. */
#include <stdio.h>

#include "base/count.h"
#include "insight/findings/problems_testing.h"

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
    /* Rows of 64 bytes are too small for collective calls, too. */
    {"job 4 100\nH5F -1 /scratch/a.h5 H5F_OPENS=4\nH5D -1 /scratch/a.h5:d H5D_WRITES=12000 H5D_BYTES_WRITTEN=768000 "
     "H5D_F_WRITE_TIME=200\nMPI-IO -1 /scratch/a.h5 MPIIO_INDEP_WRITES=12000 MPIIO_BYTES_WRITTEN=768000 "
     "MPIIO_F_WRITE_TIME=190 MPIIO_F_SLOWEST_RANK_TIME=48\nPOSIX -1 /scratch/a.h5 POSIX_OPENS=4 POSIX_WRITES=12000 "
     "POSIX_BYTES_WRITTEN=768000 POSIX_MAX_BYTE_WRITTEN=767999 POSIX_SIZE_WRITE_0_100=12000 POSIX_SEQ_WRITES=11999 "
     "POSIX_F_WRITE_TIME=180 POSIX_F_SLOWEST_RANK_TIME=45",
     "hdf5.rows", "hdf5.indep.data"},
    /* Elements read one by one, by an HDF5 library that is linked into the program: nothing says that they are metadata. */
    {"job 4 100\nMPI-IO -1 /scratch/a.h5 MPIIO_INDEP_READS=120000 MPIIO_BYTES_READ=960000 MPIIO_F_READ_TIME=200 "
     "MPIIO_F_SLOWEST_RANK_TIME=50\nPOSIX -1 /scratch/a.h5 POSIX_OPENS=4 POSIX_READS=120000 POSIX_BYTES_READ=960000 "
     "POSIX_MAX_BYTE_READ=4194303 POSIX_SIZE_READ_0_100=120000 POSIX_SEQ_READS=119999 POSIX_F_READ_TIME=200 "
     "POSIX_F_SLOWEST_RANK_TIME=50",
     "mpiio.collective.none.read", "hdf5.meta.small"},
    /* Syncs between small collective calls take most of the time of either. */
    {"job 4 100\nCALLS sync 4800 150\nMPI-IO -1 /scratch/a MPIIO_COLL_WRITES=4800 MPIIO_SYNCS=4800 "
     "MPIIO_BYTES_WRITTEN=2457600 MPIIO_F_WRITE_TIME=196 MPIIO_F_SLOWEST_RANK_TIME=50\nPOSIX -1 /scratch/a "
     "POSIX_OPENS=4 "
     "POSIX_WRITES=1200 POSIX_FSYNCS=4800 POSIX_BYTES_WRITTEN=2457600 POSIX_MAX_BYTE_WRITTEN=2457599 "
     "POSIX_SIZE_WRITE_1K_10K=1200 POSIX_SEQ_WRITES=1199 POSIX_F_WRITE_TIME=160 POSIX_F_SLOWEST_RANK_TIME=42",
     "posix.fsync.heavy", "posix.small.shared.write"},
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
    for (size_t i = 0; i < IOL_COUNT(causes); i++) {
        opened o = log_of(causes[i].log, false);
        iol__diagnosis *d = diagnose(&o, NULL);
        assert_string_equal(d->n_findings ? d->findings[0].id : "nothing", causes[i].first);
        assert_true(d->findings[0].level >= IOL_LEVEL_WARN);
        assert_null(find(d, causes[i].gone));
        iol__diagnosis_free(d);
        opened_close(&o);
    }
}

/* One rank writes for all, in pieces of 4 KB: larger ones would take a small part of the time, more ranks a quarter. */
static void small_requests_of_one_rank_come_before_its_being_one(void **state) {
    (void)state;
    static const char *const logs[][2] = {
        {"posix.single.writer",
         "job 8 100\nPOSIX 0 /scratch/a POSIX_OPENS=1 POSIX_WRITES=22000 "
         "POSIX_BYTES_WRITTEN=90112000 POSIX_MAX_BYTE_WRITTEN=90111999 "
         "POSIX_SIZE_WRITE_1K_10K=22000 POSIX_SEQ_WRITES=21999 POSIX_CONSEC_WRITES=21999 POSIX_F_WRITE_TIME=50"},
        {"phase.serial", "job 8 100\nPOSIX 0 /scratch/a POSIX_OPENS=1 POSIX_WRITES=2400 POSIX_BYTES_WRITTEN=9830400 "
                         "POSIX_MAX_BYTE_WRITTEN=9830399 POSIX_SIZE_WRITE_1K_10K=2400 POSIX_SEQ_WRITES=2399 "
                         "POSIX_CONSEC_WRITES=2399 POSIX_F_WRITE_TIME=48\n"
                         "TRACE 0 /scratch/a w 2400 0 4096 4096 1 0.02 0.02"},
    };
    for (size_t i = 0; i < IOL_COUNT(logs); i++) {
        opened o = log_of(logs[i][1], false);
        iol__diagnosis *d = diagnose(&o, NULL);
        assert_string_equal(d->n_findings ? d->findings[0].id : "nothing", "posix.small.write");
        const iol__finding *symptom = find(d, logs[i][0]);
        assert_true(symptom && symptom->cost.best < 0.05 * d->findings[0].cost.best);
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

/* Of 2,048 ranks 56 read for all, and one of them takes twice as long as the others: compared with all ranks it would only be
   one of many that take longer. Where the times of those 56 spread from nothing to twice the mean, none of them stands out. */
static void a_slow_aggregator_stands_out_among_aggregators(void **state) {
    (void)state;
    for (int innocent = 0; innocent < 2; innocent++) {
        char text[1000];
        snprintf(text, sizeof text,
                 "job 2048 659\nPOSIX -1 /scratch/a POSIX_READS=524288 POSIX_BYTES_READ=549755813888 "
                 "POSIX_MAX_BYTE_READ=549755813887 POSIX_SIZE_READ_1M_4M=524288 POSIX_F_READ_TIME=9033.4 "
                 "POSIX_F_META_TIME=212.6 POSIX_FASTEST_RANK=14 POSIX_SLOWEST_RANK=1024 "
                 "POSIX_SLOWEST_RANK_BYTES=9816768512 POSIX_F_FASTEST_RANK_TIME=0.01 POSIX_F_SLOWEST_RANK_TIME=337.2 "
                 "POSIX_F_VARIANCE_RANK_TIME=%s POSIX_F_VARIANCE_RANK_BYTES=2563191565484818432\n"
                 "MPI-IO -1 /scratch/a MPIIO_COLL_READS=131072 MPIIO_BYTES_READ=549755813888 "
                 "MPIIO_F_READ_TIME=1244094.9 MPIIO_F_SLOWEST_RANK_TIME=651.5",
                 innocent ? "930" : "739.03");
        opened o = log_of(text, false);
        iol__diagnosis *d = diagnose(&o, NULL);
        const iol__finding *f = find(d, "posix.balance.time");
        assert_int_equal(f != NULL, !innocent);
        if (f) {
            assert_ptr_equal(f, &d->findings[0]);
            assert_non_null(strstr(f->title, "Rank 1024 took 337 s"));
            assert_float_equal(f->cost.best, 176, 2);
        }
        iol__diagnosis_free(d);
        opened_close(&o);
    }
}

/* Ranks that wait for an OST are not stragglers; what it costs is what the slowest of them took more than usual. */
static void a_slow_ost_is_named(void **state) {
    (void)state;
    for (int innocent = 0; innocent < 2; innocent++) {
        opened o = log_of(problem_log("lustre.ost.slow"), innocent);
        iol__diagnosis *d = diagnose(&o, NULL);
        const iol__finding *f = find(d, "lustre.ost.slow");
        assert_int_equal(f != NULL, !innocent);
        assert_int_equal(find(d, "posix.balance.ranks") != NULL, innocent);
        assert_int_equal(cannot_tell(d, "slow disks are unknown"), innocent);
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
               "MPIIO_BYTES_WRITTEN=214748364800 MPIIO_F_WRITE_TIME=9000 MPIIO_F_SLOWEST_RANK_TIME=150\n"
               "POSIX -1 /scratch/a POSIX_WRITES=204800 POSIX_BYTES_WRITTEN=214748364800 "
               "POSIX_MAX_BYTE_WRITTEN=214748364799 POSIX_SIZE_WRITE_1M_4M=204800 POSIX_F_WRITE_TIME=8000 "
               "POSIX_F_SLOWEST_RANK_TIME=140",
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
    for (size_t i = 0; i < IOL_COUNT(cases); i++) {
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

/* HDF5 sets a view for each small collective call, which makes all ranks meet: that goes with the calls. */
static void views_of_small_calls_are_part_of_their_price(void **state) {
    (void)state;
#define SMALL_CALLS(views)                                                                                             \
    "job 4 1000\nnodes 1\nMPI-IO -1 /scratch/a MPIIO_COLL_WRITES=2000 MPIIO_VIEWS=" views                              \
    " MPIIO_BYTES_WRITTEN=8192000 "                                                                                    \
    "MPIIO_F_WRITE_TIME=80 MPIIO_F_META_TIME=160 MPIIO_F_SLOWEST_RANK_TIME=60\nPOSIX -1 /scratch/a POSIX_WRITES=2000 " \
    "POSIX_BYTES_WRITTEN=8192000 POSIX_SIZE_WRITE_1K_10K=2000 POSIX_F_WRITE_TIME=40 POSIX_F_SLOWEST_RANK_TIME=10"
    double few = cost_of(SMALL_CALLS("4"), "posix.small.shared.write");
    double many = cost_of(SMALL_CALLS("4000"), "posix.small.shared.write");
#undef SMALL_CALLS
    assert_true(few > 18 && few <= 20);
    assert_true(many > 2.5 * few && many <= 60);
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

/* Ten processes that read the same for a second each: side by side they wait a second, one after the other ten. */
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
    for (size_t i = 0; i < IOL_COUNT(texts); i++) {
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
    for (size_t i = 0; i < IOL_COUNT(cases); i++) {
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

/* Lustre is mounted in both; what is said about it depends on where the file is. */
static void stripes_are_for_files_on_lustre(void **state) {
    (void)state;
    opened o;
    iol__diagnosis *d = funnel_into("/scratch/a", &o);
    assert_non_null(advice_of(find(d, "mpiio.aggregators.funnel"), "stripe"));
    assert_true(cannot_tell(d, "on Lustre"));
    iol__diagnosis_free(d);
    opened_close(&o);
    d = funnel_into("/data/a", &o);
    const iol__finding *f = find(d, "mpiio.aggregators.funnel");
    assert_null(advice_of(f, "stripe"));
    assert_non_null(strstr(advice_of(f, "hints")->text, "4 aggregators with buffers of 16 MiB"));
    assert_null(strstr(advice_of(f, "hints")->code, "striping"));
    assert_false(cannot_tell(d, "on Lustre"));
    iol__diagnosis_free(d);
    opened_close(&o);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_cause_leaves_no_symptom),
        cmocka_unit_test(small_requests_of_one_rank_come_before_its_being_one),
        cmocka_unit_test(buffered_lines_cost_no_io),
        cmocka_unit_test(a_funnel_costs_what_spreading_would_save),
        cmocka_unit_test(costs_of_ranks_are_not_added),
        cmocka_unit_test(a_closer_look_joins_the_finding),
        cmocka_unit_test(locks_travel_at_both_ends),
        cmocka_unit_test(a_slow_aggregator_stands_out_among_aggregators),
        cmocka_unit_test(a_slow_ost_is_named),
        cmocka_unit_test(neighbours_of_a_slow_ost_are_well),
        cmocka_unit_test(one_stripe_count_is_advised_once),
        cmocka_unit_test(a_file_view_fits_the_pieces),
        cmocka_unit_test(metadata_of_a_format_is_one_finding),
        cmocka_unit_test(views_of_small_calls_are_part_of_their_price),
        cmocka_unit_test(waiting_on_one_node_costs_no_io),
        cmocka_unit_test(the_covering_set_is_the_smallest),
        cmocka_unit_test(a_complete_trace_knows_idle_ranks),
        cmocka_unit_test(processes_in_turn_wait_in_turn),
        cmocka_unit_test(any_hints_are_survived),
        cmocka_unit_test(serious_findings_stand_first),
        cmocka_unit_test(reads_beyond_the_end_are_no_metadata),
        cmocka_unit_test(locks_of_nfs_are_named),
        cmocka_unit_test(stripes_are_for_files_on_lustre),
    };
    return cmocka_run_group_tests(tests, make_book, free_book);
}
