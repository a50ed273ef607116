/* The compatible mode: every code just at its limit, where it must be silent, and just beyond; what it counts in the
   header; and the files it names. */
#include "insight/facts/facts_testing.h"

#include <stdio.h>
#include <string.h>

#include "base/count.h"
#include "insight/compat/compat.h"

enum { MOST_RECORDS = 3, MOST_SETTINGS = 8 };

typedef struct entry {
    int slot; /* 0 ends the list */
    int64_t rank;
    setting with[MOST_SETTINGS]; /* those behind are zeros: they set the first counter, which no rule asks, to 0 */
} entry;

typedef struct limit {
    iol__compat_code code;
    entry at[MOST_RECORDS], beyond[MOST_RECORDS];
} limit;

static known job_with(const entry *entries) {
    lm_log *log = job_of(4);
    for (int i = 0; i < MOST_RECORDS && entries[i].slot; i++) {
        setting with[MOST_SETTINGS + 1];
        memcpy(with, entries[i].with, sizeof entries[i].with);
        with[MOST_SETTINGS] = (setting){-1, false, 0};
        put(log, entries[i].slot, "/data", entries[i].rank, with);
    }
    return know(log);
}

static int times_in(const iol__compat *compat, iol__compat_code code) {
    int times = 0;
    for (size_t i = 0; i < compat->count; i++) times += compat->finding[i].rule == &iol__compat_rules[code];
    return times;
}

static const iol__compat_finding *finding_of(const iol__compat *compat, iol__compat_code code) {
    for (size_t i = 0; i < compat->count; i++)
        if (compat->finding[i].rule == &iol__compat_rules[code]) return &compat->finding[i];
    fail_msg("no %s", iol__compat_rules[code].code);
    return NULL;
}

static iol__compat compat_of(const entry *entries) {
    known k = job_with(entries);
    iol__compat compat;
    iol__compat_make(&k.facts, &compat);
    forget(&k);
    return compat;
}

#define P(rank, ...)                    \
    {                                   \
        LM_POSIX, rank, { __VA_ARGS__ } \
    }
#define M(rank, ...)                    \
    {                                   \
        LM_MPIIO, rank, { __VA_ARGS__ } \
    }
#define S(rank, ...)                    \
    {                                   \
        LM_STDIO, rank, { __VA_ARGS__ } \
    }
#define READS(n, small) I(POSIX_READS, n), I(POSIX_SIZE_READ_100K_1M, small)
#define WRITES(n, small) I(POSIX_WRITES, n), I(POSIX_SIZE_WRITE_0_100, small)

