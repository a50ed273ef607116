/* The archive form: columns, names and blocks there and back, whole logs through writer and reader, and what happens to
   bytes that nobody wrote. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/count.h"
#include "iolite/log.h"
#include "log/archive/archive.h"
#include "log/read/log_internal.h"
#include "log/archive/name_block.h"

static uint64_t state = 1;

static uint64_t any(void) {
    state += 0x9e3779b97f4a7c15;
    uint64_t z = state;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
}

static uint64_t bits_of(double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

/* Rows of all sorts ------------------------------------------------------------------------------------------------ */

enum { SHAPES = 14 };

/* What a column may look like. */
static uint64_t shape(int which, uint64_t row) {
    switch (which) {
    case 0: return 0;
    case 1: return UINT64_MAX;
    case 2: return row;
    case 3: return 1000000 - 3 * row;
    case 4: return row % 5;
    case 5: return (row % 5) * (row % 5) + 77;
    case 6: return any();
    case 7: return bits_of((double)(any() % 1000000000) / 4194304);
    case 8: return bits_of((double)(any() % 1000000000) / 1e9);
    case 9: return bits_of(row % 3 ? 0.1 * (double)row : -0.0);
    case 10: return bits_of(row % 7 ? 1.5 : row % 2 ? NAN : -INFINITY);
    case 11: return row + (any() & 3);
    case 12: return row == 0;
    default: return any() % 300;
    }
}

typedef struct block {
    uint8_t *raw;
    size_t length;
    iol__column_run runs[64];
    size_t n_runs;
} block;

static block make_block(size_t n_runs, size_t most_rows) {
    block b = {.n_runs = n_runs};
    for (size_t i = 0; i < n_runs; i++) {
        uint32_t width = 8 * (uint32_t)(1 + any() % 3 * 7);
        b.runs[i] = (iol__column_run){width, width * (uint32_t)(1 + any() % most_rows)};
        b.length += b.runs[i].bytes;
    }
    b.raw = malloc(b.length);
    assert_non_null(b.raw);
    uint8_t *at = b.raw;
    for (size_t i = 0; i < n_runs; i++)
        for (uint64_t row = 0; row < b.runs[i].bytes / b.runs[i].width; row++)
            for (int column = 0; column < (int)b.runs[i].width / 8; column++, at += 8) {
                uint64_t value = shape(column % SHAPES, row);
                memcpy(at, &value, 8);
            }
    return b;
}

static void rows_come_back(void **unused) {
    (void)unused;
    iol__body body = {0};
    for (int i = 0; i < 300; i++) {
        block b = make_block(1 + any() % 64, i % 10 == 0 ? 2000 : 20);
        bool uses_ids;
        assert_true(iol__columns_encode(b.raw, b.runs, b.n_runs, NULL, &body, &uses_ids));
        assert_false(uses_ids);
        uint8_t *back = malloc(b.length);
        const char *wrong = iol__columns_decode(body.bytes, body.length, NULL, false, back, b.length);
        assert_null(wrong);
        assert_memory_equal(back, b.raw, b.length);
        assert_null(iol__columns_decode(body.bytes, body.length, NULL, true, back, b.length));
        for (size_t at = 0; at < b.length; at++) assert_int_equal(back[at], b.raw[at ^ 7]);
        free(back);
        free(b.raw);
    }
    free(body.bytes);
}

/* Counters that say the same in other words take no room. */
static void dependent_columns_are_nearly_free(void **unused) {
    (void)unused;
    enum { ROWS = 5000, COLUMNS = 6 };
    uint64_t *rows = malloc(8 * ROWS * COLUMNS);
    for (size_t r = 0; r < ROWS; r++) {
        uint64_t size = any() % 4, *row = rows + r * COLUMNS;
        uint64_t values[COLUMNS] = {size, size * size + 5, bits_of((double)size), r, r + 17, 99};
        memcpy(row, values, sizeof values);
    }
    iol__column_run run = {8 * COLUMNS, 8 * COLUMNS * ROWS};
    iol__body body = {0};
    bool uses_ids;
    assert_true(iol__columns_encode((uint8_t *)rows, &run, 1, NULL, &body, &uses_ids));
    assert_true(body.length < 3 * ROWS + 500); /* the first, and the steps of the fourth and fifth */
    free(body.bytes);
    free(rows);
}

