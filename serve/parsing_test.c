/* Addresses, cursors, tokens and sessions: what is well formed comes through, everything else is turned away. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/count.h"
#include "serve/cursor.h"
#include "serve/finish.h"
#include "serve/params.h"
#include "serve/serve.h"

typedef struct fixture {
    iol__serve_options options;
    iol__serve serve;
    iol__exchange x;
    jmp_buf exhausted;
    char state[64];
} fixture;

static int begin(void **state) {
    fixture *f = calloc(1, sizeof *f);
    iol_error error;
    snprintf(f->state, sizeof f->state, "%s/iolite-parsing-XXXXXX", getenv("TMPDIR") ? getenv("TMPDIR") : "/tmp");
    if (!mkdtemp(f->state)) return -1;
    f->options = (iol__serve_options){.state = f->state, .prefix = "", .threads = 1, .site_file = "/dev/null"};
    f->serve.options = &f->options;
    if (iol__tokens_open(f->state, &f->serve.tokens, &error) != IOL_OK) return -1;
    iol__exchange_begin(&f->x, &f->serve);
    f->x.arena.exhausted = &f->exhausted;
    if (setjmp(f->exhausted)) return -1;
    f->x.method = "GET";
    f->x.route = &iol__routes[0];
    for (size_t i = 0; i < iol__routes_count; i++)
        if (strcmp(iol__routes[i].name, "jobs") == 0) f->x.route = &iol__routes[i];
    *state = f;
    return 0;
}

static int end(void **state) {
    fixture *f = *state;
    char path[128];
    iol__exchange_free(&f->x);
    iol__tokens_free(&f->serve.tokens);
    for (int i = 0; i < 2; i++) {
        snprintf(path, sizeof path, "%s/%s", f->state, i ? "key" : "tokens");
        unlink(path);
    }
    rmdir(f->state);
    free(f);
    return 0;
}

static const char *decoded(fixture *f, const char *text) {
    return iol__url_decode(&f->x.arena, text, strlen(text), true);
}

static void addresses_are_decoded(void **state) {
    fixture *f = *state;
    assert_string_equal(decoded(f, "a%20b+c"), "a b c");
    assert_string_equal(decoded(f, "%C3%a9"), "\xc3\xa9");
    assert_string_equal(iol__url_decode(&f->x.arena, "a+b", 3, false), "a+b");
    static const char *const wrong[] = {"%", "%4", "%zz", "%00", "%ff", "%0a", "a%7f", "\x01", "%c0%af", "%ed%a0%80"};
    for (size_t i = 0; i < IOL_COUNT(wrong); i++) assert_null(decoded(f, wrong[i]));
}

static int status_of(fixture *f, const char *query) {
    iol__piece none[IOL_MOST_PARAMS] = {{0}};
    memset(f->x.params, 0, sizeof f->x.params);
    f->x.status = 200;
    f->x.query = query;
    iol__params_read(&f->x, none);
    return f->x.status;
}

static void parameters_are_checked(void **state) {
    fixture *f = *state;
    assert_int_equal(status_of(f, ""), 200);
    assert_int_equal(status_of(f, "limit=7&has_log=true&sort=-bytes&start=2026-10-01&q=a%20b"), 200);
    assert_int_equal(iol__param_int(&f->x, "limit", 0), 7);
    assert_int_equal(iol__param_flag(&f->x, "has_log"), 1);
    assert_string_equal(iol__param(&f->x, "q"), "a b");
    assert_null(iol__param(&f->x, "user"));
    assert_string_equal(iol__param_choice(&f->x, "format"), "json");
    static const char *const wrong[] = {"limit=0",
                                        "limit=1001",
                                        "limit=+5",
                                        "limit=5x",
                                        "limit=",
                                        "limt=5",
                                        "has_log=2",
                                        "sort=x",
                                        "start=never",
                                        "limit=5&limit=5",
                                        "selected=4",
                                        "=",
                                        "min_bytes=9223372036854775808",
                                        "start=nan"};
    for (size_t i = 0; i < IOL_COUNT(wrong); i++)
        if (status_of(f, wrong[i]) != 400) fail_msg("%s was taken", wrong[i]);
}

static const char *next_of(fixture *f) {
    const iol__cell place[] = {iol__integer(-5), iol__real(0.1), iol__text("a b"), iol__null()};
    return iol__cursor_make(&f->x, place, 4);
}

static int read_cursor(fixture *f, const char *cursor, iol__cell values[IOL_CURSOR_VALUES]) {
    char query[4096];
    snprintf(query, sizeof query, "cursor=%s%s", cursor, strstr(f->x.query ? f->x.query : "", "q=a") ? "&q=a" : "");
    char *kept = strdup(query);
    int status = status_of(f, kept), n = status == 200 ? iol__cursor_read(&f->x, values) : -2;
    f->x.query = "";
    free(kept);
    return n;
}

static void cursors_come_back(void **state) {
    fixture *f = *state;
    iol__cell values[IOL_CURSOR_VALUES];
    memset(f->x.params, 0, sizeof f->x.params);
    f->x.query = "";
    f->x.viewer = (iol__viewer){.role = IOL_ROLE_USER, .user = "ana"};
    const char *cursor = next_of(f);
    assert_int_equal(read_cursor(f, cursor, values), 4);
    assert_int_equal(iol__cell_integer(&values[0]), -5);
    assert_true(iol__cell_real(&values[1]) == 0.1);
    assert_string_equal(iol__cell_text(&values[2]), "a b");
    assert_int_equal(values[3].kind, IOL_CELL_NULL);
    /* Another viewer, another question, another letter. */
    strcpy(f->x.viewer.user, "ben");
    assert_int_equal(read_cursor(f, cursor, values), -1);
    strcpy(f->x.viewer.user, "ana");
    f->x.query = "q=a";
    assert_int_equal(read_cursor(f, cursor, values), -1);
    for (size_t i = 0; i < strlen(cursor); i++) {
        char *changed = strdup(cursor);
        changed[i] = changed[i] == 'A' ? 'B' : 'A';
        int n = read_cursor(f, changed, values);
        /* The last letter may have bits that mean nothing. */
        if (n != -1 && i + 1 < strlen(cursor)) fail_msg("letter %zu", i);
        free(changed);
    }
    assert_int_equal(read_cursor(f, "!", values), -1);
}

