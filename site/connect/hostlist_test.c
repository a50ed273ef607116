/* Host lists: what expands to what, what is turned away, and that compressing loses nothing. */
#include <string.h>

#include "site/connect/arena_testing.h"
#include "site/connect/connect.h"

static const char *expanded(const char *text) {
    iol__value *list = iol__value_new(&arena, IOL__LIST);
    if (!iol__hostlist_expand(&arena, text, list)) return NULL;
    const char *all = "";
    for (size_t i = 0; i < list->count; i++)
        all = iol__arena_print(&arena, "%s%s%s", all, i ? " " : "", list->items[i]->text);
    return all;
}

static void ranges_keep_their_zeros(void **state) {
    (void)state;
    assert_string_equal(expanded("nid[001001-001003,001010]"), "nid001001 nid001002 nid001003 nid001010");
    assert_string_equal(expanded("a[9-11]"), "a9 a10 a11");
}

static void the_left_group_varies_slowest(void **state) {
    (void)state;
    assert_string_equal(expanded("r[1-2]n[08-10]"), "r1n08 r1n09 r1n10 r2n08 r2n09 r2n10");
    assert_string_equal(expanded("x[1-2]y,login"), "x1y x2y login");
}

static void rubbish_is_turned_away(void **state) {
    (void)state;
    assert_null(expanded("n[1-"));
    assert_null(expanded("n[]"));
    assert_null(expanded("n[5-1]"));
    assert_null(expanded("n[a-b]"));
    assert_null(expanded("n1]"));
}

static void a_hostile_list_is_bounded(void **state) {
    (void)state;
    assert_null(expanded("n[1-999999999999]"));
    assert_null(expanded("[0-999][0-999][0-999]"));
}

static void compressing_and_expanding_give_the_same_names(void **state) {
    (void)state;
    iol__value *list = iol__value_new(&arena, IOL__LIST);
    static const char *const names[] = {"nid00003", "nid00001", "gpu", "nid00002", "nid00010", "a7", "a07"};
    for (size_t i = 0; i < 7; i++) iol__list_add(&arena, list, iol__of_text(&arena, names[i]));
    assert_string_equal(iol__hostlist_compress(&arena, list), "a07,a7,gpu,nid[00001-00003,00010]");
    assert_string_equal(expanded("a07,a7,gpu,nid[00001-00003,00010]"),
                        "a07 a7 gpu nid00001 nid00002 nid00003 nid00010");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ranges_keep_their_zeros),
        cmocka_unit_test(the_left_group_varies_slowest),
        cmocka_unit_test(rubbish_is_turned_away),
        cmocka_unit_test(a_hostile_list_is_bounded),
        cmocka_unit_test(compressing_and_expanding_give_the_same_names),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
