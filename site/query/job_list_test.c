/* Lists of jobs with a finding: the same jobs whether the first of the list are looked at one by one, as for findings that
   most jobs have, or the logs of a rare finding are collected. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "site/query/job_list.h"
#include "site/query/query.h"
#include "tests/support/empty_store.h"

enum { JOBS = 6000, SHOWN = 3 };

static void put_found(iol__store *store, int64_t log, const char *rule) {
    const iol__finding_row finding = {.log_id = log, .rule = rule, .level = "warn"};
    assert_int_equal(iol__store_put_finding(store, &finding), IOL_OK);
}

/* Job N starts at N. All have a log with "common", the three oldest one with "old", every 2000th one with "rare". */
static void put_jobs(iol__store *store) {
    assert_int_equal(iol__store_begin(store), IOL_OK);
    for (int64_t i = 1; i <= JOBS; i++) {
        char id[32];
        snprintf(id, sizeof id, "%lld", (long long)i);
        const char *owner = i % 2 ? "ana" : "bo";
        const iol__job_row job = {.cluster = "c", .jobid = id, .owner = owner, .start = i, .logs = 1};
        const iol__log_row log = {
            .log_id = i, .cluster = "c", .identity = id, .state = "ok", .reader = "", .jobid = id, .owner = owner};
        assert_int_equal(iol__store_put_job(store, &job), IOL_OK);
        assert_int_equal(iol__store_put_log(store, &log), IOL_OK);
        put_found(store, i, "common");
        if (i <= 3) put_found(store, i, "old");
        if (i % 2000 == 0) put_found(store, i, "rare");
    }
    assert_int_equal(iol__store_commit(store), IOL_OK);
}

static bool add_start(void *context, const iol__job_row *job) {
    char *found = context;
    const size_t length = strlen(found);
    snprintf(found + length, 64 - length, " %lld", (long long)job->start);
    return true;
}

static void check_list(iol__store *store, iol__job_filter filter, const iol__job_sort *sort, const char *expected,
                       bool one_by_one) {
    iol__sql sql;
    char found[64] = "";
    iol__select_job(&sql);
    iol__job_list(&sql, store, &filter, sort, SHOWN);
    fflush(sql.to);
    assert_int_equal(strstr(sql.text, "EXISTS") != NULL, one_by_one);
    assert_int_equal(iol__ask_job(&sql, store, add_start, found), IOL_OK);
    assert_string_equal(found, expected);
}

static void lists_have_the_same_jobs_either_way(void **state) {
    const fixture *f = *state;
    const char *const common[] = {"common"}, *const old[] = {"old"}, *const rare[] = {"rare"}, *const like[] = {"com%"};
    const char *const ana[] = {"ana"};
    const iol__job_place place = {iol__integer(4001), 4001, "c", "4001", "ana"};
    const iol__job_sort by_start = {.expression = "start"}, by_reads = {.expression = "reads"};
    const iol__job_sort upwards = {.expression = "start", .ascending = true};
    const iol__job_sort behind = {.expression = "start", .after = &place};
    put_jobs(f->store);
    check_list(f->store, (iol__job_filter){.rules = {common, 1}}, &by_start, " 6000 5999 5998", true);
    check_list(f->store, (iol__job_filter){.rules = {like, 1}}, &upwards, " 1 2 3", true);
    check_list(f->store, (iol__job_filter){.rules = {common, 1}}, &behind, " 4000 3999 3998", true);
    check_list(f->store, (iol__job_filter){.rules = {common, 1}, .owners = ana, .n_owners = 1}, &by_start,
               " 5999 5997 5995", true);
    check_list(f->store, (iol__job_filter){.rules = {rare, 1}}, &by_start, " 6000 4000 2000", true);
    check_list(f->store, (iol__job_filter){.rules = {old, 1}}, &by_start, " 3 2 1", false);
    check_list(f->store, (iol__job_filter){.rules = {rare, 1}}, &behind, " 4000 2000", true); /* all that there are */
    check_list(f->store, (iol__job_filter){.rules = {common, 1}}, &by_reads, " 6000 5999 5998", false);
    const iol__day_finding_row day = {.day = 1, .cluster = "c", .rule = "common", .level = "warn", .logs = 1000000};
    assert_int_equal(iol__store_put_day_finding(f->store, &day), IOL_OK);
    check_list(f->store, (iol__job_filter){.rules = {common, 1}}, &by_reads, " 6000 5999 5998", true);
    check_list(f->store, (iol__job_filter){.rules = {rare, 1}}, &by_reads, " 6000 4000 2000", false);
    check_list(f->store, (iol__job_filter){.rules = {old, 1}, .users = {ana, 1}}, &by_start, " 3 1", true);
    check_list(f->store, (iol__job_filter){.rules = {rare, 1}, .users = {ana, 1}}, &by_start, "", true);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(lists_have_the_same_jobs_either_way, open_empty, close_and_remove)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