static void odd_rows_are_refused(void **unused) {
    (void)unused;
    uint8_t raw[24] = {0};
    iol__body body = {0};
    bool uses_ids;
    static const iol__column_run runs[] = {{7, 21}, {0, 0}, {16, 24}, {IOL_ROW_MOST + 8, IOL_ROW_MOST + 8}};
    for (size_t i = 0; i < 4; i++) assert_false(iol__columns_encode(raw, &runs[i], 1, NULL, &body, &uses_ids));
    assert_false(iol__columns_encode(raw, NULL, 0, NULL, &body, &uses_ids));
    free(body.bytes);
}

/* Ids -------------------------------------------------------------------------------------------------------------- */

static void ids_are_places(void **unused) {
    (void)unused;
    enum { ROWS = 2000 };
    iol__idmap map = {0};
    uint64_t *rows = malloc(16 * ROWS);
    for (size_t r = 0; r < ROWS; r++) {
        rows[2 * r] = any();
        rows[2 * r + 1] = r % 10;
        if (r % 9) iol__idmap_add(&map, rows[2 * r]);
    }
    iol__column_run run = {16, 16 * ROWS};
    iol__body body = {0};
    bool uses_ids;
    assert_true(iol__columns_encode((uint8_t *)rows, &run, 1, &map, &body, &uses_ids));
    assert_true(uses_ids);
    assert_true(body.length < 4 * ROWS);
    uint64_t *back = malloc(16 * ROWS);
    iol__id_list ids = {.ids = map.keys, .count = map.count};
    assert_null(iol__columns_decode(body.bytes, body.length, &ids, false, (uint8_t *)back, 16 * ROWS));
    assert_memory_equal(back, rows, 16 * ROWS);
    ids.count--;
    assert_non_null(iol__columns_decode(body.bytes, body.length, &ids, false, (uint8_t *)back, 16 * ROWS));
    assert_non_null(iol__columns_decode(body.bytes, body.length, NULL, false, (uint8_t *)back, 16 * ROWS));
    free(body.bytes);
    iol__idmap_free(&map);
    free(rows);
    free(back);
}

/* Names ------------------------------------------------------------------------------------------------------------ */

static size_t put_name(uint8_t *to, uint64_t id, const char *name) {
    size_t length = strlen(name) + 1;
    memcpy(to, &id, 8);
    memcpy(to + 8, name, length);
    return 8 + length;
}

static size_t make_names(uint8_t *raw, int count) {
    size_t length = 0;
    for (int i = 0; i < count; i++) {
        char name[80];
        snprintf(name, sizeof name, i % 50 == 7 ? "" : "/scratch/run/rank_%04d/output.%d.dat", i / 10, i % 10);
        length += put_name(raw + length, i % 30 ? iol_name_id(name, strlen(name)) : any(), name);
    }
    return length;
}

static void names_come_back(void **unused) {
    (void)unused;
    enum { NAMES = 3000 };
    uint8_t *raw = malloc(88 * NAMES), *back = malloc(88 * NAMES);
    size_t length = make_names(raw, NAMES);
    iol__body body = {0};
    assert_true(iol__name_block_encode(raw, length, &body));
    assert_true(body.length < length / 2);
    assert_null(iol__name_block_decode(body.bytes, body.length, false, back, length));
    assert_memory_equal(back, raw, length);
    assert_non_null(iol__name_block_decode(body.bytes, body.length, false, back, length - 1));
    assert_non_null(iol__name_block_decode(body.bytes, body.length, false, back, length + 1));
    assert_false(iol__name_block_encode(raw, length - 1, &body)); /* half an entry */
    assert_false(iol__name_block_encode(raw, 8, &body));
    free(body.bytes);
    free(raw);
    free(back);
}

/* Bytes that nobody wrote ------------------------------------------------------------------------------------------ */

static void decode_as(int kind, const uint8_t *body, size_t length, uint8_t *raw, size_t raw_length) {
    static uint64_t few[3] = {1, 2, 3};
    iol__id_list ids = {.ids = few, .count = 3};
    if (kind)
        iol__name_block_decode(body, length, false, raw, raw_length);
    else
        iol__columns_decode(body, length, &ids, false, raw, raw_length);
}

/* Copies of exact size, so that a sanitizer sees every byte too far. */
static void hurt(int kind, const iol__body *body, size_t raw_length) {
    uint8_t *raw = malloc(raw_length);
    for (int i = 0; i < 400; i++) {
        size_t length = i % 4 == 0 ? (size_t)(any() % body->length) : body->length;
        uint8_t *copy = malloc(length + 1);
        memcpy(copy, body->bytes, length);
        for (uint64_t n = any() % 4; length > 0 && n > 0; n--) {
            size_t reach = any() % 2 ? length : length < 64 ? length : 64; /* the head is where it hurts */
            copy[any() % reach] = (uint8_t)(any() % 3 ? 1 << any() % 8 : 255);
        }
        uint8_t *exact = realloc(copy, length ? length : 1);
        decode_as(kind, exact, length, raw, raw_length);
        free(exact);
    }
    free(raw);
}

