/* Modules that only the log knows: read in either byte order, combined by their rules, kept apart by rank and version,
   written back the same; and whatever is wrong with them, only they are lost. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "log/trailer/custom.h"
#include "log/read/log_internal.h"
#include "log/trailer/regions.h"
#include "record/hash.h"
#include "tests/support/custommaker.h"
#include "tests/support/logrecords.h"
#include "tests/support/opened.h"

static opened with_section(const bytes *section) {
    lm_log *made = lm_new(41, false, LM_ZLIB);
    lm_sample(made, LM_POSIX, 4, 1, 0, 1);
    lm_trailer(made, IOL_TAG_CUSTOM, 1, section->data, section->length);
    return opened_from(made);
}

static double value_of(iol_log *log, size_t module, size_t record, size_t counter) {
    iol_value value;
    assert_int_equal(iol_custom_value(log, module, record, counter, &value), IOL_OK);
    return value.kind == IOL_REAL ? value.as.d : (double)value.as.i;
}

static void both_byte_orders_are_read(void **state) {
    (void)state;
    for (int big = 0; big < 2; big++) {
        bytes section = {.big = big};
        iol_custom custom;
        iol_custom_counter counter;
        iol_custom_record record;
        iol_custom_span span;
        am_sample(&section);
        opened o = with_section(&section);
        assert_int_equal(iol_log_custom_count(o.log), 1);
        assert_int_equal(iol_log_custom(o.log, 0, &custom), IOL_OK);
        assert_string_equal(custom.name, "CKPT");
        assert_int_equal(custom.version, 2);
        assert_int_equal(custom.records, 2);
        assert_false(custom.failed);
        assert_int_equal(iol_custom_counter_at(o.log, 0, 2, &counter), IOL_OK);
        assert_string_equal(counter.is.name, "CKPT_F_AT");
        assert_string_equal(counter.is.unit, "s");
        assert_string_equal(counter.rule, "first");
        assert_true(counter.instant);
        assert_int_equal(iol_custom_counter_at(o.log, 0, 3, &counter), IOL_INVALID);
        assert_int_equal(iol_custom_record_at(o.log, 0, 1, &record), IOL_OK);
        assert_int_equal(record.rank, 1);
        assert_string_equal(record.name, "/scratch/ckpt");
        assert_true(value_of(o.log, 0, 0, 0) == 3 && value_of(o.log, 0, 0, 1) == 1.5);
        assert_int_equal(iol_custom_span_at(o.log, 0, 0, &span), IOL_OK);
        assert_true(span.begin == 0.25 && span.end == 0.75 && span.thread == 77);
        assert_string_equal(span.name, "/scratch/ckpt");
        assert_int_equal(iol_custom_span_at(o.log, 0, 1, &span), IOL_OK);
        assert_true(isnan(span.end));
        assert_int_equal(iol_custom_span_at(o.log, 0, 2, &span), IOL_INVALID);
        assert_int_equal(iol_log_error_count(o.log), 0);
        opened_close(&o);
        bytes_free(&section);
    }
}

/* Sum, min, max, first, keep; integers and reals. */
static void records_of_one_name_are_combined_by_the_rules(void **state) {
    (void)state;
    static const am_counter counters[] = {{"A", "", 0, 0}, {"B", "", 0, 1}, {"C", "", 0, 2},  {"D", "", 0, 3},
                                          {"E", "", 0, 4}, {"F", "", 1, 0}, {"G", "s", 2, 3}, {"H", "", 1, 2}};
    const uint64_t one[] = {1, 5, 5, 0, 5, am_real(1.5), am_real(0), am_real(-2)};
    const uint64_t two[] = {2, 3, 9, 7, 9, am_real(2), am_real(4), am_real(-1)};
    const double wanted[] = {3, 3, 9, 7, 5, 3.5, 4, -1};
    bytes section = {0};
    am_begin(&section);
    am_schema(&section, 0, "RULES", 1, counters, 8);
    am_record(&section, 0, 1, "x", one, 8);
    am_record(&section, 0, 1, "x", two, 8);
    opened o = with_section(&section);
    iol_custom custom;
    assert_int_equal(iol_log_custom(o.log, 0, &custom), IOL_OK);
    assert_int_equal(custom.records, 1);
    for (size_t i = 0; i < 8; i++) assert_true(value_of(o.log, 0, 0, i) == wanted[i]);
    opened_close(&o);
    bytes_free(&section);
}

static iol__custom fitted(iol_log *log, const iol__custom_fit *fit, iol__custom into) {
    assert_true(iol__custom_read(log, fit, &into));
    return into;
}

