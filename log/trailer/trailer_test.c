/* The trailer that Iolite adds behind a log: found, checked, decompressed; and never in the way of the log itself. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include <cmocka.h>

#include "base/count.h"
#include "record/trailer.h"
#include "tests/support/logrecords.h"
#include "tests/support/opened.h"

static void assert_section(const opened *o, size_t index, const char *tag, const void *expected, size_t length) {
    char got_tag[5];
    const void *got;
    size_t got_length;
    assert_int_equal(iol_log_trailer(o->log, index, got_tag, &got, &got_length), IOL_OK);
    assert_string_equal(got_tag, tag);
    assert_int_equal(got_length, length);
    if (length > 0) assert_memory_equal(got, expected, length);
}

static uint8_t *with_trailer(bool big, size_t *length) {
    char long_text[5000];
    memset(long_text, 'p', sizeof long_text);
    lm_log *made = lm_new(41, big, LM_ZLIB);
    lm_sample(made, LM_STDIO, 2, 1, 0, 1);
    lm_trailer(made, "PHAS", 1, long_text, sizeof long_text);
    lm_trailer(made, "NOTE", 0, "a note", 6);
    lm_trailer(made, "VOID", 0, NULL, 0);
    uint8_t *file = lm_finish(made, length);
    lm_free(made);
    return file;
}

static void sections_are_read_whatever_the_order_of_the_log(void **state) {
    (void)state;
    char long_text[5000];
    memset(long_text, 'p', sizeof long_text);
    for (int big = 0; big < 2; big++) {
        size_t length;
        uint8_t *file = with_trailer(big, &length);
        opened o = opened_bytes(file, length);
        assert_int_equal(iol_log_trailer_count(o.log), 3);
        assert_section(&o, 0, "PHAS", long_text, sizeof long_text);
        assert_section(&o, 1, "NOTE", "a note", 6);
        assert_section(&o, 2, "VOID", NULL, 0);
        char tag[5];
        const void *none;
        assert_int_not_equal(iol_log_trailer(o.log, 3, tag, &none, &length), IOL_OK);
        assert_int_equal(iol_log_error_count(o.log), 0);
        opened_close(&o);
    }
}

static void a_log_without_a_trailer_has_no_sections(void **state) {
    (void)state;
    opened o = opened_from(lm_new(41, false, LM_ZLIB));
    assert_int_equal(iol_log_trailer_count(o.log), 0);
    assert_int_equal(iol_log_error_count(o.log), 0);
    opened_close(&o);
}

static void records_are_read_past_a_trailer(void **state) {
    (void)state;
    size_t length;
    uint8_t *file = with_trailer(false, &length);
    opened o = opened_bytes(file, length);
    iol_records *records = records_of(&o, LM_STDIO);
    next_of(records);
    ends_well(records);
    assert_int_equal(iol_log_error_count(o.log), 0);
    opened_close(&o);
}

/* Change the file and expect a noted error of that status. */
static void assert_trailer_error(size_t from_end, uint64_t value, size_t width, iol_status status) {
    size_t length;
    uint8_t *file = with_trailer(false, &length);
    if (width == 4)
        put_u32(file + length - from_end, (uint32_t)value, false);
    else
        put_u64(file + length - from_end, value, false);
    opened o = opened_bytes(file, length);
    iol_log_trailer_count(o.log);
    assert_true(iol_log_error_count(o.log) > 0);
    assert_int_equal(iol_log_error(o.log, 0)->status, status);
    iol_records *records = records_of(&o, LM_STDIO);
    next_of(records);
    ends_well(records);
    opened_close(&o);
}

static void a_broken_footer_is_reported(void **state) {
    (void)state;
    assert_trailer_error(24, 2, 4, IOL_UNSUPPORTED);           /* version */
    assert_trailer_error(20, 0x12345678, 4, IOL_DAMAGED);      /* checksum */
    assert_trailer_error(16, UINT64_MAX - 10, 8, IOL_DAMAGED); /* offset */
    assert_trailer_error(8, UINT64_MAX / 2, 8, IOL_DAMAGED);   /* length */
}

/* One section with these words in its head, under a correct checksum. */
/* What is missing, or more than there was: either way the footer is not where it should be. */
static void a_trailer_without_its_end_is_reported(void **state) {
    (void)state;
    static const int changes[] = {-1, -40, 1, 1000};
    for (size_t i = 0; i < IOL_COUNT(changes); i++) {
        size_t length;
        uint8_t *file = with_trailer(false, &length), *changed = calloc(1, length + 1000);
        assert_non_null(changed);
        memcpy(changed, file, length);
        free(file);
        opened o = opened_bytes(changed, length + (size_t)changes[i]);
        assert_int_equal(iol_log_trailer_count(o.log), 0);
        assert_int_equal(iol_log_error_count(o.log), 1);
        assert_int_equal(iol_log_error(o.log, 0)->status, IOL_DAMAGED);
        opened_close(&o);
    }
}

