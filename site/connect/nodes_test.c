/* How far the nodes of a job are from each other, from their coordinates. */
#include <stdint.h>

#include "site/connect/arena_testing.h"
#include "site/connect/connect.h"

static const char machine[] =
    "{\"n1\": {\"x_coord\": 0, \"y_coord\": 0, \"z_coord\": 0}, \"17\": {\"x_coord\": 6, \"y_coord\": 8, \"z_coord\": "
    "0},"
    " \"n3\": {\"switch\": 1, \"group\": 2}, \"n4\": {\"switch\": 4, \"group\": 6}, \"n5\": {\"rack\": 1}}";

/* Two nodes 10 apart are 5 from the middle; a node may be named by its number. */
static void the_radius_is_from_the_middle_of_the_nodes(void **state) {
    (void)state;
    const iol__value *is = iol__job_radius(&arena, tree_of(machine), tree_of("{\"n1\": 1, \"nid00017\": 1}"));
    assert_true(iol__map_number(is, "job_min_radius") == 5);
    assert_true(iol__map_number(is, "job_max_radius") == 5);
    assert_true(iol__map_number(is, "job_avg_radius") == 5);
}

static void nodes_without_coordinates_are_placed_by_switch_and_group(void **state) {
    (void)state;
    const iol__value *is = iol__job_radius(&arena, tree_of(machine), tree_of("{\"n3\": 1, \"n4\": 1}"));
    assert_true(iol__map_number(is, "job_max_radius") == 2.5);
}

static void a_job_with_a_node_that_is_nowhere_has_no_radius(void **state) {
    (void)state;
    assert_int_equal(iol__job_radius(&arena, tree_of(machine), tree_of("{\"n1\": 1, \"n5\": 1}"))->count, 0);
    assert_int_equal(iol__job_radius(&arena, tree_of(machine), tree_of("{\"n1\": 1, \"n9\": 1}"))->count, 0);
    assert_int_equal(iol__job_radius(&arena, tree_of(machine), tree_of("{}"))->count, 0);
}

static void each_node_of_a_job_and_its_steps_counts_once(void **state) {
    (void)state;
    const iol__value *names =
        iol__job_nodes(&arena, tree_of("{\"7\": {\"nodelist\": [\"a\", \"b\"]}, \"7.0\": {\"nodelist\": [\"b\", "
                                       "\"c\"]}, \"8\": {\"nodelist\": null}}"));
    assert_int_equal(names->count, 3);
    assert_string_equal(names->keys[2], "c");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_radius_is_from_the_middle_of_the_nodes),
        cmocka_unit_test(nodes_without_coordinates_are_placed_by_switch_and_group),
        cmocka_unit_test(a_job_with_a_node_that_is_nowhere_has_no_radius),
        cmocka_unit_test(each_node_of_a_job_and_its_steps_counts_once),
    };
    iol__site_silent = true;
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
