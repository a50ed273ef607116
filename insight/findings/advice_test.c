/* Snippets are something that people paste: every one must compile or parse, whatever a file is called. C is compiled
   with stand-in headers, so that neither MPI nor HDF5 has to be here; a language whose tool is missing is passed
   over. */
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/count.h"
#include "insight/findings/advice.h"
#include "insight/language/sections.h"
#include "tests/support/logrecords.h"
#include "tests/support/opened.h"

#define NASTY "/scratch/it's \"a\" \\ $(touch x) `y` */ ?\?/ %s \xc3\xa9 \n\t@mean@ {reads}.h5"

typedef struct bench {
    char directory[40];
    opened o;
    iol__case *job;
    iol__subject subject;
    jmp_buf exhausted;
} bench;

/* One file with the worst of names, and figures that the templates want. */
static void set_up(bench *b, const char *name) {
    lm_log *made = lm_new(41, false, LM_ZLIB);
    lm_counts counts = {.ints = {[IOL_POSIX_OPENS] = 3,
                                 [IOL_POSIX_READS] = 5000,
                                 [IOL_POSIX_BYTES_READ] = 5000000,
                                 [IOL_POSIX_MAX_BYTE_READ] = 999999,
                                 [IOL_POSIX_STRIDE1_STRIDE] = 4096,
                                 [IOL_POSIX_STRIDE1_COUNT] = 4000,
                                 [IOL_POSIX_ACCESS1_ACCESS] = 1000,
                                 [IOL_POSIX_ACCESS1_COUNT] = 5000}};
    unsigned version = lm_newest(LM_POSIX);
    if (name) lm_name(made, 5, name);
    lm_fixed(lm_records(made, LM_POSIX, version), LM_POSIX, version, 5, 0, 0, &counts);
    b->o = opened_from(made);
    b->job = calloc(1, sizeof *b->job);
    assert_true(iol__facts_make(b->o.log, NULL, NULL, &b->job->facts));
    iol__rulebook *book = NULL;
    assert_int_equal(iol__rulebook_new(&book, NULL), IOL_OK);
    b->job->book = book;
    b->job->job[IOL_JOB_nodes] = 4;
    b->job->arena.exhausted = &b->exhausted;
    static const iol__diagnose_options usual;
    b->job->options = &usual;
    iol__case_thresholds(b->job);
    iol__subject_fill(&b->subject, b->job, &b->job->facts.file[0]);
    strcpy(b->directory, "/tmp/iolite-snippets-XXXXXX");
    assert_non_null(mkdtemp(b->directory));
}

static void tear_down(bench *b) {
    char command[200];
    snprintf(command, sizeof command, "rm -rf %s", b->directory);
    assert_int_equal(system(command), 0);
    iol__facts_free(&b->job->facts);
    iol__rulebook_free((iol__rulebook *)(uintptr_t)b->job->book);
    iol__arena_free(&b->job->arena);
    free(b->job);
    opened_close(&b->o);
}

static const struct {
    const char *language, *suffix, *tool, *check;
} languages[] = {
    {"c", "c", "cc", "cc -std=gnu11 -Wall -Wextra -Werror -fsyntax-only -I%2$s/tests/support/stand_in %1$s"},
    {"python", "py", "python3", "python3 -c 'import ast, sys; ast.parse(open(sys.argv[1], \"rb\").read())' %1$s"},
    {"sh", "sh", "bash", "bash -n %1$s"},
    {"fortran", "f90", "gfortran",
     "cd $(dirname %1$s) && gfortran -c %2$s/tests/support/stand_in/mpi.f90 -o mpi.o && "
     "gfortran -fallow-argument-mismatch -fsyntax-only %1$s"},
};
enum { LANGUAGES = IOL_COUNT(languages) };

static bool has_tool(const char *tool) {
    char command[100];
    snprintf(command, sizeof command, "command -v %s >/dev/null", tool);
    return system(command) == 0;
}

/* The check of one snippet; `root` is the source directory. */
static void check_snippet(const bench *b, int language, const char *recipe, const char *code, const char *root) {
    char path[100], command[2 * PATH_MAX + 300];
    snprintf(path, sizeof path, "%s/%s.%s", b->directory, recipe, languages[language].suffix);
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fputs(code, f);
    fclose(f);
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral" /* a row of the table above */
#pragma GCC diagnostic ignored "-Wformat-extra-args"
    snprintf(command, sizeof command, languages[language].check, path, root);
#pragma GCC diagnostic pop
    if (system(command) != 0) fail_msg("%s in %s:\n%s", recipe, languages[language].language, code);
}

static int language_of(const char *name) {
    for (int i = 0; i < LANGUAGES; i++)
        if (strcmp(languages[i].language, name) == 0) return i;
    fail_msg("nobody checks %s", name);
    return -1;
}

static void every_snippet_compiles(void **state) {
    (void)state;
    static const char *const names[] = {NASTY, NULL, "/scratch/\xff\xfe invalid.nc", "-rf"};
    char root[PATH_MAX]; /* compilers behind a cache may be given relative names */
    assert_non_null(realpath(__FILE__, root));
    for (int up = 0; up < 3; up++) *strrchr(root, '/') = 0;
    bool there[LANGUAGES];
    for (int i = 0; i < LANGUAGES; i++) there[i] = has_tool(languages[i].tool);
    for (size_t n = 0; n < IOL_COUNT(names); n++) {
        bench b = {0};
        set_up(&b, names[n]);
        const char *code, *recipe, *name;
        for (size_t i = 0; (code = iol__snippet_at(i, &b.subject, &b.job->arena, &recipe, &name)); i++) {
            int language = language_of(name);
            /* Another name changes nothing but the quoting, so that one language after the other is enough. */
            if (there[language] && (n == 0 || strstr(code, "scratch") || strstr(code, "rf")))
                check_snippet(&b, language, recipe, code, root);
        }
        tear_down(&b);
    }
}

/* What a shell makes of the quoted name is the name. */
static void shell_quoting_keeps_the_name(void **state) {
    (void)state;
    bench b = {0};
    set_up(&b, NASTY);
    const char *code, *recipe, *language;
    size_t at = 0;
    do code = iol__snippet_at(at++, &b.subject, &b.job->arena, &recipe, &language);
    while (code && strcmp(recipe, "sort_requests") != 0);
    assert_non_null(code);
    char path[100], command[300], got[500] = "";
    snprintf(path, sizeof path, "%s/q.sh", b.directory);
    FILE *f = fopen(path, "w");
    fprintf(f, "cp() { printf '%%s' \"$1\"; }\n%s", code);
    fclose(f);
    snprintf(command, sizeof command, "bash %s", path);
    f = popen(command, "r");
    size_t length = fread(got, 1, sizeof got - 1, f);
    assert_int_equal(pclose(f), 0);
    got[length] = 0;
    assert_string_equal(got, NASTY);
    tear_down(&b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_snippet_compiles),
        cmocka_unit_test(shell_quoting_keeps_the_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
