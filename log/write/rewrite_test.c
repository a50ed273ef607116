/* Rewriting: what is left of damaged logs, and what stays when files are left out. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/count.h"
#include "record/record.h"
#include "log/read/log_internal.h"
#include "log/write/rewrite.h"
#include "log/read/stream.h"
#include "log/trailer/id_pairs.h"
#include "record/removals.h"
#include "tests/support/logrecords.h"
#include "tests/support/opened.h"

static size_t records_in(iol_log *log, int slot) {
    iol_records *records;
    const iol_record *record;
    size_t count = 0;
    if (iol_records_open(log, slot, &records) != IOL_OK) return 0;
    while (iol_records_next(records, &record) == IOL_OK) count++;
    iol_records_close(records);
    return count;
}

static bool is_partial(iol_log *log, int slot) { return iol_log_info(log)->partial_flags >> slot & 1; }

/* Cut off in the middle of the second record: the first stays, and the module is marked. */
static void records_before_the_damage_stay(void **state) {
    (void)state;
    lm_log *made = lm_new(41, false, LM_NONE);
    for (int64_t i = 1; i <= 2; i++) lm_sample(made, LM_POSIX, 4, (uint64_t)i, 0, i);
    size_t length;
    uint8_t *file = lm_finish(made, &length);
    lm_free(made);
    opened o = opened_bytes(file, length - 100);
    for (int copies = 0; copies < 2; copies++) { /* a damaged region is none that stays as it is */
        iol_log *log = rewritten(o.log, &(iol__rewrite){.copies = copies});
        assert_int_equal(records_in(log, LM_POSIX), 1);
        assert_true(is_partial(log, LM_POSIX));
        assert_true(iol_log_error_count(o.log) > 0);
        assert_int_equal(iol_log_error_count(log), 0);
        iol_log_close(log);
    }
    opened_close(&o);
}

/* The log in zlib's compression of this level. */
static iol_log *compressed(iol_log *log, int level, bool copies) {
    const iol_write_options options = {.compression = IOL_ZLIB, .level = level};
    iol_writer *writer;
    iol_log *again;
    iol_error error;
    assert_int_equal(iol__writer_spool_as(&options, &writer, &error), IOL_OK);
    assert_int_equal(iol__rewrite_log(log, writer, &(iol__rewrite){.copies = copies}), IOL_OK);
    assert_int_equal(iol__writer_reread(writer, NULL, &again, &error), IOL_OK);
    return again;
}

static bool has_same_bytes(iol_log *a, iol_log *b, int slot) {
    const iol_module *x = &a->modules[slot], *y = &b->modules[slot];
    uint8_t *p = need(x->length), *q = need(y->length);
    assert_int_equal(iol__source_read(a->source, x->offset, p, x->length), x->length);
    assert_int_equal(iol__source_read(b->source, y->offset, q, y->length), y->length);
    const bool same = x->length == y->length && memcmp(p, q, x->length) == 0;
    free(p);
    free(q);
    return same;
}

/* Compressing a region again that comes out the same is most of the time of a conversion. */
static void regions_that_do_not_change_are_copied(void **state) {
    (void)state;
    lm_log *made = lm_new(41, false, LM_ZLIB);
    for (uint64_t i = 1; i <= 200; i++) {
        lm_sample(made, LM_POSIX, lm_newest(LM_POSIX), i, 0, (int64_t)(i * i));
        lm_sample(made, LM_DXT_POSIX, 1, i, 0, (int64_t)i);
        lm_sample(made, LM_STDIO, 1, i, 0, (int64_t)i); /* an older version: it changes */
    }
    opened o = opened_from(made);
    iol_log *first = compressed(o.log, 1, false), *copied = compressed(first, 6, true),
            *made_new = compressed(first, 6, false);
    static const int slots[] = {LM_POSIX, LM_DXT_POSIX};
    for (size_t i = 0; i < IOL_COUNT(slots); i++) {
        assert_true(has_same_bytes(first, copied, slots[i]));
        assert_false(has_same_bytes(first, made_new, slots[i]));
        assert_int_equal(records_in(copied, slots[i]), 200);
    }
    iol_log *newer = compressed(o.log, 6, true);
    assert_int_equal(newer->modules[LM_STDIO].version, iol__modules[LM_STDIO].current);
    assert_int_equal(records_in(newer, LM_STDIO), 200);
    iol_log *const logs[] = {first, copied, made_new, newer};
    for (size_t i = 0; i < IOL_COUNT(logs); i++) iol_log_close(logs[i]);
    opened_close(&o);
}

