/* Which value wins, what is refused with which words, and what module lists come to. Files are texts of the test. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "schema/resolve.h"

/* What the resolver finds and says -------------------------------------------------------------------------------- */

enum { COMPLAINTS = 16, COMPLAINT_BYTES = 512 };

static iol__config config;
static const char *site_file, *named_file;
static char complaints[COMPLAINTS][COMPLAINT_BYTES];
static size_t n_complaints;

static void remember(const char *text) {
    assert_true(n_complaints < COMPLAINTS);
    snprintf(complaints[n_complaints++], COMPLAINT_BYTES, "%s", text);
}

static long read_text(const char *path, char *to, size_t room) {
    const char *text = strcmp(path, IOL_SITE_CONFIG) == 0 ? site_file
                       : strcmp(path, "/my.conf") == 0    ? named_file
                                                          : NULL;
    if (!text) return -1;
    size_t length = strlen(text) < room ? strlen(text) : room;
    memcpy(to, text, length);
    return (long)length;
}

static void resolve(const char *site, const char *named, char **environment) {
    site_file = site;
    named_file = named;
    n_complaints = 0;
    memset(&config, 0x55, sizeof config);
    config.complain = remember;
    iol__resolve(&config, environment, read_text);
}

#define ENVIRONMENT(...) ((char *[]){__VA_ARGS__, NULL})
#define NOTHING ((char *[]){NULL})

static void assert_value(int setting, const char *text, iol__origin origin) {
    assert_string_equal(config.values[setting].text, text);
    assert_int_equal(config.values[setting].origin, origin);
}

static void assert_complaint(const char *text) {
    assert_int_equal(n_complaints, 1);
    assert_string_equal(complaints[0], text);
}

/* Who wins -------------------------------------------------------------------------------------------------------- */

static void defaults_are_those_of_the_table(void **state) {
    (void)state;
    resolve(NULL, NULL, NOTHING);
    for (int i = 0; i < IOL_SETTINGS; i++) assert_value(i, iol__settings[i].value, IOL_ORIGIN_DEFAULT);
    for (int i = 0; i < IOL_SETTINGS; i++) {
        const char *why;
        assert_true(iol__setting_valid(&iol__settings[i], iol__settings[i].value, &why));
    }
    assert_int_equal(n_complaints, 0);
}

static void the_nearest_source_wins(void **state) {
    (void)state;
    resolve("TRACEMEM 10\n", NULL, NOTHING);
    assert_value(IOL_SET_TRACE_MEMORY, "10", IOL_ORIGIN_FILE);
    assert_int_equal(config.values[IOL_SET_TRACE_MEMORY].line, 1);
    resolve("NAMEMEM 1\nLOGPATH /site\n", "# mine\n\nNAMEMEM 2\n", ENVIRONMENT("IOLITE_CONFIG=/my.conf"));
    assert_value(IOL_SET_NAME_MEMORY, "2", IOL_ORIGIN_FILE2);
    assert_int_equal(config.values[IOL_SET_NAME_MEMORY].line, 3);
    assert_value(IOL_SET_LOG_PATH, "/site", IOL_ORIGIN_FILE);
    resolve("NAMEMEM 1\n", NULL, ENVIRONMENT("DARSHAN_NAMEMEM=3"));
    assert_value(IOL_SET_NAME_MEMORY, "3", IOL_ORIGIN_ALIAS);
    assert_string_equal(config.values[IOL_SET_NAME_MEMORY].variable, "DARSHAN_NAMEMEM");
    resolve("NAMEMEM 1\n", NULL, ENVIRONMENT("IOLITE_NAME_MEMORY=4", "DARSHAN_NAMEMEM=3"));
    assert_value(IOL_SET_NAME_MEMORY, "4", IOL_ORIGIN_ENV);
    resolve(NULL, NULL, ENVIRONMENT("DARSHAN_NAMEMEM=3", "IOLITE_NAME_MEMORY=4", "IOLITE_NAME_MEMORY=5"));
    assert_value(IOL_SET_NAME_MEMORY, "4", IOL_ORIGIN_ENV);
    assert_int_equal(n_complaints, 0);
}

