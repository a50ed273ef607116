/* JSON that was cut off: at whatever byte, records are there whole or not at all, and what is left is JSON. */
#include <string.h>

#include "site/connect/arena_testing.h"
#include "site/connect/repair.h"

static void repaired(const char *cut, const char *whole) {
    const char *got = iol__json_repair(&arena, cut, strlen(cut));
    assert_non_null(got);
    assert_string_equal(got, whole);
}

static void half_a_record_in_a_list_is_left_out(void **state) {
    (void)state;
    repaired("{\"jobs\": [{\"id\": 1}, {\"id\": 2, \"steps\": [{\"a\": 1}, {\"b\"", "{\"jobs\": [{\"id\": 1}]}");
    repaired("[[{\"_id\": \"a\"}, {\"_id\": \"b\"}], [{\"_id\": \"c,]}", "[[{\"_id\": \"a\"}, {\"_id\": \"b\"}], []]");
}

static void half_a_record_under_a_key_is_left_out(void **state) {
    (void)state;
    repaired("{\"7\": {\"start\": 1, \"nodes\": [\"a\"]}, \"8\": {\"start\": 2, \"nodes\": [\"a\", \"b",
             "{\"7\": {\"start\": 1, \"nodes\": [\"a\"]}}");
}

static void half_a_number_is_left_out(void **state) {
    (void)state;
    repaired("[1, 2, 33", "[1, 2]");
    repaired("{\"a\": 1, \"b\": 22", "{\"a\": 1}");
    repaired("{", "{}");
    repaired("{\"a\": [1, \"x\\\"],", "{\"a\": [1]}");
}

static void what_is_whole_or_something_else_is_left_alone(void **state) {
    (void)state;
    assert_null(iol__json_repair(&arena, "{\"a\": 1}", 8));
    assert_null(iol__json_repair(&arena, "[1}", 3));
    assert_null(iol__json_repair(&arena, "text", 4));
}

static void every_cut_gives_whole_records(void **state) {
    (void)state;
    static const char text[] =
        "{\"status\": \"ok\", \"list\": [{\"id\": 1, \"at\": [[1, \"2\"]]}, {\"id\": 2, \"at\": []}]}";
    for (size_t length = 1; length < sizeof text - 1; length++) {
        char *got = iol__json_repair(&arena, text, length), wrong[120];
        assert_non_null(got);
        iol__value *value = iol__value_parse(&arena, got, strlen(got), wrong);
        assert_non_null(value);
        const iol__value *list = iol__map_get(value, "list");
        for (size_t i = 0; list && i < list->count; i++) {
            assert_non_null(iol__map_get(list->items[i], "id"));
            assert_non_null(iol__map_get(list->items[i], "at"));
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(half_a_record_in_a_list_is_left_out),
        cmocka_unit_test(half_a_record_under_a_key_is_left_out),
        cmocka_unit_test(half_a_number_is_left_out),
        cmocka_unit_test(what_is_whole_or_something_else_is_left_alone),
        cmocka_unit_test(every_cut_gives_whole_records),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
