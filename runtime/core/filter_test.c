/* Which names are watched: the order of the rules and the modules they are for, against a second implementation on
   random names. The expressions are plain words there, so that the model needs no regular expressions. */
#include "runtime/core/filter.c"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

#include "tests/support/runtime_stubs.h"

static iol__config config;
static const char *complaint;
static unsigned complaints;

static void complain(const char *text) {
    complaint = text;
    complaints++;
}

/* As a process that starts with this config file. */
static void begin(const char *text, const char *const *variables) {
    iol__expressions_reset();
    n_expressions = 0;
    can_include = 0;
    complaints = 0;
    config.complain = complain;
    runtime_settings(&config, text, variables);
    iol__filter_start(&config);
}

static bool watched(const char *name, int slot) {
    if (iol__filter_excluded(name, strlen(name))) return false;
    return !(iol__filter_refused(name, strlen(name)) >> slot & 1);
}

/* What is told by two letters must not differ from what is told by the whole name. */
static void no_directory_of_the_system_looks_harmless(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof system_directories / sizeof *system_directories; i++)
        assert_false(iol__filter_harmless(system_directories[i]));
    assert_false(iol__filter_harmless("//etc/x"));
    assert_false(iol__filter_harmless("/./etc/x"));
    assert_false(iol__filter_harmless("/"));
    assert_false(iol__filter_harmless("etc/x"));
    assert_true(iol__filter_harmless("/scratch/x"));
    assert_true(iol__filter_harmless("/data"));
    assert_true(iol__filter_harmless("/D"));
    assert_true(iol__filter_harmless("/d"));
}

static void directories_of_the_system_are_left_out(void **state) {
    (void)state;
    static const char *const out[] = {"/etc/",   "/etc/passwd", "/dev/null",  "/usr/lib/a", "/bin/sh",   "/boot/k",
                                      "/lib/ld", "/opt/x/y",    "/sbin/init", "/sys/a",     "/proc/1/x", "/var/tmp/x"};
    static const char *const in[] = {
        "/etc", "/etcetera/x", "/lib64/x", "/home/u/etc/x", "/run/x", "/tmp/x", "/d",
        "/",    "relative",    "/vary/x",  "/USR/x",        "x",      "/var",   "/var/opt/cray/dws/mounts/batch/x"};
    begin(NULL, NULL);
    for (size_t i = 0; i < sizeof out / sizeof *out; i++) {
        assert_true(iol__filter_excluded(out[i], strlen(out[i])));
        assert_false(watched(out[i], IOL_SLOT_POSIX));
        assert_false(watched(out[i], IOL_SLOT_STDIO));
    }
    for (size_t i = 0; i < sizeof in / sizeof *in; i++) assert_true(watched(in[i], IOL_SLOT_POSIX));
}

/* A program's own data in memory is data; what libraries put there to talk to each other is not. */
static void files_in_shared_memory_are_recorded_but_for_those_of_libraries(void **state) {
    (void)state;
    static const char *const out[] = {"/dev/shm",
                                      "/dev/shm/",
                                      "/dev/shm/iolite-run-0-00863d6947ecfcc5/x.mapped",
                                      "/dev/shm/sem.lock",
                                      "/dev/shm/vader_segment.node.0.1234.0",
                                      "/dev/shm/mpich_shar_tmpAbCdEf",
                                      "/dev/shm/ucx_shm_posix_1f",
                                      "/dev/shm/nccl-Ab12Cd"};
    begin(NULL, NULL);
    for (size_t i = 0; i < sizeof out / sizeof *out; i++) assert_false(watched(out[i], IOL_SLOT_POSIX));
    assert_true(watched("/dev/shm/weights.safetensors", IOL_SLOT_POSIX));
    assert_true(watched("/dev/shm/user/cache/part-0001", IOL_SLOT_STDIO));
}

/* Names of descriptors are never watched themselves, whatever is included: the files that they lead to have names. */
static void names_that_lead_elsewhere_are_left_out(void **state) {
    (void)state;
    static const char *const elsewhere[] = {"/dev/stdout", "/dev/fd/3", "/proc/self/fd/3", "/proc/12/cwd/x",
                                            "/proc/self/root/x"};
    begin("NAME_INCLUDE /dev/,/proc/ *\n", NULL);
    for (size_t i = 0; i < sizeof elsewhere / sizeof *elsewhere; i++) {
        assert_true(iol__filter_alias(elsewhere[i]));
        assert_false(watched(elsewhere[i], IOL_SLOT_POSIX));
    }
    assert_false(iol__filter_alias("/proc/self/status"));
    assert_true(watched("/proc/self/status", IOL_SLOT_POSIX));
    assert_true(watched("/dev/shm/x", IOL_SLOT_POSIX));
}

