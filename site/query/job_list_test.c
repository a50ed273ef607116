/* Lists of jobs with a finding: the same jobs whether the first of the list are looked at one by one, as for findings that
   most jobs have, or the logs of a rare finding are collected. And searches: the same jobs whether words are searched before
   jobs or not. */
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

/* Searching ------------------------------------------------------------------------------------------------------- */

/* Of 6000 jobs, three have a program of their own, four a name, and two an account with the same text. */
static void put_named_jobs(iol__store *store) {
    assert_int_equal(iol__store_begin(store), IOL_OK);
    for (int64_t i = 1; i <= JOBS; i++) {
        char id[32];
        snprintf(id, sizeof id, "%lld.sdb", (long long)i + 100000);
        const iol__job_row job = {.cluster = "c",
                                  .jobid = id,
                                  .owner = i % 2 ? "ana" : "bo",
                                  .start = i,
                                  .exename = i <= 3 ? "Rare_App" : "common",
                                  .name = i >= 1000 && i < 1004 ? "night%ly run" : NULL,
                                  .account = i < 3 ? "hydro" : NULL,
                                  .logs = 1};
        assert_int_equal(iol__store_put_job(store, &job), IOL_OK);
    }
    assert_int_equal(iol__store_commit(store), IOL_OK);
}

static int64_t count_jobs(iol__store *store, const iol__job_filter *filter) {
    iol__sql sql;
    int64_t count = -1;
    iol__sql_start(&sql);
    iol__sql_add(&sql, "SELECT COUNT(*) FROM job");
    iol__job_conditions(&sql, filter);
    assert_int_equal(iol__sql_number(&sql, store, 0, &count), IOL_OK);
    return count;
}

static void check_search(iol__store *store, const char *pattern, bool words_first, int64_t expected) {
    iol__arena arena = {0};
    iol__job_filter filter = {.search = pattern};
    assert_int_equal(count_jobs(store, &filter), expected);
    assert_int_equal(iol__job_search(store, &arena, &filter), IOL_OK);
    assert_int_equal(filter.searched, words_first);
    assert_int_equal(count_jobs(store, &filter), expected);
    iol__arena_free(&arena);
}

static void a_search_finds_the_same_jobs_by_words(void **state) {
    const fixture *f = *state;
    put_named_jobs(f->store);
    check_search(f->store, "%zzz%", true, 0);
    check_search(f->store, "%rare\\_app%", true, 3);
    check_search(f->store, "%RARE%", true, 3);
    check_search(f->store, "%night\\%ly%", true, 4);
    check_search(f->store, "%102345%", true, 1);
    check_search(f->store, "%05999.s%", true, 1);
    check_search(f->store, "%10012%", true, 10);
    check_search(f->store, "%10%", false, JOBS); /* most jobs match */
    check_search(f->store, "%1001%", true, 101);
    check_search(f->store, "%1000%", true, 100);
    check_search(f->store, "%ana common%", false, JOBS / 2 - 2); /* a text over two columns */
    check_search(f->store, "%rare%app%", false, 3);              /* a wildcard of the user's */
    check_search(f->store, "rare%", false, 0);
}

static void a_search_of_more_jobs_than_a_list_holds_asks_for_them(void **state) {
    const fixture *f = *state;
    assert_int_equal(iol__store_begin(f->store), IOL_OK);
    for (int64_t i = 1; i <= JOBS; i++) {
        char id[32];
        snprintf(id, sizeof id, "%lld", (long long)i);
        const iol__job_row job = {
            .cluster = "c", .jobid = id, .owner = "ana", .start = i, .exename = i <= 1100 ? "before" : "after"};
        assert_int_equal(iol__store_put_job(f->store, &job), IOL_OK);
    }
    assert_int_equal(iol__store_commit(f->store), IOL_OK);
    check_search(f->store, "%before%", true, 1100);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(lists_have_the_same_jobs_either_way, open_empty, close_and_remove),
        cmocka_unit_test_setup_teardown(a_search_finds_the_same_jobs_by_words, open_empty, close_and_remove),
        cmocka_unit_test_setup_teardown(a_search_of_more_jobs_than_a_list_holds_asks_for_them, open_empty,
                                        close_and_remove)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
