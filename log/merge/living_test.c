/* Who takes what the dead have left: a process that is ending still holds its lock for a while. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "log/merge/living.h"

static char path[] = "/tmp/iolite-living-XXXXXX";

/* A process that has the file locked until the pipe is written to. */
static pid_t start_holder(int release[2]) {
    int held[2];
    char byte;
    assert_int_equal(pipe(release), 0);
    assert_int_equal(pipe(held), 0);
    const pid_t holder = fork();
    assert_true(holder >= 0);
    if (holder == 0) {
        FILE *file = fopen(path, "re");
        const bool locked = file && flock(fileno(file), LOCK_EX) == 0 && write(held[1], "x", 1) == 1;
        _exit(locked && read(release[0], &byte, 1) == 1 ? 0 : 1);
    }
    assert_int_equal(read(held[0], &byte, 1), 1);
    close(held[0]);
    close(held[1]);
    return holder;
}

static void let_go(int release[2]) { assert_int_equal(write(release[1], "x", 1), 1); }

static void collect(pid_t holder, int release[2]) {
    int status;
    assert_int_equal(waitpid(holder, &status, 0), holder);
    assert_int_equal(status, 0);
    close(release[0]);
    close(release[1]);
}

static pid_t gone(void) {
    const pid_t child = fork();
    if (child == 0) _exit(0);
    assert_int_equal(waitpid(child, NULL, 0), child);
    return child;
}

/* The lock of a process that is not there any more is about to go. */
static void one_that_ends_is_waited_for(void **state) {
    (void)state;
    int release[2];
    const pid_t holder = start_holder(release);
    const iol__mapped facts = {.pid = gone(), .born = 1, .locked = 1};
    FILE *file = fopen(path, "re");
    assert_non_null(file);
    assert_true(iol__mapped_lives(fileno(file), path, &facts));
    let_go(release);
    assert_false(iol__mapped_lives_on(fileno(file), path, &facts));
    fclose(file);
    collect(holder, release);
}

static uint64_t own_birth(void) {
    unsigned long long born = 0;
    FILE *file = fopen("/proc/self/stat", "re");
    assert_non_null(file);
    assert_int_equal(
        fscanf(file, "%*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %llu", &born),
        1);
    fclose(file);
    return iol__born(born, 0);
}

static void one_that_is_there_is_left_alone(void **state) {
    (void)state;
    int release[2];
    const pid_t holder = start_holder(release);
    const iol__mapped facts = {.pid = (int32_t)getpid(), .born = own_birth(), .locked = 1};
    FILE *file = fopen(path, "re");
    assert_non_null(file);
    assert_true(iol__mapped_lives_on(fileno(file), path, &facts));
    let_go(release);
    collect(holder, release);
    assert_false(iol__mapped_lives_on(fileno(file), path, &facts));
    fclose(file);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_that_ends_is_waited_for),
        cmocka_unit_test(one_that_is_there_is_left_alone),
    };
    const int fd = mkstemp(path);
    if (fd < 0) return 1;
    close(fd);
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    unlink(path);
    return failed;
}
