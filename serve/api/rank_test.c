/* /scoreboard, /screens and /fleet over two days of two users. */
#include "serve/api/api_testing.h"

static void users_are_ranked_by_what_they_lost(void **state) {
    ANSWERS(*state, "boss", "/scoreboard?by=user&metric=lost", "\"unit\": \"seconds\"",
            "{\"key\":\"ana\",\"exe\":null,\"fs\":null,\"value\":0.75,\"share\":0.5,\"before\":null,\"read\":3000,"
            "\"written\":6000,\"jobs\":2}",
            "{\"key\":\"ben\",\"exe\":null,\"fs\":null,\"value\":0.75,", "\"jobs\":1}",
            "\"total\": {\"value\":1.5,\"jobs\":3}");
}

static void file_systems_are_ranked_by_bytes(void **state) {
    ANSWERS(*state, "boss", "/scoreboard?by=fs", "{\"key\":\"scratch\",\"exe\":null,\"fs\":null,\"value\":12000,",
            "{\"key\":\"home\",\"exe\":null,\"fs\":null,\"value\":6000,");
}

static void a_period_is_compared_with_the_one_before(void **state) {
    ANSWERS(*state, "boss", "/scoreboard?by=exe&start=1700006400&end=1700092800",
            "{\"key\":\"copy\",\"exe\":null,\"fs\":null,\"value\":9000,", "\"before\":0,",
            "{\"key\":\"heat\",\"exe\":null,\"fs\":null,\"value\":6000,", "\"before\":3000,");
}

static void what_is_excluded_is_not_ranked(void **state) {
    centre *c = *state;
    ANSWERS(c, "boss", "/scoreboard?exclude_user=ben", "\"key\":\"ana\"");
    lacks(c, "ben");
    ANSWERS(c, "ana", "/scoreboard", "\"key\":\"ana\"", "\"share\":1,");
    lacks(c, "ben");
}

static void a_metric_selects_above_its_threshold(void **state) {
    centre *c = *state;
    ANSWERS(c, "boss", "/screens", "\"name\":\"redundant-reads\"", "\"jobs\":0,\"users\":0}", "\"name\":\"metadata\"",
            "\"name\":\"small-writes\"");
    refuses(c, "boss", "/screens/everything", 404);
}

static void the_fleet_is_counted_for_staff_alone(void **state) {
    centre *c = *state;
    ANSWERS(c, "boss", "/fleet", "\"logs\": 3", "\"jobs\": 3", "\"users\": 2", "\"jobs\": 4", "\"jobs_logged\": 3",
            "{\"month\":202311,\"cluster\":\"onyx\",\"logs\":3,\"jobs\":3,\"bytes_read\":6000,\"bytes_written\":12000,"
            "\"node_us\":3000000}");
    refuses(c, "ana", "/fleet", 403);
}

int main(void) {
#define OF_CENTRE(test) cmocka_unit_test_setup_teardown(test, open_centre, close_centre)
    const struct CMUnitTest tests[] = {
        OF_CENTRE(users_are_ranked_by_what_they_lost),       OF_CENTRE(file_systems_are_ranked_by_bytes),
        OF_CENTRE(a_period_is_compared_with_the_one_before), OF_CENTRE(what_is_excluded_is_not_ranked),
        OF_CENTRE(a_metric_selects_above_its_threshold),     OF_CENTRE(the_fleet_is_counted_for_staff_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
