/* Which names say that the job id is the process id. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#include "site/index/runs.h"

static void names_tell_whether_there_was_a_batch_system(void **state) {
    (void)state;
    assert_true(iol__names_process_as_job("ann_uname_id23176-23176_4-19-75207-1_1.darshan"));
    assert_true(iol__names_process_as_job("ann_my_id5_app_id7-7_4-19-75207-1_1.darshan"));
    assert_false(iol__names_process_as_job("ann_app_id4478544-23176_3-20-7800-1_1.darshan"));
    assert_false(iol__names_process_as_job("ann_app_id4478544_3-20-7800-1_1.darshan"));
    assert_false(iol__names_process_as_job("ann_app_id7-71_3-20-7800-1_1.darshan"));
    assert_false(iol__names_process_as_job("anything.darshan"));
}

static void without_runs_every_log_is_alone(void **state) {
    (void)state;
    const char *jobid, *evidence;
    assert_false(iol__runs_of(NULL, "a.darshan", &jobid, &evidence));
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(names_tell_whether_there_was_a_batch_system),
                                       cmocka_unit_test(without_runs_every_log_is_alone)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
