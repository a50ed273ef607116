/* How processes ended: who was killed, when it was seen last, and what it had open; and programs that were not recorded. */
#include "insight/facts/log_words.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/plainlog.h"

static void says(const char *log, const char *expected) {
    opened o = log_of(log, false);
    iol__ended ended;
    char text[512] = "";
    iol__ended_read(o.log, &ended);
    iol__ended_text(&ended, ended.file ? iol_log_name(o.log, ended.file) : NULL, text, sizeof text);
    assert_string_equal(text, expected);
    opened_close(&o);
}

static void nobody_was_killed(void **state) {
    (void)state;
    says("job 2 10\nPOSIX 0 /a POSIX_OPENS=1", "");
    says("job 2 10\nENDS 0 exit\nENDS 1 exit\nPOSIX 0 /a POSIX_OPENS=1", "");
}

/* One without records never says how it ended. */
static void one_was_killed(void **state) {
    (void)state;
    says("job 2 10\nENDS 0 exit\nENDS 1 killed\nPOSIX 1 /closed POSIX_F_OPEN_END_TIMESTAMP=1 "
         "POSIX_F_WRITE_END_TIMESTAMP=5 "
         "POSIX_F_CLOSE_END_TIMESTAMP=6\nPOSIX 1 /open POSIX_F_OPEN_END_TIMESTAMP=1 POSIX_F_WRITE_END_TIMESTAMP=4\n"
         "POSIX 0 /other POSIX_F_OPEN_END_TIMESTAMP=9",
         "Rank 1 of 2 did not end by itself: it was last seen at 6 s, with /open open");
    says("job 2 10\nENDS 0 exit\nENDS 1 killed\nPOSIX 0 /a POSIX_OPENS=1", "");
}

static void a_signal_was_seen(void **state) {
    (void)state;
    says("job 2 10\nENDS 0 killed 11\nENDS 1 killed\nPOSIX 0 /a POSIX_F_OPEN_END_TIMESTAMP=1\nPOSIX 1 /b "
         "POSIX_F_OPEN_END_TIMESTAMP=2",
         "Rank 0 of 2 was killed by signal 11 (SIGSEGV) at 1 s or later, with /a open; one other was ended");
}

/* A rank of one is a process like any other. */
static void a_single_process_has_no_rank(void **state) {
    (void)state;
    says("job 1 10\nENDS 0 killed 9 8.25\nPOSIX 0 /a POSIX_F_OPEN_END_TIMESTAMP=1",
         "The process was killed by signal 9 (SIGKILL) at 8.25 s, with /a open");
    says("job 1 10\nENDS 0 killed\nPOSIX 0 /a POSIX_F_OPEN_END_TIMESTAMP=1",
         "The process did not end by itself: it was last seen at 1 s, with /a open");
}

/* A launcher ends the others after it, and they may be seen for longer. */
static void the_first_is_named(void **state) {
    static const char files[] = "POSIX 0 /a POSIX_F_OPEN_END_TIMESTAMP=1\nPOSIX 1 /b POSIX_F_OPEN_END_TIMESTAMP=2\n"
                                "POSIX 2 /c POSIX_F_OPEN_END_TIMESTAMP=3";
    char log[1000];
    (void)state;
    snprintf(log, sizeof log,
             "job 3 10\nmeta mpi_world=7\nENDS 0 killed 9 8.5\nENDS 1 killed 9 8.25\nENDS 2 killed 15 8.75\n%s", files);
    says(log, "Rank 1 of 3 was killed by signal 9 (SIGKILL) at 8.25 s, with /b open; 2 others were ended");
    snprintf(log, sizeof log, "job 3 10\nmeta mpi_world=7\nENDS 0 exit 3 8.5\nENDS 1 killed 9 8.75\nENDS 2 killed\n%s",
             files);
    says(log, "Rank 0 of 3 ended with status 3 at 8.5 s, with /a open; 2 others were ended");
    says("job 2 10\nmeta mpi_world=7\nENDS 0 exit 3 8.5\nENDS 1 exit\nPOSIX 1 /b POSIX_F_OPEN_END_TIMESTAMP=2", "");
}

/* A rank need not have a file to be the cause; in a script, what was killed without having done anything is none. */
static void who_did_nothing(void **state) {
    static const char rest[] = "ENDS 0 killed 62 1.5\nENDS 1 killed 9 8.25\nPOSIX 1 /b POSIX_F_OPEN_END_TIMESTAMP=2";
    char log[1000];
    (void)state;
    snprintf(log, sizeof log, "job 2 10\nmeta mpi_world=7\n%s", rest);
    says(log, "Rank 0 of 2 was killed by signal 62 at 1.5 s; one other was ended");
    snprintf(log, sizeof log, "job 2 10\n%s", rest);
    says(log, "Rank 1 of 2 was killed by signal 9 (SIGKILL) at 8.25 s, with /b open");
}

static void all_were_killed(void **state) {
    (void)state;
    says("job 2 10\nENDS 0 killed\nENDS 1 killed\nPOSIX -1 /shared POSIX_F_OPEN_END_TIMESTAMP=1 "
         "POSIX_F_WRITE_END_TIMESTAMP=7.25",
         "2 of 2 ranks did not end by themselves: rank 0 was seen last, at 7.25 s, with /shared open");
}

static void note(iol__unseen *list, iol__unseen_why why, const char *program, int times) {
    for (int i = 0; i < times; i++) iol__unseen_note(list, iol__unseen_how(why), program);
}

static void programs_that_are_not_in_the_log(void **state) {
    (void)state;
    iol__unseen list = {0};
    char text[512], name[32];
    note(&list, IOL_UNSEEN_STATIC, "busybox", 2000);
    note(&list, IOL_UNSEEN_STATIC, "ldconfig", 1);
    iol__unseen_sort(&list);
    assert_true(iol__unseen_programs(&list, IOL_UNSEEN_STATIC, 8, text, sizeof text));
    assert_string_equal(text, "busybox (2,000), ldconfig");
    assert_true(iol__unseen_programs(&list, IOL_UNSEEN_STATIC, 1, text, sizeof text));
    assert_string_equal(text, "busybox (2,000), 1 more");
    assert_false(iol__unseen_programs(&list, IOL_UNSEEN_GO, 8, text, sizeof text));
    for (int i = 0; i < 1000; i++) {
        snprintf(name, sizeof name, "program %d", i);
        note(&list, IOL_UNSEEN_STATIC, name, 1);
    }
    assert_true(iol__unseen_programs(&list, IOL_UNSEEN_STATIC, 1000, text, 128));
    assert_non_null(strstr(text, " more"));
    iol__unseen_forget_names(&list);
    assert_true(iol__unseen_programs(&list, IOL_UNSEEN_STATIC, 8, text, sizeof text));
    assert_string_equal(text, "3,001 programs");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nobody_was_killed),  cmocka_unit_test(one_was_killed),
        cmocka_unit_test(a_signal_was_seen),  cmocka_unit_test(a_single_process_has_no_rank),
        cmocka_unit_test(the_first_is_named), cmocka_unit_test(who_did_nothing),
        cmocka_unit_test(all_were_killed),    cmocka_unit_test(programs_that_are_not_in_the_log),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
