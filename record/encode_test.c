/* Encoding: a record that was read and is encoded again has the bytes that it had, for every module. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "record/record.h"
#include "record/encode.h"
#include "tests/support/logrecords.h"
#include "tests/support/opened.h"

/* The next record again as bytes, with its segments. */
static void encode_next(iol_records *records, const iol_record *record, bytes *out) {
    size_t size = iol__encoded_bytes(record);
    uint8_t *room = need(size);
    memset(room, 0xcc, size); /* everything must be written, zeros too */
    iol__encode(record, room);
    bytes_raw(out, room, size);
    free(room);
    iol_segment segment;
    for (size_t got; iol__modules[record->slot].form == IOL_FORM_TRACE &&
                     iol_records_segments(records, &segment, 1, &got) == IOL_OK;) {
        uint8_t coded[IOL_SEGMENT_THREAD_BYTES];
        uint8_t *end = iol__encode_segment(&segment, true, coded);
        bytes_raw(out, coded, (size_t)(end - coded));
    }
}

static void every_module_gets_its_bytes_back(void **state) {
    (void)state;
    for (int slot = LM_POSIX; slot < LM_KNOWN; slot++) {
        lm_log *made = lm_new(41, false, LM_NONE);
        bytes out = {0};
        for (int seed = 1; seed <= 3; seed++) lm_sample(made, slot, lm_newest(slot), (uint64_t)seed, seed - 1, seed);
        bytes stored = {0};
        bytes_raw(&stored, made->slots[slot].payload.data, made->slots[slot].payload.length);
        opened o = opened_from(made);
        iol_records *records = records_of(&o, slot);
        const iol_record *record;
        while (iol_records_next(records, &record) == IOL_OK) {
            size_t at = out.length;
            encode_next(records, record, &out);
            if (slot == LM_HEATMAP) memset(stored.data + at + 32, 0, 16); /* addresses are not kept */
        }
        iol_records_close(records);
        if (out.length != stored.length || memcmp(out.data, stored.data, out.length) != 0)
            fail_msg("%s has other bytes", iol__modules[slot].name);
        bytes_free(&out);
        bytes_free(&stored);
        opened_close(&o);
    }
}

static void segments_have_two_sizes(void **state) {
    (void)state;
    const iol_segment segment = {1, 2, 0.5, 0.75, 9};
    uint8_t long_form[40], short_form[40];
    assert_ptr_equal(iol__encode_segment(&segment, true, long_form), long_form + 40);
    assert_ptr_equal(iol__encode_segment(&segment, false, short_form), short_form + 32);
    assert_memory_equal(long_form, short_form, 32);
    assert_int_equal(get_u64(long_form + 32, false), 9);
}

/* The counter that says how long the histogram is must say the truth, or all that follows is lost. */
static void histograms_are_as_long_as_they_say(void **state) {
    (void)state;
    static const int64_t operations[] = {4, 5, 6}, claims[] = {-1, 0, 1, 2, 3, 7};
    for (size_t i = 0; i < sizeof claims / sizeof *claims; i++)
        for (size_t n = 0; n <= 3; n++) {
            const int64_t ints[IOL_MDHIM_INTS] = {1, 2, 3, 4, claims[i]};
            const double reals[IOL_MDHIM_REALS] = {0};
            iol_record record = {.slot = IOL_SLOT_MDHIM,
                                 .ints = ints,
                                 .reals = reals,
                                 .n_ints = 5,
                                 .n_reals = 4,
                                 .servers = operations,
                                 .n_servers = n};
            uint8_t coded[88 + 8 * 8];
            size_t size = iol__encoded_bytes(&record);
            iol__encode(&record, coded);
            int64_t said = (int64_t)get_u64(coded + 48, false);
            assert_int_equal(size, 88 + 8 * (said > 1 ? said : 1));
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_module_gets_its_bytes_back),
        cmocka_unit_test(segments_have_two_sizes),
        cmocka_unit_test(histograms_are_as_long_as_they_say),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
