/* /jobs and /jobs/CLUSTER/ID: who sees which, in which order, and the values of each. */
#include "serve/api/api_testing.h"

static void jobs_come_latest_first(void **state) {
    centre *c = *state;
    ANSWERS(c, "boss", "/jobs?total=1", "\"jobid\":\"78\"", "\"jobid\":\"79\"", "\"jobid\":\"80\"", "\"jobid\":\"77\"",
            "\"next\": null", "\"total\": 4");
    ANSWERS(c, "boss", "/jobs?sort=lost_s", "\"jobid\":\"77\"", "\"jobid\":\"78\"", "\"jobid\":\"79\"");
}

static void a_job_has_its_values(void **state) {
    ANSWERS(*state, "ana", "/jobs?q=78",
            "{\"cluster\":\"onyx\",\"jobid\":\"78\",\"user\":\"ana\",\"account\":\"physics\",\"name\":null,\"exe\":"
            "\"heat\","
            "\"state\":\"COMPLETED\",\"start\":1700086400,\"end\":1700086410,\"nprocs\":4,\"nnodes\":2,"
            "\"bytes_read\":2000,\"bytes_written\":4000,\"run_s\":10,\"io_s\":1,",
            "\"io_pct\":10,\"lost_s\":0.5,\"selected\":0,\"findings\":2,\"logs\":1}");
}

static void what_only_logs_say_of_a_job_without_one_is_null(void **state) {
    ANSWERS(*state, "boss", "/jobs?has_log=0", "\"jobid\":\"80\"", "\"state\":\"TIMEOUT\"",
            "\"nprocs\":null,\"nnodes\":2,\"bytes_read\":null,\"bytes_written\":null,\"run_s\":10,"
            "\"io_s\":null,\"perf_mibs\":null,\"io_pct\":null,\"lost_s\":null,\"selected\":null,\"findings\":null,"
            "\"logs\":0}");
    lacks(*state, "\"jobid\":\"79\"");
}

static void filters_leave_others_out(void **state) {
    centre *c = *state;
    ANSWERS(c, "boss", "/jobs?exe=c*&has_log=1&total=1", "\"jobid\":\"79\"", "\"total\": 1");
    ANSWERS(c, "boss", "/jobs?fs=home&total=1", "\"jobid\":\"78\"", "\"total\": 1");
    ANSWERS(c, "boss", "/jobs?min_bytes=6000&total=1", "\"jobid\":\"78\"", "\"jobid\":\"79\"", "\"total\": 2");
    ANSWERS(c, "boss", "/jobs?start=1700000011&user=a*&total=1", "\"jobid\":\"78\"", "\"total\": 1");
    ANSWERS(c, "boss", "/jobs?start=1700000010&end=1700000020&total=1", "\"jobid\":\"77\"", "\"total\": 1");
    ANSWERS(c, "boss", "/jobs?state=TIMEOUT&total=1", "\"jobid\":\"80\"", "\"total\": 1");
    ANSWERS(c, "boss", "/jobs?finding=mpiio*&total=1", "\"items\": []", "\"total\": 0");
}

static void pages_of_jobs_follow_each_other(void **state) {
    centre *c = *state;
    ANSWERS(c, "boss", "/jobs?limit=3", "\"jobid\":\"80\"", "\"next\": \"");
    const char *next = strstr(c->body, "\"next\": \"") + strlen("\"next\": \"");
    char address[256];
    snprintf(address, sizeof address, "/jobs?limit=3&cursor=%.*s", (int)strcspn(next, "\""), next);
    ANSWERS(c, "boss", address, "\"jobid\":\"77\"", "\"next\": null");
    lacks(c, "\"jobid\":\"80\"");
}

static void users_see_their_own_jobs_alone(void **state) {
    centre *c = *state;
    ANSWERS(c, "ben", "/jobs?total=1", "\"jobid\":\"79\"", "\"jobid\":\"80\"", "\"total\": 2");
    lacks(c, "ana");
    ANSWERS(c, "ben", "/jobs?user=ana&total=1", "\"items\": []", "\"total\": 0");
    refuses(c, "ben", "/jobs/onyx/77", 404);
    refuses(c, NULL, "/jobs", 401);
}

static void a_job_in_full_has_logs_file_systems_and_findings(void **state) {
    ANSWERS(
        *state, "ana", "/jobs/onyx/78",
        "\"box\": {\"start\":1700086400,\"end\":1700086410,\"wall_s\":10,\"read_mb\":0.002,\"written_mb\":0.004,"
        "\"rate_mbs\":0.006,\"io_pct\":10}",
        "\"logs\": [{\"log_id\":\"2\",\"state\":\"ok\",\"exe\":\"heat\"",
        "\"fs\": [{\"fs\":\"home\",\"bytes_read\":2000,\"bytes_written\":4000,\"reads\":20,\"writes\":40,\"opens\":6}]",
        "\"reads\":[1,2,3,4,5,6,7,8,9,10],\"writes\":[0,0,0,0,20,0,0,0,0,0]", "\"darshan_nprocs\":4",
        "\"darshan_tot_writes_posix\":40",
        "\"findings\": "
        "[{\"rule\":\"posix.writes.small\",\"level\":\"high\",\"logs\":1,\"lost_s\":0.4,\"title\":\"writes "
        "are small\",\"log_id\":\"2\"}]",
        "\"no_log\": null");
}

int main(void) {
#define OF_CENTRE(test) cmocka_unit_test_setup_teardown(test, open_centre, close_centre)
    const struct CMUnitTest tests[] = {
        OF_CENTRE(jobs_come_latest_first),
        OF_CENTRE(a_job_has_its_values),
        OF_CENTRE(what_only_logs_say_of_a_job_without_one_is_null),
        OF_CENTRE(filters_leave_others_out),
        OF_CENTRE(pages_of_jobs_follow_each_other),
        OF_CENTRE(users_see_their_own_jobs_alone),
        OF_CENTRE(a_job_in_full_has_logs_file_systems_and_findings),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
