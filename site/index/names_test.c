/* Texts from outside become texts that every store takes: valid, and short where they are part of a key. */
#include <stdarg.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "log/trailer/plain_json.h"
#include "site/index/names.h"

static iol__arena arena;

static void short_texts_stay_as_they_are(void **state) {
    (void)state;
    const char *text = "gr\xc3\xbc\xc3\x9f";
    assert_ptr_equal(iol__short_text(&arena, text), text);
    assert_string_equal(iol__short_text(&arena, "a\xff"), "a\xef\xbf\xbd");
    assert_null(iol__short_text(&arena, NULL));
}

static void long_texts_are_cut_between_characters_and_stay_different(void **state) {
    (void)state;
    for (size_t before = 0; before < 4; before++) {
        char a[1001], b[1001];
        memset(a, 'x', sizeof a);
        for (size_t i = before; i + 2 < sizeof a; i += 3) memcpy(a + i, "\xe2\x82\xac", 3);
        a[before + 3 * 300] = 0;
        strcpy(b, a);
        b[0] = 'y';
        if (!before) b[1] = b[2] = 'y';
        const char *cut = iol__short_text(&arena, a), *other = iol__short_text(&arena, b);
        assert_true(strlen(cut) <= IOL_SHORT && strlen(cut) > IOL_SHORT - 4);
        assert_true(iol__plain_utf8(cut));
        assert_memory_equal(cut, a, IOL_SHORT - 20);
        b[strlen(b) - 3] = 0;
        assert_string_not_equal(cut, other);
        assert_string_not_equal(other, iol__short_text(&arena, b));
    }
}

static void a_copy_is_valid(void **state) {
    (void)state;
    char *copy = iol__valid_copy("\xfe%\xc3\xbc\xc3");
    assert_string_equal(copy, "\xef\xbf\xbd%\xc3\xbc\xef\xbf\xbd");
    free(copy);
}

static void names_say_who_what_when_and_where(void **state) {
    (void)state;
    iol__log_name is;
    assert_true(iol__log_name_parse("glock_vpicio_uni_id4478544-77_3-20-7667-18385393005962577517_12.darshan",
                                    "vpicio_uni", &is));
    assert_int_equal(is.user, 5);
    assert_int_equal(is.program, 10);
    assert_int_equal(is.jobid, 4478544);
    assert_int_equal(is.pid, 77);
    assert_true(is.month == 3 && is.day == 20 && is.seconds == 7667);
    assert_int_equal(is.hash_length, 20);
    assert_memory_equal(is.hash, "18385393005962577517", 20);
    assert_int_equal(is.write_seconds, 12);
    /* Of what is not there nothing is said */
    assert_true(iol__log_name_parse("ana_a_id7_3-20-.darshan", NULL, &is));
    assert_true(is.pid == -1 && is.day == 20 && is.seconds == -1 && !is.hash && is.write_seconds == -1);
    assert_true(iol__log_name_parse("ana_a_id7_40-20-5-6_1.darshan", NULL, &is));
    assert_true(is.month == 0 && is.seconds == -1 && !is.hash);
    assert_false(iol__log_name_parse("sample.darshan", NULL, &is));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(short_texts_stay_as_they_are),
        cmocka_unit_test(long_texts_are_cut_between_characters_and_stay_different),
        cmocka_unit_test(a_copy_is_valid),
        cmocka_unit_test(names_say_who_what_when_and_where),
    };
    jmp_buf exhausted;
    arena.exhausted = &exhausted;
    if (setjmp(exhausted)) return 1;
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    iol__arena_free(&arena);
    return failed;
}
