/* Every rule finds its problem, and leaves the innocent alone. */
#include "insight/problems_testing.h"

static void list_found(const iol__diagnosis *d) {
    for (size_t i = 0; i < d->n_findings; i++) print_message("  %s: %s\n", d->findings[i].id, d->findings[i].title);
}

static void check_sane(const iol__finding *f) {
    assert_null(strchr(f->title, '{'));
    assert_null(strchr(f->title, '?'));
    assert_null(strstr(f->title, "nan"));
    assert_true(f->confidence.value > 0 && f->confidence.value <= 1);
    if (f->costed && f->cost.known) {
        assert_true(f->cost.low <= f->cost.best && f->cost.best <= f->cost.high);
        assert_true(f->cost.low >= 0);
    }
    for (size_t i = 0; i < f->n_advice; i++) {
        assert_null(strchr(f->advice[i].text, '@'));
        assert_null(strchr(f->advice[i].check, '@'));
    }
}

static void each_rule_finds_its_problem(void **state) {
    (void)state;
    int missed = 0;
    for (size_t i = 0; i < sizeof problems / sizeof *problems; i++) {
        opened o = log_of(problems[i].log, false);
        iol__diagnosis *d = diagnose(&o, problems[i].context);
        const iol__finding *f = find(d, problems[i].id);
        if (f) {
            check_sane(f);
        } else {
            print_error("%s was not found, but:\n", problems[i].id);
            list_found(d);
            missed++;
        }
        iol__diagnosis_free(d);
        opened_close(&o);
    }
    assert_int_equal(missed, 0);
}

static void each_rule_leaves_the_innocent(void **state) {
    (void)state;
    int wrong = 0;
    for (size_t i = 0; i < sizeof problems / sizeof *problems; i++) {
        if (!strchr(problems[i].log, '|')) continue;
        opened o = log_of(problems[i].log, true);
        iol__diagnosis *d = diagnose(&o, problems[i].context);
        if (find(d, problems[i].id))
            print_error("%s was found where it is not: %s\n", problems[i].id, find(d, problems[i].id)->title);
        wrong += find(d, problems[i].id) != NULL;
        iol__diagnosis_free(d);
        opened_close(&o);
    }
    assert_int_equal(wrong, 0);
}

/* A rule without a test is a claim. */
static void every_rule_has_a_problem(void **state) {
    (void)state;
    iol__rule_info info;
    for (size_t r = 0; iol__rulebook_rule(book, r, &info); r++) {
        bool found = false;
        for (size_t i = 0; i < sizeof problems / sizeof *problems; i++)
            found = found || strcmp(problems[i].id, info.id) == 0;
        if (!found) fail_msg("%s has no test", info.id);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_rule_finds_its_problem),
        cmocka_unit_test(each_rule_leaves_the_innocent),
        cmocka_unit_test(every_rule_has_a_problem),
    };
    return cmocka_run_group_tests(tests, make_book, free_book);
}
