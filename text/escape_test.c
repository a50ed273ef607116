/* Escaping for pages: nothing from a log is markup, and nothing in it is invisible. */
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "base/count.h"
#include "text/escape.h"

static const struct {
    const char *text, *escaped;
} cases[] = {
    {"", ""},
    {"plain text\n\tstays", "plain text\n\tstays"},
    {"<a href=\"x\">&'", "&lt;a href=&quot;x&quot;&gt;&amp;&#39;"},
    {"\033[31m\001\177\r", "\\x1b[31m\\x01\\x7f\\x0d"},
    {"caf\303\251 \346\227\245", "caf\303\251 \346\227\245"},
    {"\377 \303", "\\xff \\xc3"},
    {"\355\240\200", "\\xed\\xa0\\x80"}, /* half of a pair is not a character */
    {"\342\200\256x\342\200\213", "\\u{202e}x\\u{200b}"},
    {"\302\233", "\\u{9b}"},
    {"\357\277\276\357\277\277", "\\u{fffe}\\u{ffff}"}, /* XML forbids them */
    {"\360\237\230\200", "\360\237\230\200"},
};

static void everything_becomes_harmless(void **state) {
    (void)state;
    for (size_t i = 0; i < IOL_COUNT(cases); i++) {
        iol__out out;
        iol__out_open(&out, -1);
        iol__out_markup(&out, cases[i].text);
        iol__out_char(&out, 0);
        assert_string_equal(out.buffer, cases[i].escaped);
        iol__out_close(&out);
    }
}

/* A character that the end cuts must not be read past it, nor a NUL end the text. */
static void lengths_are_kept(void **state) {
    (void)state;
    iol__out out;
    iol__out_open(&out, -1);
    iol__out_markup_bytes(&out, "a\0b\303\251", 4);
    iol__out_char(&out, 0);
    assert_string_equal(out.buffer, "a\\x00b\\xc3");
    iol__out_close(&out);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(everything_becomes_harmless),
        cmocka_unit_test(lengths_are_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
