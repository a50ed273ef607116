/* /users and /programs: sums over the logs that a viewer may see. */
#include "serve/api/api_testing.h"

static void a_user_has_sums_by_program_file_system_and_day(void **state) {
    ANSWERS(*state, "ana", "/users/ana", "\"logs\": 2", "\"bytes_read\": 3000", "\"bytes_written\": 6000",
            "\"lost_s\": 0.75",
            "\"programs\": [{\"exe\":\"heat\",\"logs\":2,\"bytes_read\":3000,\"bytes_written\":6000,\"lost_s\":0.75}]",
            "{\"fs\":\"home\",\"bytes_read\":2000,\"bytes_written\":4000,\"reads\":20,\"writes\":40,\"opens\":6},"
            "{\"fs\":\"scratch\",\"bytes_read\":1000,\"bytes_written\":2000,\"reads\":10,\"writes\":20,\"opens\":3}]",
            "\"level\":\"high\",\"logs\":1,\"lost_s\":0.4", "\"level\":\"warn\",\"logs\":1,\"lost_s\":0.2",
            "{\"day\":20231114,\"logs\":1,\"bytes_read\":1000,\"bytes_written\":2000,\"lost_s\":0.25},"
            "{\"day\":20231115,\"logs\":1,\"bytes_read\":2000,\"bytes_written\":4000,\"lost_s\":0.5}]");
}

static void a_period_leaves_other_days_out(void **state) {
    centre *c = *state;
    ANSWERS(c, "boss", "/users/ana?start=1700050000", "\"logs\": 1", "\"bytes_read\": 2000");
    lacks(c, "20231114");
}

static void another_user_is_not_there(void **state) {
    refuses(*state, "ana", "/users/ben", 404);
    refuses(*state, "boss", "/users/nobody", 404);
    refuses(*state, "ana", "/users/ben/findings", 404);
}

static void findings_of_a_user_are_those_of_the_latest_runs(void **state) {
    centre *c = *state;
    ANSWERS(c, "ana", "/users/ana/findings", "\"level\":\"high\",\"logs\":1,\"lost_s\":0.4");
    lacks(c, "\"level\":\"warn\"");
}

static void programs_have_runs_users_and_rates(void **state) {
    centre *c = *state;
    ANSWERS(c, "boss", "/programs",
            "{\"exe\":\"copy\",\"logs\":1,\"users\":1,\"last\":1700086400,\"bytes_read\":3000,\"bytes_written\":6000,"
            "\"lost_s\":0.75,",
            "{\"exe\":\"heat\",\"logs\":2,\"users\":1,\"last\":1700086400,\"bytes_read\":3000,\"bytes_written\":6000,");
    ANSWERS(c, "ben", "/programs", "\"exe\":\"copy\"");
    lacks(c, "heat");
}

static void runs_of_a_program_come_latest_first(void **state) {
    centre *c = *state;
    ANSWERS(
        c, "ana", "/programs/heat",
        "{\"log_id\":\"2\",\"cluster\":\"onyx\",\"jobid\":\"78\",\"user\":\"ana\",\"start\":1700086400,\"nprocs\":4,"
        "\"run_s\":10,\"io_s\":1,\"bytes_read\":2000,\"bytes_written\":4000,",
        "\"findings\":2,\"lost_s\":0.5}", "{\"log_id\":\"1\",");
    ANSWERS(c, "ana", "/programs/heat?nprocs=8", "\"items\": []");
    ANSWERS(c, "ana", "/programs/copy", "\"items\": []");
}

int main(void) {
#define OF_CENTRE(test) cmocka_unit_test_setup_teardown(test, open_centre, close_centre)
    const struct CMUnitTest tests[] = {
        OF_CENTRE(a_user_has_sums_by_program_file_system_and_day),
        OF_CENTRE(a_period_leaves_other_days_out),
        OF_CENTRE(another_user_is_not_there),
        OF_CENTRE(findings_of_a_user_are_those_of_the_latest_runs),
        OF_CENTRE(programs_have_runs_users_and_rates),
        OF_CENTRE(runs_of_a_program_come_latest_first),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
