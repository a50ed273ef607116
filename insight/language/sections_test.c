/* Thresholds by mount and by system: which of several is in force, and that files are judged by theirs. */
#include "insight/language/sections.h"

#include <string.h>

#include "base/count.h"
#include "insight/facts/facts_testing.h"

static iol__rulebook *book_of(const char *const *layers) {
    iol__rulebook *book = NULL;
    assert_int_equal(iol__rulebook_new(&book, NULL), IOL_OK);
    for (int i = 0; layers[i]; i++)
        assert_int_equal(iol__rulebook_load_text(book, layers[i], strlen(layers[i]), "a.rules", "file", NULL), IOL_OK);
    assert_null(iol__rulebook_message(book, 0));
    return book;
}

/* Rules of their own, so that changes of the built-in ones change nothing here: one asks each file, one their sum. */
static const char rules[] = "rule site.file v1\n layer posix\n scope file where reads > 0\n"
                            " when small_reads > $posix.small.count\n level warn\n title \"t\"\nend\n"
                            "rule site.sum v1\n layer posix\n scope files where reads > 0\n"
                            " when small_reads > $posix.small.count\n level warn\n title \"t\"\nend\n";

#define LAYERS(...) \
    (const char *const[]) { __VA_ARGS__, NULL }

static double value_of(const iol__rulebook *book, const char *system, const char *mount) {
    return iol__rulebook_value(book, (size_t)iol__threshold_find(book, "posix.small.count"), system, mount, NULL);
}

static void the_last_layer_wins_and_in_it_the_narrowest(void **state) {
    (void)state;
    iol__rulebook *book =
        book_of(LAYERS("mount \"/scratch*\"\n  set posix.small.count = 2\nend\n"
                       "system \"Alps\"\n  set posix.small.count = 3\nend\nset posix.small.count = 4\n"));
    assert_true(value_of(book, NULL, NULL) == 4);
    assert_true(value_of(book, "alps", NULL) == 3);
    assert_true(value_of(book, "other", NULL) == 4);
    assert_true(value_of(book, "alps", "/scratch1") == 2);
    assert_true(value_of(book, "alps", "/home") == 3);
    /* The user says something for everything: sections of earlier files are silent. */
    const char user[] = "set posix.small.count = 5\n";
    assert_int_equal(iol__rulebook_load_text(book, user, strlen(user), "b.rules", "user", NULL), IOL_OK);
    assert_true(value_of(book, "alps", "/scratch1") == 5);
    const char section[] = "system \"alps\"\nset posix.small.count = 6\nend\n";
    assert_int_equal(iol__rulebook_load_text(book, section, strlen(section), "c.rules", "later", NULL), IOL_OK);
    assert_true(value_of(book, "alps", "/scratch1") == 6);
    assert_true(value_of(book, NULL, "/scratch1") == 5);
    assert_int_equal(iol__rulebook_set(book, "posix.small.count=7", NULL), IOL_OK);
    assert_true(value_of(book, "alps", "/scratch1") == 7);
    iol__scoped_info info;
    assert_true(iol__rulebook_scoped(book, 0, &info));
    assert_string_equal(info.kind, "mount");
    assert_string_equal(info.pattern, "/scratch*");
    assert_true(info.overruled);
    assert_false(iol__rulebook_scoped(book, 3, &info));
    iol__rulebook_free(book);
}

/* Two files alike on two mounts, small requests; one mount takes more of them than the other. */
static lm_log *two_mounts(void) {
    lm_log *log = job_of(1);
    log->start = 1000;
    log->end = 1100;
    log->text = "solver\nlustre\t/scratch\nlustre\t/project\next4\t/";
    log->metadata = "lib_ver=3\nsystem=alps\n";
    static const char *const names[] = {"/scratch/a", "/project/b"};
    for (int i = 0; i < 2; i++)
        put(log, LM_POSIX, names[i], 0,
            WITH(I(POSIX_OPENS, 1), I(POSIX_READS, 5000), I(POSIX_BYTES_READ, 5000000), I(POSIX_MAX_BYTE_READ, 4999999),
                 I(POSIX_SIZE_READ_100_1K, 5000), F(POSIX_F_READ_TIME, 20)));
    return log;
}

static iol__diagnosis *diagnosis_of(const opened *o, const iol__rulebook *book, const char *rule, const char *system) {
    const char *const only[] = {rule, NULL};
    iol__diagnosis *d = NULL;
    const iol__diagnose_options options = {.rulebook = book, .evidence = 10, .only = only, .system = system};
    assert_int_equal(iol__diagnose(o->log, &options, &d, NULL), IOL_OK);
    return d;
}

