/* Which mounts a log lists: those with files of somebody's, not what the kernel shows as files. */
#include "record/mounts.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>

static void kernel_mounts_are_left_out(void **state) {
    (void)state;
    static const char *const types[] = {"proc", "tmpfs", "cgroup", "cgroup2", "devtmpfs", "binfmt_misc", "efivarfs"};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) assert_true(iol__mount_skipped(types[i]));
}

static void file_systems_stay(void **state) {
    (void)state;
    static const char *const types[] = {"ext4",    "lustre",    "nfs",      "nfs4", "nfsd4",
                                        "overlay", "fuse.gpfs", "cgroup23", ""};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) assert_false(iol__mount_skipped(types[i]));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kernel_mounts_are_left_out),
        cmocka_unit_test(file_systems_stay),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