static const limit limits[] = {
    {IOL_S01,
     {P(0, I(POSIX_BYTES_READ, 90)), S(0, I(STDIO_BYTES_READ, 10))},
     {P(0, I(POSIX_BYTES_READ, 90)), S(0, I(STDIO_BYTES_WRITTEN, 11))}},
    /* MPI-IO bytes are taken out of POSIX bytes, but only where there are enough of those. */
    {IOL_S01,
     {P(0, I(POSIX_BYTES_READ, 89)), M(0, I(MPIIO_BYTES_READ, 90)), S(0, I(STDIO_BYTES_READ, 11))},
     {P(0, I(POSIX_BYTES_READ, 90)), M(0, I(MPIIO_BYTES_READ, 90)), S(0, I(STDIO_BYTES_READ, 11))}},
    {IOL_M01, {M(0, I(MPIIO_NB_READS, 1))}, {P(0, I(POSIX_OPENS, 1))}},
    {IOL_P01, {P(0, READS(45, 0), WRITES(55, 0))}, {P(0, READS(449, 0), WRITES(551, 0))}},
    {IOL_P02, {P(0, READS(55, 0), WRITES(45, 0))}, {P(0, READS(551, 0), WRITES(449, 0))}},
    {IOL_P03,
     {P(0, I(POSIX_BYTES_READ, 45), I(POSIX_BYTES_WRITTEN, 55))},
     {P(0, I(POSIX_BYTES_READ, 449), I(POSIX_BYTES_WRITTEN, 551))}},
    {IOL_P04,
     {P(0, I(POSIX_BYTES_READ, 55), I(POSIX_BYTES_WRITTEN, 45))},
     {P(0, I(POSIX_BYTES_READ, 551), I(POSIX_BYTES_WRITTEN, 449))}},
    /* Values that cannot be are added as they are; bytes that make up for each other are apart without limit. */
    {IOL_P03,
     {P(0, I(POSIX_BYTES_READ, -6), I(POSIX_BYTES_WRITTEN, 5))},
     {P(0, I(POSIX_BYTES_READ, -5), I(POSIX_BYTES_WRITTEN, 5))}},
    {IOL_P01, {P(0, READS(-5, 0), WRITES(5, 0))}, {P(0, READS(-5, 0), WRITES(6, 0))}},
    {IOL_P05, {P(0, READS(1000, 1000))}, {P(0, READS(1001, 1001))}},
    {IOL_P05, {P(0, READS(20000, 2000))}, {P(0, READS(20000, 2001))}},
    /* No request is counted, the bins are filled: a share of none is infinite, for records of single ranks. */
    {IOL_P05, {P(0, READS(0, 1000))}, {P(0, READS(0, 1001))}},
    {IOL_P05, {P(0, READS(-20, 1001))}, {P(0, READS(-1, 1001))}}, /* -1 is not measured, -20 is added */
    {IOL_P06, {P(0, WRITES(0, 1000))}, {P(0, WRITES(0, 1001))}},
    {IOL_P06, {P(0, WRITES(1000, 1000))}, {P(0, WRITES(1001, 1001))}},
    {IOL_P06, {P(0, WRITES(20000, 2000))}, {P(0, WRITES(20000, 2001))}},
    {IOL_P07,
     {P(0, WRITES(50, 0), READS(50, 0), I(POSIX_MEM_NOT_ALIGNED, 10))},
     {P(0, WRITES(50, 0), READS(50, 0), I(POSIX_MEM_NOT_ALIGNED, 11))}},
    {IOL_P08,
     {P(0, WRITES(50, 0), READS(50, 0), I(POSIX_FILE_NOT_ALIGNED, 10))},
     {P(0, WRITES(50, 0), READS(50, 0), I(POSIX_FILE_NOT_ALIGNED, 11))}},
    {IOL_P09,
     {P(0, I(POSIX_BYTES_READ, 5), I(POSIX_MAX_BYTE_READ, 10)), P(1, I(POSIX_BYTES_READ, 5))},
     {P(0, I(POSIX_BYTES_READ, 5), I(POSIX_MAX_BYTE_READ, 11)), P(1, I(POSIX_BYTES_READ, 5))}},
    {IOL_P10,
     {P(0, I(POSIX_BYTES_WRITTEN, 10), I(POSIX_MAX_BYTE_WRITTEN, 10))},
     {P(0, I(POSIX_BYTES_WRITTEN, 10), I(POSIX_MAX_BYTE_WRITTEN, 11))}},
    {IOL_P11, {P(0, READS(10000, 0), I(POSIX_SEQ_READS, 8000))}, {P(0, READS(10000, 0), I(POSIX_SEQ_READS, 7999))}},
    {IOL_P11, {P(0, READS(1000, 0))}, {P(0, READS(1001, 0))}},
    {IOL_P12, {P(0, READS(10000, 0), I(POSIX_SEQ_READS, 7999))}, {P(0, READS(10000, 0), I(POSIX_SEQ_READS, 8000))}},
    {IOL_P12, {P(0, READS(0, 0))}, {P(0, READS(1, 0))}},
    {IOL_P13, {P(0, WRITES(10000, 0), I(POSIX_SEQ_WRITES, 8000))}, {P(0, WRITES(10000, 0), I(POSIX_SEQ_WRITES, 7999))}},
    {IOL_P13, {P(0, WRITES(1000, 0))}, {P(0, WRITES(1001, 0))}},
    {IOL_P14, {P(0, WRITES(10000, 0), I(POSIX_SEQ_WRITES, 7999))}, {P(0, WRITES(10000, 0), I(POSIX_SEQ_WRITES, 8000))}},
    {IOL_P15, {P(-1, READS(1000, 1000)), P(0, READS(5000, 5000))}, {P(-1, READS(1001, 1001))}},
    {IOL_P15, {P(-1, READS(20000, 2000))}, {P(-1, READS(20000, 2001)), P(0, READS(90000, 0))}},
    {IOL_P15, {P(-1, READS(0, 1001))}, {P(-1, READS(1, 1001))}},
    {IOL_P16, {P(-1, WRITES(0, 1001))}, {P(-1, WRITES(1, 1001))}},
    {IOL_P16, {P(-1, WRITES(1000, 1000)), P(0, WRITES(5000, 5000))}, {P(-1, WRITES(1001, 1001))}},
    {IOL_P16, {P(-1, WRITES(20000, 2000))}, {P(-1, WRITES(20000, 2001)), P(0, WRITES(90000, 0))}},
    {IOL_P17,
     {P(0, F(POSIX_F_META_TIME, 30)), P(1, F(POSIX_F_META_TIME, 29))},
     {P(-1, F(POSIX_F_META_TIME, 30.000001))}},
    {IOL_P18,
     {P(-1, I(POSIX_BYTES_READ, 40), I(POSIX_BYTES_WRITTEN, 60), I(POSIX_SLOWEST_RANK_BYTES, 10),
        I(POSIX_FASTEST_RANK_BYTES, 25)),
      P(0, I(POSIX_BYTES_READ, 1), I(POSIX_SLOWEST_RANK_BYTES, 10))},
     {P(-1, I(POSIX_BYTES_READ, 40), I(POSIX_BYTES_WRITTEN, 60), I(POSIX_SLOWEST_RANK_BYTES, 10),
        I(POSIX_FASTEST_RANK_BYTES, 26))}},
    {IOL_P19,
     {P(-1, F(POSIX_F_READ_TIME, 20), F(POSIX_F_WRITE_TIME, 30), F(POSIX_F_META_TIME, 50),
        F(POSIX_F_SLOWEST_RANK_TIME, 25), F(POSIX_F_FASTEST_RANK_TIME, 10))},
     {P(-1, F(POSIX_F_READ_TIME, 20), F(POSIX_F_WRITE_TIME, 30), F(POSIX_F_META_TIME, 50),
        F(POSIX_F_SLOWEST_RANK_TIME, 25.01), F(POSIX_F_FASTEST_RANK_TIME, 10))}},
    {IOL_P21,
     {P(0, I(POSIX_BYTES_WRITTEN, 100)), P(1, I(POSIX_BYTES_WRITTEN, 70)), P(-1, I(POSIX_BYTES_WRITTEN, 1))},
     {P(0, I(POSIX_BYTES_WRITTEN, 100)), P(1, I(POSIX_BYTES_WRITTEN, 69))}},
    {IOL_P22,
     {P(0, I(POSIX_BYTES_READ, 70)), P(1, I(POSIX_BYTES_READ, 100)), P(-1, I(POSIX_BYTES_READ, 1000))},
     {P(-1, I(POSIX_BYTES_READ, 1000)), P(0, I(POSIX_BYTES_READ, 69)), P(1, I(POSIX_BYTES_READ, 100))}},
    {IOL_M02, {M(0, I(MPIIO_INDEP_READS, 1000))}, {M(0, I(MPIIO_INDEP_READS, 1001))}},
    {IOL_M02, {M(0, I(MPIIO_INDEP_READS, 5000), I(MPIIO_COLL_READS, 1))}, {M(0, I(MPIIO_INDEP_READS, 5000))}},
    {IOL_M03, {M(0, I(MPIIO_INDEP_WRITES, 1000))}, {M(0, I(MPIIO_INDEP_WRITES, 1001))}},
    {IOL_M03, {M(0, I(MPIIO_INDEP_WRITES, 5000), I(MPIIO_COLL_WRITES, 1))}, {M(0, I(MPIIO_INDEP_WRITES, 5000))}},
    {IOL_M02, {M(0, I(MPIIO_INDEP_READS, 5000), I(MPIIO_COLL_READS, -2))}, {M(0, I(MPIIO_INDEP_READS, 5000))}},
    {IOL_M04, {M(0, I(MPIIO_COLL_WRITES, 1))}, {M(0, I(MPIIO_COLL_READS, 1))}},
    {IOL_M05, {M(0, I(MPIIO_COLL_READS, 1))}, {M(0, I(MPIIO_COLL_WRITES, 1))}},
    {IOL_M06, {M(0, I(MPIIO_NB_READS, 1))}, {M(0, I(MPIIO_NB_WRITES, 1))}},
    {IOL_M07, {M(0, I(MPIIO_NB_WRITES, 1))}, {M(0, I(MPIIO_NB_READS, 1))}},
};

