/* Every rule finds its problem, and leaves the innocent alone. */
#include "insight/findings/problems_testing.h"

#include "base/count.h"

static void list_found(const iol__diagnosis *d) {
    for (size_t i = 0; i < d->n_findings; i++) print_message("  %s: %s\n", d->findings[i].id, d->findings[i].title);
}

/* "1 files": the number of something that is not one of it. */
static bool one_of_many(const char *text) {
    static const char *const nouns[] = {"aggregators ", "arrays ",     "calls ",  "files ",  "jobs ",
                                        "OSTs ",        "opens",       "others ", "ranks ",  "stripes ",
                                        "runs ",        "stat calls ", "syncs ",  "writes ", "modules "};
    for (const char *at = strstr(text, "1 "); at; at = strstr(at + 1, "1 ")) {
        if (at > text && at[-1] != ' ') continue;
        if (at > text + 3 && strncmp(at - 4, " of ", 4) == 0) continue; /* "one of 1 files" is counted already */
        for (size_t i = 0; i < IOL_COUNT(nouns); i++)
            if (strncmp(at + 2, nouns[i], strlen(nouns[i])) == 0) return true;
    }
    return false;
}

static void check_words(const char *id, const char *text) {
    if (one_of_many(text)) fail_msg("%s says \"%s\"", id, text);
}

/* What people paste names a file of theirs, or is not there. */
static void check_advice(const iol__finding *f, const iol__advice *advice) {
    assert_non_null(advice->text);
    assert_non_null(advice->check);
    assert_null(strchr(advice->text, '@'));
    assert_null(strchr(advice->check, '@'));
    check_words(f->id, advice->text);
    if (advice->code && (strstr(advice->code, "FILE\"") || strstr(advice->code, "FILE'")))
        fail_msg("%s names no file:\n%s", f->id, advice->code);
    assert_int_equal(advice->code != NULL, advice->lang != NULL);
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
    check_words(f->id, f->title);
    if (f->note) check_words(f->id, f->note);
    for (size_t i = 0; i < f->n_advice; i++) check_advice(f, &f->advice[i]);
}

static void check_order(const iol__diagnosis *d) {
    for (size_t i = 1; i < d->n_findings; i++)
        if (d->findings[i].level == IOL_LEVEL_HIGH && d->findings[i - 1].level != IOL_LEVEL_HIGH)
            fail_msg("%s is above %s, which is serious", d->findings[i - 1].id, d->findings[i].id);
}

static void each_rule_finds_its_problem(void **state) {
    (void)state;
    int missed = 0;
    for (size_t i = 0; i < IOL_COUNT(problems); i++) {
        opened o = log_of(problems[i].log, false);
        iol__diagnosis *d = diagnose(&o, problems[i].context);
        check_order(d);
        for (size_t k = 0; k < d->n_findings; k++) check_sane(&d->findings[k]);
        if (!find(d, problems[i].id)) {
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
    for (size_t i = 0; i < IOL_COUNT(problems); i++) {
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
        for (size_t i = 0; i < IOL_COUNT(problems); i++) found = found || strcmp(problems[i].id, info.id) == 0;
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
