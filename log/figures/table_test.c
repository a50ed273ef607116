/* Tables: every cell of every column is what the record itself says, in whatever batches it is asked for. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "record/record.h"
#include "tests/support/logrecords.h"
#include "tests/support/opened.h"

enum { COLUMNS = 700, ROOM = 64 };

/* A table with its first rows. */
typedef struct filled {
    iol_table *table;
    size_t rows;
    union {
        int64_t i;
        uint64_t u;
        double d;
    } cells[COLUMNS][ROOM];
} filled;

static filled *fill_table(const opened *o, int slot, iol_table_kind kind, size_t room) {
    filled *f = calloc(1, sizeof *f);
    void *cells[COLUMNS];
    assert_non_null(f);
    assert_int_equal(iol_table_open(o->log, slot, kind, &f->table), IOL_OK);
    assert_true(iol_table_columns(f->table) <= COLUMNS);
    for (size_t c = 0; c < COLUMNS; c++) cells[c] = f->cells[c];
    iol_status status = iol_table_fill(f->table, cells, room, &f->rows);
    assert_true(status == IOL_OK || status == IOL_END);
    return f;
}

static void filled_free(filled *f) {
    iol_table_close(f->table);
    free(f);
}

static size_t column_named(const filled *f, const char *name) {
    iol_counter column;
    for (size_t c = 0; iol_table_column(f->table, c, &column) == IOL_OK; c++)
        if (strcmp(column.name, name) == 0) return c;
    fail_msg("there is no column %s", name);
    return 0;
}

static int64_t int_at(const filled *f, const char *name, size_t row) { return f->cells[column_named(f, name)][row].i; }
static double real_at(const filled *f, const char *name, size_t row) { return f->cells[column_named(f, name)][row].d; }

static const char *text_at(const filled *f, const char *name, size_t row) {
    const size_t c = column_named(f, name);
    const char *block;
    size_t length, count;
    uint64_t number = f->cells[c][row].u;
    if (number == IOL_NO_TEXT) return NULL;
    assert_int_equal(iol_table_texts(f->table, c, &block, &length, &count), IOL_OK);
    assert_true(number < count);
    while (number--) block += strlen(block) + 1;
    return block;
}

static void add_posix(lm_log *made, uint64_t id, int64_t rank, int64_t seed) {
    lm_counts counts;
    lm_fill(&counts, seed);
    lm_fixed(lm_records(made, LM_POSIX, 4), LM_POSIX, 4, id, rank, 0, &counts);
}

static void every_counter_of_every_module_has_its_cell(void **state) {
    (void)state;
    for (int slot = 0; slot < LM_KNOWN; slot++) {
        lm_log *made = lm_new(41, false, LM_ZLIB);
        lm_sample(made, slot, lm_newest(slot), 7, 3, 2);
        opened o = opened_from(made);
        filled *f = fill_table(&o, slot, IOL_TABLE_RECORDS, ROOM);
        iol_records *records = records_of(&o, slot);
        const iol_record *record = next_of(records);
        if (record->header) record = next_of(records);
        assert_int_equal(f->rows, 1);
        assert_int_equal(int_at(f, "rank", 0), iol_record_rank(record));
        assert_true((uint64_t)int_at(f, "record_id", 0) == iol_record_id(record));
        for (size_t i = 0; i < iol_counter_count(slot); i++) {
            iol_counter counter;
            iol_value value;
            if (iol_record_counter(record, i, &value) != IOL_OK) continue;
            assert_int_equal(iol_counter_at(slot, i, &counter), IOL_OK);
            const double real = real_at(f, counter.name, 0);
            if (!(counter.kind == IOL_REAL && isnan(real))) assert_true(int_at(f, counter.name, 0) == value.as.i);
        }
        iol_records_close(records);
        filled_free(f);
        opened_close(&o);
    }
}

static void texts_of_files_are_theirs_and_shared(void **state) {
    (void)state;
    lm_log *made = lm_new(41, false, LM_ZLIB);
    made->text = "/bin/app\nlustre\t/scratch\next4\t/";
    lm_name(made, 1, "/scratch/a");
    lm_name(made, 2, "/home/b");
    for (int i = 0; i < 6; i++) add_posix(made, (uint64_t)(i % 3) + 1, i, i);
    opened o = opened_from(made);
    filled *f = fill_table(&o, LM_POSIX, IOL_TABLE_RECORDS, ROOM);
    assert_int_equal(f->rows, 6);
    for (size_t row = 0; row < 6; row += 3) {
        assert_string_equal(text_at(f, "file_name", row), "/scratch/a");
        assert_string_equal(text_at(f, "mount_point", row), "/scratch");
        assert_string_equal(text_at(f, "fs_type", row), "lustre");
        assert_string_equal(text_at(f, "file_name", row + 1), "/home/b");
        assert_string_equal(text_at(f, "fs_type", row + 1), "ext4");
        assert_null(text_at(f, "file_name", row + 2));
        assert_null(text_at(f, "mount_point", row + 2));
    }
    assert_true(int_at(f, "file_name", 0) == int_at(f, "file_name", 3));
    filled_free(f);
    opened_close(&o);
}