static void every_code_has_a_strict_limit(void **state) {
    (void)state;
    for (size_t i = 0; i < IOL_COUNT(limits); i++) {
        const limit *l = &limits[i];
        iol__compat at = compat_of(l->at), beyond = compat_of(l->beyond);
        if (times_in(&at, l->code)) fail_msg("row %zu: %s at its limit", i, iol__compat_rules[l->code].code);
        if (!times_in(&beyond, l->code)) fail_msg("row %zu: no %s beyond it", i, iol__compat_rules[l->code].code);
    }
}

static void every_code_is_tried(void **state) {
    (void)state;
    for (int code = 0; code < IOL_COMPAT_CODES; code++) {
        bool tried = false;
        for (size_t i = 0; i < IOL_COUNT(limits); i++) tried |= limits[i].code == (iol__compat_code)code;
        if (!tried) fail_msg("no limits for %s", iol__compat_rules[code].code);
    }
}

static void modules_without_records_are_not_judged(void **state) {
    (void)state;
    lm_log *log = job_of(4);
    log->partial_flags = UINT64_C(1) << LM_MPIIO;
    known k = know(log);
    iol__compat compat;
    iol__compat_make(&k.facts, &compat);
    assert_int_equal(compat.count, 0); /* MPI-IO is listed, so that M01 is silent too */
    forget(&k);
}

