/* Records without a fixed layout: LUSTRE, DXT, HEATMAP, MDHIM, APMPI, APXC; and the mapped log, in which some of them
   look different. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/count.h"
#include "record/record.h"
#include "tests/support/logrecords.h"
#include "tests/support/opened.h"
#include "tests/support/seeds.h"

/* LUSTRE ------------------------------------------------------------------------------------------------------ */

static void assert_component(const iol_record *record, size_t index, const int64_t ints[7], const char *pool,
                             const int64_t *expected_osts) {
    iol_stripes s;
    const int64_t *osts;
    assert_int_equal(iol_record_component(record, index, &s, &osts), IOL_OK);
    assert_int_equal(s.size, ints[0]);
    assert_int_equal(s.count, ints[1]);
    assert_int_equal(s.pattern, ints[2]);
    assert_int_equal(s.flags, ints[3]);
    assert_int_equal(s.extent_start, ints[4]);
    assert_int_equal(s.extent_end, ints[5]);
    assert_int_equal(s.mirror, ints[6]);
    assert_string_equal(s.pool, pool);
    for (int64_t i = 0; i < ints[1]; i++) assert_int_equal(osts[i], expected_osts[i]);
}

static void lustre_1_becomes_one_component(void **state) {
    (void)state;
    static const int64_t osts[] = {40, 41, 42};
    for (int big = 0; big < 2; big++) {
        lm_log *made = lm_new(10, big, LM_ZLIB);
        lm_lustre_1(lm_records(made, LM_LUSTRE, 1), 5, -1, 1 << 20, osts, 3);
        lm_lustre_1(lm_records(made, LM_LUSTRE, 1), 6, 0, 1 << 16, NULL, 0);
        opened o = opened_from(made);
        iol_records *records = records_of(&o, LM_LUSTRE);
        const iol_record *record = next_of(records);
        assert_int_equal(iol_record_id(record), 5);
        assert_int_equal(iol_record_rank(record), -1);
        assert_int_equal(iol_record_components(record), 1);
        assert_int_equal(record->n_osts, 3);
        assert_int_equal(record->fs_osts, 96);
        assert_int_equal(record->fs_mdts, 2);
        assert_component(record, 0, (const int64_t[]){1 << 20, 3, -1, -1, 0, -1, -1}, "", osts);
        record = next_of(records);
        assert_int_equal(iol_record_components(record), 1);
        assert_int_equal(record->n_osts, 0);
        ends_well(records);
        opened_close(&o);
    }
}

static void lustre_2_keeps_components_and_lists(void **state) {
    (void)state;
    static const lm_component components[] = {
        {{1 << 20, 1, 0, 16, 0, 1 << 22, 1}, "flash"},
        {{1 << 16, 0, 2, 0, 0, 1 << 20, 2}, ""},
        {{1 << 22, 3, 4, 0, 1 << 22, -1, 1}, "sixteen-chars-xx"},
    };
    static const int64_t osts[] = {7, 8, 9, 10};
    for (int big = 0; big < 2; big++) {
        lm_log *made = lm_new(41, big, LM_ZLIB);
        for (int i = 0; i < 2; i++) lm_lustre_2(lm_records(made, LM_LUSTRE, 2), 5, i, components, 3, osts, 4);
        opened o = opened_from(made);
        iol_records *records = records_of(&o, LM_LUSTRE);
        for (int i = 0; i < 2; i++) {
            const iol_record *record = next_of(records);
            assert_int_equal(iol_record_rank(record), i);
            assert_int_equal(iol_record_components(record), 3);
            assert_int_equal(record->n_osts, 4);
            assert_component(record, 0, components[0].ints, "flash", osts);
            assert_component(record, 1, components[1].ints, "", NULL);
            assert_component(record, 2, components[2].ints, "sixteen-chars-xx", osts + 1);
            iol_stripes s;
            const int64_t *list;
            assert_int_equal(iol_record_component(record, 3, &s, &list), IOL_INVALID);
        }
        ends_well(records);
        opened_close(&o);
    }
}