static void a_named_file_must_be_there(void **state) {
    (void)state;
    resolve(NULL, NULL, ENVIRONMENT("DARSHAN_CONFIG_PATH=/my.conf"));
    assert_complaint("the config file /my.conf cannot be read; it is ignored");
    resolve("TRACEMEM 5\n", NULL, ENVIRONMENT("IOLITE_CONFIG=" IOL_SITE_CONFIG));
    assert_value(IOL_SET_TRACE_MEMORY, "5", IOL_ORIGIN_FILE2);
    assert_int_equal(n_complaints, 0);
}

static void pairs_are_replaced_together(void **state) {
    (void)state;
    const char *file = "APP_EXCLUDE git\nAPP_INCLUDE ior\nRANK_EXCLUDE 1\nMOD_DISABLE STDIO\n";
    resolve(file, NULL, ENVIRONMENT("DARSHAN_APP_INCLUDE=x", "IOLITE_MOD_ENABLE=DXT_POSIX"));
    assert_value(IOL_SET_APP_EXCLUDE, "", IOL_ORIGIN_DEFAULT);
    assert_value(IOL_SET_APP_INCLUDE, "x", IOL_ORIGIN_ALIAS);
    assert_value(IOL_SET_RANK_EXCLUDE, "1", IOL_ORIGIN_FILE);
    assert_true(iol__module_enabled(&config, IOL_SLOT_STDIO));
    unsigned at = 0;
    assert_null(iol__setting_list(&config, IOL_SET_APP_EXCLUDE, &at));
}

/* Flags ----------------------------------------------------------------------------------------------------------- */

static void older_flags_are_on_by_presence(void **state) {
    (void)state;
    resolve(NULL, NULL, ENVIRONMENT("DARSHAN_DISABLE=0", "DXT_ENABLE_IO_TRACE="));
    assert_value(IOL_SET_DISABLE, "1", IOL_ORIGIN_ALIAS);
    assert_true(iol__setting_flag(&config, IOL_SET_TRACE));
    resolve("DUMP_CONFIG\nINTERNAL_TIMING off\n", NULL, NOTHING);
    assert_true(iol__setting_flag(&config, IOL_SET_DUMP_CONFIG));
    assert_false(iol__setting_flag(&config, IOL_SET_INTERNAL_TIMING));
}

static void our_flags_are_words(void **state) {
    (void)state;
    static char *const on[] = {"IOLITE_TRACE=1", "IOLITE_TRACE=Yes", "IOLITE_TRACE=on", "IOLITE_TRACE=TRUE",
                               "IOLITE_TRACE="};
    static char *const off[] = {"IOLITE_TRACE=0", "IOLITE_TRACE=no", "IOLITE_TRACE=OFF", "IOLITE_TRACE=false"};
    for (size_t i = 0; i < sizeof on / sizeof *on; i++) {
        resolve(NULL, NULL, ENVIRONMENT(on[i]));
        assert_value(IOL_SET_TRACE, "1", IOL_ORIGIN_ENV);
    }
    for (size_t i = 0; i < sizeof off / sizeof *off; i++) {
        resolve(NULL, NULL, ENVIRONMENT(off[i], "DXT_ENABLE_IO_TRACE=1"));
        assert_value(IOL_SET_TRACE, "0", IOL_ORIGIN_ENV);
    }
    resolve(NULL, NULL, ENVIRONMENT("IOLITE_TRACE=maybe"));
    assert_complaint("IOLITE_TRACE=maybe must be 0 or 1; 0 is used");
    assert_value(IOL_SET_TRACE, "0", IOL_ORIGIN_DEFAULT);
}