/* A trace says how many operations it holds; when fewer can be read, the copy must say so. */
static void traces_are_as_long_as_they_say(void **state) {
    (void)state;
    lm_log *made = lm_new(41, false, LM_NONE);
    lm_sample(made, LM_DXT_POSIX, 1, 5, 0, 1); /* 3 writes, 2 reads */
    size_t length;
    uint8_t *file = lm_finish(made, &length);
    lm_free(made);
    for (size_t lost = 1; lost <= 5; lost++) {
        uint8_t *copy = need(length);
        memcpy(copy, file, length);
        opened o = opened_bytes(copy, length - (32 * lost - 16));
        iol_log *log = rewritten(o.log, &(iol__rewrite){0});
        iol_records *records;
        const iol_record *record;
        assert_int_equal(iol_records_open(log, LM_DXT_POSIX, &records), IOL_OK);
        assert_int_equal(iol_records_next(records, &record), IOL_OK);
        assert_int_equal(record->trace.writes, 5 - lost < 3 ? 5 - lost : 3);
        assert_int_equal(record->trace.reads, lost < 2 ? 2 - lost : 0);
        assert_int_equal(iol_records_next(records, &record), IOL_END);
        iol_records_close(records);
        assert_true(is_partial(log, LM_DXT_POSIX));
        iol_log_close(log);
        opened_close(&o);
    }
    free(file);
}

static bool keeps_one(void *context, uint64_t id, const char *name) {
    (void)name;
    return id == *(const uint64_t *)context;
}

static lm_log *two_of_each(void) {
    lm_log *made = lm_new(41, false, LM_NONE);
    for (int slot = LM_POSIX; slot < LM_KNOWN; slot++)
        for (int64_t id = 1; id <= 2; id++) lm_sample(made, slot, lm_newest(slot), (uint64_t)id, 0, id);
    lm_name(made, 1, "/one");
    lm_name(made, 2, "/two");
    return made;
}

/* Modules that begin with a header keep it with any record that stays, whoever it is named after. */
static void files_can_be_left_out(void **state) {
    (void)state;
    opened o = opened_from(two_of_each());
    uint64_t id = 2;
    iol_log *log = rewritten(o.log, &(iol__rewrite){.keeps = keeps_one, .context = &id});
    for (int slot = LM_POSIX; slot < LM_KNOWN; slot++) {
        bool header = slot == LM_APMPI || slot == LM_APXC;
        assert_int_equal(records_in(log, slot), header ? 2 : 1);
        assert_false(is_partial(log, slot));
    }
    assert_int_equal(iol_log_error_count(log), 0);
    assert_int_equal(iol_log_name_count(log), 1);
    iol_log_close(log);
    id = 3; /* nobody */
    log = rewritten(o.log, &(iol__rewrite){.keeps = keeps_one, .context = &id});
    for (int slot = LM_POSIX; slot < LM_KNOWN; slot++) {
        iol_module module;
        iol_log_module(log, slot, &module);
        assert_int_equal(module.length, 0);
        assert_int_equal(module.version, 0);
    }
    iol_log_close(log);
    opened_close(&o);
}

static void everything_else_is_carried_over(void **state) {
    (void)state;
    lm_log *made = two_of_each();
    made->partial_flags = UINT64_C(1) << LM_STDIO;
    made->metadata = "lib_ver=3.5.0\nh=romio_no_indep_rw=true;cb_nodes=4\nno equals sign\n";
    lm_trailer(made, "what", 1, "something of a later release", 28);
    opened o = opened_from(made);
    const char *const lines[] = {"a=b"};
    iol_log *log = rewritten(o.log, &(iol__rewrite){.annotations = lines, .n_annotations = 1});
    const iol_job *x = iol_log_job(o.log), *y = iol_log_job(log);
    assert_true(x->uid == y->uid && x->job_id == y->job_id && x->processes == y->processes);
    assert_true(x->start_seconds == y->start_seconds && x->start_nanoseconds == y->start_nanoseconds);
    assert_true(x->end_seconds == y->end_seconds && x->end_nanoseconds == y->end_nanoseconds);
    assert_string_equal(x->exe, y->exe);
    assert_int_equal(iol_log_metadata_count(log), 3);
    const char *key, *value;
    iol_log_metadata(log, 1, &key, &value);
    assert_string_equal(value, "romio_no_indep_rw=true;cb_nodes=4");
    iol_log_metadata(log, 2, &key, &value);
    assert_string_equal(key, "a");
    assert_int_equal(iol_log_mount_count(log), 2);
    assert_true(iol_log_info(log)->partial_flags == UINT64_C(1) << LM_STDIO);
    char tag[5];
    const void *section;
    size_t length;
    assert_int_equal(iol_log_trailer(log, 0, tag, &section, &length), IOL_OK);
    assert_string_equal(tag, "what");
    assert_memory_equal(section, "something of a later release", 28);
    iol_log_close(log);
    opened_close(&o);
}