static void rows_are_the_same_in_any_batches_and_columns(void **state) {
    (void)state;
    enum { ROWS = 40 };
    lm_log *made = lm_new(41, true, LM_ZLIB);
    for (int i = 0; i < ROWS; i++) add_posix(made, (uint64_t)i, i, i);
    opened o = opened_from(made);
    for (size_t room = 1; room <= ROWS + 1; room += 7) {
        iol_table *table;
        assert_int_equal(iol_table_open(o.log, LM_POSIX, IOL_TABLE_RECORDS, &table), IOL_OK);
        void *cells[COLUMNS] = {NULL};
        int64_t ranks[ROWS + 1];
        size_t rows, all = 0;
        cells[0] = ranks; /* the only column that is wanted */
        iol_status status;
        while ((status = iol_table_fill(table, cells, room, &rows)) == IOL_OK) {
            for (size_t i = 0; i < rows; i++) assert_int_equal(ranks[i], all + i);
            all += rows;
        }
        assert_int_equal(status, IOL_END);
        assert_int_equal(all, ROWS);
        assert_int_equal(iol_table_fill(table, cells, room, &rows), IOL_END);
        iol_table_close(table);
    }
    opened_close(&o);
}

static void operations_are_rows_of_a_trace(void **state) {
    (void)state;
    enum { WRITES = 600, READS = 2 };
    lm_segment segments[WRITES + READS];
    for (int i = 0; i < WRITES + READS; i++) segments[i] = (lm_segment){i, 10 * i, i, i + 0.5, (uint64_t)i + 9};
    lm_log *made = lm_new(41, false, LM_ZLIB);
    lm_name(made, 5, "/data");
    lm_trace(lm_records(made, LM_DXT_POSIX, 2), 5, 1, "node1", segments, 0, 0, true);
    lm_trace(lm_records(made, LM_DXT_POSIX, 2), 5, 2, "node2", segments, WRITES, READS, true);
    opened o = opened_from(made);
    filled *f = fill_table(&o, LM_DXT_POSIX, IOL_TABLE_PARTS, ROOM);
    assert_int_equal(f->rows, ROOM);
    assert_int_equal(int_at(f, "rank", 0), 2);
    assert_int_equal(int_at(f, "offset", 63), 63);
    assert_int_equal(int_at(f, "length", 63), 630);
    assert_int_equal(int_at(f, "thread", 63), 72);
    assert_true(real_at(f, "end", 63) == 63.5);
    assert_string_equal(text_at(f, "op", 63), "write");
    assert_string_equal(text_at(f, "host", 63), "node2");
    assert_string_equal(text_at(f, "file_name", 63), "/data");
    void *cells[COLUMNS] = {NULL};
    uint64_t offsets[WRITES];
    size_t rows;
    cells[column_named(f, "offset")] = offsets;
    assert_int_equal(iol_table_fill(f->table, cells, WRITES, &rows), IOL_OK);
    assert_int_equal(rows, WRITES + READS - ROOM);
    assert_int_equal(offsets[rows - 1], WRITES + READS - 1);
    filled_free(f);
    f = fill_table(&o, LM_DXT_POSIX, IOL_TABLE_RECORDS, ROOM);
    assert_int_equal(f->rows, 2);
    assert_int_equal(int_at(f, "writes", 1), WRITES);
    assert_string_equal(text_at(f, "host", 0), "node1");
    filled_free(f);
    opened_close(&o);
}

static void layouts_have_a_row_per_ost(void **state) {
    (void)state;
    const lm_component components[] = {{{1 << 20, 0, 2, 0, 0, 1 << 20, 0}, "dom"},
                                       {{4 << 20, 3, 0, 0, 1 << 20, -1, 0}, "flash"}};
    const int64_t osts[] = {11, 5, 8};
    lm_log *made = lm_new(41, false, LM_ZLIB);
    lm_lustre_2(lm_records(made, LM_LUSTRE, 2), 4, 0, components, 2, osts, 3);
    opened o = opened_from(made);
    filled *f = fill_table(&o, LM_LUSTRE, IOL_TABLE_PARTS, ROOM);
    assert_int_equal(f->rows, 4);
    assert_int_equal(int_at(f, "component", 0), 1);
    assert_int_equal(int_at(f, "ost", 0), -1);
    assert_string_equal(text_at(f, "pool", 0), "dom");
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(int_at(f, "component", i + 1), 2);
        assert_int_equal(int_at(f, "stripe", i + 1), i);
        assert_int_equal(int_at(f, "ost", i + 1), osts[i]);
        assert_int_equal(int_at(f, "LUSTRE_COMP_STRIPE_SIZE", i + 1), 4 << 20);
    }
    filled_free(f);
    f = fill_table(&o, LM_LUSTRE, IOL_TABLE_RECORDS, ROOM);
    assert_int_equal(int_at(f, "components", 0), 2);
    assert_int_equal(int_at(f, "stripes", 0), 3);
    filled_free(f);
    opened_close(&o);
}

