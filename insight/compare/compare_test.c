/* Comparisons of runs whose times and counts are known: what becomes a fact, what a test, what a claim, and what is
   left unsaid. */
#include "insight/compare/compare.h"

#include <string.h>

#include "base/count.h"
#include "insight/findings/advice.h"
#include "insight/facts/facts_testing.h"

/* One run: its length, the time of its slowest rank, writes, opens. Everything else follows. */
typedef struct run {
    double seconds, slowest, writes, opens;
    double meta; /* seconds of opening and closing, over all ranks */
} run;

static iol__rulebook *book;

/* Every log is of another job, as logs of different runs are. */
static lm_log *log_of(const run *r) {
    static int64_t jobs;
    lm_log *log = job_of(4);
    log->job_id = ++jobs;
    log->start = 1000;
    log->start_ns = 0;
    log->end = 1000 + (int64_t)r->seconds;
    log->end_ns = (int64_t)((r->seconds - (double)(int64_t)r->seconds) * 1e9);
    log->text = "/usr/bin/app -x\next4\t/";
    put(log, LM_POSIX, "/data", -1,
        WITH(I(POSIX_OPENS, r->opens), I(POSIX_WRITES, r->writes), I(POSIX_BYTES_WRITTEN, 1e9),
             I(POSIX_MAX_BYTE_WRITTEN, 999999999), I(POSIX_SIZE_WRITE_100_1K, r->writes),
             F(POSIX_F_WRITE_TIME, 4 * r->slowest), F(POSIX_F_SLOWEST_RANK_TIME, r->slowest),
             F(POSIX_F_META_TIME, r->meta)));
    return log;
}

static void add(iol__contrast *c, int group, lm_log *log) {
    iol_error error;
    opened o = opened_from(log);
    assert_int_equal(iol__contrast_add(c, group, o.log, book, &error), IOL_OK);
    opened_close(&o);
}

static iol__contrast *compared(const run *a, size_t n_a, const run *b, size_t n_b) {
    iol__contrast *c;
    iol_error error;
    assert_int_equal(iol__contrast_new(&c, &error), IOL_OK);
    for (size_t i = 0; i < n_a; i++) add(c, 0, log_of(&a[i]));
    for (size_t i = 0; i < n_b; i++) add(c, 1, log_of(&b[i]));
    assert_int_equal(iol__contrast_finish(c, &error), IOL_OK);
    return c;
}

static const run slow[] = {{100, 50, 1000, 4, 0}, {103, 52, 1000, 4, 0}, {98, 49, 1000, 4, 0}, {101, 51, 1000, 4, 0}};
static const run fast[] = {{51, 25, 1000, 4, 0}, {49, 26, 1000, 4, 0}, {52, 24.5, 1000, 4, 0}};

static void a_claim_has_a_test(void **state) {
    (void)state;
    iol__contrast *c = compared(slow, 4, fast, 3);
    const iol__change *time = &c->changes[IOL_METRIC_run_time];
    assert_int_equal(c->claim, IOL_CLAIM_FASTER);
    assert_int_equal(c->claimed, IOL_METRIC_run_time);
    assert_true(time->tested && time->has_welch && time->significant && time->holm > time->p);
    assert_true(time->welch.low < 0.504 && time->welch.high > 0.504);
    assert_int_equal(c->n_aspects, 0); /* it did the same, and nobody knows why it was faster */
    assert_false(c->advice_came);
    iol__contrast_free(c);
    c = compared(fast, 3, slow, 4);
    assert_int_equal(c->claim, IOL_CLAIM_SLOWER);
    iol__contrast_free(c);
}

static void few_runs_carry_none(void **state) {
    (void)state;
    iol__contrast *c = compared(slow, 4, fast, 2);
    assert_int_equal(c->claim, IOL_CLAIM_TOO_FEW);
    assert_int_equal(c->n_tested, 0);
    assert_string_equal(c->changes[IOL_METRIC_run_time].no_test, "fewer than three runs on a side");
    iol__contrast_free(c);
}

/* Whole seconds, as old logs have: without any spread Welch's test knows nothing, and three runs have too few
   orders. */
