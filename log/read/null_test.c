/* NULL where a pointer is wanted: every public function of the library answers, and none crashes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/count.h"
#include "iolite/module.h"
#include "tests/support/logrecords.h"
#include "tests/support/opened.h"

static void nothing_is_opened(void **state) {
    (void)state;
    iol_log *log = (iol_log *)(uintptr_t)1;
    iol_error error = {.status = IOL_OK};
    assert_int_equal(iol_log_open(NULL, &log, &error), IOL_INVALID);
    assert_null(log);
    assert_int_equal(error.status, IOL_INVALID);
    assert_true(error.message[0] != 0);
    assert_int_equal(iol_log_open(NULL, NULL, NULL), IOL_INVALID);
    assert_int_equal(iol_log_open("/nowhere", NULL, &error), IOL_INVALID);
    assert_int_equal(iol_log_open("/nowhere", &log, NULL), IOL_SYSTEM);
    assert_int_equal(iol_log_open_memory(NULL, 5, "x", &log, &error), IOL_INVALID);
    assert_int_equal(iol_log_open_memory(NULL, 0, "x", &log, &error), IOL_NOT_A_LOG);
    assert_int_equal(iol_log_open_memory("x", 1, NULL, &log, &error), IOL_NOT_A_LOG);
    assert_int_equal(iol_log_open_memory("x", 1, "x", NULL, NULL), IOL_INVALID);
    iol_log_close(NULL);
}

static void a_log_that_is_not_there_has_nothing(void **state) {
    (void)state;
    const char *a = NULL, *b = NULL;
    const void *section;
    size_t length;
    uint64_t id;
    char tag[5];
    iol_module module;
    iol_records *records = (iol_records *)(uintptr_t)1;
    iol_sum *sum;
    assert_int_equal(iol_log_error_count(NULL), 0);
    assert_null(iol_log_error(NULL, 0));
    assert_null(iol_log_info(NULL));
    assert_null(iol_log_job(NULL));
    assert_int_equal(iol_log_metadata_count(NULL), 0);
    assert_int_equal(iol_log_metadata(NULL, 0, &a, &b), IOL_INVALID);
    assert_int_equal(iol_log_mount_count(NULL), 0);
    assert_int_equal(iol_log_mount(NULL, 0, &a, &b), IOL_INVALID);
    assert_false(iol_log_mount_of(NULL, "/x", &a, &b));
    assert_string_equal(a, "UNKNOWN");
    assert_int_equal(iol_log_module(NULL, 1, &module), IOL_INVALID);
    assert_null(iol_log_name(NULL, 1));
    assert_int_equal(iol_log_name_count(NULL), 0);
    assert_int_equal(iol_log_name_at(NULL, 0, &id, &a), IOL_INVALID);
    assert_int_equal(iol_log_trailer_count(NULL), 0);
    assert_int_equal(iol_log_trailer(NULL, 0, tag, &section, &length), IOL_INVALID);
    assert_int_equal(iol_log_custom_count(NULL), 0);
    assert_int_equal(iol_log_custom_damaged(NULL), 0);
    assert_int_equal(iol_log_custom(NULL, 0, &(iol_custom){0}), IOL_INVALID);
    assert_int_equal(iol_custom_record_at(NULL, 0, 0, &(iol_custom_record){0}), IOL_INVALID);
    assert_int_equal(iol_custom_span_at(NULL, 0, 0, &(iol_custom_span){0}), IOL_INVALID);
    assert_int_equal(iol_custom_counter_at(NULL, 0, 0, &(iol_custom_counter){0}), IOL_INVALID);
    assert_int_equal(iol_custom_value(NULL, 0, 0, 0, &(iol_value){0}), IOL_INVALID);
    assert_int_equal(iol_records_open(NULL, 1, &records), IOL_INVALID);
    assert_null(records);
    assert_int_equal(iol_sum_new(NULL, 1, &sum), IOL_INVALID);
    assert_null(sum);
}

static void answers_need_room(void **state) {
    (void)state;
    const char *text;
    lm_log *made = lm_new(41, false, LM_ZLIB);
    lm_sample(made, LM_POSIX, 4, 1, 0, 1);
    lm_sample(made, LM_DXT_POSIX, 1, 1, 0, 1);
    lm_name(made, 1, "/one");
    lm_trailer(made, "what", 1, "bytes", 5);
    opened o = opened_from(made);
    assert_int_equal(iol_log_metadata(o.log, 0, NULL, NULL), IOL_INVALID);
    assert_int_equal(iol_log_mount(o.log, 0, NULL, &text), IOL_INVALID);
    assert_int_equal(iol_log_mount(o.log, 0, &text, NULL), IOL_INVALID);
    assert_false(iol_log_mount_of(o.log, "/x", NULL, NULL));
    assert_false(iol_log_mount_of(o.log, NULL, &text, &text));
    assert_int_equal(iol_log_module(o.log, LM_POSIX, NULL), IOL_INVALID);
    assert_int_equal(iol_log_name_at(o.log, 0, NULL, NULL), IOL_INVALID);
    assert_int_equal(iol_log_trailer(o.log, 0, NULL, NULL, NULL), IOL_INVALID);
    assert_int_equal(iol_log_custom(o.log, 0, NULL), IOL_INVALID);
    assert_int_equal(iol_records_open(o.log, LM_POSIX, NULL), IOL_INVALID);
    assert_int_equal(iol_sum_new(o.log, LM_POSIX, NULL), IOL_INVALID);
    iol_records *records = records_of(&o, LM_DXT_POSIX);
    size_t got;
    assert_int_equal(iol_records_next(records, NULL), IOL_INVALID);
    assert_non_null(next_of(records));
    assert_int_equal(iol_records_segments(records, NULL, 4, &got), IOL_INVALID);
    assert_int_equal(iol_records_segments(records, &(iol_segment){0}, 1, NULL), IOL_INVALID);
    iol_records_close(records);
    opened_close(&o);
    const iol_record *none;
    assert_int_equal(iol_records_next(NULL, &none), IOL_INVALID);
    assert_int_equal(iol_records_segments(NULL, NULL, 0, &got), IOL_INVALID);
    iol_records_close(NULL);
}

static void tables_are_asked_for_nothing(void **state) {
    (void)state;
    assert_int_equal(iol_counter_at(LM_POSIX, 0, NULL), IOL_INVALID);
    assert_int_equal(iol_counter_find(LM_POSIX, NULL), -1);
    assert_int_equal(iol_module_find(NULL), -1);
    assert_true(iol_name_id(NULL, 7) == iol_name_id("", 0));
    assert_non_null(iol_status_text((iol_status)99));
}

static void a_table_that_is_not_there_has_no_columns(void **state) {
    (void)state;
    lm_log *made = lm_new(41, false, LM_ZLIB);
    lm_sample(made, LM_POSIX, 4, 1, 0, 1);
    opened o = opened_from(made);
    iol_table *table;
    iol_counter column;
    const char *block;
    size_t length, count;
    assert_int_equal(iol_table_open(NULL, LM_POSIX, IOL_TABLE_RECORDS, &table), IOL_INVALID);
    assert_int_equal(iol_table_open(o.log, LM_POSIX, IOL_TABLE_RECORDS, NULL), IOL_INVALID);
    assert_int_equal(iol_table_open(o.log, LM_POSIX, (iol_table_kind)7, &table), IOL_INVALID);
    assert_int_equal(iol_table_columns(NULL), 0);
    assert_int_equal(iol_table_column(NULL, 0, &column), IOL_INVALID);
    assert_int_equal(iol_table_fill(NULL, NULL, 1, &count), IOL_INVALID);
    assert_int_equal(iol_table_texts(NULL, 0, &block, &length, &count), IOL_INVALID);
    iol_table_close(NULL);
    opened_close(&o);
}

static void a_record_that_is_not_there_has_nothing(void **state) {
    (void)state;
    iol_value value;
    const int64_t *osts;
    assert_int_equal(iol_record_slot(NULL), -1);
    assert_int_equal(iol_record_id(NULL), 0);
    assert_int_equal(iol_record_rank(NULL), -1);
    assert_int_equal(iol_record_owner(NULL), 0);
    assert_int_equal(iol_record_components(NULL), 0);
    assert_int_equal(iol_record_counter(NULL, 0, &value), IOL_INVALID);
    assert_int_equal(iol_record_find(NULL, "POSIX_OPENS", &value), IOL_INVALID);
    assert_int_equal(iol_record_component(NULL, 0, &(iol_stripes){0}, &osts), IOL_INVALID);
    assert_int_equal(iol_record_heatmap(NULL, &(iol_heatmap){0}), IOL_INVALID);
    assert_int_equal(iol_record_trace(NULL, &(iol_trace){0}), IOL_INVALID);
    assert_int_equal(iol_record_set_int(NULL, 0, 1), IOL_INVALID);
    assert_int_equal(iol_record_set_real(NULL, 99, 1), IOL_INVALID);
    assert_int_equal(iol_record_set_heatmap(NULL, &(iol_heatmap){0}), IOL_INVALID);
    assert_int_equal(iol_record_set_trace(NULL, &(iol_trace){0}), IOL_INVALID);
    assert_int_equal(iol_record_set_components(NULL, NULL, 0, NULL), IOL_INVALID);
    iol_record_set_base(NULL, 1, 0);
    iol_record_set_owner(NULL, 1);
    iol_record_free(NULL);
    static const int slots[] = {LM_POSIX, LM_HEATMAP, LM_LUSTRE, LM_DXT_POSIX};
    for (size_t i = 0; i < IOL_COUNT(slots); i++) {
        iol_record *record = iol_record_new(slots[i]);
        assert_int_equal(iol_record_counter(record, 0, NULL), IOL_INVALID);
        assert_int_equal(iol_record_find(record, NULL, &value), IOL_INVALID);
        assert_int_equal(iol_record_component(record, 0, NULL, NULL), IOL_INVALID);
        assert_int_equal(iol_record_heatmap(record, NULL), IOL_INVALID);
        assert_int_equal(iol_record_trace(record, NULL), IOL_INVALID);
        assert_int_equal(iol_record_set_heatmap(record, NULL), IOL_INVALID);
        assert_int_equal(iol_record_set_heatmap(record, &(iol_heatmap){.bins = 3}), IOL_INVALID);
        assert_int_equal(iol_record_set_trace(record, NULL), IOL_INVALID);
        assert_int_equal(iol_record_set_components(record, NULL, 2, NULL), IOL_INVALID);
        assert_int_equal(iol_record_set_components(record, &(iol_stripes){.count = 2}, 1, NULL), IOL_INVALID);
        iol_record_free(record);
    }
}

static void a_sum_that_is_not_there_has_nothing(void **state) {
    (void)state;
    assert_int_equal(iol_sum_add(NULL, NULL), IOL_INVALID);
    assert_int_equal(iol_sum_records(NULL), 0);
    assert_null(iol_sum_total(NULL));
    assert_int_equal(iol_sum_performance(NULL, &(iol_performance){0}), IOL_INVALID);
    assert_int_equal(iol_sum_files(NULL, IOL_FILES_ALL, &(iol_files){0}), IOL_INVALID);
    iol_sum_free(NULL);
    lm_log *made = lm_new(41, false, LM_ZLIB);
    lm_sample(made, LM_POSIX, 4, 1, 0, 1);
    opened o = opened_from(made);
    iol_sum *sum;
    assert_int_equal(iol_sum_new(o.log, LM_POSIX, &sum), IOL_OK);
    assert_int_equal(iol_sum_add(sum, NULL), IOL_INVALID);
    assert_int_equal(iol_sum_performance(sum, NULL), IOL_INVALID);
    assert_int_equal(iol_sum_files(sum, IOL_FILES_ALL, NULL), IOL_INVALID);
    iol_sum_free(sum);
    opened_close(&o);
}

static void a_writer_refuses(void **state) {
    (void)state;
    char path[] = "/tmp/iolite-null-XXXXXX";
    iol_writer *w = (iol_writer *)(uintptr_t)1;
    iol_error error;
    const char *const mounts[] = {"/", NULL};
    close(mkstemp(path));
    assert_int_equal(iol_writer_open(NULL, NULL, &w, &error), IOL_INVALID);
    assert_null(w);
    assert_int_equal(iol_writer_open(path, NULL, NULL, NULL), IOL_INVALID);
    assert_int_equal(iol_writer_job(NULL, &(iol_job){0}, "", NULL, 0), IOL_INVALID);
    assert_int_equal(iol_writer_name(NULL, 1, "x"), IOL_INVALID);
    assert_int_equal(iol_writer_module(NULL, LM_POSIX, false), IOL_INVALID);
    assert_int_equal(iol_writer_record(NULL, NULL), IOL_INVALID);
    assert_int_equal(iol_writer_segments(NULL, NULL, 0), IOL_INVALID);
    assert_int_equal(iol_writer_trailer(NULL, "what", "", 0), IOL_INVALID);
    assert_int_equal(iol_writer_finish(NULL), IOL_INVALID);
    assert_null(iol_writer_error(NULL));
    iol_writer_abort(NULL);
    assert_int_equal(iol_writer_open(path, &(iol_write_options){.replace = true}, &w, NULL), IOL_OK);
    assert_int_equal(iol_writer_job(w, NULL, "", NULL, 0), IOL_INVALID);
    assert_int_equal(iol_writer_job(w, &(iol_job){0}, "", NULL, 1), IOL_INVALID);
    assert_int_equal(iol_writer_job(w, &(iol_job){0}, "", mounts, 1), IOL_INVALID);
    iol_writer_abort(w);
    assert_int_equal(iol_writer_open(path, &(iol_write_options){.replace = true}, &w, NULL), IOL_OK);
    assert_int_equal(iol_writer_job(w, &(iol_job){0}, NULL, NULL, 0), IOL_OK); /* no metadata */
    assert_int_equal(iol_writer_name(w, 1, NULL), IOL_INVALID);
    assert_int_equal(iol_writer_record(w, NULL), IOL_INVALID);
    assert_int_equal(iol_writer_segments(w, NULL, 1), IOL_INVALID);
    assert_int_equal(iol_writer_trailer(w, NULL, "", 0), IOL_INVALID);
    assert_int_equal(iol_writer_trailer(w, "what", NULL, 1), IOL_INVALID);
    iol_writer_abort(w);
    unlink(path);
}

/* Without the runtime in the process nothing is recorded, and with it NULL is nothing to record either. */
static void regions_and_modules_take_nothing(void **state) {
    (void)state;
    iolite_region_begin(NULL);
    iolite_region_end(NULL);
    assert_null(iolite_module_register(NULL));
    assert_null(iolite_module_record(NULL, NULL, 0));
    assert_null(iolite_record_values(NULL));
    iolite_record_span(NULL, 0, 1);
    iolite_add(NULL, 1);
    iolite_add_real(NULL, 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_is_opened),
        cmocka_unit_test(a_log_that_is_not_there_has_nothing),
        cmocka_unit_test(answers_need_room),
        cmocka_unit_test(tables_are_asked_for_nothing),
        cmocka_unit_test(a_table_that_is_not_there_has_no_columns),
        cmocka_unit_test(a_record_that_is_not_there_has_nothing),
        cmocka_unit_test(a_sum_that_is_not_there_has_nothing),
        cmocka_unit_test(a_writer_refuses),
        cmocka_unit_test(regions_and_modules_take_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