static void tokens_stand_for_somebody(void **state) {
    fixture *f = *state;
    char token[IOL_TOKEN], session[IOL_SESSION];
    const char *const staff[] = {"boss"};
    const iol__trust trust = {.staff = staff, .n_staff = 1};
    iol__viewer viewer;
    iol_error error;
    assert_int_equal(iol__tokens_make(f->state, "user:ana", 1, token, &error), IOL_OK);
    static const char *const wrong[] = {"user", "user:", "king", "staff:a b", "user:uid:0", ""};
    char unused[IOL_TOKEN];
    for (size_t i = 0; i < IOL_COUNT(wrong); i++)
        assert_int_equal(iol__tokens_make(f->state, wrong[i], 1, unused, &error), IOL_INVALID);
    iol__tokens_free(&f->serve.tokens);
    assert_int_equal(iol__tokens_open(f->state, &f->serve.tokens, &error), IOL_OK);
    const iol__tokens *tokens = &f->serve.tokens;
    int64_t now = (int64_t)time(NULL);
    assert_true(iol__token_viewer(tokens, &trust, token, now, &viewer));
    assert_int_equal(viewer.role, IOL_ROLE_USER);
    assert_string_equal(viewer.user, "ana");
    assert_false(iol__token_viewer(tokens, &trust, token, now + 90000, &viewer));
    assert_int_equal(viewer.role, 0);
    token[3] ^= 1;
    assert_false(iol__token_viewer(tokens, &trust, token, now, &viewer));
    token[3] ^= 1;
    iol__session_make(tokens, token, now, session);
    assert_true(iol__session_viewer(tokens, &trust, session, now, &viewer));
    assert_false(iol__session_viewer(tokens, &trust, session, now + 50000, &viewer));
    for (size_t i = 0; i < strlen(session); i++) {
        char changed[IOL_SESSION];
        strcpy(changed, session);
        changed[i] = changed[i] == '1' ? '2' : '1';
        if (iol__session_viewer(tokens, &trust, changed, now, &viewer)) fail_msg("letter %zu", i);
    }
    assert_false(iol__session_viewer(tokens, &trust, "", now, &viewer));
    assert_false(iol__session_viewer(tokens, &trust, "...", now, &viewer));
}