static void times_without_spread_go_by_ranks(void **state) {
    (void)state;
    const run two[] = {{2, 1, 9, 4, 0}, {2, 1, 9, 4, 0}, {2, 1, 9, 4, 0}, {2, 1, 9, 4, 0}, {2, 1, 9, 4, 0}};
    const run three[] = {{3, 1, 9, 4, 0}, {3, 1, 9, 4, 0}, {3, 1, 9, 4, 0}, {3, 1, 9, 4, 0}, {3, 1, 9, 4, 0}};
    iol__contrast *c = compared(two, 3, three, 3);
    assert_true(c->changes[IOL_METRIC_run_time].tested && !c->changes[IOL_METRIC_run_time].has_welch);
    assert_int_equal(c->claim, IOL_CLAIM_NO_DIFFERENCE);
    iol__contrast_free(c);
    c = compared(two, 5, three, 5);
    assert_int_equal(c->claim, IOL_CLAIM_SLOWER);
    iol__contrast_free(c);
    c = compared(two, 3, two, 3);
    assert_int_equal(c->claim, IOL_CLAIM_NO_DIFFERENCE);
    assert_int_equal(c->n_tested, 0);
    iol__contrast_free(c);
}

/* Computing hides it: the run takes as long, its I/O does not. */
static void io_time_may_be_claimed(void **state) {
    (void)state;
    const run a[] = {
        {1000, 5, 9, 4, 0}, {900, 5.1, 9, 4, 0}, {1100, 4.9, 9, 4, 0}, {950, 5.05, 9, 4, 0}, {1060, 5.02, 9, 4, 0}};
    const run b[] = {
        {1010, 9, 9, 4, 0}, {920, 9.1, 9, 4, 0}, {1080, 8.9, 9, 4, 0}, {940, 9.05, 9, 4, 0}, {1070, 9.02, 9, 4, 0}};
    iol__contrast *c = compared(a, 5, b, 5);
    assert_int_equal(c->claim, IOL_CLAIM_SLOWER);
    assert_int_equal(c->claimed, IOL_METRIC_io_time);
    iol__contrast_free(c);
}

static void counts_are_facts_unless_they_vary(void **state) {
    (void)state;
    const run b[] = {{100, 50, 500, 4, 0}, {103, 52, 500, 5, 0}, {98, 49, 500, 6, 0}};
    iol__contrast *c = compared(slow, 4, b, 3);
    const iol__change *writes = &c->changes[IOL_METRIC_writes], *opens = &c->changes[IOL_METRIC_opens];
    assert_true(writes->fact && writes->differs && !writes->tested && writes->ratio == 0.5);
    assert_true(!opens->fact && opens->differs && opens->tested && !opens->significant);
    assert_true(c->aspects[IOL_ASPECT_REQUESTS]);
    assert_false(c->aspects[IOL_ASPECT_METADATA]); /* this may be chance */
    assert_int_equal(c->n_aspects, 1);
    iol__contrast_free(c);
}

/* Five times the same log is not evidence of anything. */
static void a_run_counts_once(void **state) {
    (void)state;
    iol__contrast *c;
    iol_error error;
    assert_int_equal(iol__contrast_new(&c, &error), IOL_OK);
    for (int i = 0; i < 5; i++) {
        for (int g = 0; g < 2; g++) {
            lm_log *log = log_of(g ? &fast[0] : &slow[0]);
            log->job_id = 7 + g;
            add(c, g, log);
        }
    }
    assert_int_equal(iol__contrast_finish(c, &error), IOL_OK);
    for (int g = 0; g < 2; g++) assert_true(c->group[g].n == 1 && c->group[g].used == 1 && c->group[g].repeated == 4);
    assert_int_equal(c->claim, IOL_CLAIM_TOO_FEW);
    assert_int_equal(c->n_warnings, 2);
    iol__contrast_free(c);
}

static void damaged_runs_are_left_out(void **state) {
    (void)state;
    iol__contrast *c;
    iol_error error;
    assert_int_equal(iol__contrast_new(&c, &error), IOL_OK);
    for (int g = 0; g < 2; g++)
        for (int i = 0; i < 3; i++) add(c, g, log_of(&slow[i]));
    size_t length;
    lm_log *made = log_of(&fast[0]);
    uint8_t *file = lm_finish(made, &length);
    lm_free(made);
    opened o = opened_bytes(file, length - 20);
    assert_int_equal(iol__contrast_add(c, 1, o.log, book, &error), IOL_OK);
    opened_close(&o);
    assert_int_equal(iol__contrast_finish(c, &error), IOL_OK);
    assert_true(c->group[1].n == 4 && c->group[1].used == 3 && c->group[1].runs[3].left_out);
    assert_int_equal(c->changes[IOL_METRIC_run_time].side[1].n, 3);
    assert_int_equal(c->claim, IOL_CLAIM_NO_DIFFERENCE);
    assert_int_equal(c->n_warnings, 1);
    iol__contrast_free(c);
}

