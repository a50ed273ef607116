/* Logs from where they are: files, pipes short and long, and what cannot be opened at all. */
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/support/logrecords.h"
#include "tests/support/opened.h"

enum { LONG_PIPE_RECORDS = 30000 }; /* 20 MiB: more than is kept in memory */

static uint8_t *numbered_log(int count, uint8_t compression, size_t *length) {
    lm_log *made = lm_new(41, false, compression);
    lm_counts counts = {0};
    for (int i = 0; i < count; i++) lm_fixed(lm_records(made, LM_POSIX, 4), LM_POSIX, 4, (uint64_t)i, 0, 0, &counts);
    lm_name(made, 1, "/one");
    uint8_t *file = lm_finish(made, length);
    lm_free(made);
    return file;
}

static void assert_numbered(iol_log *log, int count) {
    opened o = {.log = log};
    iol_records *records = records_of(&o, LM_POSIX);
    for (int i = 0; i < count; i++) assert_int_equal(iol_record_id(next_of(records)), i);
    ends_well(records);
    assert_string_equal(iol_log_name(log, 1), "/one");
    assert_int_equal(iol_log_error_count(log), 0);
}

static void write_whole(int descriptor, const uint8_t *data, size_t length) {
    while (length > 0) {
        ssize_t put = write(descriptor, data, length);
        if (put <= 0) return;
        data += put;
        length -= (size_t)put;
    }
}

static void a_file_reads_like_memory(void **state) {
    (void)state;
    static const uint8_t compressions[] = {LM_ZLIB, LM_BZIP2, LM_NONE, LM_ZSTD};
    for (int i = 0; i < 4; i++) {
        if (!lm_can(compressions[i])) continue;
        size_t length;
        uint8_t *data = numbered_log(5000, compressions[i], &length);
        char path[] = "/tmp/iolite-source-XXXXXX";
        int descriptor = mkstemp(path);
        assert_true(descriptor >= 0);
        write_whole(descriptor, data, length);
        close(descriptor);
        iol_log *log = NULL;
        assert_int_equal(iol_log_open(path, &log, NULL), IOL_OK);
        assert_string_equal(iol_log_info(log)->path, path);
        assert_int_equal(iol_log_info(log)->file_bytes, length);
        assert_numbered(log, 5000);
        iol_log_close(log);
        unlink(path);
        free(data);
    }
}

/* Open a path that is the reading end of a pipe, while another process writes. */
static void assert_pipe(int count, const char *name) {
    size_t length;
    int ends[2];
    uint8_t *data = numbered_log(count, LM_NONE, &length);
    assert_int_equal(pipe(ends), 0);
    pid_t writer = fork();
    if (writer == 0) {
        close(ends[0]);
        write_whole(ends[1], data, length);
        _exit(0);
    }
    close(ends[1]);
    free(data);
    char path[64];
    int input = -1;
    if (strcmp(name, "-") == 0) {
        input = dup(STDIN_FILENO);
        dup2(ends[0], STDIN_FILENO);
    }
    snprintf(path, sizeof path, name, ends[0]);
    iol_log *log = NULL;
    iol_error error = {0};
    if (iol_log_open(path, &log, &error) != IOL_OK) fail_msg("%s", error.message);
    assert_numbered(log, count);
    iol_log_close(log);
    close(ends[0]);
    if (input >= 0) {
        dup2(input, STDIN_FILENO);
        close(input);
    }
    waitpid(writer, NULL, 0);
}

static void a_pipe_is_read_to_its_end(void **state) {
    (void)state;
    assert_pipe(10, "/dev/fd/%d");
    assert_pipe(LONG_PIPE_RECORDS, "/dev/fd/%d");
}

static void a_dash_is_standard_input(void **state) {
    (void)state;
    assert_pipe(10, "-");
}

static void assert_refused(const char *path, iol_status status) {
    iol_log *log = (iol_log *)&status;
    iol_error error = {0};
    assert_int_equal(iol_log_open(path, &log, &error), status);
    assert_null(log);
    assert_int_equal(error.status, status);
    assert_non_null(strstr(error.message, path));
}

static void what_is_not_there_is_a_system_error(void **state) {
    (void)state;
    assert_refused("/nonexistent/log.darshan", IOL_SYSTEM);
    assert_refused("/", IOL_SYSTEM);
}

