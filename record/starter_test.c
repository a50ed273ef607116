/* Who counts as one that starts ranks. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "record/starter.h"

static void starters_are_known_by_name(void **state) {
    (void)state;
    static const char *const are[] = {"mpirun", "/usr/bin/mpirun.openmpi -n 2 app", "orted --daemonize",
                                      "mpiexec.hydra", "./srun"};
    static const char *const are_not[] = {"", "mpirunner", "/usr/bin/mpi", "app mpirun", "mpirun/app", "srun-wrapper"};
    for (size_t i = 0; i < sizeof are / sizeof *are; i++) assert_true(iol__is_starter(are[i]));
    for (size_t i = 0; i < sizeof are_not / sizeof *are_not; i++) assert_false(iol__is_starter(are_not[i]));
    assert_true(iol__is_program("/opt/flux run -n 2 app", "flux"));
    assert_false(iol__is_program("app flux", "flux"));
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(starters_are_known_by_name)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