static void damaged_bodies_are_survived(void **unused) {
    (void)unused;
    iol__body body = {0};
    for (int i = 0; i < 30; i++) {
        block b = make_block(1 + any() % 8, 30);
        bool uses_ids;
        assert_true(iol__columns_encode(b.raw, b.runs, b.n_runs, NULL, &body, &uses_ids));
        hurt(0, &body, b.length);
        free(b.raw);
        uint8_t raw[88 * 40];
        size_t length = make_names(raw, 40);
        assert_true(iol__name_block_encode(raw, length, &body));
        hurt(1, &body, length);
    }
    free(body.bytes);
}

static void noise_is_survived(void **unused) {
    (void)unused;
    for (int i = 0; i < 20000; i++) {
        uint8_t noise[64], raw[256];
        for (size_t k = 0; k < sizeof noise; k++) noise[k] = (uint8_t)(any() % 4 ? any() % 9 : any());
        decode_as(i % 2, noise, any() % sizeof noise, raw, 8 * (1 + any() % 32));
    }
}

static void heads_with_absurd_sizes_are_refused(void **unused) {
    (void)unused;
    uint8_t head[IOL_BLOCK_HEAD] = {8, 0, 0, 0, 9, 0, 0, 0, 1, 2, 3, 4, IOL_BLOCK_NAMES};
    iol__block b;
    assert_true(iol__block_parse(head, &b));
    assert_int_equal(b.raw, 8);
    assert_int_equal(b.stored, 9);
    assert_int_equal(b.check, 0x04030201);
    static const struct { int at, value; } wrong[] = {{0, 0}, {2, 0x41}, {3, 255}, {7, 255}, {12, 4}, {13, 1}, {15, 1}};
    for (size_t i = 0; i < IOL_COUNT(wrong); i++) {
        uint8_t bad[IOL_BLOCK_HEAD];
        memcpy(bad, head, sizeof bad);
        bad[wrong[i].at] = (uint8_t)wrong[i].value;
        assert_false(iol__block_parse(bad, &b));
    }
}

static void damaged_blocks_are_noticed(void **unused) {
    (void)unused;
    iol__archive *archive = iol__archive_new(3), *reader = iol__archive_new(0);
    if (!archive || !reader) skip();
    block b = make_block(5, 50);
    const uint8_t *bytes;
    size_t length;
    assert_true(
        iol__archive_pack(archive, IOL_BLOCK_COLUMNS, b.raw, b.length, b.runs, b.n_runs, NULL, &bytes, &length));
    uint8_t *raw = malloc(b.length);
    iol__block head;
    assert_true(iol__block_parse(bytes, &head));
    assert_int_equal(head.stored, length - IOL_BLOCK_HEAD);
    assert_null(iol__archive_unpack(reader, &head, bytes + IOL_BLOCK_HEAD, NULL, false, raw));
    assert_memory_equal(raw, b.raw, b.length);
    uint8_t *copy = malloc(length);
    for (size_t i = 0; i < 8 * length; i++) {
        memcpy(copy, bytes, length);
        copy[i / 8] ^= (uint8_t)(1 << i % 8);
        if (!iol__block_parse(copy, &head) || head.raw > b.length || head.stored > length - IOL_BLOCK_HEAD) continue;
        const char *wrong = iol__archive_unpack(reader, &head, copy + IOL_BLOCK_HEAD, NULL, false, raw);
        if (!wrong) assert_memory_equal(raw, b.raw, b.length); /* a bit that says nothing */
    }
    free(copy);
    free(raw);
    free(b.raw);
    iol__archive_free(archive);
    iol__archive_free(reader);
}

/* Whole logs ------------------------------------------------------------------------------------------------------- */

enum { FILES = 13000, SEGMENTS = 150000, STRIPES = 700 };

static const char *file_name(int i) {
    static char name[64];
    snprintf(name, sizeof name, "/project/output/file.%06d", i);
    return name;
}

static uint64_t file_id(int i) { return i % 1000 == 1 ? (uint64_t)i : iol_name_id(file_name(i), strlen(file_name(i))); }

static iol_segment segment_at(int i) {
    return (iol_segment){
        .offset = 4096 * (int64_t)i, .length = 4096 + i % 3, .start = i / 1024.0, .end = (i + 1) / 1024.0};
}

