/* The report as a file: names that try to break it, blocks that unpack to what was put in, and what a reader without
   scripts gets. */
#include "report/html/html.h"

#include <zlib.h>

#include "report/html/html_internal.h"
#include "report/page/page_testing.h"

#define NASTY "/scratch/</script><img src=x onerror=alert(1)>'\"&\n\xff\xe2\x80\xae.h5"

static lm_log *nasty_job(void) {
    lm_log *log = job_of(2);
    log->start = 1000;
    log->end = 1100;
    log->text = "/bin/</title><script>alert(1)</script> <!-- -n\nlustre\t/scratch";
    put(log, LM_POSIX, NASTY, 0,
        WITH(I(POSIX_OPENS, 1), I(POSIX_WRITES, 5000), I(POSIX_BYTES_WRITTEN, 5000000),
             I(POSIX_MAX_BYTE_WRITTEN, 4999999), I(POSIX_SIZE_WRITE_100_1K, 5000), I(POSIX_FSYNCS, 5000),
             F(POSIX_F_WRITE_TIME, 60)));
    const lm_segment mine[] = {{0, 200, 1, 2, 0}};
    lm_trace(lm_records(log, LM_DXT_POSIX, 1), lm_id(NASTY), 0, "node", mine, 1, 0, false);
    return log;
}

static char *html_of(const made *m) {
    iol__out out;
    iol__out_open(&out, -1);
    iol__html(&out, m->page, m->diagnosis);
    iol__out_char(&out, 0);
    char *text = strdup(out.buffer);
    iol__out_close(&out);
    return text;
}

static size_t count_of(const char *text, const char *what) {
    size_t n = 0;
    for (const char *at = text; (at = strstr(at, what)); at++) n++;
    return n;
}

/* Every script element is one of ours, and none ends early. */
static void names_cannot_break_out(void **state) {
    (void)state;
    made m = make(nasty_job());
    char *html = html_of(&m);
    assert_int_equal(count_of(html, "<script"), 5);
    assert_int_equal(count_of(html, "</script"), 5);
    assert_int_equal(count_of(html, "<title>"), 1);
    assert_int_equal(count_of(html, "</title>"), 1);
    assert_null(strstr(html, "<img"));
    assert_null(strstr(html, "<!--"));
    assert_non_null(strstr(html, "&lt;img src=x onerror=alert(1)&gt;&#39;&quot;&amp;\\n\\xff\\u{202e}.h5"));
    char *end = strstr(html, "</main>");
    assert_non_null(end);
    *end = 0;
    assert_null(strstr(html, "\xe2\x80\xae")); /* in the data it stays what it is */
    free(html);
    unmake(&m);
}

static char *block_of(const char *html, const char *id) {
    char begin[64];
    snprintf(begin, sizeof begin, "id=\"%s\">", id);
    const char *at = strstr(html, begin);
    assert_non_null(at);
    at += strlen(begin);
    return strndup(at, (size_t)(strstr(at, "</script>") - at));
}

static size_t unbase64(char *text) {
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    size_t n = 0;
    unsigned bits = 0, held = 0;
    for (const char *c = text; *c && *c != '='; c++) {
        assert_non_null(strchr(letters, *c));
        held = held << 6 | (unsigned)(strchr(letters, *c) - letters);
        bits += 6;
        if (bits < 8) continue;
        bits -= 8;
        text[n++] = (char)(held >> bits);
        held &= (1U << bits) - 1;
    }
    return n;
}

/* The bytes of a block; `gzip` says which of the two frames it has. */
static char *inflated(const char *html, const char *id, bool gzip, size_t *length) {
    char *packed = block_of(html, id);
    size_t room = 8 << 20;
    char *bytes_out = malloc(room);
    z_stream z = {.next_in = (Bytef *)packed, .avail_in = (uInt)unbase64(packed)};
    z.next_out = (Bytef *)bytes_out;
    z.avail_out = (uInt)room;
    assert_int_equal(inflateInit2(&z, gzip ? 15 + 16 : 15), Z_OK);
    assert_int_equal(inflate(&z, Z_FINISH), Z_STREAM_END);
    *length = z.total_out;
    inflateEnd(&z);
    free(packed);
    return bytes_out;
}