static void ranks_and_times_fit_into_a_larger_log(void **state) {
    (void)state;
    bytes section = {0};
    double last = 0;
    am_sample(&section);
    opened o = with_section(&section);
    iol__custom all =
        fitted(o.log, &(iol__custom_fit){.single = true, .first_rank = 4, .last = &last}, (iol__custom){0});
    assert_int_equal(all.tables[0]->n_lines, 1); /* both ranks are one process's */
    all = fitted(o.log, &(iol__custom_fit){.first_rank = 10, .shift = 100, .last = &last}, all);
    assert_int_equal(all.count, 1);
    const iol__custom_table *t = all.tables[0];
    assert_int_equal(t->n_lines, 3);
    assert_int_equal(t->lines[0].rank, 4);
    assert_int_equal(t->lines[1].rank, 10);
    assert_int_equal(t->lines[2].rank, 11);
    double at;
    memcpy(&at, t->lines[1].values + 16, sizeof at);
    assert_true(at == 100.25 && last == 101);
    assert_true(t->times[2].begin == 100.25 && t->times[2].end == 100.75);
    assert_true(t->times[3].end < t->times[3].begin);
    iol__custom_free(&all);
    all = fitted(o.log, &(iol__custom_fit){.together = true, .first_rank = 10}, (iol__custom){0});
    assert_int_equal(all.tables[0]->n_lines, 1);
    assert_int_equal(all.tables[0]->lines[0].rank, -1);
    assert_int_equal(all.tables[0]->times[0].rank, 10);
    assert_int_equal(all.tables[0]->times[0].line, 0);
    iol__custom_free(&all);
    opened_close(&o);
    bytes_free(&section);
}

static void what_is_packed_reads_back_the_same(void **state) {
    (void)state;
    bytes section = {.big = true};
    size_t length, again_length;
    am_sample(&section);
    opened o = with_section(&section);
    void *packed = iol__custom_pack(iol__custom_of(o.log), &length);
    assert_non_null(packed);
    opened second = with_section(&(bytes){.data = packed, .length = length});
    void *again = iol__custom_pack(iol__custom_of(second.log), &again_length);
    assert_int_equal(again_length, length);
    assert_memory_equal(again, packed, length);
    free(again);
    free(packed);
    opened_close(&second);
    opened_close(&o);
    bytes_free(&section);
}

/* The id of a name is not stored; any other id is, and both read back, also by spans. */
static void ids_that_follow_from_names_are_not_stored(void **state) {
    (void)state;
    static const am_counter counters[] = {{"A", "", 0, 0}};
    const uint64_t value = 1, named = iol__hash("/scratch/named", 14, 0), other = 0x1122334455667788;
    bytes section = {0};
    am_begin(&section);
    am_schema(&section, 0, "IDS", 1, counters, 1);
    am_record(&section, 0, named, "/scratch/named", &value, 1);
    am_record(&section, 0, other, "/scratch/other", &value, 1);
    am_span(&section, 0, named, 1, 2);
    opened o = with_section(&section);
    size_t length = 0;
    uint8_t *packed = iol__custom_pack(iol__custom_of(o.log), &length);
    assert_non_null(packed);
    assert_null(memmem(packed, length - sizeof(iol__custom_span), &named, sizeof named));
    assert_non_null(memmem(packed, length, &other, sizeof other));
    opened again = with_section(&(bytes){.data = packed, .length = length});
    const iol__custom_table *t = iol__custom_of(again.log)->tables[0];
    assert_int_equal(t->n_lines, 2);
    assert_true(t->lines[0].id == named && t->lines[1].id == other);
    assert_int_equal(t->times[0].line, 0);
    opened_close(&again);
    opened_close(&o);
    free(packed);
    bytes_free(&section);
}

static void other_versions_are_other_modules(void **state) {
    (void)state;
    static const am_counter counters[] = {{"A", "", 0, 0}, {"B", "", 0, 0}};
    const uint64_t values[] = {1, 2};
    bytes section = {0};
    am_begin(&section);
    am_schema(&section, 0, "SAME", 1, counters, 1);
    am_schema(&section, 1, "SAME", 2, counters, 2);
    am_schema(&section, 2, "SAME", 1, counters, 1);
    am_record(&section, 0, 1, "x", values, 1);
    am_record(&section, 1, 1, "x", values, 2);
    am_record(&section, 2, 1, "x", values, 1);
    opened o = with_section(&section);
    assert_int_equal(iol_log_custom_count(o.log), 2);
    assert_true(value_of(o.log, 0, 0, 0) == 2 && value_of(o.log, 1, 0, 1) == 2);
    opened_close(&o);
    bytes_free(&section);
}

/* Every byte of a section changed, and every length of it: never more than a message, and the rest of the log is
   there. */
static void damage_costs_only_the_section(void **state) {
    (void)state;
    bytes section = {0};
    am_sample(&section);
    for (size_t at = 0; at < section.length; at++) {
        bytes cut = {.data = section.data, .length = at};
        opened o = with_section(&cut);
        (void)iol_log_custom_count(o.log);
        iol_records *records = records_of(&o, LM_POSIX);
        next_of(records);
        ends_well(records);
        opened_close(&o);
    }
    for (size_t at = 0; at < section.length; at++)
        for (int bit = 0; bit < 8; bit++) {
            section.data[at] ^= (uint8_t)(1 << bit);
            opened o = with_section(&section);
            iol_custom custom;
            for (size_t i = 0; iol_log_custom(o.log, i, &custom) == IOL_OK; i++)
                for (size_t k = 0; k < custom.records; k++) value_of(o.log, i, k, 0);
            opened_close(&o);
            section.data[at] ^= (uint8_t)(1 << bit);
        }
    bytes_free(&section);
}