static void write_posix(iol_writer *w) {
    iol_record *record = iol_record_new(iol_module_find("POSIX"));
    assert_int_equal(iol_writer_module(w, iol_module_find("POSIX"), false), IOL_OK);
    for (int i = 0; i < FILES; i++) {
        iol_record_set_base(record, i % 77 == 5 ? UINT64_C(0xabcdef0000) + (uint64_t)i : file_id(i), i % 16);
        iol_record_set_int(record, 0, i);
        iol_record_set_real(record, 70, i / 3.0);
        assert_int_equal(iol_writer_record(w, record), IOL_OK);
    }
    iol_record_free(record);
}

/* A record wider than any row, and a trace longer than any block. */
static void write_wide(iol_writer *w) {
    int lustre = iol_module_find("LUSTRE"), dxt = iol_module_find("DXT_POSIX");
    int64_t osts[STRIPES];
    for (int i = 0; i < STRIPES; i++) osts[i] = 3 * i;
    iol_record *record = iol_record_new(lustre);
    iol_record_set_base(record, file_id(3), 0);
    assert_int_equal(iol_record_set_components(record, &(iol_stripes){.size = 1 << 20, .count = STRIPES}, 1, osts),
                     IOL_OK);
    assert_int_equal(iol_writer_module(w, lustre, false), IOL_OK);
    assert_int_equal(iol_writer_record(w, record), IOL_OK);
    iol_record_free(record);
    record = iol_record_new(dxt);
    iol_record_set_base(record, file_id(4), 7);
    assert_int_equal(iol_record_set_trace(record, &(iol_trace){.host = "node1", .writes = SEGMENTS}), IOL_OK);
    assert_int_equal(iol_writer_module(w, dxt, false), IOL_OK);
    assert_int_equal(iol_writer_record(w, record), IOL_OK);
    for (int i = 0; i < SEGMENTS; i++) {
        iol_segment segment = segment_at(i);
        assert_int_equal(iol_writer_segments(w, &segment, 1), IOL_OK);
    }
    iol_record_free(record);
}

static bool write_log(const char *path, iol_compression compression) {
    iol_writer *w;
    iol_write_options options = {.compression = compression, .level = 3, .replace = true};
    iol_error error;
    if (iol_writer_open(path, &options, &w, &error) == IOL_UNSUPPORTED) return false;
    assert_int_equal(iol_writer_job(w, &(iol_job){.uid = 5, .processes = 16, .exe = "app"}, "", NULL, 0), IOL_OK);
    for (int i = 0; i < FILES; i++) assert_int_equal(iol_writer_name(w, file_id(i), file_name(i)), IOL_OK);
    assert_int_equal(iol_writer_name(w, file_id(2), file_name(2)), IOL_OK); /* once more */
    assert_int_equal(iol_writer_name(w, 42, "/late"), IOL_OK);
    write_posix(w);
    write_wide(w);
    assert_int_equal(iol_writer_trailer(w, "TEST", "trailer", 7), IOL_OK);
    assert_int_equal(iol_writer_finish(w), IOL_OK);
    return true;
}

static void read_posix(iol_log *log) {
    iol_records *records;
    const iol_record *record;
    iol_value value;
    assert_int_equal(iol_records_open(log, iol_module_find("POSIX"), &records), IOL_OK);
    for (int i = 0; i < FILES; i++) {
        assert_int_equal(iol_records_next(records, &record), IOL_OK);
        assert_true(iol_record_id(record) == (i % 77 == 5 ? UINT64_C(0xabcdef0000) + (uint64_t)i : file_id(i)));
        assert_int_equal(iol_record_rank(record), i % 16);
        assert_int_equal(iol_record_counter(record, 0, &value), IOL_OK);
        assert_int_equal(value.as.i, i);
        assert_int_equal(iol_record_counter(record, 70, &value), IOL_OK);
        assert_true(value.as.d == i / 3.0);
    }
    assert_int_equal(iol_records_next(records, &record), IOL_END);
    iol_records_close(records);
}

static void read_wide(iol_log *log) {
    iol_records *records;
    const iol_record *record;
    const int64_t *osts;
    iol_stripes stripes;
    assert_int_equal(iol_records_open(log, iol_module_find("LUSTRE"), &records), IOL_OK);
    assert_int_equal(iol_records_next(records, &record), IOL_OK);
    assert_int_equal(iol_record_component(record, 0, &stripes, &osts), IOL_OK);
    assert_int_equal(stripes.count, STRIPES);
    assert_int_equal(osts[STRIPES - 1], 3 * (STRIPES - 1));
    iol_records_close(records);
    assert_int_equal(iol_records_open(log, iol_module_find("DXT_POSIX"), &records), IOL_OK);
    assert_int_equal(iol_records_next(records, &record), IOL_OK);
    assert_true(iol_record_id(record) == file_id(4));
    for (int i = 0; i < SEGMENTS; i++) {
        iol_segment got, want = segment_at(i);
        size_t n;
        assert_int_equal(iol_records_segments(records, &got, 1, &n), IOL_OK);
        assert_true(got.offset == want.offset && got.length == want.length);
        assert_true(got.start == want.start && got.end == want.end);
    }
    iol_records_close(records);
}

