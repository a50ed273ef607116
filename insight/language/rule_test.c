/* The rule language: what is wrong in a rule file is said with its line and skipped, and expressions mean what
   docs/rules.md says, undefined values included. */
#include <setjmp.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/count.h"
#include "insight/findings/engine.h"
#include "insight/language/rule_eval.h"
#include "insight/language/rule_lex.h"
#include "insight/language/rule.h"
#include "tests/support/logrecords.h"
#include "tests/support/opened.h"

static iol__rulebook *built_in(void) {
    iol__rulebook *book = NULL;
    assert_int_equal(iol__rulebook_new(&book, NULL), IOL_OK);
    return book;
}

static void load(iol__rulebook *book, const char *text) {
    assert_int_equal(iol__rulebook_load_text(book, text, strlen(text), "site.rules", "site", NULL), IOL_OK);
}

/* Loading ----------------------------------------------------------------------------------------------------- */

static void built_in_rules_are_sound(void **state) {
    (void)state;
    iol__rulebook *book = built_in();
    assert_null(iol__rulebook_message(book, 0));
    assert_true(iol__rulebook_rules(book) > 50);
    iol__rule_info info;
    for (size_t i = 0; iol__rulebook_rule(book, i, &info); i++) {
        if (!info.meaning[0]) fail_msg("%s does not say what it means", info.id);
        for (int s = 0; book->rules[i]->suppresses[s]; s++) {
            iol__rule_info other;
            if (!iol__rulebook_find(book, book->rules[i]->suppresses[s], &other))
                fail_msg("%s suppresses %s, which does not exist", info.id, book->rules[i]->suppresses[s]);
        }
    }
    iol__rulebook_free(book);
}

/* The codes of the published table that have a native meaning are aliases of some rule. */
static void published_codes_are_aliases(void **state) {
    (void)state;
    static const char *const codes[] = {"S01", "P01", "P02", "P03", "P04", "P05", "P06", "P07", "P08", "P09",
                                        "P10", "P11", "P12", "P13", "P14", "P15", "P16", "P17", "P18", "P19",
                                        "P21", "P22", "M01", "M02", "M03", "M04", "M05", "M06", "M07"};
    iol__rulebook *book = built_in();
    iol__rule_info info;
    for (size_t i = 0; i < IOL_COUNT(codes); i++)
        if (!iol__rulebook_find(book, codes[i], &info)) fail_msg("%s is no rule's alias", codes[i]);
    assert_true(iol__rulebook_find(book, "p05", &info));
    assert_string_equal(info.id, "posix.small.read");
    assert_false(iol__rulebook_find(book, "P20", &info));
    iol__rulebook_free(book);
}

/* Strings that follow each other are one text, wherever its values stand. */
static void texts_may_be_long(void **state) {
    (void)state;
    iol__rulebook *book = built_in();
    load(
        book,
        "rule site.long v1\n  layer job\n  when true\n  title \"a {nprocs}\"\n    \"b {nprocs} c\"\n    \"d\"\n"
        "    if nprocs > 0\nend\nrule site.short v1\n  layer job\n  when true\n  title \"x\"\n        \"{no}\"\nend\n");
    const char *message = iol__rulebook_message(book, 0), *expected = "site.rules:12: nothing is called 'no'";
    assert_non_null(message);
    assert_memory_equal(message, expected, strlen(expected));
    assert_null(iol__rulebook_message(book, 1));
    const iol__rule *rule = book->rules[book->n_rules - 1];
    assert_string_equal(rule->id, "site.long");
    assert_int_equal(rule->n_titles, 1);
    assert_int_equal(rule->titles[0].count, 3);
    assert_string_equal(rule->titles[0].pieces[1].text, " b ");
    assert_string_equal(rule->titles[0].pieces[2].text, " c d");
    assert_non_null(rule->titles[0].condition);
    iol__rulebook_free(book);
}

/* A good rule around one statement, which is on line 4. */
#define AROUND(statement) "rule site.test v1\n  layer job\n  title \"t\"\n  " statement "\nend\n"

