/* The job record: its numbers in both layouts, the run time, and how its texts are cut. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/count.h"
#include "tests/support/logrecords.h"
#include "tests/support/opened.h"

static const int minors[] = {0, 10, 20, 21, 41};

static opened with_text(int minor, const char *text) {
    lm_log *made = lm_new(minor, false, LM_ZLIB);
    made->text = text;
    return opened_from(made);
}

static opened with_metadata(const char *metadata) {
    lm_log *made = lm_new(41, false, LM_ZLIB);
    made->metadata = metadata;
    return opened_from(made);
}

static void assert_mount(const opened *o, size_t index, const char *point, const char *type) {
    const char *got_point, *got_type;
    assert_int_equal(iol_log_mount(o->log, index, &got_point, &got_type), IOL_OK);
    assert_string_equal(got_point, point);
    assert_string_equal(got_type, type);
}

static void numbers_are_read_in_every_version_and_order(void **state) {
    (void)state;
    for (int v = 0; v < 5; v++)
        for (int big = 0; big < 2; big++) {
            bool new_form = minors[v] >= 41;
            opened o = opened_from(lm_new(minors[v], big, LM_ZLIB));
            const iol_job *job = iol_log_job(o.log);
            assert_int_equal(job->uid, 1000);
            assert_int_equal(job->start_seconds, 1700000000);
            assert_int_equal(job->start_nanoseconds, new_form ? 250000000 : 0);
            assert_int_equal(job->end_seconds, 1700000010);
            assert_int_equal(job->end_nanoseconds, new_form ? 750000000 : 0);
            assert_int_equal(job->processes, 4);
            assert_int_equal(job->job_id, 4242);
            assert_string_equal(job->exe, "/opt/app/bin/solver -n 4 input.nml");
            opened_close(&o);
        }
}

static void a_log_without_a_job_id_has_that_of_its_name(void **state) {
    (void)state;
    static const struct {
        const char *name;
        int64_t job_id;
    } names[] = {
        {"ann_app_id77_1-1-1-1_1.darshan", 77},
        {"/logs_id3_x/ann_my_id5_app_id77-12_1-1-1-1_1.darshan", 77},
        {"/logs/week_id3.bundle#ann_app_id77.darshan", 77},
        {"/logs/week_id3.bundle#app.darshan", 0},
        {"ann_app_idle_id-7_id99999999999999999999_1.darshan", 0},
        {"app.darshan", 0},
    };
    for (size_t i = 0; i < IOL_COUNT(names); i++)
        for (int own = 0; own < 2; own++) {
            iol_log *log;
            size_t length;
            lm_log *made = lm_new(41, false, LM_ZLIB);
            made->job_id = own ? 4242 : 0;
            uint8_t *file = lm_finish(made, &length);
            lm_free(made);
            assert_int_equal(iol_log_open_memory(file, length, names[i].name, &log, NULL), IOL_OK);
            assert_int_equal(iol_log_job(log)->job_id, own ? 4242 : names[i].job_id);
            iol_log_close(log);
            free(file);
        }
}

static void run_time_counts_whole_seconds_plus_one_in_old_logs_only(void **state) {
    (void)state;
    for (int v = 0; v < 5; v++) {
        opened o = opened_from(lm_new(minors[v], false, LM_ZLIB));
        assert_true(iol_log_job(o.log)->run_time == (minors[v] >= 41 ? 10.5 : 11.0));
        opened_close(&o);
    }
}

static void without_a_mount_the_whole_text_is_the_command(void **state) {
    (void)state;
    opened o = with_text(41, "/opt/app/solver --fast input");
    assert_string_equal(iol_log_job(o.log)->exe, "/opt/app/solver --fast input");
    assert_int_equal(iol_log_mount_count(o.log), 0);
    opened_close(&o);
}

static void an_old_log_with_a_short_text_is_readable(void **state) {
    (void)state;
    opened o = with_text(0, "a");
    assert_string_equal(iol_log_job(o.log)->exe, "a");
    assert_int_equal(iol_log_error_count(o.log), 0);
    opened_close(&o);
}

static void mounts_are_sorted_longest_first_and_keep_their_order(void **state) {
    (void)state;
    opened o = with_text(41, "app\next4\t/\nxfs\t/bb\nlustre\t/scratch\nbeegfs\t/aa\ngpfs\t/cc\nnfs\t/home");
    assert_int_equal(iol_log_mount_count(o.log), 6);
    assert_mount(&o, 0, "/scratch", "lustre");
    assert_mount(&o, 1, "/home", "nfs");
    assert_mount(&o, 2, "/bb", "xfs");
    assert_mount(&o, 3, "/aa", "beegfs");
    assert_mount(&o, 4, "/cc", "gpfs");
    assert_mount(&o, 5, "/", "ext4");
    const char *point, *type;
    assert_int_not_equal(iol_log_mount(o.log, 6, &point, &type), IOL_OK);
    opened_close(&o);
}

static void a_newline_in_the_command_makes_bogus_mounts(void **state) {
    (void)state;
    opened o = with_text(41, "sh -c one\ntwo three\n\next4\t/\nlustre\t/scratch");
    assert_string_equal(iol_log_job(o.log)->exe, "sh -c one");
    assert_int_equal(iol_log_mount_count(o.log), 4);
    assert_mount(&o, 0, "/scratch", "lustre");
    assert_mount(&o, 1, "three", "two");
    assert_mount(&o, 2, "/", "ext4");
    assert_mount(&o, 3, "/", "ext4");
    opened_close(&o);
}

static void a_bogus_mount_may_span_lines(void **state) {
    (void)state;
    opened o = with_text(41, "sh\nonly\next4\t/");
    assert_int_equal(iol_log_mount_count(o.log), 2);
    assert_mount(&o, 0, "ext4", "only");
    assert_mount(&o, 1, "/", "ext4");
    opened_close(&o);
}

static void a_command_that_ends_in_a_newline_repeats_the_first_mount(void **state) {
    (void)state;
    opened o = with_text(41, "app \n\nlustre\t/scratch\next4\t/");
    assert_string_equal(iol_log_job(o.log)->exe, "app ");
    assert_int_equal(iol_log_mount_count(o.log), 3);
    assert_mount(&o, 0, "/scratch", "lustre");
    assert_mount(&o, 1, "/scratch", "lustre");
    assert_mount(&o, 2, "/", "ext4");
    opened_close(&o);
}

static void a_mount_of_one_word_is_passed_over(void **state) {
    (void)state;
    opened o = with_text(41, "app\next4\t/\nlonely");
    assert_string_equal(iol_log_job(o.log)->exe, "app");
    assert_int_equal(iol_log_mount_count(o.log), 1);
    assert_mount(&o, 0, "/", "ext4");
    opened_close(&o);
}

static void a_mount_point_is_cut_at_a_blank(void **state) {
    (void)state;
    opened o = with_text(41, "app\next4\t/media/my disk\next4\t/");
    assert_int_equal(iol_log_mount_count(o.log), 2);
    assert_mount(&o, 0, "/media/my", "ext4");
    opened_close(&o);
}

static void assert_mounted_on(const opened *o, const char *name, const char *point, const char *type) {
    const char *got_point, *got_type;
    assert_int_equal(iol_log_mount_of(o->log, name, &got_point, &got_type), strcmp(type, "UNKNOWN") != 0);
    assert_string_equal(got_point, point);
    assert_string_equal(got_type, type);
}

static void a_name_belongs_to_the_longest_mount_that_is_its_prefix(void **state) {
    (void)state;
    opened o = with_text(41, "app\nnfs\t/home\nlustre\t/scratch\ngpfs\t/scratch/fast");
    assert_mounted_on(&o, "/home/user/x", "/home", "nfs");
    assert_mounted_on(&o, "/homer/x", "/home", "nfs");
    assert_mounted_on(&o, "/scratch/x", "/scratch", "lustre");
    assert_mounted_on(&o, "/scratch/fast/x", "/scratch/fast", "gpfs");
    assert_mounted_on(&o, "/scratch/faster", "/scratch/fast", "gpfs");
    assert_mounted_on(&o, "/hom", "UNKNOWN", "UNKNOWN");
    assert_mounted_on(&o, "<STDIN>", "UNKNOWN", "UNKNOWN");
    assert_mounted_on(&o, "", "UNKNOWN", "UNKNOWN");
    opened_close(&o);
}

static void assert_metadata(const opened *o, size_t index, const char *key, const char *value) {
    const char *got_key, *got_value;
    assert_int_equal(iol_log_metadata(o->log, index, &got_key, &got_value), IOL_OK);
    assert_string_equal(got_key, key);
    assert_string_equal(got_value, value);
}

static void metadata_splits_at_the_first_equals_sign(void **state) {
    (void)state;
    opened o =
        with_metadata("lib_ver=3.4.2\nh=romio_no_indep_rw=true;cb_nodes=4\n\nno equals\nempty=\nfork_parent=712");
    assert_int_equal(iol_log_metadata_count(o.log), 4);
    assert_metadata(&o, 0, "lib_ver", "3.4.2");
    assert_metadata(&o, 1, "h", "romio_no_indep_rw=true;cb_nodes=4");
    assert_metadata(&o, 2, "empty", "");
    assert_metadata(&o, 3, "fork_parent", "712");
    opened_close(&o);
}

static void metadata_that_fills_its_field_does_not_reach_the_command(void **state) {
    (void)state;
    char text[1025];
    memset(text, 'v', sizeof text);
    memcpy(text, "key=", 4);
    text[1024] = 0;
    opened o = with_metadata(text);
    const char *key, *value;
    assert_int_equal(iol_log_metadata(o.log, 0, &key, &value), IOL_OK);
    assert_string_equal(key, "key");
    assert_true(strlen(value) == 1019 || strlen(value) == 1020);
    assert_string_equal(iol_log_job(o.log)->exe, "/opt/app/bin/solver -n 4 input.nml");
    opened_close(&o);
}

static void text_behind_a_nul_is_not_text(void **state) {
    (void)state;
    lm_log *made = lm_new(41, false, LM_ZLIB);
    for (int i = 0; i < 7; i++) bytes_i64(&made->job, 1);
    bytes_text(&made->job, "a=1\n", 8);
    bytes_text(&made->job, "stale=2\n", 1016);
    bytes_text(&made->job, "app\next4\t/", 20);
    bytes_text(&made->job, "\nnfs\t/stale", 100);
    opened o = opened_from(made);
    assert_int_equal(iol_log_metadata_count(o.log), 1);
    assert_int_equal(iol_log_mount_count(o.log), 1);
    opened_close(&o);
}

static void only_the_first_4096_bytes_count(void **state) {
    (void)state;
    lm_log *made = lm_new(41, false, LM_ZLIB);
    bytes_fill(&made->job, 0, 1080);
    bytes_fill(&made->job, 'x', 5000);
    opened o = opened_from(made);
    assert_int_equal(strlen(iol_log_job(o.log)->exe), 4096 - 1080);
    opened_close(&o);
}

static void a_damaged_job_record_leaves_the_modules_readable(void **state) {
    (void)state;
    size_t length;
    uint8_t *file = lm_sample_file(LM_STDIO, 2, &length);
    memset(file + 1328, 0xff, 16);
    opened o = opened_bytes(file, length);
    assert_true(iol_log_error_count(o.log) > 0);
    assert_non_null(iol_log_job(o.log)->exe);
    iol_records *records = records_of(&o, LM_STDIO);
    next_of(records);
    ends_well(records);
    opened_close(&o);
}

static void a_job_record_that_is_too_short_is_reported(void **state) {
    (void)state;
    lm_log *made = lm_new(41, false, LM_ZLIB);
    bytes_fill(&made->job, 0, 1079);
    opened o = opened_from(made);
    assert_int_equal(iol_log_error_count(o.log), 1);
    assert_int_equal(iol_log_error(o.log, 0)->status, IOL_DAMAGED);
    opened_close(&o);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_are_read_in_every_version_and_order),
        cmocka_unit_test(a_log_without_a_job_id_has_that_of_its_name),
        cmocka_unit_test(run_time_counts_whole_seconds_plus_one_in_old_logs_only),
        cmocka_unit_test(without_a_mount_the_whole_text_is_the_command),
        cmocka_unit_test(an_old_log_with_a_short_text_is_readable),
        cmocka_unit_test(mounts_are_sorted_longest_first_and_keep_their_order),
        cmocka_unit_test(a_newline_in_the_command_makes_bogus_mounts),
        cmocka_unit_test(a_bogus_mount_may_span_lines),
        cmocka_unit_test(a_command_that_ends_in_a_newline_repeats_the_first_mount),
        cmocka_unit_test(a_mount_of_one_word_is_passed_over),
        cmocka_unit_test(a_mount_point_is_cut_at_a_blank),
        cmocka_unit_test(a_name_belongs_to_the_longest_mount_that_is_its_prefix),
        cmocka_unit_test(metadata_splits_at_the_first_equals_sign),
        cmocka_unit_test(metadata_that_fills_its_field_does_not_reach_the_command),
        cmocka_unit_test(text_behind_a_nul_is_not_text),
        cmocka_unit_test(only_the_first_4096_bytes_count),
        cmocka_unit_test(a_damaged_job_record_leaves_the_modules_readable),
        cmocka_unit_test(a_job_record_that_is_too_short_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
