/* The header in all its forms: both sizes, both byte orders, old slot numbers, flags, and what is not a log. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/count.h"
#include "tests/support/logrecords.h"
#include "tests/support/opened.h"

static const int minors[] = {0, 10, 20, 21, 41};
enum { MINORS = 5 };

static bool host_is_big(void) {
    const uint16_t one = 1;
    return *(const uint8_t *)&one == 0;
}

static void every_version_and_order_gives_its_info(void **state) {
    (void)state;
    static const char *const texts[MINORS] = {"3.00", "3.10", "3.20", "3.21", "3.41"};
    for (int v = 0; v < MINORS; v++)
        for (int big = 0; big < 2; big++) {
            lm_log *made = lm_new(minors[v], big, LM_ZLIB);
            lm_name(made, 7, "/some/name");
            lm_sample(made, LM_POSIX, 3, 7, 0, 1);
            opened o = opened_from(made);
            const iol_info *info = iol_log_info(o.log);
            assert_string_equal(info->version, texts[v]);
            assert_int_equal(info->minor, minors[v]);
            assert_int_equal(info->foreign_order, (bool)big != host_is_big());
            assert_int_equal(info->compression, IOL_ZLIB);
            assert_false(info->mapped);
            assert_int_equal(info->file_bytes, o.length);
            assert_int_equal(info->partial_flags, 0);
            assert_string_equal(info->path, "synthetic.darshan");
            uint64_t names_at = get_u64(o.file + lm_name_map_at(minors[v]), big);
            assert_int_equal(info->job_bytes, names_at - lm_header_bytes(minors[v]));
            assert_int_equal(info->name_bytes, get_u64(o.file + lm_name_map_at(minors[v]) + 8, big));
            assert_int_equal(iol_log_error_count(o.log), 0);
            opened_close(&o);
        }
}

/* The numbers of the modules in old logs, as they were. -1: did not exist. */
static const int slots_of_3_20[] = {0, 1, 2, 3, 4, 5, -1, 6, 7, 8, 9, 10, 11, 12, 13, 14};
static const int slots_of_3_00[] = {0, 1, 2, 3, -1, 4, -1, 5, 6, 7, 8, 9, 10};

static const int *old_slots(int minor, int *count) {
    *count = minor < 20 ? 13 : 16;
    return minor < 20 ? slots_of_3_00 : slots_of_3_20;
}

static void old_slot_numbers_become_todays(void **state) {
    (void)state;
    for (int v = 0; v < MINORS - 1; v++)
        for (int big = 0; big < 2; big++) {
            size_t length;
            lm_log *made = lm_new(minors[v], big, LM_ZLIB);
            uint8_t *file = lm_finish(made, &length);
            lm_free(made);
            for (int stored = 0; stored < 16; stored++) {
                put_u64(file + lm_map_at(minors[v], stored), 400 + (uint64_t)stored, big);
                put_u32(file + lm_version_at(minors[v], stored), 100 + (uint32_t)stored, big);
            }
            opened o = opened_bytes(file, length);
            int count;
            const int *stored = old_slots(minors[v], &count);
            for (int slot = 0; slot < count; slot++) {
                iol_module module;
                assert_int_equal(iol_log_module(o.log, slot, &module), IOL_OK);
                assert_int_equal(module.slot, slot);
                assert_int_equal(module.length, 0);
                assert_int_equal(module.offset, stored[slot] < 0 ? 0 : 400 + stored[slot]);
                assert_int_equal(module.version, stored[slot] < 0 ? 0 : 100 + stored[slot]);
            }
            opened_close(&o);
        }
}

static void partial_flags_follow_their_module(void **state) {
    (void)state;
    for (int v = 0; v < MINORS; v++)
        for (int big = 0; big < 2; big++)
            for (int slot = 0; slot < LM_KNOWN; slot++) {
                if (lm_stored_slot(minors[v], slot) < 0) continue;
                lm_log *made = lm_new(minors[v], big, LM_ZLIB);
                made->partial_flags = (uint64_t)1 << slot;
                opened o = opened_from(made);
                assert_int_equal(iol_log_info(o.log)->partial_flags, (uint64_t)1 << slot);
                for (int other = 0; other < LM_SLOTS; other++) {
                    iol_module module;
                    iol_log_module(o.log, other, &module);
                    assert_int_equal(module.partial, other == slot);
                }
                assert_int_equal(iol_log_error_count(o.log), 0);
                opened_close(&o);
            }
}