/* Aggregators would need to be compared with a count of nodes that no log has, and with the hints of the log's writer.
   */
static void aggregators_are_not_judged(void **state) {
    (void)state;
    static const char *const hints[] = {"lib_ver=3.4.0\nh=romio_no_indep_rw=true;cb_nodes=1\n",
                                        "h=romio_no_indep_rw=true;cb_nodes=400\n", "h=no\n", "h=cb_nodes\n"};
    for (size_t i = 0; i < IOL_COUNT(hints); i++) {
        lm_log *log = job_of(4);
        log->metadata = hints[i];
        put(log, LM_MPIIO, "/data", -1, WITH(I(MPIIO_COLL_WRITES, 9)));
        known k = know(log);
        iol__compat compat;
        iol__compat_make(&k.facts, &compat);
        assert_int_equal(compat.count, 3); /* M05 M06 M07 */
        assert_int_equal(compat.high, 0);
        forget(&k);
    }
}

static void redundant_writes_come_twice(void **state) {
    (void)state;
    const entry entries[MOST_RECORDS] = {P(0, I(POSIX_BYTES_WRITTEN, 10), I(POSIX_MAX_BYTE_WRITTEN, 11))};
    iol__compat compat = compat_of(entries);
    assert_int_equal(times_in(&compat, IOL_P10), 2);
    assert_int_equal(compat.warn, 3); /* with M01 */
}

static unsigned recommendations(bool lustre, bool hdf5, const char *name) {
    lm_log *log = job_of(4);
    put(log, LM_POSIX, name, 0, WITH(I(POSIX_READS, 1), I(POSIX_SEQ_READS, 1), I(POSIX_FILE_NOT_ALIGNED, 1)));
    put(log, LM_MPIIO, name, 0, WITH(I(MPIIO_INDEP_READS, 1)));
    if (lustre) lm_sample(log, LM_LUSTRE, 2, lm_id(name), 0, 1);
    if (hdf5) put(log, LM_H5F, name, 0, WITH(I(H5F_OPENS, 1)));
    known k = know(log);
    iol__compat compat;
    iol__compat_make(&k.facts, &compat);
    forget(&k);
    return compat.recommendations;
}

