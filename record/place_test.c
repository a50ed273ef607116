/* The order of the places, the form of the names, and job ids of every scheduler in the table. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "record/hash.h"
#include "record/place.h"

static iol__config config;
static iol__place place;

static long no_file(const char *path, char *to, size_t room) {
    (void)path, (void)to, (void)room;
    return -1;
}

#define ENVIRONMENT(...) ((char *[]){__VA_ARGS__, NULL})

/* 15 November 2026, 06:55:33 UTC */
static iol__place_facts facts_in(char **environment) {
    iol__resolve(&config, environment, no_file);
    return (iol__place_facts){.user = "alice",
                              .program = "ior",
                              .job = 42,
                              .pid = 31337,
                              .start = 1794725733,
                              .random = 5307260065671902231u,
                              .environment = environment};
}

#define NAME "alice_ior_id42-31337_11-15-24933-5307260065671902231_1.darshan"

static void assert_next(const iol__place_facts *facts, unsigned *candidate, const char *path, bool create) {
    assert_true(iol__place_next(&config, facts, candidate, &place));
    assert_string_equal(place.path, path);
    assert_int_equal(place.create, create);
}

/* A group reads what is in the site's tree, in directories that hand their group on, and nothing else. */
static void group_reads_in_the_tree_only(void **state) {
    (void)state;
    iol__place_facts facts =
        facts_in(ENVIRONMENT("IOLITE_LOG_DIR=/flat", "DARSHAN_LOGPATH=/tree", "IOLITE_LOG_MODE=0440"));
    unsigned candidate = 0;
    assert_true(iol__place_next(&config, &facts, &candidate, &place));
    assert_int_equal(iol__place_mode(&config, &place, 03777), 0400);
    assert_true(iol__place_next(&config, &facts, &candidate, &place));
    assert_int_equal(iol__place_mode(&config, &place, 03777), 0440);
    assert_int_equal(iol__place_mode(&config, &place, 01777), 0400);
    facts = facts_in(ENVIRONMENT("DARSHAN_LOGPATH=/tree", "IOLITE_LOG_MODE=0660"));
    candidate = 0;
    assert_true(iol__place_next(&config, &facts, &candidate, &place));
    assert_int_equal(iol__place_mode(&config, &place, 03777), 0400);
}

static void places_come_in_their_order(void **state) {
    (void)state;
    iol__place_facts facts = facts_in(
        ENVIRONMENT("DARSHAN_LOGFILE=/exact.log", "IOLITE_LOG_DIR=/flat", "DARSHAN_LOGPATH=/tree", "HOME=/home/alice",
                    "IOLITE_LOG_PATH_BY_ENV=NOT_SET,EMPTY,JOB_DIR", "EMPTY=", "JOB_DIR=/job"));
    unsigned candidate = 0;
    assert_next(&facts, &candidate, "/exact.log", false);
    assert_true(place.exact);
    assert_string_equal(place.named, "DARSHAN_LOGFILE");
    assert_next(&facts, &candidate, "/flat/" NAME, true);
    assert_false(place.exact);
    assert_next(&facts, &candidate, "/job/" NAME, false);
    assert_next(&facts, &candidate, "/tree/2026/11/15/" NAME, false);
    assert_next(&facts, &candidate, "/home/alice/.local/share/iolite/logs/2026/11/15/" NAME, true);
    assert_string_equal(place.named, "the default");
    assert_false(iol__place_next(&config, &facts, &candidate, &place));
}

static void there_may_be_no_place(void **state) {
    (void)state;
    iol__place_facts facts = facts_in(ENVIRONMENT("HOME=relative", "IOLITE_LOG_DIR="));
    unsigned candidate = 0;
    assert_false(iol__place_next(&config, &facts, &candidate, &place));
}

static void names_have_the_known_form(void **state) {
    (void)state;
    iol__place_facts facts = facts_in(ENVIRONMENT("IOLITE_LOG_DIR=/d"));
    unsigned candidate = 0;
    facts.user = "a/b\n";
    facts.program = "my prog";
    facts.write_seconds = 2;
    facts.utc_offset = -7 * 3600;
    assert_next(&facts, &candidate, "/d/a_b__my_prog_id42-31337_11-14-86133-5307260065671902231_3.darshan", true);
}

static void long_parts_still_make_a_file_name(void **state) {
    (void)state;
    static char big[3000];
    memset(big, 'x', sizeof big - 1);
    iol__place_facts facts = facts_in(ENVIRONMENT("IOLITE_LOG_DIR=/d"));
    facts.user = facts.program = big;
    facts.job = facts.pid = INT64_MAX;
    facts.random = UINT64_MAX;
    unsigned candidate = 0;
    assert_true(iol__place_next(&config, &facts, &candidate, &place));
    assert_true(strlen(place.path + 3) <= 255);
    assert_string_equal(place.path + strlen(place.path) - 10, "_1.darshan");
}

static void dates_are_those_of_the_c_library(void **state) {
    (void)state;
    for (int64_t start = -3000000000; start < 8000000000; start += 86400 * 13 + 4321) {
        iol__place_facts facts = facts_in(ENVIRONMENT("IOLITE_LOG_PATH=/t"));
        facts.start = start;
        time_t instant = (time_t)start;
        struct tm tm;
        gmtime_r(&instant, &tm);
        char expected[512];
        snprintf(expected, sizeof expected, "/t/%d/%d/%d/alice_ior_id42-31337_%d-%d-%d-5307260065671902231_1.darshan",
                 tm.tm_year + 1900, tm.tm_mon + 1, tm.tm_mday, tm.tm_mon + 1, tm.tm_mday,
                 tm.tm_hour * 3600 + tm.tm_min * 60 + tm.tm_sec);
        unsigned candidate = 0;
        assert_next(&facts, &candidate, expected, false);
    }
}