static void a_site_forbids_lines_of_code_for_good(void **state) {
    (void)state;
    resolve("WHERE never\nWHERE 1\n", "WHERE 1\n", ENVIRONMENT("IOLITE_CONFIG=/my.conf", "IOLITE_WHERE=1"));
    assert_value(IOL_SET_WHERE, "never", IOL_ORIGIN_FILE);
    assert_false(iol__setting_flag(&config, IOL_SET_WHERE));
    resolve("WHERE never\n", NULL, ENVIRONMENT("IOLITE_CONFIG=" IOL_SITE_CONFIG, "IOLITE_WHERE=1"));
    assert_false(iol__setting_flag(&config, IOL_SET_WHERE));
    resolve("WHERE 0\n", "WHERE never\n", ENVIRONMENT("IOLITE_CONFIG=/my.conf", "IOLITE_WHERE=1"));
    assert_true(iol__setting_flag(&config, IOL_SET_WHERE)); /* a word of the site alone */
    resolve("WHERE 0\n", NULL, ENVIRONMENT("IOLITE_WHERE=1"));
    assert_true(iol__setting_flag(&config, IOL_SET_WHERE));
    resolve("", NULL, ENVIRONMENT("IOLITE_WHERE=never"));
    assert_false(iol__setting_flag(&config, IOL_SET_WHERE));
}

static void the_name_itself_is_a_switch(void **state) {
    (void)state;
    resolve(NULL, NULL, ENVIRONMENT("IOLITE=0"));
    assert_value(IOL_SET_DISABLE, "1", IOL_ORIGIN_ENV);
    assert_string_equal(config.values[IOL_SET_DISABLE].variable, "IOLITE");
    resolve(NULL, NULL, ENVIRONMENT("IOLITE=1", "DARSHAN_DISABLE="));
    assert_value(IOL_SET_DISABLE, "0", IOL_ORIGIN_ENV);
    resolve(NULL, NULL, ENVIRONMENT("IOLITE=0", "IOLITE_DISABLE=0"));
    assert_value(IOL_SET_DISABLE, "0", IOL_ORIGIN_ENV);
    resolve(NULL, NULL, ENVIRONMENT("IOLITE=/opt/iolite"));
    assert_value(IOL_SET_DISABLE, "0", IOL_ORIGIN_DEFAULT);
    assert_int_equal(n_complaints, 0);
}

static void reduction_has_two_names(void **state) {
    (void)state;
    resolve("DISABLE_SHARED_REDUCTION\n", NULL, NOTHING);
    assert_value(IOL_SET_SHARED_REDUCTION, "0", IOL_ORIGIN_FILE);
    resolve("DISABLE_SHARED_REDUCTION\n", NULL, ENVIRONMENT("IOLITE_SHARED_REDUCTION=1"));
    assert_value(IOL_SET_SHARED_REDUCTION, "1", IOL_ORIGIN_ENV);
}

/* Numbers --------------------------------------------------------------------------------------------------------- */

static double number_of(char *entry, int setting) {
    resolve(NULL, NULL, ENVIRONMENT(entry));
    return iol__setting_number(&config, setting);
}

static void numbers_are_exact(void **state) {
    (void)state;
    assert_true(number_of("IOLITE_MEMORY=16777217", IOL_SET_MEMORY) == 8.0 * 1048576);
    assert_int_equal(n_complaints, 1);
    assert_true(number_of("IOLITE_MEMORY=2.5", IOL_SET_MEMORY) == 2.5 * 1048576);
    assert_true(number_of("IOLITE_NAME_MEMORY=.5", IOL_SET_NAME_MEMORY) == 524288);
    assert_true(number_of("IOLITE_MEM_ALIGNMENT=16777217", IOL_SET_MEM_ALIGNMENT) == 16777217);
    assert_true(number_of("IOLITE_TRACE_SMALL_IO=0.25", IOL_SET_TRACE_SMALL_IO) == 0.25);
    assert_true(number_of("IOLITE_FINALIZE_TIMEOUT=0", IOL_SET_FINALIZE_TIMEOUT) == 0);
    assert_int_equal(n_complaints, 0);
    assert_true(number_of("IOLITE_TRACE_SMALL_IO=", IOL_SET_TRACE_SMALL_IO) == -1);
    assert_int_equal(n_complaints, 0);
}