static void unused_lustre_components_are_cut(void **state) {
    (void)state;
    static const lm_component components[] = {
        {{1 << 20, 2, 0, 0, 0, 1 << 30, 0}, ""},
        {{1 << 22, 1, 0, 0, 1 << 30, -1, 0}, ""},
        {{-1, 5, -1, -1, -1, -1, -1}, ""},
        {{1 << 20, 1, 0, 0, 0, -1, 0}, "behind the cut"},
    };
    static const int64_t osts[] = {11, 12, 13, 14, 15, 16, 17, 18, 19};
    for (int big = 0; big < 2; big++) {
        lm_log *made = lm_new(41, big, LM_NONE);
        lm_lustre_2(lm_records(made, LM_LUSTRE, 2), 5, 0, components, 4, osts, 9);
        lm_lustre_2(lm_records(made, LM_LUSTRE, 2), 6, 0, components + 2, 1, osts, 0);
        lm_lustre_2(lm_records(made, LM_LUSTRE, 2), 7, 0, NULL, 0, NULL, 0);
        opened o = opened_from(made);
        iol_records *records = records_of(&o, LM_LUSTRE);
        const iol_record *record = next_of(records);
        assert_int_equal(iol_record_components(record), 2);
        assert_int_equal(record->n_osts, 3);
        assert_component(record, 0, components[0].ints, "", osts);
        assert_component(record, 1, components[1].ints, "", osts + 2);
        for (uint64_t id = 6; id <= 7; id++) {
            record = next_of(records);
            assert_int_equal(iol_record_id(record), id);
            assert_int_equal(iol_record_components(record), 0);
            assert_int_equal(record->n_osts, 0);
        }
        ends_well(records);
        assert_int_equal(iol_log_error_count(o.log), 0);
        opened_close(&o);
    }
}

static void a_component_cannot_own_osts_that_are_not_there(void **state) {
    (void)state;
    static const lm_component components[] = {{{1 << 20, 5, 0, 0, 0, -1, 0}, ""}};
    static const int64_t osts[] = {1, 2};
    lm_log *made = lm_new(41, false, LM_ZLIB);
    lm_lustre_2(lm_records(made, LM_LUSTRE, 2), 5, 0, components, 1, osts, 2);
    opened o = opened_from(made);
    ends_with(records_of(&o, LM_LUSTRE), IOL_DAMAGED);
    opened_close(&o);
}

/* DXT --------------------------------------------------------------------------------------------------------- */

static const lm_segment segments[] = {
    {0, 100, 0.5, 0.75, 0x7f00aa01},    {100, 200, 1.0, 1.25, 0x7f00aa02}, {1 << 30, 1, 2.0, 2.5, 0x7f00aa01},
    {4096, 4096, 3.0, 3.5, 0x7f00aa03}, {0, 0, 4.0, 4.0, 0x7f00aa01},
};

static void assert_segments(iol_records *records, size_t count, bool offsets, bool threads) {
    iol_segment got[2];
    size_t n, at = 0;
    while (iol_records_segments(records, got, 2, &n) == IOL_OK)
        for (size_t i = 0; i < n; i++, at++) {
            assert_in_range(at, 0, count - 1);
            assert_int_equal(got[i].offset, offsets ? segments[at].offset : -1);
            assert_int_equal(got[i].length, segments[at].length);
            assert_true(got[i].start == segments[at].start);
            assert_true(got[i].end == segments[at].end);
            assert_int_equal(got[i].thread, threads ? segments[at].thread : 0);
        }
    assert_int_equal(n, 0);
    assert_int_equal(at, count);
}