/* Where names stand may change, so times of removal name ids from there on. */
static void removals_lose_the_places_of_names(void **state) {
    (void)state;
    uint8_t coded[32], *end = iol__removal_number_put(coded, 0);
    end = iol__removal_number_put(end, 3 << 20);
    const struct {
        uint64_t id;
        double time;
    } pair = {77, 2};
    lm_log *made = lm_new(41, false, LM_ZLIB);
    lm_name(made, 5, "/a");
    lm_trailer(made, IOL_TAG_REMOVED_NAMES, 1, coded, (size_t)(end - coded));
    lm_trailer(made, IOL_TAG_REMOVED, 1, &pair, sizeof pair);
    opened o = opened_from(made);
    iol_log *log = rewritten(o.log, &(iol__rewrite){0});
    iol__id_pairs removed = {0};
    assert_false(iol__id_pairs_by_name(log));
    assert_true(iol__id_pairs_add(log, IOL_PAIRS_REMOVED, 0, &removed));
    assert_true(iol__id_pairs_time(&removed, 5) == 3 && iol__id_pairs_time(&removed, 77) == 2);
    iol__id_pairs_free(&removed);
    iol_log_close(log);
    opened_close(&o);
}

/* A piece fits when its length + 1 is less than what is left of 1024. */
static void annotations_stop_at_the_end_of_the_field(void **state) {
    (void)state;
    char piece[1024];
    memset(piece, 'x', sizeof piece);
    piece[1] = '=';
    lm_log *made = lm_new(41, false, LM_NONE);
    made->metadata = "";
    opened o = opened_from(made);
    for (size_t length = 1021; length <= 1023; length++) {
        piece[length] = 0;
        const char *const lines[] = {piece};
        iol_log *log = rewritten(o.log, &(iol__rewrite){.annotations = lines, .n_annotations = 1});
        assert_int_equal(iol_log_metadata_count(log), length + 1 < 1024);
        iol_log_close(log);
        piece[length] = 'x';
    }
    opened_close(&o);
}

/* The bytes of a region as they come out of its stream. */
static size_t region_bytes(iol_log *log, int slot, uint8_t *to, size_t room) {
    iol_module module;
    iol__stream *stream;
    const uint8_t *piece;
    size_t length = 0, have;
    iol_log_module(log, slot, &module);
    if (!module.length || iol__stream_open(log, slot, module.offset, module.length, &stream) != IOL_OK) return 0;
    while ((have = iol__stream_peek(stream, 1, &piece)) > 0) {
        assert_true(length + have <= room);
        memcpy(to + length, piece, have);
        length += have;
        iol__stream_consume(stream, have);
    }
    iol__stream_close(stream);
    return length;
}

enum { OPAQUE_BYTES = 3000001 /* several chunks, blocks and streams, and an odd number */ };

static lm_log *with_opaque(bool big) {
    lm_log *made = lm_new(41, big, LM_ZLIB);
    lm_sample(made, LM_POSIX, 4, 1, 0, 1);
    lm_name(made, 1, "/one");
    bytes *slot = lm_records(made, 40, 7);
    for (uint32_t i = 0, x = 1; i < OPAQUE_BYTES; i++, x = x * 1664525 + 1013904223) {
        uint8_t byte = (uint8_t)(x >> 24);
        bytes_raw(slot, &byte, 1);
    }
    bytes_text(lm_records(made, LM_STDIO, 9), "records of a later version", 64);
    bytes_text(lm_records(made, LM_NULL, 1), "what no release has put here", 64);
    made->partial_flags = UINT64_C(1) << 40 | UINT64_C(1) << 50;
    return made;
}