/* Directories ----------------------------------------------------------------------------------------------------- */

static char made[8][64];
static size_t n_made;
static int errors[8];

static int make(const char *path, mode_t mode) {
    assert_int_equal(mode, 0755);
    assert_true(n_made < 8);
    snprintf(made[n_made], sizeof made[0], "%s", path);
    errno = errors[n_made++];
    return errno ? -1 : 0;
}

static void directories_are_made_from_the_top(void **state) {
    (void)state;
    snprintf(place.path, sizeof place.path, "/a/b/c/log");
    n_made = 0;
    errors[0] = EEXIST; /* usually */
    assert_int_equal(iol__place_create(&place, make), 0);
    assert_int_equal(n_made, 1);
    assert_string_equal(made[0], "/a/b/c");
    n_made = 0;
    errors[0] = ENOENT;
    errors[1] = EACCES;
    errors[2] = EEXIST;
    errors[3] = 0;
    assert_int_equal(iol__place_create(&place, make), 0);
    assert_int_equal(n_made, 4);
    assert_string_equal(made[1], "/a");
    assert_string_equal(made[3], "/a/b/c");
    n_made = 0;
    errors[3] = ENOSPC;
    assert_int_equal(iol__place_create(&place, make), -1);
    assert_int_equal(errno, ENOSPC);
    n_made = 0;
    errors[1] = ENOENT; /* there is no such home: nothing above it is made, nor itself */
    errors[2] = ENOENT;
    place.there = sizeof "/a" - 1;
    assert_int_equal(iol__place_create(&place, make), -1);
    assert_int_equal(errno, ENOENT);
    assert_int_equal(n_made, 3);
    assert_string_equal(made[1], "/a/b");
    place.there = 0;
    n_made = 0;
    snprintf(place.path, sizeof place.path, "log");
    assert_int_equal(iol__place_create(&place, make), 0);
    assert_int_equal(n_made, 0);
}

/* Who and which job ----------------------------------------------------------------------------------------------- */

static int64_t job_in(char *first, char *second) {
    char **environment = ENVIRONMENT(first, second);
    iol__resolve(&config, environment, no_file);
    return iol__job_id(&config, environment, 7);
}

static void jobs_are_found_at_run_time(void **state) {
    (void)state;
    assert_int_equal(job_in(NULL, NULL), 7);
    assert_int_equal(job_in("SLURM_JOB_ID=123", NULL), 123);
    assert_int_equal(job_in("SLURM_JOBID=124", NULL), 124);
    assert_int_equal(job_in("PBS_JOBID=123.host", NULL), 123);
    assert_int_equal(job_in("PBS_JOBID=45[6].host", NULL), 45);
    assert_int_equal(job_in("LSB_JOBID=9000000000", NULL), 9000000000);
    assert_int_equal(job_in("JOB_ID=5", "SLURM_JOB_ID=6"), 6);
    assert_int_equal(job_in("JOB_ID=name", NULL), 7);
    assert_int_equal(job_in("JOB_ID=99999999999999999999", NULL), 7);
    assert_int_equal(job_in("LOADL_STEP_ID=node.site.org.17.0", NULL), 17);
    assert_int_equal(job_in("LOADL_STEP_ID=node", NULL), 7);
    assert_int_equal(job_in("FLUX_JOB_ID=55", NULL), 55);
    assert_int_equal(job_in("FLUX_JOB_ID=f2oPAY", NULL), (int64_t)(iol__hash("f2oPAY", 6, 0) >> 1));
    assert_int_equal(job_in("AWS_BATCH_JOB_ID=3f-x", NULL), (int64_t)(iol__hash("3f-x", 4, 0) >> 1));
    assert_int_equal(job_in("AWS_BATCH_JOB_ID=", NULL), 7);
    assert_int_equal(job_in("DARSHAN_JOBID=MY_JOB", "MY_JOB=12.x"), 12);
    assert_int_equal(job_in("DARSHAN_JOBID=NONE", "SLURM_JOB_ID=8"), 8);
}

static void users_have_a_name_or_a_number(void **state) {
    (void)state;
    char name[16];
    iol__user_name(ENVIRONMENT("LOGNAME=alice"), 1000, name, sizeof name);
    assert_string_equal(name, "alice");
    iol__user_name(ENVIRONMENT("LOGNAME="), 1000, name, sizeof name);
    assert_string_equal(name, "1000");
    iol__user_name(NULL, 0, name, sizeof name);
    assert_string_equal(name, "0");
    assert_true(iol__place_random("node1", 1794725765123456) == 18409112390321064556u);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(group_reads_in_the_tree_only),
        cmocka_unit_test(places_come_in_their_order),
        cmocka_unit_test(there_may_be_no_place),
        cmocka_unit_test(names_have_the_known_form),
        cmocka_unit_test(long_parts_still_make_a_file_name),
        cmocka_unit_test(dates_are_those_of_the_c_library),
        cmocka_unit_test(directories_are_made_from_the_top),
        cmocka_unit_test(jobs_are_found_at_run_time),
        cmocka_unit_test(users_have_a_name_or_a_number),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