static void dxt_segments_follow_the_module_version(void **state) {
    (void)state;
    static const struct {
        int slot;
        unsigned version;
        bool offsets, threads;
    } forms[] = {
        {LM_DXT_POSIX, 1, true, false}, {LM_DXT_POSIX, 2, true, true}, {LM_DXT_MPIIO, 1, false, false},
        {LM_DXT_MPIIO, 2, true, false}, {LM_DXT_MPIIO, 3, true, true},
    };
    for (size_t f = 0; f < IOL_COUNT(forms); f++)
        for (int big = 0; big < 2; big++) {
            lm_log *made = lm_new(41, big, LM_ZLIB);
            bytes *b = lm_records(made, forms[f].slot, forms[f].version);
            for (int rank = 0; rank < 3; rank++) lm_trace(b, 5, rank, "node", segments, 3, 2, forms[f].threads);
            opened o = opened_from(made);
            iol_records *records = records_of(&o, forms[f].slot);
            for (int rank = 0; rank < 3; rank++) {
                const iol_record *record = next_of(records);
                iol_trace trace;
                assert_int_equal(iol_record_rank(record), rank);
                assert_int_equal(iol_record_trace(record, &trace), IOL_OK);
                assert_string_equal(trace.host, "node");
                assert_int_equal(trace.writes, 3);
                assert_int_equal(trace.reads, 2);
                assert_int_equal(trace.threads, forms[f].threads);
                if (rank != 1) assert_segments(records, 5, forms[f].offsets, forms[f].threads);
            }
            ends_well(records);
            opened_close(&o);
        }
}

static void segments_left_unread_are_skipped(void **state) {
    (void)state;
    lm_log *made = lm_new(41, false, LM_ZLIB);
    for (int rank = 0; rank < 2; rank++)
        lm_trace(lm_records(made, LM_DXT_POSIX, 2), 5, rank, "node", segments, 3, 2, true);
    opened o = opened_from(made);
    iol_records *records = records_of(&o, LM_DXT_POSIX);
    next_of(records);
    iol_segment one;
    size_t got;
    assert_int_equal(iol_records_segments(records, &one, 1, &got), IOL_OK);
    assert_int_equal(got, 1);
    assert_int_equal(iol_record_rank(next_of(records)), 1);
    assert_segments(records, 5, true, true);
    ends_well(records);
    opened_close(&o);
}

static void a_host_name_may_fill_its_field(void **state) {
    (void)state;
    char host[65];
    memset(host, 'h', 64);
    host[64] = 0;
    lm_log *made = lm_new(41, false, LM_ZLIB);
    lm_trace(lm_records(made, LM_DXT_POSIX, 2), 5, 0, host, segments, 1, 0, true);
    opened o = opened_from(made);
    iol_records *records = records_of(&o, LM_DXT_POSIX);
    iol_trace trace;
    iol_record_trace(next_of(records), &trace);
    assert_string_equal(trace.host, host);
    ends_well(records);
    opened_close(&o);
}

static void a_trace_that_ends_too_early_gives_what_is_there(void **state) {
    (void)state;
    lm_log *made = lm_new(41, false, LM_ZLIB);
    lm_trace(lm_records(made, LM_DXT_POSIX, 2), 5, 0, "node", segments, 3, 2, true);
    made->slots[LM_DXT_POSIX].payload.length -= 50;
    opened o = opened_from(made);
    iol_records *records = records_of(&o, LM_DXT_POSIX);
    next_of(records);
    iol_segment got[8];
    size_t n, total = 0;
    while (iol_records_segments(records, got, 8, &n) == IOL_OK) total += n;
    assert_int_equal(total, 3);
    ends_with(records, IOL_DAMAGED);
    opened_close(&o);
}

/* HEATMAP ----------------------------------------------------------------------------------------------------- */

static const int64_t written[] = {10, 20, 30, 40, 50}, read_[] = {1, 2, 3, 4, 5};

/* The record must have `bins` bins, the first `stored` of them as above and zeros behind. */
static void assert_heatmap(const iol_record *record, double width, size_t bins, size_t stored) {
    iol_heatmap map;
    assert_int_equal(iol_record_heatmap(record, &map), IOL_OK);
    assert_true(map.bin_width == width);
    assert_int_equal(map.bins, bins);
    for (size_t i = 0; i < bins; i++) {
        assert_int_equal(map.written[i], i < stored ? written[i] : 0);
        assert_int_equal(map.read[i], i < stored ? read_[i] : 0);
    }
}

