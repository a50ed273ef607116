/* Where a descriptor leads is what the kernel says of it, whether it was asked or not. */
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "runtime/core/core.h"

static void assert_target(int fd) {
    char link[64], kernels[1024] = "", ours[1024];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    const ssize_t length = readlink(link, kernels, sizeof kernels - 1);
    assert_int_equal(iol__descriptor_target(fd, ours, sizeof ours), length < 0 ? 0 : (size_t)length);
    assert_string_equal(ours, kernels);
}

static void assert_target_and_close(int fd) {
    assert_true(fd >= 0);
    assert_target(fd);
    close(fd);
}

static void things_without_a_name(void **state) {
    (void)state;
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    assert_target_and_close(ends[0]);
    assert_target_and_close(ends[1]);
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
    assert_target_and_close(ends[0]);
    assert_target_and_close(ends[1]);
}

static void devices_and_files(void **state) {
    (void)state;
    assert_target_and_close(open("/dev/null", O_RDWR));
    assert_target_and_close(open("/dev/zero", O_RDONLY));
    assert_target_and_close(open("/", O_RDONLY | O_DIRECTORY));
    assert_target_and_close(open("/proc/self/stat", O_RDONLY));
}

static void a_pipe_with_a_name(void **state) {
    (void)state;
    char directory[] = "/tmp/iolite-descriptors-XXXXXX", path[64];
    assert_non_null(mkdtemp(directory));
    snprintf(path, sizeof path, "%s/fifo", directory);
    assert_int_equal(mkfifo(path, 0600), 0);
    const int fd = open(path, O_RDWR | O_NONBLOCK);
    unlink(path);
    rmdir(directory);
    assert_target_and_close(fd);
}

static void nothing(void **state) {
    (void)state;
    assert_target(-1);
    assert_target(9999);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(things_without_a_name),
        cmocka_unit_test(devices_and_files),
        cmocka_unit_test(a_pipe_with_a_name),
        cmocka_unit_test(nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