static void some_advice_is_only_for_some(void **state) {
    (void)state;
    assert_int_equal(recommendations(false, false, "/a"), 3); /* P08 1, M06 1, M07 1 */
    assert_int_equal(recommendations(true, false, "/a"), 4);
    assert_int_equal(recommendations(false, true, "/a"), 5);
    assert_int_equal(recommendations(false, false, "/a.h5"), 5);
    assert_int_equal(recommendations(false, false, "/a.hdf5"), 5);
    assert_int_equal(recommendations(false, false, "/a.h5.old"), 3);
    assert_int_equal(recommendations(true, true, "/a"), 6);
}

static void the_header_counts_advice(void **state) {
    (void)state;
    static const struct {
        iol__compat_code code;
        unsigned advice;
    } counts[] = {{IOL_S01, 1}, {IOL_M01, 1}, {IOL_P05, 2}, {IOL_P06, 2}, {IOL_P07, 0}, {IOL_P08, 1}, {IOL_P09, 0},
                  {IOL_P10, 0}, {IOL_P11, 1}, {IOL_P13, 1}, {IOL_P15, 1}, {IOL_P16, 1}, {IOL_P17, 1}, {IOL_P18, 2},
                  {IOL_P19, 2}, {IOL_P21, 4}, {IOL_P22, 4}, {IOL_M02, 1}, {IOL_M03, 1}, {IOL_M06, 1}, {IOL_M07, 1},
                  {IOL_P01, 0}, {IOL_P12, 0}, {IOL_M04, 0}, {IOL_M05, 0}};
    for (size_t c = 0; c < IOL_COUNT(counts); c++)
        for (size_t i = 0; i < IOL_COUNT(limits); i++) {
            if (limits[i].code != counts[c].code) continue;
            iol__compat compat = compat_of(limits[i].beyond);
            assert_int_equal(finding_of(&compat, counts[c].code)->advice, counts[c].advice);
            unsigned all = 0, high = 0, warn = 0;
            for (size_t f = 0; f < compat.count; f++) {
                all += compat.finding[f].advice;
                high += compat.finding[f].rule->level == IOL_LEVEL_HIGH;
                warn += compat.finding[f].rule->level == IOL_LEVEL_WARN;
            }
            assert_int_equal(compat.recommendations, all);
            assert_true(compat.high == high && compat.warn == warn);
        }
}

static void ten_files_are_named_by_ascending_id(void **state) {
    (void)state;
    lm_log *log = job_of(4);
    char name[16];
    for (int i = 0; i < 15; i++) {
        snprintf(name, sizeof name, "/file%d", i);
        put(log, LM_POSIX, name, 0, WITH(READS(50, 46)));
        put(log, LM_POSIX, name, 1, WITH(READS(50, 35 + i)));
    }
    put(log, LM_POSIX, "/few", 0, WITH(READS(500, 100))); /* 5% of 2000 requests is not enough */
    known k = know(log);
    iol__compat compat;
    iol__compat_make(&k.facts, &compat);
    const iol__compat_finding *finding = finding_of(&compat, IOL_P05);
    assert_int_equal(finding->n_details, 0); /* nor are 81 to 95 */
    forget(&k);

    log = job_of(4);
    for (int i = 0; i < 15; i++) {
        snprintf(name, sizeof name, "/file%d", i);
        put(log, LM_POSIX, name, 0, WITH(READS(50, 46)));
        put(log, LM_POSIX, name, 1, WITH(READS(50, 35 + i)));
    }
    k = know(log);
    iol__compat_make(&k.facts, &compat);
    finding = finding_of(&compat, IOL_P05);
    assert_int_equal(finding->n_details, 15);
    for (int i = 1; i < IOL_FACTS_DETAILS; i++) assert_true(finding->detail[i - 1].id < finding->detail[i].id);
    for (int i = 0; i < 15; i++) {
        snprintf(name, sizeof name, "/file%d", i);
        if (lm_id(name) < finding->detail[0].id) fail_msg("%s has a lower id than the first", name);
        if (lm_id(name) != finding->detail[0].id) continue;
        assert_int_equal(finding->detail[0].count, 81 + i);
        assert_true(fabs(finding->detail[0].percent - (81 + i) / 15.0) < 1e-9);
    }
    forget(&k);
}