static void a_big_endian_overflow_of_posix_is_not_slot_57(void **state) {
    (void)state;
    size_t length;
    lm_log *made = lm_new(41, true, LM_ZLIB);
    uint8_t *file = lm_finish(made, &length);
    lm_free(made);
    file[lm_flags_at(41) + 7] = 2;
    opened o = opened_bytes(file, length);
    assert_int_equal(iol_log_info(o.log)->partial_flags, 2);
    opened_close(&o);
}

static void modules_have_todays_names(void **state) {
    (void)state;
    static const char *const names[LM_KNOWN] = {
        "NULL",  "POSIX",     "MPI-IO",    "H5F",   "H5D",  "PNETCDF_FILE", "PNETCDF_VAR", "BG/Q", "LUSTRE",
        "STDIO", "DXT_POSIX", "DXT_MPIIO", "MDHIM", "APXC", "APMPI",        "HEATMAP",     "DFS",  "DAOS"};
    opened o = opened_from(lm_new(0, false, LM_ZLIB));
    iol_module module;
    for (int slot = 0; slot < LM_KNOWN; slot++) {
        assert_int_equal(iol_log_module(o.log, slot, &module), IOL_OK);
        assert_string_equal(module.name, names[slot]);
    }
    for (int slot = LM_KNOWN; slot < LM_SLOTS; slot++) {
        assert_int_equal(iol_log_module(o.log, slot, &module), IOL_OK);
        assert_null(module.name);
    }
    assert_int_equal(iol_log_module(o.log, LM_SLOTS, &module), IOL_END);
    opened_close(&o);
}

static void data_in_an_unassigned_slot_is_listed_and_nothing_more(void **state) {
    (void)state;
    lm_log *made = lm_new(41, false, LM_ZLIB);
    bytes_text(lm_records(made, 63, 9), "of a later release", 40);
    lm_sample(made, LM_STDIO, 2, 1, 0, 1);
    opened o = opened_from(made);
    iol_module module;
    iol_records *records = NULL;
    assert_int_equal(iol_log_module(o.log, 63, &module), IOL_OK);
    assert_int_equal(module.version, 9);
    assert_true(module.length > 0);
    assert_int_equal(iol_records_open(o.log, 63, &records), IOL_UNSUPPORTED);
    records = records_of(&o, LM_STDIO);
    next_of(records);
    ends_well(records);
    opened_close(&o);
}

static void an_empty_region_may_have_an_offset_and_a_version(void **state) {
    (void)state;
    lm_log *made = lm_new(41, false, LM_ZLIB);
    made->slots[LM_MPIIO].anchored = true;
    made->slots[LM_MPIIO].version = 3;
    opened o = opened_from(made);
    iol_module module;
    iol_records *records = NULL;
    assert_int_equal(iol_log_module(o.log, LM_MPIIO, &module), IOL_OK);
    assert_true(module.offset > 0);
    assert_int_equal(module.length, 0);
    assert_int_equal(module.version, 3);
    assert_int_equal(iol_records_open(o.log, LM_MPIIO, &records), IOL_INVALID);
    assert_int_equal(iol_log_error_count(o.log), 0);
    opened_close(&o);
}

static void without_a_name_offset_the_job_ends_at_the_first_module(void **state) {
    (void)state;
    size_t length;
    uint8_t *file = lm_sample_file(LM_STDIO, 2, &length);
    put_u64(file + lm_name_map_at(41), 0, false);
    opened o = opened_bytes(file, length);
    iol_module module;
    iol_log_module(o.log, LM_STDIO, &module);
    assert_int_equal(iol_log_info(o.log)->job_bytes, module.offset - 1328);
    opened_close(&o);
}

static void without_any_offset_the_job_ends_with_the_file(void **state) {
    (void)state;
    size_t length;
    lm_log *made = lm_new(41, false, LM_ZLIB);
    uint8_t *file = lm_finish(made, &length);
    lm_free(made);
    put_u64(file + lm_name_map_at(41), 0, false);
    opened o = opened_bytes(file, length);
    assert_int_equal(iol_log_info(o.log)->job_bytes, length - 1328);
    assert_int_equal(iol_log_job(o.log)->processes, 4);
    opened_close(&o);
}

static uint8_t *plain_file(size_t *length) {
    lm_log *made = lm_new(41, false, LM_ZLIB);
    uint8_t *file = lm_finish(made, length);
    lm_free(made);
    return file;
}

static void other_log_versions_are_refused(void **state) {
    (void)state;
    static const char texts[][9] = {"2.07", "3.01", "3.11", "3.22", "3.42", "4.00", "3.410", "3", "three", ""};
    for (size_t i = 0; i < IOL_COUNT(texts); i++) {
        size_t length;
        iol_error error;
        uint8_t *file = plain_file(&length);
        memcpy(file, texts[i], 8);
        assert_int_equal(open_fails(file, length, &error), IOL_UNSUPPORTED);
    }
}