/* Whoever reads the page without a script is told what became of the traced requests. */
static void the_page_says_how_requests_are_shown(void **state) {
    (void)state;
    made few = make(nasty_job()), many = make_with(nasty_job(), &(iol__page_options){.files = 10, .version = "1"});
    char *each = html_of(&few), *binned = html_of(&many);
    assert_non_null(strstr(each, "has all 1 traced requests, one by one"));
    assert_null(strstr(each, "--trace-limit"));
    assert_non_null(strstr(binned, "has the 1 traced requests in 480 bins of "));
    assert_non_null(strstr(binned, "--trace-limit 1 "));
    free(each);
    free(binned);
    unmake(&few);
    unmake(&many);
}

static void blocks_unpack(void **state) {
    (void)state;
    made m = make(nasty_job());
    char *html = html_of(&m);
    size_t length;
    char *page = inflated(html, "iolite-page", false, &length);
    assert_int_equal(length, strlen(m.text));
    assert_memory_equal(page, m.text, length);
    free(page);
    char *trace = inflated(html, "iolite-trace", false, &length);
    assert_int_equal(length, 7 * 8);
    free(trace);
    char *app = inflated(html, "iolite-app", true, &length);
    assert_true(length > 1000);
    free(app);
    char *diagnosis = block_of(html, "iolite-diagnosis");
    assert_true(strncmp(diagnosis, "{\"schema\":\"iolite.diagnosis/1\"", 29) == 0);
    assert_null(strchr(diagnosis, '<'));
    assert_non_null(strstr(diagnosis, "\\u003c/script>"));
    free(diagnosis);
    free(html);
    unmake(&m);
}

static void figures_are_there_without_script(void **state) {
    (void)state;
    made m = make(nasty_job());
    char *html = html_of(&m);
    char *end = strstr(html, "</main>");
    assert_non_null(end);
    *end = 0;
    assert_non_null(strstr(html, "<article class=\"io-finding\" data-level=\"high\">"));
    assert_non_null(strstr(html, "synced 5,000 times for 5,000 writes"));
    assert_non_null(strstr(html, "Sync once"));
    assert_non_null(strstr(html, "Where the run time went"));
    assert_non_null(strstr(html, "Most costly files"));
    assert_non_null(strstr(html, "File systems"));
    assert_non_null(strstr(html, "What this log cannot tell"));
    free(html);
    unmake(&m);
}

static void empty_log_gets_one_message(void **state) {
    (void)state;
    made m = make(job_of(4));
    char *html = html_of(&m);
    char *end = strstr(html, "</main>");
    assert_non_null(end);
    *end = 0;
    assert_non_null(strstr(html, "There is nothing to report"));
    assert_null(strstr(html, "<table"));
    free(html);
    unmake(&m);
}

static void endless_text_is_cut_between_letters(void **state) {
    (void)state;
    char text[1201];
    for (size_t i = 0; i < 1200; i += 2) memcpy(text + i, "\xc3\xa9", 2); /* e with an accent */
    text[1200] = 0;
    iol__out out;
    iol__out_open(&out, -1);
    iol__html_text(&out, text + 0);
    iol__out_char(&out, 0);
    assert_true(out.length < 450);
    assert_non_null(strstr(out.buffer, "&hellip;"));
    assert_null(strchr(out.buffer, '\\'));
    out.length = 0;
    text[0] = 'x'; /* all others move by one byte */
    memmove(text + 1, text + 2, 1199);
    iol__html_text(&out, text);
    iol__out_char(&out, 0);
    assert_null(strchr(out.buffer, '\\'));
    iol__out_close(&out);
}

static void base64_of_every_length(void **state) {
    (void)state;
    static const char *const expected[] = {"", "Zg==", "Zm8=", "Zm9v", "Zm9vYg==", "Zm9vYmE=", "Zm9vYmFy"};
    for (size_t i = 0; i < 7; i++) {
        iol__out out;
        iol__out_open(&out, -1);
        iol__html_base64(&out, "foobar", i);
        iol__out_char(&out, 0);
        assert_string_equal(out.buffer, expected[i]);
        iol__out_close(&out);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_cannot_break_out),
        cmocka_unit_test(the_page_says_how_requests_are_shown),
        cmocka_unit_test(blocks_unpack),
        cmocka_unit_test(figures_are_there_without_script),
        cmocka_unit_test(empty_log_gets_one_message),
        cmocka_unit_test(endless_text_is_cut_between_letters),
        cmocka_unit_test(base64_of_every_length),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