static void gzip_is_sent_to_those_who_want_it(void **state) {
    (void)state;
    static const char *const yes[] = {"gzip", "deflate, gzip", "GZIP;q=0.001", "br;q=1, *;q=0.5", "gzip , br"};
    static const char *const no[] = {"", "br", "gzip;q=0", "gzip;q=0.0", "*;q=0", "x-gzip", "gzip;q=0, *", "identity"};
    for (size_t i = 0; i < IOL_COUNT(yes); i++) assert_true(iol__takes_gzip(yes[i]));
    for (size_t i = 0; i < IOL_COUNT(no); i++) assert_false(iol__takes_gzip(no[i]));
    assert_false(iol__takes_gzip(NULL));
}

static void secrets_must_be_private(void **state) {
    fixture *f = *state;
    char path[128];
    iol__tokens again;
    iol_error error;
    snprintf(path, sizeof path, "%s/key", f->state);
    assert_int_equal(chmod(path, 0644), 0);
    assert_int_equal(iol__tokens_open(f->state, &again, &error), IOL_INVALID);
    assert_int_equal(chmod(path, 0600), 0);
    assert_int_equal(truncate(path, 5), 0);
    assert_int_equal(iol__tokens_open(f->state, &again, &error), IOL_INVALID);
}

static void the_default_is_no(void **state) {
    (void)state;
    iol__viewer nobody = {0}, user = {.role = IOL_ROLE_USER, .user = "ana", .number = "uid:7"},
                staff = {.role = IOL_ROLE_STAFF}, ingest = {.role = IOL_ROLE_INGEST, .user = "ana"};
    assert_true(iol__access_owner(&user, "ana"));
    assert_true(iol__access_owner(&user, "uid:7"));
    assert_true(iol__access_owner(&staff, "ben"));
    static const char *const others[] = {"ben", "Ana", "ana ", "", "uid:8", "uid:"};
    for (size_t i = 0; i < IOL_COUNT(others); i++) assert_false(iol__access_owner(&user, others[i]));
    assert_false(iol__access_owner(&user, NULL));
    assert_false(iol__access_owner(&nobody, ""));
    assert_false(iol__access_owner(&nobody, NULL));
    assert_false(iol__access_owner(&ingest, "ana"));
    for (size_t i = 0; i < iol__routes_count; i++)
        if (iol__access_route(&nobody, &iol__routes[i])) assert_true(iol__routes[i].roles & IOL_ROLE_ANY);
    assert_int_equal(iol__access_count(&user, 4), -1);
    assert_int_equal(iol__access_count(&user, 13), 10);
    assert_int_equal(iol__access_count(&staff, 4), 4);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(addresses_are_decoded, begin, end),
        cmocka_unit_test_setup_teardown(parameters_are_checked, begin, end),
        cmocka_unit_test_setup_teardown(cursors_come_back, begin, end),
        cmocka_unit_test_setup_teardown(tokens_stand_for_somebody, begin, end),
        cmocka_unit_test_setup_teardown(secrets_must_be_private, begin, end),
        cmocka_unit_test(gzip_is_sent_to_those_who_want_it),
        cmocka_unit_test(the_default_is_no),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