static void assert_section_error(uint32_t method, uint64_t stored, uint64_t raw, iol_status status) {
    lm_log *made = lm_new(41, false, LM_ZLIB);
    lm_trailer(made, "TEST", 1, "eight ch", 8);
    put_u32(made->trailer.data + 4, method, false);
    if (stored != 0) put_u64(made->trailer.data + 8, stored, false);
    put_u64(made->trailer.data + 16, raw, false);
    opened o = opened_from(made);
    assert_int_equal(iol_log_trailer_count(o.log), 0);
    assert_int_equal(iol_log_error_count(o.log), 1);
    assert_int_equal(iol_log_error(o.log, 0)->status, status);
    opened_close(&o);
}

/* Texts in one section, as jobs write them: a raw stream with the dictionary. */
static opened with_texts(const char *texts, size_t length) {
    uint8_t stored[512];
    z_stream z = {.next_in = (Bytef *)(uintptr_t)texts, .avail_in = (uInt)length, .next_out = stored};
    z.avail_out = sizeof stored;
    assert_int_equal(deflateInit2(&z, 9, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY), Z_OK);
    assert_int_equal(deflateSetDictionary(&z, (const Bytef *)iol__trailer_words, (uInt)iol__trailer_words_length()),
                     Z_OK);
    assert_int_equal(deflate(&z, Z_FINISH), Z_STREAM_END);
    lm_log *made = lm_new(41, false, LM_ZLIB);
    lm_trailer(made, "NOTE", 0, "a note", 6);
    lm_trailer(made, IOL_TAG_TEXTS, 2, stored, z.total_out);
    put_u64(made->trailer.data + 24 + 6 + 16, length, false);
    lm_trailer(made, "LAST", 0, "the end", 7);
    deflateEnd(&z);
    return opened_from(made);
}

static void texts_of_one_section_are_sections(void **state) {
    (void)state;
    static const char texts[] = "OPER{\"open\":{\"count\":1}}\0VOID\0PLAT{\"nodes\":1}";
    opened o = with_texts(texts, sizeof texts);
    assert_int_equal(iol_log_trailer_count(o.log), 5);
    assert_section(&o, 0, "NOTE", "a note", 6);
    assert_section(&o, 1, "OPER", "{\"open\":{\"count\":1}}", 20);
    assert_section(&o, 2, "VOID", NULL, 0);
    assert_section(&o, 3, "PLAT", "{\"nodes\":1}", 11);
    assert_section(&o, 4, "LAST", "the end", 7);
    assert_int_equal(iol_log_error_count(o.log), 0);
    opened_close(&o);
}

static void texts_that_are_cut_short_are_reported(void **state) {
    (void)state;
    static const char texts[] = "OPER{}\0PLAT{\"nodes\":1}";
    for (size_t length = 8; length < sizeof texts; length++) {
        opened o = with_texts(texts, length);
        assert_int_equal(iol_log_trailer_count(o.log), 3);
        assert_section(&o, 1, "OPER", "{}", 2);
        assert_int_equal(iol_log_error_count(o.log), 1);
        assert_int_equal(iol_log_error(o.log, 0)->status, IOL_DAMAGED);
        opened_close(&o);
    }
}

static void a_broken_section_is_reported_and_left_out(void **state) {
    (void)state;
    assert_section_error(7, 0, 8, IOL_UNSUPPORTED);
    assert_section_error(2, 0, 8, IOL_DAMAGED);
    assert_section_error(1, 0, 9, IOL_DAMAGED);
    assert_section_error(1, 0, 7, IOL_DAMAGED);
    assert_section_error(0, 0, 9, IOL_DAMAGED);
    assert_section_error(1, 1000, 8, IOL_DAMAGED);
    assert_section_error(1, UINT64_MAX, 8, IOL_DAMAGED);
    assert_section_error(1, 0, UINT64_MAX, IOL_LIMIT);
    assert_section_error(1, 0, (uint64_t)1 << 31, IOL_LIMIT);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sections_are_read_whatever_the_order_of_the_log),
        cmocka_unit_test(a_log_without_a_trailer_has_no_sections),
        cmocka_unit_test(records_are_read_past_a_trailer),
        cmocka_unit_test(a_broken_footer_is_reported),
        cmocka_unit_test(a_trailer_without_its_end_is_reported),
        cmocka_unit_test(texts_of_one_section_are_sections),
        cmocka_unit_test(texts_that_are_cut_short_are_reported),
        cmocka_unit_test(a_broken_section_is_reported_and_left_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
