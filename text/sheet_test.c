/* Tables as columns: what any reader needs is where the formats say. Readers of others check every cell (tests/clients). */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "text/sheet.h"

static uint32_t u32_at(const iol__out *out, size_t at) {
    uint32_t value;
    assert_true(at + 4 <= out->length);
    memcpy(&value, out->buffer + at, 4);
    return value;
}

static size_t count_of(const iol__out *out, const void *bytes, size_t length) {
    size_t found = 0;
    for (size_t at = 0; at + length <= out->length; at++) found += memcmp(out->buffer + at, bytes, length) == 0;
    return found;
}

static void assert_arrow(const iol__out *out) {
    assert_memory_equal(out->buffer, "ARROW1\0\0", 8);
    assert_memory_equal(out->buffer + out->length - 6, "ARROW1", 6);
    const uint32_t footer = u32_at(out, out->length - 10);
    assert_true(footer > 16 && footer + 18 < out->length);
    assert_true(u32_at(out, 8) == UINT32_MAX && u32_at(out, 12) % 8 == 0);
    /* The stream ends before the footer, which begins at a place that a reader can use. */
    assert_true(u32_at(out, out->length - 10 - footer - 8) == UINT32_MAX);
    assert_int_equal((out->length - 10 - footer) % 8, 0);
}

static void assert_parquet(const iol__out *out) {
    assert_memory_equal(out->buffer, "PAR1", 4);
    assert_memory_equal(out->buffer + out->length - 4, "PAR1", 4);
    assert_true(u32_at(out, out->length - 8) + 12 <= out->length);
}

static const iol__sheet_column columns[] = {
    {"whole", IOL_SHEET_INT}, {"id", IOL_SHEET_UINT}, {"real", IOL_SHEET_REAL}, {"text", IOL_SHEET_TEXT}};

static void put_row(iol__sheet *sheet, int64_t i) {
    iol__sheet_int(sheet, i);
    iol__sheet_uint(sheet, UINT64_MAX);
    iol__sheet_real(sheet, 0.5);
    iol__sheet_text(sheet, "w\xc3\xb6rd");
    iol__sheet_null(sheet);
    iol__sheet_null(sheet);
    iol__sheet_real(sheet, (double)__builtin_nanf(""));
    iol__sheet_text(sheet, NULL);
}

static void arrow_has_its_marks_and_values(void **state) {
    (void)state;
    iol__out out;
    iol__out_open(&out, -1);
    iol__sheet *sheet = iol__sheet_begin(&out, IOL_SHEET_ARROW, columns, 4);
    put_row(sheet, INT64_C(0x1122334455667788));
    assert_true(iol__sheet_end(sheet));
    assert_arrow(&out);
    assert_int_equal(count_of(&out, "\x88\x77\x66\x55\x44\x33\x22\x11", 8), 1);
    assert_int_equal(count_of(&out, "w\xc3\xb6rd", 5), 1);
    assert_int_equal(count_of(&out, "whole", 6), 2); /* in the schema and in the footer */
    iol__out_close(&out);
}

static void parquet_has_its_marks(void **state) {
    (void)state;
    iol__out out;
    iol__out_open(&out, -1);
    iol__sheet *sheet = iol__sheet_begin(&out, IOL_SHEET_PARQUET, columns, 4);
    put_row(sheet, 7);
    assert_true(iol__sheet_end(sheet));
    assert_parquet(&out);
    assert_int_equal(count_of(&out, "\x1f\x8b", 2), 4); /* a compressed page per column */
    iol__out_close(&out);
}

static void tables_without_rows_are_tables(void **state) {
    (void)state;
    for (int form = IOL_SHEET_ARROW; form <= IOL_SHEET_PARQUET; form++) {
        iol__out out;
        iol__out_open(&out, -1);
        assert_true(iol__sheet_end(iol__sheet_begin(&out, (iol__sheet_form)form, columns, 4)));
        (form == IOL_SHEET_ARROW ? assert_arrow : assert_parquet)(&out);
        iol__out_close(&out);
    }
}