static const iol__finding_change *change_of(const iol__contrast *c, const char *id) {
    for (size_t i = 0; i < c->n_findings; i++)
        if (strcmp(c->findings[i].id, id) == 0) return &c->findings[i];
    fail_msg("%s is not among the findings", id);
    return NULL;
}

static iol__fate fate_of(const iol__contrast *c, const char *id) { return change_of(c, id)->fate; }

/* The file is opened as often as before, only faster: nobody has fixed that. */
static void a_finding_whose_cause_stays_is_not_fixed(void **state) {
    (void)state;
    const run many = {100, 50, 100, 800, 100}, quick = {100, 1, 100, 800, 0.1}, once = {100, 1, 100, 4, 0.1};
    iol__contrast *c = compared(&many, 1, &quick, 1);
    assert_int_equal(fate_of(c, "posix.open.repeat"), IOL_FATE_EASED);
    iol__contrast_free(c);
    c = compared(&many, 1, &once, 1);
    assert_int_equal(fate_of(c, "posix.open.repeat"), IOL_FATE_FIXED);
    iol__contrast_free(c);
}

/* A remark about it is left, with other figures: what was fixed is called what it was. */
static void what_is_fixed_has_the_words_of_before(void **state) {
    (void)state;
    const run many = {100, 50, 100, 800, 100}, fewer = {100, 2, 100, 200, 8};
    iol__contrast *c = compared(&many, 1, &fewer, 1);
    const iol__finding_change *change = change_of(c, "posix.open.repeat");
    assert_int_equal(change->fate, IOL_FATE_FIXED);
    assert_true(change->runs[1] == 1);
    assert_non_null(strstr(change->title, "800 times"));
    iol__contrast_free(c);
}

/* A stream that is read `passes` times over, beside POSIX writes that stay as they are. */
static lm_log *stream_log(double passes) {
    lm_log *log = log_of(&(run){100, 1, 100, 4, 0});
    put(log, LM_STDIO, "/input", 0,
        WITH(I(STDIO_OPENS, passes), I(STDIO_READS, 4096 * passes), I(STDIO_BYTES_READ, 16e6 * passes),
             I(STDIO_MAX_BYTE_READ, 15999999), F(STDIO_F_READ_TIME, 0.5 * passes)));
    return log;
}

/* POSIX read nothing in either run: what was read again and no longer is, was read through stdio. */
static void a_stream_is_compared_by_its_own_figures(void **state) {
    (void)state;
    iol__contrast *c;
    iol_error error;
    assert_int_equal(iol__contrast_new(&c, &error), IOL_OK);
    add(c, 0, stream_log(100));
    add(c, 1, stream_log(1));
    assert_int_equal(iol__contrast_finish(c, &error), IOL_OK);
    assert_int_equal(fate_of(c, "stdio.redundant.read"), IOL_FATE_FIXED);
    iol__contrast_free(c);
}

/* What is foretold must belong to a recipe that there is. */
static void checks_name_recipes(void **state) {
    (void)state;
    static const char *const recipes[] = {
#define CHECK(recipe, figure, direction) #recipe,
#include "insight/compare/compare_checks.def"
    };
    for (size_t i = 0; i < IOL_COUNT(recipes); i++) {
        if (iol__recipe_find(recipes[i]) >= 0) continue;
        print_error("there is no recipe %s\n", recipes[i]);
        fail();
    }
}

static void metrics_have_names_of_their_own(void **state) {
    (void)state;
    for (int i = 0; i < IOL_METRICS; i++)
        for (int j = 0; j < i; j++) {
            assert_string_not_equal(iol__compare_metrics[i].name, iol__compare_metrics[j].name);
            assert_string_not_equal(iol__compare_metrics[i].label, iol__compare_metrics[j].label);
        }
}

static int begin(void **state) {
    (void)state;
    iol_error error;
    return iol__rulebook_new(&book, &error) == IOL_OK ? 0 : -1;
}

static int end(void **state) {
    (void)state;
    iol__rulebook_free(book);
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_claim_has_a_test),
        cmocka_unit_test(few_runs_carry_none),
        cmocka_unit_test(times_without_spread_go_by_ranks),
        cmocka_unit_test(io_time_may_be_claimed),
        cmocka_unit_test(counts_are_facts_unless_they_vary),
        cmocka_unit_test(a_run_counts_once),
        cmocka_unit_test(damaged_runs_are_left_out),
        cmocka_unit_test(a_finding_whose_cause_stays_is_not_fixed),
        cmocka_unit_test(what_is_fixed_has_the_words_of_before),
        cmocka_unit_test(a_stream_is_compared_by_its_own_figures),
        cmocka_unit_test(checks_name_recipes),
        cmocka_unit_test(metrics_have_names_of_their_own),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