static const struct {
    const char *text, *message;
} mistakes[] = {
    {AROUND("when nonsense > 1"), "site.rules:4: nothing is called 'nonsense'"},
    {AROUND("when $no.such.path > 1"), "site.rules:4: no threshold is called $no.such.path"},
    {AROUND("when reads"), "site.rules:4: the expression must be a condition, not a number"},
    {AROUND("when reads > (writes > 1)"),
     "site.rules:4: the other side of the comparison must be a number, not a condition"},
    {AROUND("when sharing > 1"), "site.rules:4: what is compared must be a number, not a kind of sharing"},
    {AROUND("when not reads"), "site.rules:4: what follows 'not' must be a condition, not a number"},
    {AROUND("when reads > 1 and"), "site.rules:4: a value is missing before 'end'"},
    {AROUND("when (reads > 1"), "site.rules:4: expected ')' before 'end'"},
    {AROUND("when reads > 1 writes"), "site.rules:4: 'writes' is one too many"},
    {AROUND("lines read, lick"), "site.rules:4: no calls are called 'lick'"},
    {AROUND("lines"), "site.rules:4: a name is missing before 'end'"},
    {AROUND("when has(nothing)"), "site.rules:4: no module is called 'nothing'"},
    {AROUND("when fired(\"no.rule\")"), "site.rules:4: no earlier rule is called \"no.rule\""},
    {AROUND("when fired(\"data.partial\", file)"), "site.rules:4: fired(..., file) makes sense only where one file"},
    {AROUND("when twist(reads) > 1"), "site.rules:4: no function is called 'twist'"},
    {AROUND("when reads > 1Mib"), "site.rules:4: a unit that is not known"},
    {AROUND("when reads ! 1"), "site.rules:4: '!' without '='"},
    {AROUND("when phase_s > 1"), "site.rules:4: 'phase_s' has no meaning in this scope"},
    {AROUND("when true\n  level bad"), "site.rules:5: a level is info, ok, warn or high"},
    {AROUND("when true\n  level by_cost high"), "site.rules:5: 'by_cost' needs 'fallback LEVEL'"},
    {AROUND("when true\n  level by_cost fallback high"), "site.rules:5: 'level by_cost' needs a cost model"},
    {AROUND("when true\n  cost magic()"), "site.rules:5: no such cost model"},
    {AROUND("when true\n  cost small_request()"), "site.rules:5: this cost model needs a direction"},
    {AROUND("when true\n  advise magic"), "site.rules:5: no advice is called 'magic'"},
    {AROUND("when true\n  counters NOT_A_COUNTER"), "site.rules:5: no counter is called 'NOT_A_COUNTER'"},
    {AROUND("when true\n  counters POSIX_READS, STDIO_READS"),
     "site.rules:5: the counters of the evidence must be of one"},
    {AROUND("when true\n  title \"{reads\""), "site.rules:5: '{' without '}'"},
    {AROUND("when true\n  title \"{reads writes}\""), "site.rules:5: '{reads writes}' is not one value"},
    {AROUND("when true\n  title \"{odd:reads}\""), "site.rules:5: '{odd:reads}' asks for a form that is not known"},
    {AROUND("when true\n  title \"unclosed"), "site.rules:5: a text whose closing quote is not on its line"},
    {AROUND("when true\n  let reads = 1"), "site.rules:5: 'reads' is the name of a variable already"},
    {AROUND("when true\n  scope file"), "site.rules:5: 'scope' must come before 'let' and 'when'"},
    {AROUND("when true\n  trust model 2"), "site.rules:5: trust is a number above 0, at most 1"},
    {AROUND("when true\n  whatever 1"), "site.rules:5: 'whatever' begins no statement"},
    {AROUND("scope file\n  when mean(reads over files) > 1"),
     "site.rules:5: values over all files can be had only in the"},
    {"rule site.test v1\n  layer job\n  title \"t\"\nend\n", "site.rules:3: a rule needs 'when'"},
    {"rule site.test v1\n  layer job\n  when true\nend\n", "site.rules:3: a rule needs a title"},
    {"rule site.test v1\n  title \"t\"\n  when true\nend\n", "site.rules:3: a rule needs a layer"},
    {"rule site.test v1\n  layer job\n  title \"t\"\n  when true\n", "site.rules:4: the rule has no 'end'"},
    {"rule data.partial v9\n  layer job\nend\n", "site.rules:1: there is a rule of this name already"},
    {"rule site.test x9\n  layer job\nend\n", "site.rules:1: expected a version, as in v1"},
    {"\nset no.such = 1\n", "site.rules:2: no threshold is called 'no.such'"},
    {"set posix.small.ratio 1\n", "site.rules:1: expected '=' and a number"},
    {"set posix.small.ratio = high\n", "site.rules:1: expected a number before 'high'"},
    {"threshold posix.small.ratio = 1\n", "site.rules:1: there is a threshold 'posix.small.ratio' already"},
    {"\n\nnonsense\n", "site.rules:3: expected 'rule', 'threshold', 'set', 'mount' or 'system' before 'nonsense'"},
    {"mount /scratch\n  set posix.small.ratio = 1\nend\n", "site.rules:1: a section needs a name in quotes"},
    {"system\n  set posix.small.ratio = 1\nend\n", "site.rules:1: a section needs a name in quotes"},
    {"mount \"/a\" now\nend\n", "site.rules:1: 'now' is one too many"},
    {"mount \"/a\"\n  set no.such = 1\nend\n", "site.rules:2: no threshold is called 'no.such'"},
    {"mount \"/a\"\n  set posix.small.ratio = 1\n  rule x v1\nend\n",
     "site.rules:3: in a section, expected 'set' or 'end' before 'rule'"},
    {"system \"a\"\n  set posix.small.ratio = 1\n", "site.rules:1: the section has no 'end'"},
};