static void an_unknown_compression_is_refused(void **state) {
    (void)state;
    static const uint8_t methods[] = {3, 127, 200, 255};
    for (size_t i = 0; i < sizeof methods; i++) {
        size_t length;
        iol_error error;
        uint8_t *file = plain_file(&length);
        file[16] = methods[i];
        assert_int_equal(open_fails(file, length, &error), IOL_UNSUPPORTED);
    }
}

static void a_file_without_the_magic_number_is_not_a_log(void **state) {
    (void)state;
    size_t length;
    iol_error error;
    uint8_t *file = plain_file(&length);
    file[9] ^= 1;
    assert_int_equal(open_fails(file, length, &error), IOL_NOT_A_LOG);
    assert_int_equal(open_fails(need(1), 0, &error), IOL_NOT_A_LOG);
    uint8_t *text = need(2000);
    memset(text, 'x', 2000);
    assert_int_equal(open_fails(text, 2000, &error), IOL_NOT_A_LOG);
}

static void a_file_that_ends_in_the_header_is_damaged(void **state) {
    (void)state;
    static const size_t lengths[] = {16, 17, 359, 360, 1327};
    for (size_t i = 0; i < IOL_COUNT(lengths); i++) {
        size_t length;
        iol_error error;
        uint8_t *file = plain_file(&length);
        assert_int_equal(open_fails(file, lengths[i], &error), IOL_DAMAGED);
    }
}

static void padding_in_the_header_means_nothing(void **state) {
    (void)state;
    size_t length;
    uint8_t *file = plain_file(&length);
    memset(file + 17, 0xff, 7);
    opened o = opened_bytes(file, length);
    assert_int_equal(iol_log_error_count(o.log), 0);
    opened_close(&o);
}

static void regions_may_come_in_any_order_and_with_gaps(void **state) {
    (void)state;
    lm_log *made = lm_new(41, false, LM_ZLIB);
    lm_sample(made, LM_POSIX, 4, 1, 0, 1);
    lm_sample(made, LM_STDIO, 2, 2, 0, 2);
    made->slots[LM_STDIO].order = 0;
    made->slots[LM_STDIO].gap = 100;
    made->slots[LM_POSIX].gap = 33;
    opened o = opened_from(made);
    iol_records *records = records_of(&o, LM_POSIX);
    assert_int_equal(int_of(next_of(records), "POSIX_OPENS"), 1001);
    ends_well(records);
    records = records_of(&o, LM_STDIO);
    assert_int_equal(int_of(next_of(records), "STDIO_OPENS"), 2001);
    ends_well(records);
    assert_int_equal(iol_log_error_count(o.log), 0);
    opened_close(&o);
}

static void a_region_past_the_end_of_the_file_is_reported(void **state) {
    (void)state;
    size_t length;
    uint8_t *file = lm_sample_file(LM_POSIX, 4, &length);
    put_u64(file + lm_map_at(41, LM_POSIX) + 8, UINT64_MAX - 5, false);
    opened o = opened_bytes(file, length);
    assert_true(iol_log_error_count(o.log) > 0);
    assert_int_equal(iol_log_error(o.log, 0)->status, IOL_DAMAGED);
    assert_int_equal(iol_log_error(o.log, 0)->slot, LM_POSIX);
    opened_close(&o);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_version_and_order_gives_its_info),
        cmocka_unit_test(old_slot_numbers_become_todays),
        cmocka_unit_test(partial_flags_follow_their_module),
        cmocka_unit_test(a_big_endian_overflow_of_posix_is_not_slot_57),
        cmocka_unit_test(modules_have_todays_names),
        cmocka_unit_test(data_in_an_unassigned_slot_is_listed_and_nothing_more),
        cmocka_unit_test(an_empty_region_may_have_an_offset_and_a_version),
        cmocka_unit_test(without_a_name_offset_the_job_ends_at_the_first_module),
        cmocka_unit_test(without_any_offset_the_job_ends_with_the_file),
        cmocka_unit_test(other_log_versions_are_refused),
        cmocka_unit_test(an_unknown_compression_is_refused),
        cmocka_unit_test(a_file_without_the_magic_number_is_not_a_log),
        cmocka_unit_test(a_file_that_ends_in_the_header_is_damaged),
        cmocka_unit_test(padding_in_the_header_means_nothing),
        cmocka_unit_test(regions_may_come_in_any_order_and_with_gaps),
        cmocka_unit_test(a_region_past_the_end_of_the_file_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