static void shared_files_are_named_in_order_of_records(void **state) {
    (void)state;
    static const char *const names[] = {"/q", "/a", "/z", "/m"};
    lm_log *log = job_of(4);
    for (int i = 0; i < 4; i++)
        put(log, LM_POSIX, names[i], -1, WITH(I(POSIX_BYTES_READ, 100), I(POSIX_SLOWEST_RANK_BYTES, 20 + i)));
    put(log, LM_POSIX, "/even", -1, WITH(I(POSIX_BYTES_READ, 100)));
    known k = know(log);
    iol__compat compat;
    iol__compat_make(&k.facts, &compat);
    const iol__compat_finding *finding = finding_of(&compat, IOL_P18);
    assert_int_equal(finding->n_details, 4);
    assert_true(finding->figure[0].value == 4);
    for (int i = 0; i < 4; i++) {
        assert_int_equal(finding->detail[i].id, lm_id(names[i]));
        assert_true(fabs(finding->detail[i].percent - (20 + i)) < 1e-9);
    }
    forget(&k);
}

static void independent_records_are_named(void **state) {
    (void)state;
    lm_log *log = job_of(4);
    put(log, LM_MPIIO, "/a", 0, WITH(I(MPIIO_INDEP_READS, 900), I(MPIIO_INDEP_WRITES, 101)));
    put(log, LM_MPIIO, "/a", 1, WITH(I(MPIIO_INDEP_READS, 1000)));                            /* not above 1000 */
    put(log, LM_MPIIO, "/a", 2, WITH(I(MPIIO_INDEP_READS, 600), I(MPIIO_INDEP_WRITES, 600))); /* not above half */
    known k = know(log);
    iol__compat compat;
    iol__compat_make(&k.facts, &compat);
    const iol__compat_finding *finding = finding_of(&compat, IOL_M02);
    assert_int_equal(finding->n_details, 1);
    assert_int_equal(finding->detail[0].rank, 0);
    assert_int_equal(finding->detail[0].count, 900);
    assert_true(fabs(finding->detail[0].percent - 90000.0 / 1001) < 1e-9);
    assert_true(finding->figure[0].value == 2500 && finding->figure[1].value == 1);
    forget(&k);
}

/* 15.1 s of 101 s are not enough; of 100 s, which is what is left where the reference reads a second as nothing, they
   are. */
static void foreign_metadata_times_are_as_the_reference_sees_them(void **state) {
    (void)state;
    for (int big = 0; big < 2; big++)
        for (unsigned version = 3; version <= 4; version++) {
            lm_log *log = lm_new(version == 3 ? 10 : 20, big, LM_ZLIB);
            lm_counts counts = {0};
            counts.reals[IOL_POSIX_F_READ_TIME] = 100;
            counts.reals[IOL_POSIX_F_META_TIME] = 1;
            counts.reals[IOL_POSIX_F_SLOWEST_RANK_TIME] = 15.1;
            lm_fixed(lm_records(log, LM_POSIX, version), LM_POSIX, version, 1, -1, 0, &counts);
            known k = know(log);
            iol__compat compat;
            iol__compat_make(&k.facts, &compat);
            assert_int_equal(times_in(&compat, IOL_P19), big && version == 3);
            forget(&k);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_code_has_a_strict_limit),
        cmocka_unit_test(every_code_is_tried),
        cmocka_unit_test(modules_without_records_are_not_judged),
        cmocka_unit_test(aggregators_are_not_judged),
        cmocka_unit_test(redundant_writes_come_twice),
        cmocka_unit_test(some_advice_is_only_for_some),
        cmocka_unit_test(the_header_counts_advice),
        cmocka_unit_test(ten_files_are_named_by_ascending_id),
        cmocka_unit_test(shared_files_are_named_in_order_of_records),
        cmocka_unit_test(independent_records_are_named),
        cmocka_unit_test(foreign_metadata_times_are_as_the_reference_sees_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