static void an_empty_file_is_not_a_log(void **state) {
    (void)state;
    char path[] = "/tmp/iolite-source-XXXXXX";
    int descriptor = mkstemp(path);
    assert_true(descriptor >= 0);
    close(descriptor);
    assert_refused(path, IOL_NOT_A_LOG);
    unlink(path);
}

/* A log that shrinks under the reader gives an error, not a signal. */
static void a_file_that_becomes_shorter_is_reported(void **state) {
    (void)state;
    size_t length;
    uint8_t *data = numbered_log(5000, LM_NONE, &length);
    char path[] = "/tmp/iolite-source-XXXXXX";
    int descriptor = mkstemp(path);
    assert_true(descriptor >= 0);
    write_whole(descriptor, data, length);
    iol_log *log = NULL;
    assert_int_equal(iol_log_open(path, &log, NULL), IOL_OK);
    assert_int_equal(ftruncate(descriptor, (off_t)length / 2), 0);
    opened o = {.log = log};
    iol_records *records = records_of(&o, LM_POSIX);
    const iol_record *record;
    iol_status status;
    while ((status = iol_records_next(records, &record)) == IOL_OK) {}
    assert_int_not_equal(status, IOL_END);
    assert_true(iol_log_error_count(log) > 0);
    iol_records_close(records);
    iol_log_close(log);
    close(descriptor);
    unlink(path);
    free(data);
}

/* It used to be waited for until the end of days; and one that somebody writes to is a log like any other. */
static void a_named_pipe_needs_a_writer(void **state) {
    (void)state;
    size_t length;
    uint8_t *data = numbered_log(10, LM_NONE, &length);
    char folder[] = "/tmp/iolite-source-XXXXXX", path[64];
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/pipe.darshan", folder);
    assert_int_equal(mkfifo(path, 0600), 0);
    alarm(120);
    assert_refused(path, IOL_NOT_A_LOG);
    const pid_t writer = fork();
    if (writer == 0) {
        int descriptor = open(path, O_WRONLY);
        write_whole(descriptor, data, length);
        _exit(0);
    }
    iol_log *log = NULL;
    assert_int_equal(iol_log_open(path, &log, NULL), IOL_OK);
    alarm(0);
    iol_log_close(log);
    assert_int_equal(waitpid(writer, NULL, 0), writer);
    unlink(path);
    rmdir(folder);
    free(data);
}

/* A file of any size costs nothing to make; a region in it that is not there must not be read for years. */
static void a_region_ends_at_a_hole(void **state) {
    (void)state;
    size_t length;
    uint8_t *data = numbered_log(10, LM_NONE, &length);
    const uint64_t huge = UINT64_C(1) << 41;
    char path[] = "/tmp/iolite-source-XXXXXX";
    int descriptor = mkstemp(path);
    assert_true(descriptor >= 0);
    write_whole(descriptor, data, length);
    if (ftruncate(descriptor, (off_t)(2 * huge)) != 0 || lseek(descriptor, 0, SEEK_HOLE) >= (off_t)huge) skip();
    assert_int_equal(pwrite(descriptor, &huge, sizeof huge, 48 + 16 * LM_POSIX + 8), sizeof huge);
    iol_log *log = NULL;
    assert_int_equal(iol_log_open(path, &log, NULL), IOL_OK);
    assert_true(iol_log_error_count(log) > 0);
    opened o = {.log = log};
    iol_records *records = records_of(&o, LM_POSIX);
    const iol_record *record;
    size_t count = 0;
    while (iol_records_next(records, &record) == IOL_OK) count++;
    assert_true(count >= 10 && count < 100000);
    iol_records_close(records);
    iol_log_close(log);
    close(descriptor);
    unlink(path);
    free(data);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_named_pipe_needs_a_writer), cmocka_unit_test(a_region_ends_at_a_hole),
        cmocka_unit_test(a_file_reads_like_memory),    cmocka_unit_test(a_pipe_is_read_to_its_end),
        cmocka_unit_test(a_dash_is_standard_input),    cmocka_unit_test(what_is_not_there_is_a_system_error),
        cmocka_unit_test(an_empty_file_is_not_a_log),  cmocka_unit_test(a_file_that_becomes_shorter_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
