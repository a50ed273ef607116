/* States of nodes: the newest counts, old ones go, and there is room for so much and no more. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <cmocka.h>

#include "serve/running.h"

static iol__running_host *make_host(const char *name, double interval, size_t jobs) {
    static jmp_buf exhausted; /* nobody comes back: a test without memory fails anyway */
    iol__running_host *host = calloc(1, sizeof *host);
    snprintf(host->host, sizeof host->host, "%s", name);
    host->arena.exhausted = &exhausted;
    host->state = (iol__live_state){.interval = interval, .n_jobs = jobs};
    host->state.jobs = iol__arena_alloc(&host->arena, jobs + 1, sizeof *host->state.jobs);
    for (size_t i = 0; i < jobs; i++) host->state.jobs[i] = (iol__live_job){.job = (int64_t)i, .uid = 7};
    return host;
}

static void newest_state_counts(void **none) {
    iol__running r;
    (void)none;
    iol__running_open(&r, NULL, 0);
    assert_true(iol__running_put(&r, make_host("n1", 5, 3)));
    assert_true(iol__running_put(&r, make_host("n2", 5, 1)));
    assert_true(iol__running_put(&r, make_host("n1", 5, 2)));
    assert_int_equal(r.count, 2);
    assert_int_equal(r.hosts[0]->state.n_jobs, 2);
    assert_int_equal(r.held, r.hosts[0]->arena.held + r.hosts[1]->arena.held);
    iol__running_close(&r);
}

static void old_states_go(void **none) {
    iol__running r;
    (void)none;
    iol__running_open(&r, NULL, 0);
    assert_true(iol__running_put(&r, make_host("quick", 5, 1)));
    assert_true(iol__running_put(&r, make_host("slow", 60, 1)));
    for (size_t i = 0; i < 2; i++) r.hosts[i]->received -= 29;
    iol__running_refresh(&r, "c");
    assert_int_equal(r.count, 2);
    for (size_t i = 0; i < 2; i++) r.hosts[i]->received -= 2;
    iol__running_refresh(&r, "c");
    assert_int_equal(r.count, 1); /* who looks once a minute may be late */
    assert_string_equal(r.hosts[0]->host, "slow");
    r.hosts[0]->received -= 240;
    iol__running_refresh(&r, "c");
    assert_int_equal(r.count, 0);
    assert_int_equal(r.held, 0);
    iol__running_close(&r);
}

static void wishes_end(void **none) {
    iol__running r;
    const iol__running_job job = {.cluster = "c", .job = 17, .uid = 7};
    (void)none;
    iol__running_open(&r, NULL, 0);
    for (int i = 0; i < 3; i++) iol__running_wish_for(&r, &job);
    assert_int_equal(r.n_wishes, 1);
    iol__running_refresh(&r, "c");
    assert_int_equal(r.n_wishes, 1);
    r.wishes[0].until -= IOL_RUNNING_WISH_SECONDS + 1;
    iol__running_refresh(&r, "c");
    assert_int_equal(r.n_wishes, 0);
    for (int64_t i = 0; i < 2 * IOL_RUNNING_WISHES; i++)
        iol__running_wish_for(&r, &(iol__running_job){.cluster = "c", .job = i});
    assert_int_equal(r.n_wishes, IOL_RUNNING_WISHES);
    iol__running_close(&r);
}

static void findings_stay_for_a_while(void **none) {
    iol__running r;
    (void)none;
    iol__running_open(&r, NULL, 0);
    iol__running_host *judged = make_host("n1", 5, 2);
    judged->state.jobs[1].judged = true;
    judged->state.jobs[1].findings = iol__arena_alloc(&judged->arena, IOL_LIVE_FINDINGS, sizeof(iol__live_finding));
    judged->state.jobs[1].n_findings = 1;
    assert_true(iol__running_put(&r, judged));
    assert_true(iol__running_put(&r, make_host("n1", 5, 2)));
    assert_false(r.hosts[0]->state.jobs[0].judged);
    assert_int_equal(r.hosts[0]->state.jobs[1].n_findings, 1);
    r.hosts[0]->state.jobs[1].judged_at -= 2 * IOL_RUNNING_JUDGED_SECONDS + 1;
    assert_true(iol__running_put(&r, make_host("n1", 5, 2)));
    assert_false(r.hosts[0]->state.jobs[1].judged);
    iol__running_close(&r);
}

static void room_is_bounded(void **none) {
    iol__running r;
    (void)none;
    iol__running_open(&r, NULL, 0);
    assert_true(iol__running_put(&r, make_host("n1", 5, 1)));
    const size_t held = r.held;
    r.held = IOL_RUNNING_BYTES - held;
    iol__running_host *more = make_host("n2", 5, 1000);
    assert_false(iol__running_put(&r, more)); /* it stays its owner's */
    assert_int_equal(r.count, 1);
    assert_true(iol__running_put(&r, make_host("n1", 5, 1)));
    r.held = held;
    assert_true(iol__running_put(&r, more));
    iol__running_close(&r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(newest_state_counts),       cmocka_unit_test(old_states_go),   cmocka_unit_test(wishes_end),
        cmocka_unit_test(findings_stay_for_a_while), cmocka_unit_test(room_is_bounded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