static void wrong_numbers_leave_what_was(void **state) {
    (void)state;
    static const struct {
        char *entry;
        const char *complaint;
    } wrong[] = {
        {"IOLITE_MEMORY=8x", "IOLITE_MEMORY=8x is not a number; 8 is used"},
        {"IOLITE_MEMORY=-1", "IOLITE_MEMORY=-1 is not a number; 8 is used"},
        {"IOLITE_MEMORY=.", "IOLITE_MEMORY=. is not a number; 8 is used"},
        {"IOLITE_MEMORY=0.5", "IOLITE_MEMORY=0.5 must be from 1 to 1048576 MiB; 8 is used"},
        {"IOLITE_MEM_ALIGNMENT=0", "IOLITE_MEM_ALIGNMENT=0 must be from 1 to 1073741824; 8 is used"},
        {"IOLITE_MEM_ALIGNMENT=1.5", "IOLITE_MEM_ALIGNMENT=1.5 must be a whole number; 8 is used"},
        {"IOLITE_TRACE_SMALL_IO=2", "IOLITE_TRACE_SMALL_IO=2 must be from 0 to 1; it is ignored"},
        {"IOLITE_MEMORY=\033[31m", "IOLITE_MEMORY=?[31m is not a number; 8 is used"},
        {"DARSHAN_NAMEMEM=many", "DARSHAN_NAMEMEM=many is not a number; 0 is used"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        resolve(NULL, NULL, ENVIRONMENT(wrong[i].entry));
        assert_complaint(wrong[i].complaint);
    }
    resolve(NULL, NULL, ENVIRONMENT("DARSHAN_NAMEMEM=2", "IOLITE_NAME_MEMORY=x"));
    assert_complaint("IOLITE_NAME_MEMORY=x is not a number; 2 is used");
    assert_value(IOL_SET_NAME_MEMORY, "2", IOL_ORIGIN_ALIAS);
}

static void the_older_size_only_raises_the_budget(void **state) {
    (void)state;
    resolve(NULL, NULL, ENVIRONMENT("DARSHAN_MODMEM=4"));
    assert_value(IOL_SET_MEMORY, "8", IOL_ORIGIN_DEFAULT);
    resolve(NULL, NULL, ENVIRONMENT("DARSHAN_MODMEM=20"));
    assert_value(IOL_SET_MEMORY, "20", IOL_ORIGIN_ALIAS);
    resolve("MODMEM 2\n", NULL, NOTHING);
    assert_value(IOL_SET_MEMORY, "8", IOL_ORIGIN_DEFAULT);
    resolve("MEMORY 2\n", NULL, NOTHING);
    assert_value(IOL_SET_MEMORY, "2", IOL_ORIGIN_FILE);
    assert_int_equal(n_complaints, 0);
}

/* Files ----------------------------------------------------------------------------------------------------------- */

static void lines_are_read_as_written(void **state) {
    (void)state;
    resolve("\n  # a comment\nMEMALIGN 64\r\n\tLOGPATH\t/logs  extra words\r\nMMAP_LOGPATH /last", NULL, NOTHING);
    assert_value(IOL_SET_MEM_ALIGNMENT, "64", IOL_ORIGIN_FILE);
    assert_value(IOL_SET_LOG_PATH, "/logs", IOL_ORIGIN_FILE);
    assert_value(IOL_SET_MMAP_DIR, "/last", IOL_ORIGIN_FILE);
    assert_int_equal(config.values[IOL_SET_MMAP_DIR].line, 5);
    resolve("MEM_ALIGNMENT 32\nLOGHINTS\n", NULL, NOTHING);
    assert_value(IOL_SET_MEM_ALIGNMENT, "32", IOL_ORIGIN_FILE);
    assert_int_equal(n_complaints, 0);
}

static void wrong_lines_are_named(void **state) {
    (void)state;
    static const struct {
        const char *file, *complaint;
    } wrong[] = {
        {"\nmodmem 4\n", IOL_SITE_CONFIG ":2: modmem is not a setting"},
        {"TRACE\n", IOL_SITE_CONFIG ":1: TRACE is not a setting"},
        {"NAMEMEM lots\n", IOL_SITE_CONFIG ":1: NAMEMEM lots is not a number; 0 is used"},
        {"LOGPATH\n", IOL_SITE_CONFIG ":1: LOGPATH needs a value; it is ignored"},
        {"MAX_RECORDS many POSIX\n",
         IOL_SITE_CONFIG ":1: MAX_RECORDS many POSIX must be a number and modules; it is ignored"},
        {"NAME_EXCLUDE ^/x\n", IOL_SITE_CONFIG ":1: NAME_EXCLUDE ^/x must be expressions and modules; it is ignored"},
        {"NAME_EXCLUDE ^/x POSIX,FOO\n", IOL_SITE_CONFIG ":1: NAME_EXCLUDE: there is no module FOO"},
        {"RANK_EXCLUDE 1,x\n",
         IOL_SITE_CONFIG ":1: RANK_EXCLUDE 1,x is not a list of ranks such as 0,4:7; it is ignored"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        resolve(wrong[i].file, NULL, NOTHING);
        assert_complaint(wrong[i].complaint);
    }
}

static void lists_add_up_over_lines(void **state) {
    (void)state;
    resolve("NAME_EXCLUDE ^/a,^/b \t POSIX\nMOD_DISABLE STDIO\nNAME_EXCLUDE c$ *\n", "MOD_DISABLE HEATMAP\n",
            ENVIRONMENT("IOLITE_CONFIG=/my.conf"));
    unsigned at = 0;
    assert_string_equal(iol__setting_list(&config, IOL_SET_NAME_EXCLUDE, &at), "^/a,^/b POSIX");
    assert_string_equal(iol__setting_list(&config, IOL_SET_NAME_EXCLUDE, &at), "c$ *");
    assert_null(iol__setting_list(&config, IOL_SET_NAME_EXCLUDE, &at));
    assert_false(iol__module_enabled(&config, IOL_SLOT_STDIO));
    assert_false(iol__module_enabled(&config, IOL_SLOT_HEATMAP));
    assert_int_equal(config.lines[3].origin, IOL_ORIGIN_FILE2);
    assert_int_equal(n_complaints, 0);
}

static void too_much_is_cut_and_reported(void **state) {
    (void)state;
    static char file[3 * IOL_CONFIG_BYTES];
    for (size_t i = 0; i + 16 < sizeof file; i += 16) memcpy(file + i, "# fifteen bytes\n", 16);
    memcpy(file + IOL_CONFIG_BYTES - 32, "TRACEMEM 7     \n", 16);
    memcpy(file + IOL_CONFIG_BYTES - 16, "NAMEMEM 1234567\n", 16);
    resolve(file, NULL, NOTHING);
    assert_complaint(IOL_SITE_CONFIG " is too long; what is behind its first 16 KiB is ignored");
    assert_value(IOL_SET_TRACE_MEMORY, "7", IOL_ORIGIN_FILE);
    assert_value(IOL_SET_NAME_MEMORY, "0", IOL_ORIGIN_DEFAULT);

    size_t at = 0;
    memset(file, 0, sizeof file);
    for (int i = 0; i <= IOL_CONFIG_LINES; i++) at += (size_t)sprintf(file + at, "APP_EXCLUDE x%d\n", i);
    resolve(file, NULL, NOTHING);
    assert_int_equal(config.n_lines, IOL_CONFIG_LINES);
    assert_complaint(IOL_SITE_CONFIG ":65: APP_EXCLUDE x64 is one line too many of this kind; it is ignored");
}

/* Names and modules ----------------------------------------------------------------------------------------------- */

static void unknown_names_of_ours_are_reported(void **state) {
    (void)state;
    resolve(NULL, NULL, ENVIRONMENT("IOLITE_FOO=1"));
    assert_complaint("IOLITE_FOO is not a setting");
    resolve(NULL, NULL, ENVIRONMENT("IOLITE_LOGDIR=/x"));
    assert_complaint("IOLITE_LOGDIR is not a setting; did you mean IOLITE_LOG_DIR");
    resolve(NULL, NULL, ENVIRONMENT("IOLITE_MEMROY=9"));
    assert_complaint("IOLITE_MEMROY is not a setting; did you mean IOLITE_MEMORY");
    resolve(NULL, NULL,
            ENVIRONMENT("DARSHAN_EXCLUDE_DIRS=none", "DARSHAN_FOO=1", "DXT_X=1", "IOLITE_RUN=1:2.3:4:/d",
                        "IOLITE_BIN=/b", "IOLITED=1", "DISPLAY=:0", "IOLITE_NOVALUE", "IOLITE_STORE=/s",
                        "IOLITE_SITE_CONFIG=/c", "IOLITE_LMT_PASSWORD=x", "IOLITE_SLURM_TOKEN_FILE=/t"));
    assert_int_equal(n_complaints, 0);
    config.complain = NULL;
    iol__resolve(&config, ENVIRONMENT("IOLITE_FOO=1"), read_text);
}

static bool enabled(char *first, char *second, int slot) {
    resolve(NULL, NULL, ENVIRONMENT(first, second));
    return iol__module_enabled(&config, slot);
}

static void modules_follow_the_lists(void **state) {
    (void)state;
    resolve(NULL, NULL, NOTHING);
    for (int slot = 0; slot < IOL_SLOTS_KNOWN; slot++) {
        const bool off = slot == IOL_SLOT_DXT_POSIX || slot == IOL_SLOT_DXT_MPIIO || slot == IOL_SLOT_APMPI;
        assert_int_equal(iol__module_enabled(&config, slot), !off);
    }
    assert_false(enabled("IOLITE_MOD_DISABLE=STDIO", NULL, IOL_SLOT_APMPI));
    assert_true(enabled("IOLITE_MOD_DISABLE=APMPI", "IOLITE_MOD_ENABLE=APMPI", IOL_SLOT_APMPI));
    assert_false(enabled("DARSHAN_MOD_DISABLE=STDIO,HEATMAP", NULL, IOL_SLOT_HEATMAP));
    assert_false(enabled("DARSHAN_MOD_DISABLE=STDIO", NULL, IOL_SLOT_DXT_POSIX));
    assert_true(enabled("DARSHAN_MOD_DISABLE=STDIO", "DARSHAN_MOD_ENABLE=STDIO", IOL_SLOT_STDIO));
    assert_false(enabled("IOLITE_MOD_DISABLE=*", "IOLITE_MOD_ENABLE=POSIX", IOL_SLOT_STDIO));
    assert_true(enabled("IOLITE_MOD_DISABLE=*", "IOLITE_MOD_ENABLE=POSIX", IOL_SLOT_POSIX));
    assert_true(enabled("IOLITE_MOD_ENABLE=DXT_POSIX", NULL, IOL_SLOT_DXT_POSIX));
    assert_true(enabled("IOLITE_TRACE=1", NULL, IOL_SLOT_DXT_MPIIO));
    assert_false(enabled("IOLITE_TRACE=1", "IOLITE_MOD_DISABLE=POSIX", IOL_SLOT_DXT_POSIX));
    assert_true(enabled("IOLITE_MOD_DISABLE=posix,NOPE", NULL, IOL_SLOT_STDIO));
    assert_complaint("IOLITE_MOD_DISABLE: there is no module NOPE");
}

static void rank_lists_never_hang(void **state) {
    (void)state;
    resolve(NULL, NULL, ENVIRONMENT("IOLITE_RANK_INCLUDE=0:", "IOLITE_RANK_EXCLUDE=:3,7,*"));
    assert_int_equal(n_complaints, 0);
    resolve(NULL, NULL, ENVIRONMENT("DARSHAN_RANK_INCLUDE=zero"));
    assert_complaint("DARSHAN_RANK_INCLUDE=zero is not a list of ranks such as 0,4:7; it is ignored");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(defaults_are_those_of_the_table),
        cmocka_unit_test(the_nearest_source_wins),
        cmocka_unit_test(a_named_file_must_be_there),
        cmocka_unit_test(pairs_are_replaced_together),
        cmocka_unit_test(older_flags_are_on_by_presence),
        cmocka_unit_test(our_flags_are_words),
        cmocka_unit_test(a_site_forbids_lines_of_code_for_good),
        cmocka_unit_test(the_name_itself_is_a_switch),
        cmocka_unit_test(reduction_has_two_names),
        cmocka_unit_test(numbers_are_exact),
        cmocka_unit_test(wrong_numbers_leave_what_was),
        cmocka_unit_test(the_older_size_only_raises_the_budget),
        cmocka_unit_test(lines_are_read_as_written),
        cmocka_unit_test(wrong_lines_are_named),
        cmocka_unit_test(lists_add_up_over_lines),
        cmocka_unit_test(too_much_is_cut_and_reported),
        cmocka_unit_test(unknown_names_of_ours_are_reported),
        cmocka_unit_test(modules_follow_the_lists),
        cmocka_unit_test(rank_lists_never_hang),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
