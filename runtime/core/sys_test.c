/* Iolite's own reading and writing, with a fault in each of its system calls and with calls that do only a part. */
#undef IOL_FAULTS
#define IOL_FAULTS 1
#include "runtime/core/sys.c"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <cmocka.h>

enum { BYTES = 300000 }; /* more than a pipe holds */
static char bytes[BYTES], back[BYTES + 100];
static char directory[256], path[300];

/* The n-th call from now on fails; 0 for none. */
static void fail_call(long n, int why) {
    made = 0;
    fail_at = n;
    fail_from = 0;
    fail_errno = why;
}

static void put_file(size_t length) {
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, length, file), length);
    assert_int_equal(fclose(file), 0);
}

static void a_file_is_read_whole_or_not_at_all(void **state) {
    (void)state;
    put_file(5000);
    fail_call(0, EIO);
    memset(back, 0, sizeof back);
    assert_int_equal(iol__sys_read_file(path, back, sizeof back), 5000);
    assert_memory_equal(back, bytes, 5000);
    assert_int_equal(made, 5); /* open, look, read, read the end, close */
    assert_int_equal(iol__sys_read_file(path, back, 77), 77);
    for (long n = 1; n <= 4; n++) {
        fail_call(n, EIO);
        assert_int_equal(iol__sys_read_file(path, back, sizeof back), -1);
        assert_int_equal(made, n == 1 ? 1 : n + 1); /* closed all the same */
    }
    fail_call(5, EIO);
    assert_int_equal(iol__sys_read_file(path, back, sizeof back), 5000);
    fail_call(0, EIO);
    assert_int_equal(iol__sys_read_file("/does/not/exist", back, sizeof back), -1);
}

static void an_interrupted_read_is_taken_up_again(void **state) {
    (void)state;
    put_file(5000);
    for (long n = 3; n <= 4; n++) {
        fail_call(n, EINTR);
        memset(back, 0, sizeof back);
        assert_int_equal(iol__sys_read_file(path, back, sizeof back), 5000);
        assert_memory_equal(back, bytes, 5000);
    }
}

/* A setting may lead anywhere. */
static void what_is_no_file_is_not_read_and_nobody_waits(void **state) {
    (void)state;
    char fifo[310];
    snprintf(fifo, sizeof fifo, "%s/fifo", directory);
    assert_int_equal(mkfifo(fifo, 0600), 0);
    fail_call(0, EIO);
    assert_int_equal(iol__sys_read_file(fifo, back, sizeof back), -1);
    assert_int_equal(iol__sys_read_file("/dev/zero", back, sizeof back), -1);
    assert_int_equal(iol__sys_read_file(directory, back, sizeof back), -1);
    unlink(fifo);
}

static int open_new(void) {
    const int fd = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    assert_true(fd >= 0);
    return fd;
}

static void all_is_written_at_its_place_or_it_is_reported(void **state) {
    (void)state;
    const int fd = open_new();
    fail_call(0, EIO);
    assert_int_equal(iol__sys_write_all(fd, bytes, 4000, 100), 0);
    assert_int_equal(iol__sys_write_all(fd, bytes + 4000, 1000, 4100), 0);
    assert_int_equal(pread(fd, back, sizeof back, 100), 5000);
    assert_memory_equal(back, bytes, 5000);
    assert_int_equal(iol__sys_write_all(fd, bytes, 0, 0), 0);
    fail_call(1, EINTR);
    assert_int_equal(iol__sys_write_all(fd, bytes + 7, 10, 0), 0);
    assert_int_equal(pread(fd, back, 10, 0), 10);
    assert_memory_equal(back, bytes + 7, 10);
    fail_call(1, ENOSPC);
    errno = 0;
    assert_int_equal(iol__sys_write_all(fd, bytes, 10, 0), -1);
    assert_int_equal(errno, ENOSPC);
    close(fd);
}

/* The limit lets a part through, then nothing: the rest is tried, and its failure reported. */
static int write_against_the_limit(void) {
    const struct rlimit limit = {5000, 5000};
    signal(SIGXFSZ, SIG_IGN);
    const int fd = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (fd < 0 || setrlimit(RLIMIT_FSIZE, &limit) != 0) return 2;
    if (iol__sys_write_all(fd, bytes, 8192, 0) != -1 || made != 2) return 3;
    return pread(fd, back, sizeof back, 0) == 5000 && memcmp(back, bytes, 5000) == 0 ? 0 : 4;
}

static void a_partial_write_goes_on(void **state) {
    (void)state;
    fail_call(0, EIO);
    const pid_t child = fork();
    if (child == 0) _exit(write_against_the_limit());
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
}

static void memory_is_zero_or_none(void **state) {
    (void)state;
    fail_call(0, ENOMEM);
    char *memory = iol__sys_memory(10000);
    assert_non_null(memory);
    for (int i = 0; i < 10000; i++) assert_int_equal(memory[i], 0);
    munmap(memory, 10000);
    fail_call(1, ENOMEM);
    assert_null(iol__sys_memory(10000));
}

static int make_directory(void **state) {
    (void)state;
    const char *top = getenv("TMPDIR");
    snprintf(directory, sizeof directory, "%s/iolite-own-XXXXXX", top && *top ? top : "/tmp");
    if (!mkdtemp(directory)) return -1;
    snprintf(path, sizeof path, "%s/file", directory);
    for (size_t i = 0; i < BYTES; i++) bytes[i] = (char)(i * 7 + i / 251);
    return 0;
}

static int remove_directory(void **state) {
    (void)state;
    unlink(path);
    return rmdir(directory);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_file_is_read_whole_or_not_at_all),
        cmocka_unit_test(an_interrupted_read_is_taken_up_again),
        cmocka_unit_test(what_is_no_file_is_not_read_and_nobody_waits),
        cmocka_unit_test(all_is_written_at_its_place_or_it_is_reported),
        cmocka_unit_test(a_partial_write_goes_on),
        cmocka_unit_test(memory_is_zero_or_none),
    };
    return cmocka_run_group_tests(tests, make_directory, remove_directory);
}