static void heatmaps_that_differ_by_one_bin_follow_the_first(void **state) {
    (void)state;
    for (int big = 0; big < 2; big++) {
        lm_log *made = lm_new(41, big, LM_ZLIB);
        bytes *b = lm_records(made, LM_HEATMAP, 1);
        lm_heatmap(b, 1, 0, 0.5, 3, written, read_);
        lm_heatmap(b, 1, 1, 0.5, 4, written, read_);
        lm_heatmap(b, 1, 2, 0.5, 2, written, read_);
        lm_heatmap(b, 1, 3, 0.5, 5, written, read_);  /* two more: left alone */
        lm_heatmap(b, 1, 4, 0.25, 4, written, read_); /* another width: left alone */
        lm_heatmap(b, 2, 5, 0.5, 4, written, read_);  /* another file of the same log */
        opened o = opened_from(made);
        iol_records *records = records_of(&o, LM_HEATMAP);
        assert_heatmap(next_of(records), 0.5, 3, 3);
        assert_heatmap(next_of(records), 0.5, 3, 3);
        assert_heatmap(next_of(records), 0.5, 3, 2);
        assert_heatmap(next_of(records), 0.5, 5, 5);
        assert_heatmap(next_of(records), 0.25, 4, 4);
        assert_heatmap(next_of(records), 0.5, 3, 3);
        ends_well(records);
        assert_int_equal(iol_log_error_count(o.log), 0);
        opened_close(&o);
    }
}

static void a_heatmap_may_have_no_bins(void **state) {
    (void)state;
    for (int big = 0; big < 2; big++) {
        lm_log *made = lm_new(41, big, LM_ZLIB);
        lm_heatmap(lm_records(made, LM_HEATMAP, 1), 1, 0, 0.5, 0, NULL, NULL);
        opened o = opened_from(made);
        iol_records *records = records_of(&o, LM_HEATMAP);
        assert_heatmap(next_of(records), 0.5, 0, 0);
        ends_well(records);
        opened_close(&o);
    }
}

static void a_heatmap_cut_short_is_damage(void **state) {
    (void)state;
    lm_log *made = lm_new(41, false, LM_ZLIB);
    lm_heatmap(lm_records(made, LM_HEATMAP, 1), 1, 0, 0.5, 3, written, read_);
    lm_heatmap(lm_records(made, LM_HEATMAP, 1), 1, 1, 0.5, 3, written, read_);
    made->slots[LM_HEATMAP].payload.length -= 8;
    opened o = opened_from(made);
    iol_records *records = records_of(&o, LM_HEATMAP);
    assert_heatmap(next_of(records), 0.5, 3, 3);
    ends_with(records, IOL_DAMAGED);
    assert_int_equal(iol_log_error_count(o.log), 1);
    opened_close(&o);
}

/* MDHIM ------------------------------------------------------------------------------------------------------- */

static void mdhim_has_a_value_for_every_server_and_never_none(void **state) {
    (void)state;
    static const int64_t servers[] = {21, 22, 23};
    static const int64_t claims[] = {3, 1, 0, -5};
    static const size_t stored[] = {3, 1, 1, 1};
    for (int big = 0; big < 2; big++) {
        lm_log *made = lm_new(41, big, LM_ZLIB);
        lm_counts counts;
        for (int i = 0; i < 4; i++) {
            lm_fill(&counts, i);
            counts.ints[4] = claims[i];
            lm_mdhim(lm_records(made, LM_MDHIM, 1), 1, i, &counts, servers);
        }
        opened o = opened_from(made);
        iol_records *records = records_of(&o, LM_MDHIM);
        for (int i = 0; i < 4; i++) {
            const iol_record *record = next_of(records);
            assert_int_equal(int_of(record, "MDHIM_PUTS"), 1000 * i + 1);
            assert_int_equal(int_of(record, "MDHIM_SERVERS"), claims[i]);
            assert_true(real_of(record, "MDHIM_F_GET_MAX_DURATION") == i + 4 / 512.0);
            assert_int_equal(record->n_servers, stored[i]);
            for (size_t s = 0; s < stored[i]; s++) assert_int_equal(record->servers[s], servers[s]);
        }
        ends_well(records);
        opened_close(&o);
    }
}