static void mistakes_are_reported_with_their_line(void **state) {
    (void)state;
    for (size_t i = 0; i < IOL_COUNT(mistakes); i++) {
        iol__rulebook *book = built_in();
        size_t rules = iol__rulebook_rules(book);
        load(book, mistakes[i].text);
        const char *message = iol__rulebook_message(book, 0);
        if (!message) fail_msg("no message for: %s", mistakes[i].text);
        if (!message || strncmp(message, mistakes[i].message, strlen(mistakes[i].message)) != 0)
            fail_msg("for: %s\ngot: %s\nnot: %s", mistakes[i].text, message, mistakes[i].message);
        assert_null(iol__rulebook_message(book, 1));
        assert_int_equal(iol__rulebook_rules(book), rules);
        iol__rulebook_free(book);
    }
}

static void a_broken_rule_leaves_the_others(void **state) {
    (void)state;
    iol__rulebook *book = built_in();
    iol__rule_info info;
    load(book, "rule site.broken v1\n  layer job\n  when oops\n  title \"t\"\nend\n"
               "rule site.good v3\n  layer job\n  when nprocs > 1\n  title \"t\"\nend\n"
               "rule site.unended v1\n  layer job\n  when oops\n"
               "rule site.also v1\n  layer job\n  when true\n  title \"t\"\nend\nset posix.small.ratio = 25%\n");
    assert_non_null(iol__rulebook_message(book, 1));
    assert_null(iol__rulebook_message(book, 2));
    assert_false(iol__rulebook_find(book, "site.broken", &info));
    assert_true(iol__rulebook_find(book, "site.good", &info));
    assert_int_equal(info.version, 3);
    assert_string_equal(info.origin, "site");
    assert_true(iol__rulebook_find(book, "site.also", &info));
    int index = iol__threshold_find(book, "posix.small.ratio");
    assert_true(index >= 0);
    assert_float_equal(iol__rulebook_threshold(book, (size_t)index)->value, 0.25, 0);
    assert_float_equal(iol__rulebook_threshold(book, (size_t)index)->standard, 0.10, 1e-12);
    assert_string_equal(iol__rulebook_threshold(book, (size_t)index)->origin, "site");
    iol__rulebook_free(book);
}