static void many_rows_are_several_blocks(void **state) {
    (void)state;
    iol__out out;
    iol__out_open(&out, -1);
    iol__sheet *sheet = iol__sheet_begin(&out, IOL_SHEET_ARROW, columns, 1);
    for (int i = 0; i < 70000; i++) iol__sheet_int(sheet, i);
    assert_true(iol__sheet_end(sheet));
    assert_arrow(&out);
    assert_int_equal(count_of(&out, "\xff\xff\xff\xff", 4) >= 4, 1); /* schema, two blocks, end */
    iol__out_close(&out);
}

static void columns_of_csv_are_what_is_in_them(void **state) {
    (void)state;
    static const char csv[] = "job,count,rate,words\n1,5,2.5,\"a, \"\"b\"\"\"\n2,,3,\n";
    iol__out out;
    iol__out_open(&out, -1);
    assert_true(iol__sheet_from_csv(&out, IOL_SHEET_ARROW, csv, sizeof csv - 1, NULL, 0));
    assert_arrow(&out);
    assert_int_equal(count_of(&out, "a, \"b\"", 6), 1);
    assert_int_equal(count_of(&out, "\x05\0\0\0\0\0\0\0", 8) >= 1, 1);
    assert_int_equal(count_of(&out, "12\0\0\0\0\0\0", 8), 1); /* job ids are names: texts, one behind the other */
    out.length = 0;
    assert_false(iol__sheet_from_csv(&out, IOL_SHEET_ARROW, "a,b\n1\n", 6, NULL, 0));
    assert_false(iol__sheet_from_csv(&out, IOL_SHEET_ARROW, "", 0, NULL, 0));
    iol__out_close(&out);
}

/* Two tables of one kind fit together: one has no rows, in the other a name and a share look like whole numbers. */
static void columns_that_are_known_keep_their_kinds(void **state) {
    (void)state;
    static const iol__sheet_column known[] = {
        {"count", IOL_SHEET_INT}, {"fs", IOL_SHEET_TEXT}, {"share", IOL_SHEET_REAL}};
    static const iol__sheet_column kinds[] = {
        {"fs", IOL_SHEET_TEXT}, {"share", IOL_SHEET_REAL}, {"count", IOL_SHEET_INT}};
    static const char *const tables[] = {"fs,share,count\n", "fs,share,count\n7,1,2\n"};
    for (size_t rows = 0; rows < 2; rows++) {
        iol__out expected, out;
        iol__out_open(&expected, -1);
        iol__out_open(&out, -1);
        iol__sheet *sheet = iol__sheet_begin(&expected, IOL_SHEET_ARROW, kinds, 3);
        if (rows) {
            iol__sheet_text(sheet, "7");
            iol__sheet_real(sheet, 1);
            iol__sheet_int(sheet, 2);
        }
        assert_true(iol__sheet_end(sheet));
        assert_true(iol__sheet_from_csv(&out, IOL_SHEET_ARROW, tables[rows], strlen(tables[rows]), known, 3));
        assert_int_equal(out.length, expected.length);
        assert_memory_equal(out.buffer, expected.buffer, expected.length);
        iol__out_close(&expected);
        iol__out_close(&out);
    }
}

static void what_is_no_text_is_replaced(void **state) {
    (void)state;
    iol__out out;
    iol__out_open(&out, -1);
    iol__sheet *sheet = iol__sheet_begin(&out, IOL_SHEET_ARROW, columns + 3, 1);
    iol__sheet_text(sheet, "a\xff"
                           "b");
    assert_true(iol__sheet_end(sheet));
    assert_int_equal(count_of(&out,
                              "a\xef\xbf\xbd"
                              "b",
                              5),
                     1);
    iol__out_close(&out);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arrow_has_its_marks_and_values),     cmocka_unit_test(parquet_has_its_marks),
        cmocka_unit_test(tables_without_rows_are_tables),     cmocka_unit_test(many_rows_are_several_blocks),
        cmocka_unit_test(columns_of_csv_are_what_is_in_them), cmocka_unit_test(columns_that_are_known_keep_their_kinds),
        cmocka_unit_test(what_is_no_text_is_replaced),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