/* The rules once more: names that begin so, then NAME_EXCLUDE, then the exception, then NAME_INCLUDE. */
static const struct {
    const char *word;
    int slots; /* 1 POSIX, 2 STDIO */
    bool include;
} words[] = {{"alpha", 1, false}, {"beta", 2, false}, {"gamma", 3, false}, {"delta", 1, true},
             {"omega", 2, true},  {"keep", 3, true},  {"mounts", 1, false}};
#define WORDS                           \
    "NAME_EXCLUDE alpha POSIX\n"        \
    "NAME_EXCLUDE beta STDIO\n"         \
    "NAME_EXCLUDE gamma *\n"            \
    "NAME_INCLUDE delta POSIX\n"        \
    "NAME_INCLUDE omega STDIO,MPI-IO\n" \
    "NAME_INCLUDE keep POSIX,STDIO\n"   \
    "NAME_EXCLUDE mounts POSIX\n"

static bool model_watched(const char *name, int bit) {
    static const char *const system[] = {"/etc/", "/dev/",  "/usr/", "/bin/",  "/boot/", "/lib/",
                                         "/opt/", "/sbin/", "/sys/", "/proc/", "/var/"};
    static const char kept[] = "/var/opt/cray/dws/mounts/";
    bool out = false;
    for (size_t i = 0; i < sizeof system / sizeof *system; i++)
        if (strncmp(name, system[i], strlen(system[i])) == 0) out = true;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (!words[i].include && (words[i].slots & bit) && strstr(name, words[i].word)) out = true;
    if (strncmp(name, kept, sizeof kept - 1) == 0) out = false;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (words[i].include && (words[i].slots & bit) && strstr(name, words[i].word)) out = false;
    return !out;
}

static void rules_apply_in_their_order(void **state) {
    (void)state;
    static const char *const pieces[] = {"/etc",   "/var",   "/opt",   "/data", "/alpha", "/beta",
                                         "/gamma", "/delta", "/omega", "/keep", "/x",     "/var/opt/cray/dws/mounts"};
    begin(WORDS, NULL);
    assert_int_equal(complaints, 0);
    int seen[4] = {0};
    for (int i = 0; i < 20000; i++) {
        char name[256] = "";
        for (uint64_t n = 1 + runtime_random(4); n > 0; n--)
            strcat(name, pieces[runtime_random(sizeof pieces / sizeof *pieces)]);
        const bool posix = model_watched(name, 1), stdio = model_watched(name, 2);
        if (watched(name, IOL_SLOT_POSIX) != posix || watched(name, IOL_SLOT_STDIO) != stdio) fail_msg("%s", name);
        seen[posix * 2 + stdio]++;
    }
    for (int i = 0; i < 4; i++) assert_true(seen[i] > 100);
}

static void expressions_are_extended_and_may_be_many(void **state) {
    (void)state;
    begin("NAME_EXCLUDE \\.(tmp|swp)$,^/scratch/[0-9]+/,  POSIX\nNAME_EXCLUDE .pyc$,lib.*so *\n", NULL);
    assert_false(watched("/data/a.tmp", IOL_SLOT_POSIX));
    assert_true(watched("/data/a.tmp", IOL_SLOT_STDIO));
    assert_true(watched("/data/a.tmp.gz", IOL_SLOT_POSIX));
    assert_false(watched("/scratch/123/a", IOL_SLOT_POSIX));
    assert_true(watched("/scratch/abc/a", IOL_SLOT_POSIX));
    assert_false(watched("/data/m.pyc", IOL_SLOT_STDIO));
}

static void what_is_no_expression_is_reported_and_left_out(void **state) {
    (void)state;
    begin("NAME_EXCLUDE a(b,later POSIX\n", NULL);
    assert_int_equal(complaints, 1);
    assert_non_null(strstr(complaint, "regular expression"));
    assert_true(watched("/data/a(b", IOL_SLOT_POSIX));
    assert_false(watched("/data/later", IOL_SLOT_POSIX));
}

static void record_limits_are_for_the_modules_named(void **state) {
    (void)state;
    begin("MAX_RECORDS 3 STDIO\nMAX_RECORDS 500 POSIX,MPI-IO\n", NULL);
    assert_int_equal(iol__filter_most_records(&config, IOL_SLOT_STDIO), 3);
    assert_int_equal(iol__filter_most_records(&config, IOL_SLOT_POSIX), 500);
    assert_int_equal(iol__filter_most_records(&config, IOL_SLOT_HEATMAP), UINT64_MAX);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_directory_of_the_system_looks_harmless),
        cmocka_unit_test(directories_of_the_system_are_left_out),
        cmocka_unit_test(files_in_shared_memory_are_recorded_but_for_those_of_libraries),
        cmocka_unit_test(names_that_lead_elsewhere_are_left_out),
        cmocka_unit_test(rules_apply_in_their_order),
        cmocka_unit_test(expressions_are_extended_and_may_be_many),
        cmocka_unit_test(what_is_no_expression_is_reported_and_left_out),
        cmocka_unit_test(record_limits_are_for_the_modules_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
