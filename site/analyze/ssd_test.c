/* Two dumps of SSD counters: differences, their reductions over devices, and wear. */
#include "site/analyze/analyze_testing.h"
#include "site/analyze/ssd.h"

static const char before[] =
    "{\"A\": {\"host_reads\": 10, \"written_bytes\": 0, \"temperature\": 30.5, \"state\": \"ok\", \"timestamp\": 1},"
    " \"B\": {\"host_reads\": 5, \"written_bytes\": 1073741824, \"temperature\": 40, \"timestamp\": 1},"
    " \"gone\": {\"host_reads\": 1}}";
static const char after[] =
    "{\"A\": {\"host_reads\": 17, \"written_bytes\": 2147483648, \"temperature\": 29, \"state\": \"worn\", "
    "\"timestamp\": 1},"
    " \"B\": {\"host_reads\": 6, \"written_bytes\": 1073741824, \"temperature\": 40, \"timestamp\": 1},"
    " \"new\": {\"host_reads\": 2}}";

static void counters_that_changed_are_told(void **state) {
    (void)state;
    char why[400] = "";
    const iol__value *is = iol__ssd_difference(&arena, tree_of(before), tree_of(after), false, why);
    assert_non_null(is);
    assert_string_equal(iol__map_get(is, "added_devices")->items[0]->text, "new");
    assert_string_equal(iol__map_get(is, "removed_devices")->items[0]->text, "gone");
    const iol__value *a = iol__map_get(iol__map_get(is, "devices"), "A"),
                     *b = iol__map_get(iol__map_get(is, "devices"), "B");
    number_is(a, "host_reads", 7);
    number_is(a, "written_bytes", 2147483648);
    number_is(a, "temperature", -1.5);
    text_is(a, "state", "+++worn ---ok");
    assert_null(iol__map_get(b, "written_bytes"));
    number_is(
        iol__map_get(iol__map_get(iol__ssd_difference(&arena, tree_of(before), tree_of(after), true, why), "devices"),
                     "B"),
        "written_bytes", 0);
}

static void a_number_that_becomes_a_text_is_refused(void **state) {
    (void)state;
    char why[400] = "";
    assert_null(iol__ssd_difference(&arena, tree_of("{\"A\": {\"reads\": 1}}"),
                                    tree_of("{\"A\": {\"reads\": \"many\"}}"), false, why));
    assert_string_equal(why, "reads of A is a number in one of the dumps and a text in the other");
}

static void devices_are_reduced_to_five_figures(void **state) {
    (void)state;
    char why[400] = "";
    iol__value *is = iol__ssd_difference(&arena, tree_of(before), tree_of(after), false, why);
    const iol__value *sums = iol__ssd_reductions(&arena, is);
    number_is(sums, "sum_host_reads", 8);
    number_is(sums, "min_host_reads", 1);
    number_is(sums, "max_host_reads", 7);
    number_is(sums, "ave_host_reads", 4);
    number_is(sums, "count_host_reads", 2);
    number_is(sums, "count_state", 1);
    assert_null(iol__map_get(sums, "sum_state"));
    iol__ssd_in_gib(&arena, is);
    number_is(iol__map_get(iol__map_get(is, "devices"), "A"), "written_gibs", 2);
}

static void wear_is_in_drive_writes_per_day(void **state) {
    (void)state;
    const iol__value *is = iol__ssd_wear(
        &arena, tree_of("{\"A\": {\"data_units_written_bytes\": 4000, \"physical_size\": 1000, \"power_on_hours\": 48, "
                        "\"percentage_used\": 3, \"node_name\": \"n1\"}, \"B\": {\"data_units_written\": 2, "
                        "\"physical_size\": 1024000}}"));
    const iol__value *a = iol__map_get(is, "A"), *b = iol__map_get(is, "B");
    number_is(a, "drive_writes", 4);
    number_is(a, "drive_writes_per_day", 2);
    number_is(a, "percentage_used", 3);
    text_is(a, "node_name", "n1");
    number_is(b, "bytes_written", 1024000); /* units of 512,000 bytes */
    number_is(b, "drive_writes", 1);
    assert_true(isnan(iol__map_number(b, "drive_writes_per_day")));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counters_that_changed_are_told),
        cmocka_unit_test(a_number_that_becomes_a_text_is_refused),
        cmocka_unit_test(devices_are_reduced_to_five_figures),
        cmocka_unit_test(wear_is_in_drive_writes_per_day),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
