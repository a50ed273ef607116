/* A launcher's log is known by its program and by what it did; a program that is called so, or was started by one, is none. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#include "log/merge/launcher.h"
#include "tests/support/logrecords.h"
#include "tests/support/opened.h"

static bool is_launcher(const char *command, int64_t processes, const char *file, int slot) {
    lm_log *made = lm_new(41, false, LM_ZLIB);
    made->text = command;
    made->processes = processes;
    lm_name(made, 7, file);
    lm_sample(made, slot, slot == LM_STDIO ? 2 : slot == LM_POSIX ? 4 : 3, 7, 0, 1);
    opened o = opened_from(made);
    const bool found = iol__is_launcher_log(o.log);
    opened_close(&o);
    return found;
}

static void a_launcher_is_known(void **state) {
    (void)state;
    assert_true(is_launcher("mpirun -n 4 ./ior", 1, "/opt/x/lib/openmpi/mca_pmix.so", LM_POSIX));
    assert_true(is_launcher("/usr/bin/mpiexec.hydra ./a", 1, "<STDOUT>", LM_STDIO));
    assert_false(is_launcher("./ior", 1, "/opt/x/lib/openmpi/mca_pmix.so", LM_POSIX));
    assert_false(is_launcher("mpirun -n 4 ./ior", 4, "<STDOUT>", LM_STDIO));      /* all processes of the run */
    assert_false(is_launcher("mpirun -n 4 ./ior", 1, "/scratch/data", LM_POSIX)); /* it did the work */
    assert_false(is_launcher("mpirun -n 4 ./ior", 1, "/etc/passwd", LM_MPIIO));
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_launcher_is_known)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