static void thresholds_from_the_command_line(void **state) {
    (void)state;
    iol__rulebook *book = built_in();
    iol_error error;
    assert_int_equal(iol__rulebook_set(book, "posix.small.bytes=4MiB", &error), IOL_OK);
    int index = iol__threshold_find(book, "posix.small.bytes");
    assert_float_equal(iol__rulebook_threshold(book, (size_t)index)->value, 4194304, 0);
    assert_string_equal(iol__rulebook_threshold(book, (size_t)index)->origin, "command line");
    assert_int_equal(iol__rulebook_set(book, "posix.small.ratio=nan", &error), IOL_INVALID);
    assert_int_equal(iol__rulebook_set(book, "posix.small.ratio=", &error), IOL_INVALID);
    assert_int_equal(iol__rulebook_set(book, "no.such=1", &error), IOL_INVALID);
    assert_non_null(strstr(error.message, "no.such"));
    assert_int_equal(iol__rulebook_set(book, "posix.small.ratio", &error), IOL_INVALID);
    iol__rulebook_free(book);
}

static void depth_and_size_are_limited(void **state) {
    (void)state;
    enum { DEEP = 20000 };
    static const char *const units[] = {"(", "-", "not ", "1 + ", "abs("};
    for (size_t u = 0; u < IOL_COUNT(units); u++) {
        size_t unit = strlen(units[u]);
        char *text = malloc(DEEP * unit + 200);
        char *at = text + sprintf(text, "rule site.deep v1\n  layer job\n  title \"t\"\n  when ");
        for (int i = 0; i < DEEP; i++, at += unit) memcpy(at, units[u], unit);
        strcpy(at, "true\nend\n");
        iol__rulebook *book = built_in();
        load(book, text);
        assert_non_null(iol__rulebook_message(book, 0));
        iol__rulebook_free(book);
        free(text);
    }
}

/* Evaluation -------------------------------------------------------------------------------------------------- */

/* Two files of one process: /a with 100 reads of 10 bytes, /b with 50 writes of 1000. */
static opened small_log(void) {
    lm_log *made = lm_new(41, false, LM_ZLIB);
    unsigned version = lm_newest(LM_POSIX);
    made->processes = 1;
    made->start = 1000;
    made->end = 1100;
    lm_name(made, 1, "/a");
    lm_name(made, 2, "/b");
    lm_counts a = {.ints = {[IOL_POSIX_OPENS] = 1,
                            [IOL_POSIX_READS] = 100,
                            [IOL_POSIX_BYTES_READ] = 1000,
                            [IOL_POSIX_MAX_BYTE_READ] = 999,
                            [IOL_POSIX_SIZE_READ_0_100] = 100}};
    lm_counts b = {.ints = {[IOL_POSIX_OPENS] = 2,
                            [IOL_POSIX_WRITES] = 50,
                            [IOL_POSIX_BYTES_WRITTEN] = 50000,
                            [IOL_POSIX_MAX_BYTE_WRITTEN] = 49999,
                            [IOL_POSIX_SIZE_WRITE_100_1K] = 50}};
    lm_fixed(lm_records(made, LM_POSIX, version), LM_POSIX, version, 1, 0, 0, &a);
    lm_fixed(lm_records(made, LM_POSIX, version), LM_POSIX, version, 2, 0, 0, &b);
    return opened_from(made);
}