static double threshold_of(const iol__finding *f, const char *path) {
    for (size_t i = 0; i < f->n_thresholds; i++)
        if (strcmp(f->thresholds[i].name, path) == 0) return f->thresholds[i].value;
    fail_msg("the finding does not show %s", path);
    return 0;
}

static void files_are_judged_by_their_mount(void **state) {
    (void)state;
    opened o = opened_from(two_mounts());
    iol__rulebook *plain = book_of(LAYERS(rules));
    iol__rulebook *scoped = book_of(LAYERS(rules, "mount \"/project\"\n  set posix.small.count = 6000\nend\n"
                                                  "mount \"/scratch\"\n  set posix.small.count = 17\nend\n"));
    iol__diagnosis *both = diagnosis_of(&o, plain, "site.file", NULL),
                   *one = diagnosis_of(&o, scoped, "site.file", NULL);
    assert_int_equal(both->n_findings, 1);
    assert_true(both->findings[0].subject_count == 2);
    assert_int_equal(one->n_findings, 1);
    assert_true(one->findings[0].subject_count == 1);
    assert_string_equal(one->findings[0].subject_name, "/scratch/a");
    assert_true(threshold_of(&one->findings[0], "posix.small.count") == 17);
    iol__diagnosis_free(both);
    iol__diagnosis_free(one);
    iol__rulebook_free(plain);
    iol__rulebook_free(scoped);
    opened_close(&o);
}

/* 5000 small reads on each mount: together they are judged by the mount's threshold if there is but one. */
static void sums_have_the_threshold_of_their_only_mount(void **state) {
    (void)state;
    opened o = opened_from(two_mounts());
    static const struct {
        const char *section;
        bool found;
    } cases[] = {{"mount \"/*\"\n set posix.small.count = 20000\nend\n", false}, /* two mounts of one mind */
                 {"set posix.small.count = 20000\n", false},
                 {"mount \"/scratch\"\n set posix.small.count = 20000\nend\n", true}};
    for (size_t i = 0; i < IOL_COUNT(cases); i++) {
        iol__rulebook *book = book_of(LAYERS(rules, cases[i].section));
        iol__diagnosis *d = diagnosis_of(&o, book, "site.sum", NULL);
        assert_int_equal(d->n_findings, cases[i].found);
        iol__diagnosis_free(d);
        iol__rulebook_free(book);
    }
    opened_close(&o);
    lm_log *log = job_of(1);
    log->text = "solver\nlustre\t/scratch\next4\t/";
    put(log, LM_POSIX, "/scratch/a", 0, WITH(I(POSIX_READS, 5000), I(POSIX_SIZE_READ_100_1K, 5000)));
    put(log, LM_POSIX, "/scratch/b", 0, WITH(I(POSIX_READS, 5000), I(POSIX_SIZE_READ_100_1K, 5000)));
    o = opened_from(log);
    iol__rulebook *book = book_of(LAYERS(rules, cases[2].section));
    iol__diagnosis *d = diagnosis_of(&o, book, "site.sum", NULL);
    assert_int_equal(d->n_findings, 0);
    iol__diagnosis_free(d);
    iol__rulebook_free(book);
    opened_close(&o);
}

static void the_system_is_what_the_caller_or_the_log_says(void **state) {
    (void)state;
    opened o = opened_from(two_mounts());
    iol__rulebook *book = book_of(LAYERS(rules, "system \"alps\"\n  set posix.small.count = 6000\nend\n"));
    iol__diagnosis *by_log = diagnosis_of(&o, book, "site.file", NULL);
    iol__diagnosis *by_caller = diagnosis_of(&o, book, "site.file", "other");
    assert_string_equal(by_log->system, "alps");
    assert_int_equal(by_log->n_findings, 0);
    assert_true(by_log->thresholds[iol__threshold_find(book, "posix.small.count")] == 6000);
    assert_string_equal(by_caller->system, "other");
    assert_int_equal(by_caller->n_findings, 1);
    iol__diagnosis_free(by_log);
    iol__diagnosis_free(by_caller);
    iol__rulebook_free(book);
    opened_close(&o);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_last_layer_wins_and_in_it_the_narrowest),
        cmocka_unit_test(files_are_judged_by_their_mount),
        cmocka_unit_test(sums_have_the_threshold_of_their_only_mount),
        cmocka_unit_test(the_system_is_what_the_caller_or_the_log_says),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