/* APMPI, APXC ------------------------------------------------------------------------------------------------- */

static void apmpi_begins_with_a_header(void **state) {
    (void)state;
    for (int big = 0; big < 2; big++)
        for (uint32_t sync = 0; sync < 2; sync++) {
            lm_log *made = lm_new(41, big, LM_ZLIB);
            bytes *b = lm_records(made, LM_APMPI, 1);
            lm_counts counts;
            lm_apmpi_header(b, sync, 1.5, 2.5);
            for (int rank = 0; rank < 2; rank++) {
                lm_fill(&counts, rank);
                counts.ints[1] = -1; /* the largest unsigned value */
                lm_apmpi(b, 9, rank, &counts, "nid00001");
            }
            opened o = opened_from(made);
            iol_records *records = records_of(&o, LM_APMPI);
            const iol_record *record = next_of(records);
            assert_true(record->header);
            assert_true(iol_record_id(record) == 7713204788897956166u);
            assert_int_equal(record->sync_times, sync);
            assert_true(record->comm_variance == 1.5 && record->sync_variance == 2.5);
            for (int rank = 0; rank < 2; rank++) {
                record = next_of(records);
                assert_false(record->header);
                assert_int_equal(record->sync_times, sync);
                assert_int_equal(iol_record_rank(record), rank);
                assert_string_equal(record->processor, "nid00001");
                assert_int_equal(int_of(record, "MPI_SEND_CALL_COUNT"), 1000 * rank + 1);
                assert_int_equal(int_of(record, "MPI_WIN_SYNC_CALL_COUNT"), 1000 * rank + 396);
                assert_true(real_of(record, "MPI_SEND_TOTAL_TIME") == rank + 1 / 512.0);
                assert_true(real_of(record, "MPI_BARRIER_TOTAL_SYNC_TIME") == rank + 223 / 512.0);
                assert_true(real_of(record, "MPI_TOTAL_COMM_SYNC_TIME") == rank + 240 / 512.0);
                iol_value value;
                assert_int_equal(iol_record_counter(record, 1, &value), IOL_OK);
                assert_int_equal(value.kind, IOL_UINT);
                assert_true(value.as.u == UINT64_MAX);
            }
            ends_well(records);
            opened_close(&o);
        }
}

static void apxc_begins_with_a_header(void **state) {
    (void)state;
    static const int64_t machine[5] = {16, 4, 2, (int64_t)0xffffffff80000004, 2};
    static const int64_t place[4] = {1, 2, 3, 4};
    for (int big = 0; big < 2; big++) {
        lm_log *made = lm_new(41, big, LM_ZLIB);
        bytes *b = lm_records(made, LM_APXC, 1);
        lm_counts counts;
        lm_fill(&counts, 2);
        lm_apxc_header(b, machine, 77);
        lm_apxc(b, 9, 3, place, &counts);
        opened o = opened_from(made);
        iol_records *records = records_of(&o, LM_APXC);
        const iol_record *record = next_of(records);
        assert_true(record->header);
        assert_int_equal(record->blades, 16);
        assert_int_equal(record->chassis, 4);
        assert_int_equal(record->groups, 2);
        assert_true(record->memory_mode == machine[3]);
        assert_int_equal(record->cluster_mode, 2);
        assert_int_equal(record->application, 77);
        record = next_of(records);
        assert_false(record->header);
        assert_int_equal(iol_record_rank(record), 3);
        for (int i = 0; i < 4; i++) assert_int_equal(record->place[i], place[i]);
        assert_int_equal(int_of(record, "APXC_AR_RTR_0_0_INQ_PRF_INCOMING_FLIT_VC0"), 2001);
        assert_int_equal(int_of(record, "APXC_AR_RTR_PT_5_7_INQ_PRF_RSP_ROWBUS_STALL_CNT"), 2392);
        ends_well(records);
        opened_close(&o);
    }
}