/* Without the names nobody can tell which record is whose: that is an error, and no record with a false id. */
static void assert_names_are_needed(const char *path) {
    iol_log *log;
    assert_int_equal(iol_log_open(path, &log, NULL), IOL_OK);
    size_t length = (size_t)iol_log_info(log)->file_bytes,
           names = IOL_HEADER_NEW + (size_t)iol_log_info(log)->job_bytes;
    iol_log_close(log);
    uint8_t *bytes = malloc(length);
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    assert_int_equal(fread(bytes, 1, length, file), length);
    fclose(file);
    memset(bytes + names + 100, 255, 50);
    assert_int_equal(iol_log_open_memory(bytes, length, "damaged", &log, NULL), IOL_OK);
    iol_records *records;
    const iol_record *record;
    assert_int_equal(iol_records_open(log, iol_module_find("POSIX"), &records), IOL_OK);
    assert_int_equal(iol_records_next(records, &record), IOL_DAMAGED);
    iol_records_close(records);
    assert_true(iol_log_error_count(log) >= 2); /* of the names, of the module */
    iol_log_close(log);
    free(bytes);
}

static void logs_come_back(void **unused) {
    (void)unused;
    char path[] = "/tmp/iolite-archive-XXXXXX";
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    close(fd);
    bool written = write_log(path, IOL_ARCHIVE);
    iol_log *log = NULL;
    if (written) {
        assert_int_equal(iol_log_open(path, &log, NULL), IOL_OK);
        assert_int_equal(iol_log_info(log)->compression, IOL_ARCHIVE);
        read_posix(log); /* before the names are asked for */
        read_wide(log);
        assert_int_equal(iol_log_name_count(log), FILES + 1);
        assert_string_equal(iol_log_name(log, file_id(12345)), file_name(12345));
        assert_string_equal(iol_log_name(log, 42), "/late");
        assert_int_equal(iol_log_trailer_count(log), 1);
        assert_int_equal(iol_log_error_count(log), 0);
        iol_log_close(log);
        assert_names_are_needed(path);
    }
    unlink(path);
    if (!written) skip();
}

/* So regular that a reader would not believe it without the hole. */
static void very_regular_names_can_be_read(void **unused) {
    (void)unused;
    enum { NAMES = 450000 };
    char path[] = "/tmp/iolite-archive-XXXXXX";
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    close(fd);
    iol_writer *w;
    iol_log *log;
    iol_write_options options = {.compression = IOL_ARCHIVE, .level = 1, .replace = true};
    bool can = iol_writer_open(path, &options, &w, NULL) == IOL_OK;
    if (can) {
        assert_int_equal(iol_writer_job(w, &(iol_job){.exe = "app"}, "", NULL, 0), IOL_OK);
        for (int i = 0; i < NAMES; i++) {
            const char *name = file_name(i);
            assert_int_equal(iol_writer_name(w, iol_name_id(name, strlen(name)), name), IOL_OK);
        }
        assert_int_equal(iol_writer_trailer(w, "TEST", "trailer", 7), IOL_OK);
        assert_int_equal(iol_writer_finish(w), IOL_OK);
        assert_int_equal(iol_log_open(path, &log, NULL), IOL_OK);
        assert_true(iol_log_info(log)->name_bytes < NAMES);
        assert_int_equal(iol_log_name_count(log), NAMES);
        assert_int_equal(iol_log_trailer_count(log), 1);
        assert_int_equal(iol_log_error_count(log), 0);
        iol_log_close(log);
    }
    unlink(path);
    if (!can) skip();
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_come_back),
        cmocka_unit_test(dependent_columns_are_nearly_free),
        cmocka_unit_test(odd_rows_are_refused),
        cmocka_unit_test(ids_are_places),
        cmocka_unit_test(names_come_back),
        cmocka_unit_test(damaged_bodies_are_survived),
        cmocka_unit_test(noise_is_survived),
        cmocka_unit_test(heads_with_absurd_sizes_are_refused),
        cmocka_unit_test(damaged_blocks_are_noticed),
        cmocka_unit_test(logs_come_back),
        cmocka_unit_test(very_regular_names_can_be_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