/* Whether a rule of the job with this condition fires. */
static bool holds(iol_log *log, const char *condition) {
    char text[1000];
    snprintf(text, sizeof text,
             "rule site.test v1\n  layer job\n  title \"t\"\n  let a_let = reads / 10\n  when %s\nend\n", condition);
    iol__rulebook *book = built_in();
    load(book, text);
    if (iol__rulebook_message(book, 0)) fail_msg("%s", iol__rulebook_message(book, 0));
    iol__diagnose_options options = {.rulebook = book};
    iol__diagnosis *diagnosis;
    assert_int_equal(iol__diagnose(log, &options, &diagnosis, NULL), IOL_OK);
    bool fired = false;
    for (size_t i = 0; i < diagnosis->n_findings; i++)
        fired = fired || strcmp(diagnosis->findings[i].id, "site.test") == 0;
    iol__diagnosis_free(diagnosis);
    iol__rulebook_free(book);
    return fired;
}

static void expressions_mean_what_they_say(void **state) {
    (void)state;
    static const char *const truths[] = {
        "true",
        "not false",
        "reads == 100",
        "writes == 50",
        "bytes == 51000",
        "files == 2",
        "a_let == 10",
        "1 + 2 * 3 == 7",
        "(1 + 2) * 3 == 9",
        "7 - 2 - 1 == 4",
        "8 / 4 / 2 == 1",
        "-2 + 3 == 1",
        "2 - -3 == 5",
        "1 < 2 and 2 <= 2 and 3 > 2 and 3 >= 3 and 1 != 2",
        "false and false or true",
        "true or false and false",
        "not 1 > 2",
        "min(3, 1, 2) == 1 and max(1, 3, 2) == 3",
        "abs(-2) == 2",
        "clamp(5, 0, 3) == 3",
        "1KiB == 1024 and 1MB == 1000000 and 50% == 0.5 and 2s == 2 and 1e3 == 1000",
        "has(posix) and not has(mpiio)",
        "not fired(\"data.partial\")",
        "fired(\"posix.mix\")",
        "sum(reads over files) == 100",
        "count(files where writes > 0) == 1",
        "mean(opens over files) == 1.5",
        "quantile(0.5, opens over files) == 1.5",
        "sum(bytes over files where reads > 0) == 1000",
        "POSIX_READS == 100",
        "sum(POSIX_OPENS over files) == 3",
        "$posix.small.ratio == 0.1",
        /* Undefined is neither true nor false, but does not spoil what is decided. */
        "not known(1 / 0)",
        "true or 1 / 0 > 1",
        "not (false and 1 / 0 > 1)",
        "known(reads)",
    };
    static const char *const falsehoods[] = {
        "false",
        "reads > 100",
        "1 / 0 > 1",
        "not (1 / 0 > 1)",
        "1 / 0 == 1 / 0",
        "1 / 0 != 1",
        "true and 1 / 0 > 1",
        "min(1 / 0, 1) == 1",
        "max(1, 1 / 0) == 1",
        "clamp(1 / 0, 0, 1) >= 0",
        "mean(reads over files where reads > 1000) >= 0",
        "phases > 0",
        "phases <= 0", /* the log has no times of single requests */
    };
    opened o = small_log();
    for (size_t i = 0; i < IOL_COUNT(truths); i++)
        if (!holds(o.log, truths[i])) fail_msg("should hold: %s", truths[i]);
    for (size_t i = 0; i < IOL_COUNT(falsehoods); i++)
        if (holds(o.log, falsehoods[i])) fail_msg("should not hold: %s", falsehoods[i]);
    opened_close(&o);
}