static void heat_maps_have_a_row_per_bin(void **state) {
    (void)state;
    const int64_t written[] = {1, 2, 3}, read[] = {0, 7, 0};
    lm_log *made = lm_new(41, false, LM_ZLIB);
    lm_heatmap(lm_records(made, LM_HEATMAP, 1), 4, 0, 0.5, 3, written, read);
    lm_heatmap(lm_records(made, LM_HEATMAP, 1), 4, 1, 0.5, 3, written, read);
    opened o = opened_from(made);
    filled *f = fill_table(&o, LM_HEATMAP, IOL_TABLE_PARTS, ROOM);
    assert_int_equal(f->rows, 6);
    assert_int_equal(int_at(f, "rank", 4), 1);
    assert_int_equal(int_at(f, "bin", 4), 1);
    assert_true(real_at(f, "start", 4) == 0.5);
    assert_int_equal(int_at(f, "written", 5), 3);
    assert_int_equal(int_at(f, "read", 4), 7);
    filled_free(f);
    opened_close(&o);
}

static void damage_comes_after_the_rows_before_it(void **state) {
    (void)state;
    lm_log *made = lm_new(41, false, LM_ZLIB);
    for (int i = 0; i < 3; i++) add_posix(made, 1, i, i);
    bytes *region = lm_records(made, LM_POSIX, 4);
    region->length -= 100;
    opened o = opened_from(made);
    filled *f = fill_table(&o, LM_POSIX, IOL_TABLE_RECORDS, ROOM);
    void *cells[COLUMNS] = {NULL};
    size_t rows;
    assert_int_equal(f->rows, 2);
    assert_int_equal(iol_table_fill(f->table, cells, ROOM, &rows), IOL_DAMAGED);
    assert_int_equal(rows, 0);
    assert_int_equal(iol_log_error_count(o.log), 1);
    filled_free(f);
    opened_close(&o);
}

static void records_without_parts_have_no_table_of_them(void **state) {
    (void)state;
    lm_log *made = lm_new(41, false, LM_ZLIB);
    add_posix(made, 1, 0, 0);
    opened o = opened_from(made);
    iol_table *table;
    assert_int_equal(iol_table_open(o.log, LM_POSIX, IOL_TABLE_PARTS, &table), IOL_INVALID);
    assert_null(table);
    assert_int_equal(iol_table_open(o.log, -1, IOL_TABLE_PARTS, &table), IOL_INVALID);
    assert_int_equal(iol_table_open(o.log, LM_NULL, IOL_TABLE_RECORDS, &table), IOL_INVALID);
    assert_int_equal(iol_table_open(o.log, 63, IOL_TABLE_PARTS, &table), IOL_INVALID);
    assert_int_equal(iol_table_open(o.log, 64, IOL_TABLE_RECORDS, &table), IOL_INVALID);
    opened_close(&o);
}

/* What is asked of many logs has the same columns for those that lack the module. */
static void modules_without_data_have_columns_and_no_rows(void **state) {
    (void)state;
    lm_log *made = lm_new(41, false, LM_ZLIB);
    add_posix(made, 1, 0, 0);
    opened o = opened_from(made);
    for (int slot = LM_POSIX + 1; slot < LM_KNOWN; slot++) {
        filled *f = fill_table(&o, slot, IOL_TABLE_RECORDS, ROOM);
        assert_int_equal(f->rows, 0);
        assert_int_equal(column_named(f, "rank"), 0);
        filled_free(f);
    }
    opened_close(&o);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_counter_of_every_module_has_its_cell),
        cmocka_unit_test(texts_of_files_are_theirs_and_shared),
        cmocka_unit_test(rows_are_the_same_in_any_batches_and_columns),
        cmocka_unit_test(operations_are_rows_of_a_trace),
        cmocka_unit_test(layouts_have_a_row_per_ost),
        cmocka_unit_test(heat_maps_have_a_row_per_bin),
        cmocka_unit_test(damage_comes_after_the_rows_before_it),
        cmocka_unit_test(records_without_parts_have_no_table_of_them),
        cmocka_unit_test(modules_without_data_have_columns_and_no_rows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
