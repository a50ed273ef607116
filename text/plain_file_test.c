/* What settings may lead to: only plain files are opened, and nobody waits. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/count.h"
#include "text/plain_file.h"

static void only_plain_files_are_opened(void **state) {
    (void)state;
    char directory[] = "/tmp/iolite-plain-XXXXXX", path[64];
    assert_non_null(mkdtemp(directory));
    snprintf(path, sizeof path, "%s/fifo", directory);
    assert_int_equal(mkfifo(path, 0600), 0);
    static const char *const others[] = {"/dev/zero", "/dev/null", "/"};
    errno = 0;
    assert_int_equal(iol__plain_file_open(path, 100), -1);
    assert_int_equal(errno, EINVAL);
    for (size_t i = 0; i < IOL_COUNT(others); i++) {
        assert_int_equal(iol__plain_file_open(others[i], 100), -1);
        assert_false(iol__plain_file_is(others[i]));
        assert_int_equal(errno, EINVAL);
    }
    assert_string_equal(iol__plain_file_trouble(errno), "is not a regular file, or is empty");
    unlink(path);
    assert_false(iol__plain_file_is(path));
    assert_int_equal(errno, ENOENT);
    FILE *file = fopen(path, "we");
    assert_non_null(file);
    assert_true(fputs("0123456789", file) >= 0);
    assert_int_equal(fclose(file), 0);
    assert_false(iol__plain_file_is("/proc/self/mounts"));
    const int fd = iol__plain_file_open(path, 10);
    assert_true(fd >= 0);
    close(fd);
    assert_true(iol__plain_file_is(path));
    assert_int_equal(iol__plain_file_open(path, 9), -1);
    assert_int_equal(errno, EFBIG);
    unlink(path);
    rmdir(directory);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(only_plain_files_are_opened)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