static void a_header_without_its_magic_is_damage(void **state) {
    (void)state;
    static const int slots[] = {LM_APMPI, LM_APXC};
    for (int i = 0; i < 2; i++) {
        lm_log *made = lm_new(41, false, LM_ZLIB);
        lm_sample(made, slots[i], 1, 1, 0, 1);
        made->slots[slots[i]].payload.data[18] ^= 1;
        opened o = opened_from(made);
        ends_with(records_of(&o, slots[i]), IOL_DAMAGED);
        opened_close(&o);
    }
}

/* Mapped log -------------------------------------------------------------------------------------------------- */

static void a_mapped_log_is_read_like_any_other(void **state) {
    (void)state;
    static const char *const names[] = {"mapped", "mapped-be"};
    for (int i = 0; i < 2; i++) {
        opened o = opened_from(seeds_log(seeds_find(names[i])));
        assert_true(iol_log_info(o.log)->mapped);
        assert_int_equal(iol_log_info(o.log)->compression, IOL_UNCOMPRESSED);
        assert_int_equal(iol_log_info(o.log)->job_bytes, 4096);
        assert_int_equal(iol_log_job(o.log)->end_seconds, 0);
        assert_string_equal(iol_log_job(o.log)->exe, "/opt/app/bin/solver -n 4 input.nml");
        assert_int_equal(iol_log_mount_count(o.log), 2);
        assert_string_equal(iol_log_name(o.log, lm_id("heatmap:POSIX")), "heatmap:POSIX");
        iol_records *records = records_of(&o, LM_POSIX);
        assert_int_equal(iol_record_rank(next_of(records)), 0);
        assert_int_equal(iol_record_rank(next_of(records)), -1);
        ends_well(records);
        records = records_of(&o, LM_LUSTRE);
        assert_int_equal(iol_record_components(next_of(records)), 2);
        assert_int_equal(iol_record_components(next_of(records)), 0);
        ends_well(records);
        records = records_of(&o, LM_HEATMAP);
        iol_heatmap map;
        iol_record_heatmap(next_of(records), &map);
        assert_int_equal(map.bins, 200);
        assert_int_equal(map.written[36], 4096 * 37);
        assert_int_equal(map.read[37], 0);
        ends_well(records);
        assert_int_equal(iol_log_error_count(o.log), 0);
        opened_close(&o);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lustre_1_becomes_one_component),
        cmocka_unit_test(lustre_2_keeps_components_and_lists),
        cmocka_unit_test(unused_lustre_components_are_cut),
        cmocka_unit_test(a_component_cannot_own_osts_that_are_not_there),
        cmocka_unit_test(dxt_segments_follow_the_module_version),
        cmocka_unit_test(segments_left_unread_are_skipped),
        cmocka_unit_test(a_host_name_may_fill_its_field),
        cmocka_unit_test(a_trace_that_ends_too_early_gives_what_is_there),
        cmocka_unit_test(heatmaps_that_differ_by_one_bin_follow_the_first),
        cmocka_unit_test(a_heatmap_may_have_no_bins),
        cmocka_unit_test(a_heatmap_cut_short_is_damage),
        cmocka_unit_test(mdhim_has_a_value_for_every_server_and_never_none),
        cmocka_unit_test(apmpi_begins_with_a_header),
        cmocka_unit_test(apxc_begins_with_a_header),
        cmocka_unit_test(a_header_without_its_magic_is_damage),
        cmocka_unit_test(a_mapped_log_is_read_like_any_other),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
