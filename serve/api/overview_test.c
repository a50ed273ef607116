/* /overview: the last days for a user and for staff, and the days before them. */
#include "serve/api/api_testing.h"

static void staff_read_what_all_jobs_cost(void **state) {
    ANSWERS(
        *state, "boss", "/overview?days=7&end=1700150000", "\"role\": \"staff\"",
        "\"now\": {\"jobs\":4,\"losing\":3,\"failed\":1,\"bytes_read\":6000,\"bytes_written\":12000,\"lost_s\":1.5,",
        "\"listed\":4,\"covered\":3}", "\"before\": {\"jobs\":0,",
        "\"worst\": {\"rule\":\"posix.writes.small\",\"level\":\"high\",\"logs\":3,\"lost_s\":1.2,",
        "\"in\":{\"title\":\"writes are "
        "small\",\"lost_s\":0.6,\"log_id\":\"3\",\"cluster\":\"onyx\",\"jobid\":\"79\",\"user\":\"ben\",",
        "\"latest_log\": 1700086400");
}

static void a_user_reads_of_own_jobs_alone(void **state) {
    centre *c = *state;
    ANSWERS(
        c, "ana", "/overview?days=7&end=1700150000", "\"role\": \"user\"",
        "\"now\": {\"jobs\":2,\"losing\":2,\"failed\":0,\"bytes_read\":3000,\"bytes_written\":6000,\"lost_s\":0.75,",
        "\"log_id\":\"2\"", "\"latest_log\": null");
    lacks(c, "ben");
}

static void days_before_are_counted_apart(void **state) {
    ANSWERS(*state, "ana", "/overview?days=1&end=1700092800", "\"now\": {\"jobs\":1,", "\"bytes_read\":2000,",
            "\"before\": {\"jobs\":1,", "\"bytes_read\":1000,", "\"changes\": [{\"user\":\"ana\",\"exe\":\"heat\",");
}

int main(void) {
#define OF_CENTRE(test) cmocka_unit_test_setup_teardown(test, open_centre, close_centre)
    const struct CMUnitTest tests[] = {
        OF_CENTRE(staff_read_what_all_jobs_cost),
        OF_CENTRE(a_user_reads_of_own_jobs_alone),
        OF_CENTRE(days_before_are_counted_apart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