static void same_region(iol_log *a, iol_log *b, int slot) {
    uint8_t *x = need(OPAQUE_BYTES), *y = need(OPAQUE_BYTES);
    iol_module p, q;
    iol_log_module(a, slot, &p);
    iol_log_module(b, slot, &q);
    assert_int_equal(p.version, q.version);
    assert_int_equal(p.partial, q.partial);
    size_t length = region_bytes(a, slot, x, OPAQUE_BYTES);
    assert_int_equal(region_bytes(b, slot, y, OPAQUE_BYTES), length);
    assert_memory_equal(x, y, length);
    free(x);
    free(y);
}

static const int opaque_slots[] = {LM_NULL, LM_STDIO, 40, 50};

static void unknown_records_are_copied_bit_by_bit(void **state) {
    (void)state;
    static const iol_write_options forms[] = {
        {.compression = IOL_ZLIB},    {.compression = IOL_ZLIB, .one_stream = true},
        {.compression = IOL_BZIP2},   {.compression = IOL_ZSTD},
        {.compression = IOL_ARCHIVE}, {.compression = IOL_UNCOMPRESSED}};
    opened o = opened_from(with_opaque(false));
    for (size_t f = 0; f < IOL_COUNT(forms); f++) {
        char path[] = "/tmp/iolite-opaque-XXXXXX";
        iol_write_options options = forms[f];
        iol_writer *writer;
        iol_error error;
        iol_log *log;
        options.replace = true;
        close(mkstemp(path));
        iol_status status = iol_writer_open(path, &options, &writer, &error);
        if (status == IOL_UNSUPPORTED) continue;
        assert_int_equal(iol__rewrite_log(o.log, writer, &(iol__rewrite){0}), IOL_OK);
        assert_int_equal(iol_writer_finish(writer), IOL_OK);
        assert_int_equal(iol_log_open(path, &log, &error), IOL_OK);
        for (size_t i = 0; i < IOL_COUNT(opaque_slots); i++) same_region(o.log, log, opaque_slots[i]);
        assert_int_equal(records_in(log, LM_POSIX), 1);
        iol_log_close(log);
        unlink(path);
    }
    opened_close(&o);
}

static iol_status rewriting(iol_log *log, const iol__rewrite *how) {
    iol_writer *writer;
    iol_error error;
    assert_int_equal(iol__writer_spool(&writer, &error), IOL_OK);
    iol_status status = iol__rewrite_log(log, writer, how);
    assert_int_equal(iol_writer_error(writer)->status, status);
    iol_writer_abort(writer);
    return status;
}

static void unknown_records_that_cannot_be_copied_are_refused(void **state) {
    (void)state;
    uint64_t id = 1;
    opened o = opened_from(with_opaque(false)), big = opened_from(with_opaque(true));
    assert_int_equal(rewriting(o.log, &(iol__rewrite){.keeps = keeps_one, .context = &id}), IOL_UNSUPPORTED);
    assert_int_equal(rewriting(o.log, &(iol__rewrite){.disguise = {.uid = true}}), IOL_UNSUPPORTED);
    assert_int_equal(rewriting(big.log, &(iol__rewrite){0}), IOL_UNSUPPORTED);
    iol_log *log = rewritten(big.log, &(iol__rewrite){.drop_opaque = true});
    for (size_t i = 0; i < IOL_COUNT(opaque_slots); i++) assert_false(iol__opaque(log, opaque_slots[i]));
    assert_int_equal(records_in(log, LM_POSIX), 1);
    iol_log_close(log);
    opened_close(&o);
    opened_close(&big);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(records_before_the_damage_stay),
        cmocka_unit_test(regions_that_do_not_change_are_copied),
        cmocka_unit_test(traces_are_as_long_as_they_say),
        cmocka_unit_test(files_can_be_left_out),
        cmocka_unit_test(everything_else_is_carried_over),
        cmocka_unit_test(removals_lose_the_places_of_names),
        cmocka_unit_test(unknown_records_are_copied_bit_by_bit),
        cmocka_unit_test(unknown_records_that_cannot_be_copied_are_refused),
        cmocka_unit_test(annotations_stop_at_the_end_of_the_field),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
