/* Coloured text as page and picture: colours become classes, columns become places, and a text that holds more than it
   should still gives a sound document. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "report/html/screen.h"

static iol__screen screen_of(const char *text) {
    return (iol__screen){.text = text, .length = strlen(text), .columns = 20, .title = "a <b>"};
}

static char *drawn(void (*draw)(iol__out *, const iol__screen *), const iol__screen *screen) {
    iol__out out;
    iol__out_open(&out, -1);
    draw(&out, screen);
    iol__out_char(&out, 0);
    char *text = strdup(out.buffer);
    iol__out_close(&out);
    return text;
}

static void expect(const iol__screen *screen, size_t *at, iol__ink *ink, const char *text, iol__ink in, bool ends) {
    iol__screen_run run;
    assert_true(iol__screen_next(screen, at, ink, &run));
    assert_int_equal(run.length, strlen(text));
    assert_memory_equal(run.text, text, run.length);
    assert_int_equal(run.ink, in);
    assert_int_equal(run.ends_line, ends);
}

static void text_comes_apart_by_colour_and_line(void **state) {
    (void)state;
    iol__screen screen = screen_of("a\033[1mb\033[0m\n\n\033[2mfaint\nstill\033[0m\nc");
    size_t at = 0;
    iol__ink ink = IOL_INK_PLAIN;
    iol__screen_run run;
    expect(&screen, &at, &ink, "a", IOL_INK_PLAIN, false);
    expect(&screen, &at, &ink, "b", IOL_INK_STRONG, true);
    expect(&screen, &at, &ink, "", IOL_INK_PLAIN, true);
    expect(&screen, &at, &ink, "faint", IOL_INK_FAINT, true);
    expect(&screen, &at, &ink, "still", IOL_INK_FAINT, true);
    expect(&screen, &at, &ink, "c", IOL_INK_PLAIN, false);
    assert_false(iol__screen_next(&screen, &at, &ink, &run));
}

static void both_grounds_have_the_same_colours(void **state) {
    (void)state;
    for (int i = 0; i < IOL_INKS; i++) {
        for (int light = 0; light < 2; light++) {
            const char *sequence = iol__ink_sequence((iol__ink)i, light);
            iol__ink found;
            size_t taken;
            assert_true(iol__ink_find(sequence, strlen(sequence), &found, &taken));
            assert_int_equal(found, i);
            assert_int_equal(taken, strlen(sequence));
        }
    }
    iol__ink found;
    size_t taken;
    assert_false(iol__ink_find("\033[5m", 4, &found, &taken));
    assert_false(iol__ink_find("\033[", 2, &found, &taken));
}

static void a_page_is_escaped_and_coloured(void **state) {
    (void)state;
    iol__screen screen = screen_of("\033[1;31mHIGH\033[0m  <&>\033[5m\n");
    char *html = drawn(iol__screen_html, &screen);
    assert_non_null(strstr(html, "<pre>\n<span class=\"bad\">HIGH</span>  &lt;&amp;&gt;\\x1b[5m\n</pre>"));
    assert_non_null(strstr(html, "<title>a &lt;b&gt;</title>"));
    assert_non_null(strstr(html, "color-scheme:dark"));
    assert_null(strstr(html, "http://"));
    assert_null(strstr(html, "<script"));
    free(html);
    screen.light = true;
    html = drawn(iol__screen_html, &screen);
    assert_non_null(strstr(html, "color-scheme:light"));
    free(html);
}

/* Letters stand at their column, whatever the font: 20 pixels, and 8.4 for each of them. */
static void a_picture_keeps_its_columns(void **state) {
    (void)state;
    iol__screen screen = screen_of("ab\033[32mcd\033[0m\n    \346\227\245\\x1b\n");
    char *svg = drawn(iol__screen_svg, &screen);
    assert_non_null(strstr(svg, "width=\"208.0\" height=\"118.0\"")); /* 20 columns, 2 lines */
    assert_non_null(strstr(svg, "x=\"20.0\" y=\"69.5\" textLength=\"16.8\" xml:space=\"preserve\">ab</text>"));
    assert_non_null(strstr(svg, "x=\"36.8\" y=\"69.5\" textLength=\"16.8\" class=\"good\""));
    /* A wide letter is two columns where the system knows such letters at all. */
    assert_non_null(strstr(svg, "x=\"53.6\" y=\"88.5\" textLength=\"50.4\""));
    assert_non_null(strstr(svg, "\346\227\245\\x1b</text>"));
    free(svg);
    screen = screen_of("twenty-five letters in it\n");
    svg = drawn(iol__screen_svg, &screen);
    assert_non_null(strstr(svg, "width=\"250.0\""));
    free(svg);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(text_comes_apart_by_colour_and_line),
        cmocka_unit_test(both_grounds_have_the_same_colours),
        cmocka_unit_test(a_page_is_escaped_and_coloured),
        cmocka_unit_test(a_picture_keeps_its_columns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
