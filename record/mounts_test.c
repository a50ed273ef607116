/* Which mounts a log lists: those with files of somebody's, not what the kernel shows as files. */
#include "record/mounts.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

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

static iol__mount mounts[IOL_MOUNTS];

static void assert_mount(int number, const char *type, const char *path) {
    assert_string_equal(mounts[number].type, type);
    assert_string_equal(mounts[number].path, path);
    assert_int_equal(mounts[number].length, strlen(path));
}

static void nfs_is_last_and_names_are_unescaped(void **state) {
    (void)state;
    static const char table[] = "server:/home /home nfs rw 0 0\nproc /proc proc rw 0 0\n/dev/sda / ext4 rw 0 0\n"
                                "/dev/sda / ext4 rw 0 0\n10.0.0.1@tcp:/lus/a /my\\040scratch lustre rw 0 0\n";
    assert_false(iol__mounts_lack_root(table));
    assert_int_equal(iol__mounts_take(table, NULL, mounts), 3);
    assert_mount(0, "ext4", "/");
    assert_mount(1, "lustre", "/my scratch");
    assert_string_equal(mounts[1].volume, "lus");
    assert_mount(2, "nfs", "/home");
}

/* What a package builder's chroot looks like from inside. */
static void root_that_is_no_mount_point_is_listed(void **state) {
    (void)state;
    static const char table[] = "proc /proc proc rw 0 0\n/dev/sdb /build ext4 rw 0 0\n";
    assert_true(iol__mounts_lack_root(table));
    assert_int_equal(iol__mounts_take(table, iol__mount_type_of_number(0x58465342), mounts), 2);
    assert_mount(0, "xfs", "/");
    assert_mount(1, "ext4", "/build");
}

static void root_in_memory_is_left_out_like_others(void **state) {
    (void)state;
    assert_int_equal(iol__mounts_take("proc /proc proc rw 0 0\n", iol__mount_type_of_number(0x01021994), mounts), 0);
    assert_false(iol__mounts_lack_root("tmpfs / tmpfs rw 0 0\n"));
}

static void unknown_numbers_have_a_type_too(void **state) {
    (void)state;
    assert_string_equal(iol__mount_type_of_number(0xef53), "ext4");
    assert_string_equal(iol__mount_type_of_number((uint64_t)(int32_t)0xff534d42),
                        "cifs"); /* as some machines give it */
    assert_string_equal(iol__mount_type_of_number(1), "unknown");
}

static void more_mounts_than_a_log_lists_are_cut(void **state) {
    (void)state;
    char table[8192] = "";
    for (int i = 0; i < 100; i++) strcat(table, i % 2 ? "a /a ext4 rw 0 0\n" : "b /b xfs rw 0 0\n");
    assert_int_equal(iol__mounts_take(table, "ext4", mounts), 3);
    for (int i = 0; i < 100; i++) {
        char line[] = "x /x00 ext4 rw 0 0\n";
        line[4] = (char)('0' + i / 10);
        line[5] = (char)('0' + i % 10);
        memcpy(table + i * (int)strlen(line), line, sizeof line);
    }
    assert_int_equal(iol__mounts_take(table, "ext4", mounts), IOL_MOUNTS);
    assert_mount(0, "ext4", "/");
    assert_mount(IOL_MOUNTS - 1, "ext4", "/x62");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nfs_is_last_and_names_are_unescaped),
        cmocka_unit_test(root_that_is_no_mount_point_is_listed),
        cmocka_unit_test(root_in_memory_is_left_out_like_others),
        cmocka_unit_test(unknown_numbers_have_a_type_too),
        cmocka_unit_test(more_mounts_than_a_log_lists_are_cut),
        cmocka_unit_test(kernel_mounts_are_left_out),
        cmocka_unit_test(file_systems_stay),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