/* Files are asked in groups: each gets the value that it gets alone, also where a part of the expression is undefined. */
static void files_asked_together_answer_as_each_alone(void **state) {
    (void)state;
    static const double values[] = {0, 1, 2, 1e6, 4096, NAN, 1e-3, -1};
    iol__rulebook *book = built_in();
    load(book,
         "rule site.odd v1\n  layer posix\n  scope file where (reads > 1 or writes > 1) and not (opens / stats < 2 or"
         " min(reads, 2) == max(writes, 0)) and clamp(reads, 1, 2) != -abs(seeks)\n  when true\n  title \"t\"\nend\n");
    assert_null(iol__rulebook_message(book, 0));
    iol__case *job = calloc(1, sizeof *job);
    iol__subject *files = calloc(IOL_EVAL_MANY, sizeof *files);
    double *thresholds = calloc(book->n_thresholds, sizeof *thresholds);
    const iol__subject *list[IOL_EVAL_MANY];
    for (size_t i = 0; i < book->n_thresholds; i++) thresholds[i] = book->thresholds[i].value;
    job->book = book;
    job->thresholds = thresholds;
    unsigned random = 1;
    for (int i = 0; i < IOL_EVAL_MANY; i++) {
        files[i].job = job;
        list[i] = &files[i];
        for (int r = 0; r < IOL_RAW; r++) files[i].raw[r] = values[(random = random * 1103515245 + 12345) >> 16 & 7];
    }
    assert_true(book->n_tests > 20);
    for (size_t t = 0; t < book->n_tests; t++) {
        double together[IOL_EVAL_MANY];
        iol__eval_many(book->tests[t], list, IOL_EVAL_MANY, together);
        for (int i = 0; i < IOL_EVAL_MANY; i++) {
            const double alone = iol__eval(book->tests[t], list[i]);
            assert_true(isnan(alone) ? isnan(together[i]) : alone == together[i]);
        }
    }
    free(thresholds);
    free(files);
    free(job);
    iol__rulebook_free(book);
}

/* What depends on the files alone is asked once for all rules that ask it; what earlier rules found is not. */
static void equal_tests_of_rules_are_one(void **state) {
    (void)state;
    iol__rulebook *book = built_in();
    load(book, "rule site.one v1\n  layer posix\n  scope file where reads > 77 and nprocs > 1\n  when true\n  title "
               "\"t\"\nend\n"
               "rule site.two v1\n  layer posix\n  scope files where writes > 77 and reads > 77\n  when true\n  title "
               "\"t\"\nend\n"
               "rule site.three v1\n  layer posix\n  scope file where not fired(\"site.one\", file) and reads > 78\n  "
               "when true\n"
               "  title \"t\"\nend\n");
    assert_null(iol__rulebook_message(book, 0));
    const iol__rule *one = book->rules[book->n_rules - 3], *two = book->rules[book->n_rules - 2],
                    *three = book->rules[book->n_rules - 1];
    assert_int_equal(one->n_tests, 2);
    assert_false(one->tests[0].by_job);
    assert_true(one->tests[1].by_job);
    assert_int_equal(one->tests[0].shared, two->tests[1].shared);
    assert_int_not_equal(two->tests[0].shared, two->tests[1].shared);
    assert_int_equal(three->tests[0].shared, -1);
    assert_int_not_equal(three->tests[1].shared, one->tests[0].shared);
    iol__rulebook_free(book);
}

/* A rule about files is one finding, however many files it is about; the title counts them. */
static void files_are_gathered_into_one_finding(void **state) {
    (void)state;
    iol__rulebook *book = built_in();
    load(book, "rule site.each v1\n  layer posix\n  scope file where ops > 0\n  when opens >= 1\n  order opens\n"
               "  title \"one: {name}\" if files == 1\n  title \"{files} files, {opens} opens, {bytes:bytes}\"\nend\n"
               "rule site.second v1\n  layer posix\n  scope file where fired(\"site.each\", file)\n  when writes > 0\n"
               "  title \"one: {name} in {dir}\"\n  figures opens, twice = 2 * opens\nend\n");
    assert_null(iol__rulebook_message(book, 0));
    opened o = small_log();
    static const char *const only[] = {"site.*", NULL};
    iol__diagnose_options options = {.rulebook = book, .only = only, .evidence = 1};
    iol__diagnosis *d;
    assert_int_equal(iol__diagnose(o.log, &options, &d, NULL), IOL_OK);
    assert_int_equal(d->n_findings, 2);
    assert_string_equal(d->findings[0].title, "2 files, 3 opens, 49.8 KiB");
    assert_string_equal(d->findings[0].subject_kind, "files");
    assert_int_equal(d->findings[0].n_evidence, 1);
    assert_int_equal(d->findings[0].n_evidence_left_out, 1);
    assert_string_equal(d->findings[0].evidence[0].name, "/b");
    assert_string_equal(d->findings[1].title, "one: b in /");
    assert_string_equal(d->findings[1].figures[1].name, "twice");
    assert_float_equal(d->findings[1].figures[1].value, 4, 0);
    iol__diagnosis_free(d);
    opened_close(&o);
    iol__rulebook_free(book);
}

