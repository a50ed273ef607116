/* /logs/ID and /logs/ID/files, as the index knows them. */
#include "serve/api/api_testing.h"

static void a_log_has_header_modules_and_mounts(void **state) {
    ANSWERS(
        *state, "ana", "/logs/2", "\"log_id\": \"2\"", "\"identity\": \"00000000000000000000000000000002\"",
        "\"user\": \"ana\"", "\"run_s\": 10", "\"io_s\": 1", "\"io_pct\": 10", "\"log_version\": \"3.41\"",
        "\"readable\": false",
        "{\"module\":\"POSIX\",\"records\":3,\"bytes_read\":2000,\"bytes_written\":4000,\"reads\":20,\"writes\":40,",
        "{\"mount\":\"/home\",\"fs\":\"home\",\"type\":\"nfs\",\"bytes_read\":2000,\"bytes_written\":4000,\"reads\":20,"
        "\"writes\":40,\"opens\":6,\"stats\":0,\"read_s\":0.2,\"write_s\":0.4,\"meta_s\":0.1}",
        "\"rule\":\"posix.writes.small\"");
}

static void a_log_of_another_user_is_not_there(void **state) {
    centre *c = *state;
    refuses(c, "ben", "/logs/2", 404);
    refuses(c, "ben", "/logs/2/files", 404);
    refuses(c, "boss", "/logs/99", 404);
    refuses(c, "boss", "/logs/two", 404);
    refuses(c, "boss", "/logs/2/raw", 404); /* its file is gone */
}

static void files_come_in_the_order_that_is_asked_for(void **state) {
    centre *c = *state;
    ANSWERS(
        c, "ana", "/logs/2/files",
        "{\"id\":\"11\",\"name\":\"/home/ana/a\",\"fs\":\"home\",\"ranks\":4,\"bytes_read\":500,\"bytes_written\":4000,"
        "\"reads\":5,\"writes\":40,\"opens\":4,\"io_s\":0.75}",
        "{\"id\":\"12\",", "\"total\": 2");
    ANSWERS(c, "ana", "/logs/2/files?sort=-bytes_read", "\"id\":\"12\"", "\"id\":\"11\"");
    ANSWERS(c, "ana", "/logs/2/files?sort=-name&limit=1", "\"id\":\"12\"", "\"total\": 2");
    lacks(c, "\"id\":\"11\"");
    ANSWERS(c, "ana", "/logs/2/files?min_bytes=2000", "\"id\":\"11\"", "\"total\": 1");
    ANSWERS(c, "ana", "/logs/2/files?fs=scratch", "\"items\": []");
    refuses(c, "ana", "/logs/2/files?sort=size", 400);
    refuses(c, "ana", "/logs/2/files?module=NOTHING", 400);
}

int main(void) {
#define OF_CENTRE(test) cmocka_unit_test_setup_teardown(test, open_centre, close_centre)
    const struct CMUnitTest tests[] = {
        OF_CENTRE(a_log_has_header_modules_and_mounts),
        OF_CENTRE(a_log_of_another_user_is_not_there),
        OF_CENTRE(files_come_in_the_order_that_is_asked_for),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
