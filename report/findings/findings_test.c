/* Findings in every form of output, for names that try to break it: a terminal must not be driven, JSON and CSV must
   stay what they are. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/count.h"
#include "report/findings/findings.h"
#include "text/text.h"
#include "schema/schema.h"
#include "tests/support/opened.h"
#include "tests/support/seeds.h"

#define NASTY "/scratch/a \033[31m \"q\", \\ \n<script> \xff\xfe.h5"

static iol__rulebook *book;
static iol__diagnosis *diagnosis;
static opened o;

/* One file with the name, written and synced in tiny pieces. */
static int set_up(void **state) {
    (void)state;
    lm_log *made = lm_new(41, false, LM_ZLIB);
    made->start = 1000;
    made->end = 1100;
    made->text = "solver \033]0;x\007 -n 4\next4\t/";
    seed_synced_pieces(made, 5, NASTY, 60);
    o = opened_from(made);
    if (iol__rulebook_new(&book, NULL) != IOL_OK) return -1;
    iol__diagnose_options options = {.rulebook = book, .evidence = 10};
    return iol__diagnose(o.log, &options, &diagnosis, NULL) == IOL_OK ? 0 : -1;
}

static int tear_down(void **state) {
    (void)state;
    iol__diagnosis_free(diagnosis);
    iol__rulebook_free(book);
    opened_close(&o);
    return 0;
}

static char *finished(iol__out *out) {
    iol__out_char(out, 0);
    char *text = strdup(out->buffer);
    iol__out_close(out);
    return text;
}

static char *as_text(const iol__findings_style *style) {
    iol__out out;
    iol__out_open(&out, -1);
    iol__findings_text(&out, diagnosis, style);
    return finished(&out);
}

/* The worst comes first, with its cost as a range that is said to be rough. */
static void text_says_what_it_cost(void **state) {
    (void)state;
    char *text = as_text(&(iol__findings_style){.columns = 100});
    char *high = strstr(text, "HIGH"), *info = strstr(text, "INFO");
    assert_non_null(high);
    assert_true(info == NULL || high < info);
    assert_non_null(strstr(text, "synced 5,000 times for 5,000 writes"));
    assert_non_null(strstr(text, "costs roughly 18 s to 60 s"));
    assert_non_null(strstr(text, "rough estimates"));
    assert_non_null(strstr(text, "> Sync once"));
    assert_null(strstr(text, "fdatasync"));
    assert_non_null(strstr(text, "What this log cannot tell"));
    free(text);
    text = as_text(&(iol__findings_style){.columns = 100, .snippets = true});
    assert_non_null(strstr(text, "return fdatasync(fd);"));
    free(text);
    text = as_text(&(iol__findings_style){.columns = 100, .no_advice = true, .ids = true});
    assert_null(strstr(text, "> Sync once"));
    assert_non_null(strstr(text, "posix.fsync.heavy: "));
    free(text);
}

static void text_fits_and_is_harmless(void **state) {
    (void)state;
    static const size_t widths[] = {40, 60, 80, 120};
    for (size_t w = 0; w < IOL_COUNT(widths); w++) {
        for (int names = IOL_NAMES_BASE; names <= IOL_NAMES_HASH; names++) {
            iol__findings_style style = {.columns = widths[w], .details = true, .names = (iol__findings_names)names};
            char *text = as_text(&style);
            size_t column = 0;
            for (const char *c = text; *c; c++) {
                if ((unsigned char)*c < 32 && *c != '\n') fail_msg("a control character");
                column = *c == '\n' ? 0 : column + (((unsigned char)*c & 0xc0) != 0x80);
                if (column > widths[w]) fail_msg("more than %zu columns: %.100s", widths[w], c - column);
            }
            free(text);
        }
    }
}

static void colour_only_when_asked(void **state) {
    (void)state;
    char *text = as_text(&(iol__findings_style){.columns = 80, .colour = true});
    assert_non_null(strstr(text, "\033[1;31mHIGH"));
    assert_null(strstr(text, "\033]0;"));
    free(text);
}

static void json_is_escaped_and_complete(void **state) {
    (void)state;
    iol__out out;
    iol__json json;
    iol__out_open(&out, -1);
    iol__json_start(&json, &out, 2);
    iol__findings_json(&json, diagnosis);
    iol__json_finish(&json);
    char *text = finished(&out);
    static const char *const keys[] = {"\"schema\": \"iolite.diagnosis/1\"",
                                       "\"iolite.finding/1\"",
                                       "\"rule_version\"",
                                       "\"aliases\"",
                                       "\"audience\"",
                                       "\"subject\"",
                                       "\"figures\"",
                                       "\"thresholds\"",
                                       "\"lost_s\"",
                                       "\"lost_s_lo\"",
                                       "\"lost_s_hi\"",
                                       "\"share_of_runtime\"",
                                       "\"lost_node_h\"",
                                       "\"model\"",
                                       "\"factors\"",
                                       "\"attribution\"",
                                       "\"evidence\"",
                                       "\"counters\"",
                                       "\"POSIX_FSYNCS\"",
                                       "\"snippet\"",
                                       "\"suppresses\"",
                                       "\"related\"",
                                       "\"cannot_tell\"",
                                       "\"name_hex\""};
    for (size_t i = 0; i < IOL_COUNT(keys); i++)
        if (!strstr(text, keys[i])) fail_msg("no %s", keys[i]);
    for (const char *c = text; *c; c++) assert_true((unsigned char)*c >= 32 || *c == '\n');
    assert_true(iol__utf8_valid(text));
    free(text);
}

/* Quotes pair up, and every line has as many fields as the head. */
static void csv_keeps_its_columns(void **state) {
    (void)state;
    iol__out out;
    iol__out_open(&out, -1);
    iol__findings_csv_head(&out, book, false);
    iol__findings_csv(&out, diagnosis, false);
    char *text = finished(&out);
    size_t fields = 1, wanted = 0, rows = 0;
    bool quoted = false;
    for (const char *c = text; *c; c++) {
        if (*c == '"') quoted = !quoted;
        if (quoted) continue;
        if (*c == ',') fields++;
        if (*c != '\n') continue;
        if (!wanted) wanted = fields;
        assert_int_equal(fields, wanted);
        fields = 1;
        rows++;
    }
    assert_false(quoted);
    assert_int_equal(rows, diagnosis->n_findings + 1);
    for (const char *c = text; *c; c++) assert_true((unsigned char)*c >= 32 || *c == '\n');
    assert_true(iol__utf8_valid(text));
    free(text);
}

static void a_rule_is_explained(void **state) {
    (void)state;
    iol__out out;
    iol__out_open(&out, -1);
    assert_false(iol__rule_explain(&out, book, "no.such.rule", 80));
    assert_true(iol__rule_explain(&out, book, "P16", 80));
    char *text = finished(&out);
    assert_non_null(strstr(text, "posix.small.shared.write, version 4 (P16)"));
    assert_non_null(strstr(text, "when     share > $posix.small.ratio"));
    assert_non_null(strstr(text, "$posix.small.ratio = 0.1 (built-in)"));
    assert_null(strstr(text, "$stdio.share ="));
    free(text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(text_says_what_it_cost), cmocka_unit_test(text_fits_and_is_harmless),
        cmocka_unit_test(colour_only_when_asked), cmocka_unit_test(json_is_escaped_and_complete),
        cmocka_unit_test(csv_keeps_its_columns),  cmocka_unit_test(a_rule_is_explained),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