static void expect_figure(const iol__rulebook *book, size_t index, const char *name, const char *unit,
                          const char *meaning) {
    iol__figure_meaning is;
    assert_true(iol__rule_figure(book, "site.shown", index, &is));
    assert_string_equal(is.name, name);
    assert_string_equal(is.unit, unit);
    assert_string_equal(is.meaning, meaning);
}

/* A variable or counter says its unit itself; what a rule computes has the one that the rule gives, and its expression. */
static void figures_have_a_unit_and_a_meaning(void **state) {
    (void)state;
    iol__rulebook *book = built_in();
    load(book, "rule site.shown v1\n  layer posix\n  scope files\n  let part = min($posix.small.ratio,\n    # of all\n"
               "    small_writes / max(1,writes))\n  when writes > 0\n  title \"t\"\n"
               "  figures opens, part \"part of 1\", twice = 2 * opens, same = mean_write, POSIX_MMAPS\nend\n");
    assert_null(iol__rulebook_message(book, 0));
    expect_figure(book, 0, "opens", "ops", "real opens, without dup and fileno");
    expect_figure(book, 1, "part", "part of 1", "min($posix.small.ratio, small_writes / max(1, writes))");
    expect_figure(book, 2, "twice", "", "2 * opens");
    expect_figure(book, 3, "same", "bytes", "bytes of a write on average");
    expect_figure(book, 4, "POSIX_MMAPS", "ops", "memory mappings; -1 when the writer does not watch mmap");
    iol__figure_meaning none;
    assert_false(iol__rule_figure(book, "site.shown", 5, &none));
    assert_false(iol__rule_figure(book, "site.nobody", 0, &none));
    iol__rulebook_free(book);
}

/* However long it is: a token for each digit, with a look at all that follow, would be quadratic. */
static void a_number_that_is_too_long_is_one_token(void **state) {
    (void)state;
    static const char *const endings[] = {"", ".", "e", "e+", "e5"};
    for (size_t i = 0; i < IOL_COUNT(endings); i++) {
        enum { DIGITS = 100000 };
        char *text = malloc(DIGITS + 8);
        assert_non_null(text);
        memset(text, '7', DIGITS);
        strcpy(text + DIGITS, endings[i]);
        iol__lexer lexer = {.at = text, .end = text + strlen(text), .line = 1};
        size_t tokens = 0;
        for (iol__token token; (token = iol__lex(&lexer)).kind != IOL_TOKEN_END; tokens++)
            assert_int_equal(token.kind, tokens ? token.kind : IOL_TOKEN_WRONG);
        assert_true(tokens <= 3);
        free(text);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(built_in_rules_are_sound),
        cmocka_unit_test(published_codes_are_aliases),
        cmocka_unit_test(texts_may_be_long),
        cmocka_unit_test(mistakes_are_reported_with_their_line),
        cmocka_unit_test(a_broken_rule_leaves_the_others),
        cmocka_unit_test(thresholds_from_the_command_line),
        cmocka_unit_test(depth_and_size_are_limited),
        cmocka_unit_test(expressions_mean_what_they_say),
        cmocka_unit_test(a_number_that_is_too_long_is_one_token),
        cmocka_unit_test(files_asked_together_answer_as_each_alone),
        cmocka_unit_test(equal_tests_of_rules_are_one),
        cmocka_unit_test(files_are_gathered_into_one_finding),
        cmocka_unit_test(figures_have_a_unit_and_a_meaning),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