/* A module that writes behind its record destroys the next block, and no more. */
static void blocks_behind_damaged_ones_are_found(void **state) {
    (void)state;
    static const am_counter counters[] = {{"A", "", 0, 0}};
    static const char *const names[] = {"first", "overrun", "hit", "behind", "last"};
    bytes section = {0};
    iol_custom custom;
    size_t length, overrun = 0;
    am_begin(&section);
    am_schema(&section, 0, "GOOD", 1, counters, 1);
    for (uint64_t i = 0; i < 5; i++) {
        if (i == 1) overrun = section.length + sizeof(iol__custom_record);
        am_record(&section, 0, iol__hash(names[i], strlen(names[i]), 0), names[i], &i, 1);
    }
    am_span(&section, 0, iol__hash("last", 4, 0), 1, 2);
    memset(section.data + overrun, 255, 8 + 8 + 8); /* the value, the name, the head of the next one */
    opened o = with_section(&section);
    assert_int_equal(iol_log_custom(o.log, 0, &custom), IOL_OK);
    assert_int_equal(custom.records, 3);
    assert_int_equal(custom.spans, 1);
    assert_true(value_of(o.log, 0, 1, 0) == 3 && value_of(o.log, 0, 2, 0) == 4);
    assert_int_equal(iol_log_error_count(o.log), 1);
    assert_int_equal(iol_log_custom_damaged(o.log), 80);
    char *packed = iol__custom_pack(iol__custom_of(o.log), &length); /* the next log is sound, and still says so */
    opened second = with_section(&(bytes){.data = (uint8_t *)packed, .length = length});
    assert_int_equal(iol_log_custom_damaged(second.log), 80);
    assert_int_equal(iol_log_error_count(second.log), 0);
    free(packed);
    opened_close(&second);
    opened_close(&o);
    bytes_free(&section);
}

static void blocks_of_later_versions_are_passed_over(void **state) {
    (void)state;
    static const am_counter counters[] = {{"A", "", 0, 0}};
    const uint64_t value = 5;
    bytes section = {0};
    am_begin(&section);
    bytes_u32(&section, 99);
    bytes_u32(&section, 16);
    bytes_u64(&section, 1);
    am_schema(&section, 0, "LATER", 1, counters, 1);
    am_record(&section, 0, 1, "x", &value, 1);
    opened o = with_section(&section);
    assert_int_equal(iol_log_custom_count(o.log), 1);
    assert_true(value_of(o.log, 0, 0, 0) == 5);
    assert_int_equal(iol_log_error_count(o.log), 0);
    opened_close(&o);
    bytes_free(&section);
}

static void regions_are_added_up_over_ranks(void **state) {
    (void)state;
    static const am_counter counters[] = {
        {"REGION_COUNT", "", 0, 0}, {"REGION_F_FIRST", "s", 2, 3}, {"REGION_F_WRITE_TIME", "s", 1, 0}};
    const uint64_t a[] = {2, am_real(5), am_real(0.5)}, b[] = {3, am_real(4), am_real(0.25)};
    bytes section = {0};
    iol__regions regions;
    am_begin(&section);
    am_schema(&section, 0, "REGIONS", 1, counters, 3);
    am_record(&section, 0, 1, "small", b, 3);
    am_record(&section, 0, 2, "large", a, 3);
    am_rank(&section, 1);
    am_record(&section, 0, 2, "large", b, 3);
    opened o = with_section(&section);
    assert_true(iol__regions_make(o.log, &regions));
    assert_int_equal(regions.count, 2);
    const iol__marked_region *r = &regions.all[0];
    assert_string_equal(r->name, "large");
    assert_true(r->ranks == 2 && r->count == 5 && r->first == 4 && r->io_time == 0.75);
    assert_int_equal(iol__regions_find(&regions, 1), 1);
    assert_int_equal(iol__regions_find(&regions, 3), IOL_IDMAP_NONE);
    iol__regions_free(&regions);
    opened_close(&o);
    bytes_free(&section);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(both_byte_orders_are_read),
        cmocka_unit_test(records_of_one_name_are_combined_by_the_rules),
        cmocka_unit_test(ranks_and_times_fit_into_a_larger_log),
        cmocka_unit_test(what_is_packed_reads_back_the_same),
        cmocka_unit_test(ids_that_follow_from_names_are_not_stored),
        cmocka_unit_test(other_versions_are_other_modules),
        cmocka_unit_test(damage_costs_only_the_section),
        cmocka_unit_test(blocks_behind_damaged_ones_are_found),
        cmocka_unit_test(blocks_of_later_versions_are_passed_over),
        cmocka_unit_test(regions_are_added_up_over_ranks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
