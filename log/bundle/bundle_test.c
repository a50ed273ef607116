/* Bundles: every byte comes back, whatever the log is; one damaged byte costs one log at most, and is noticed. */
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include <cmocka.h>

#include "base/count.h"
#include "log/bundle/bundle.h"
#include "log/bundle/write.h"
#include "record/record.h"
#include "tests/support/logrecords.h"

enum { LOGS = 70, SHORT = 8 };

typedef struct sample {
    char name[40];
    uint8_t *bytes;
    size_t length;
} sample;

typedef struct fixture {
    char path[64];
    sample logs[LOGS];
    size_t count;
} fixture;

static uint8_t *make_log(int number, int records, uint8_t compression, size_t *length) {
    lm_log *made = lm_new(41, false, compression);
    lm_counts counts = {0};
    char name[40];
    for (int i = 0; i < records; i++) {
        snprintf(name, sizeof name, "/scratch/run%d/file%d", number, i);
        lm_name(made, lm_id(name), name);
        counts.ints[0] = i % 7;
        counts.ints[3] = 4096 * i;
        counts.reals[1] = number + i / 16.0;
        lm_fixed(lm_records(made, LM_POSIX, 4), LM_POSIX, 4, lm_id(name), 0, 0, &counts);
    }
    lm_trailer(made, "TEST", 1, name, sizeof name);
    uint8_t *file = lm_finish(made, length);
    lm_free(made);
    return file;
}

static void add(fixture *f, uint8_t *log, size_t length) {
    sample *s = &f->logs[f->count];
    snprintf(s->name, sizeof s->name, "2026/10/%03zu.darshan", f->count);
    s->bytes = log;
    s->length = length;
    f->count++;
}

static void write_bundle(fixture *f) {
    iol__bundle_packing packing;
    iol__bundle_writer *writer;
    iol_error error;
    iol__body samples = {0}, words = {0};
    size_t lengths[LOGS];
    strcpy(f->path, "/tmp/iolite-bundle-XXXXXX");
    close(mkstemp(f->path));
    unlink(f->path);
    assert_true(iol__packing_open(&packing, NULL));
    for (size_t i = 0; i < f->count; i++) {
        const size_t before = samples.length;
        assert_true(iol__pack_sample(&packing, f->logs[i].bytes, f->logs[i].length, &samples));
        lengths[i] = samples.length - before;
    }
    iol__dictionary_train(samples.bytes, lengths, f->count, 4096, &words);
    iol__dictionary *dictionary = words.length ? iol__dictionary_new(words.bytes, words.length, true) : NULL;
    packing.dictionary = dictionary;
    assert_int_equal(iol__bundle_writer_open(f->path, f->path, words.bytes, words.length, &writer, &error), IOL_OK);
    for (size_t i = 0; i < f->count; i++) {
        iol__packed packed;
        const iol__bundle_entry entry = {.name = f->logs[i].name, .mtime = 1790000000000000000, .mode = 0400};
        assert_true(iol__pack_log(&packing, f->logs[i].bytes, f->logs[i].length, &packed));
        assert_int_equal(iol__bundle_writer_add(writer, &entry, f->logs[i].bytes, f->logs[i].length, &packed), IOL_OK);
        iol__packed_free(&packed);
    }
    assert_true(iol__bundle_writer_complete(writer) >= 0);
    assert_int_equal(iol__bundle_writer_finish(writer, 0600, &error), IOL_OK);
    iol__packing_close(&packing);
    iol__dictionary_free(dictionary);
    free(samples.bytes);
    free(words.bytes);
}

static void release(fixture *f) {
    for (size_t i = 0; i < f->count; i++) free(f->logs[i].bytes);
    unlink(f->path);
}

/* How many logs come back; what comes back has to be right. */
static size_t restored(const fixture *f, const char *path) {
    iol__bundle *bundle;
    iol_error error;
    size_t good = 0;
    if (iol__bundle_open(path, &bundle, &error) != IOL_OK) return 0;
    for (size_t i = 0; i < f->count; i++) {
        iol__bundle_entry entry;
        uint8_t *got = NULL;
        if (iol__bundle_find(bundle, f->logs[i].name, &entry, &error) != IOL_OK) continue;
        if (iol__bundle_restore(bundle, &entry, &got, &error) != IOL_OK) continue;
        assert_int_equal(entry.size, f->logs[i].length);
        assert_memory_equal(got, f->logs[i].bytes, f->logs[i].length);
        free(got);
        good++;
    }
    iol__bundle_close(bundle);
    return good;
}

static void every_log_comes_back(void **state) {
    (void)state;
    fixture f = {.count = 0};
    size_t length;
    for (int i = 0; i < LOGS - 6; i++) {
        uint8_t *log = make_log(i, 1 + i % 5, LM_ZLIB, &length);
        add(&f, log, length);
    }
    uint8_t *log = make_log(99, 400, LM_ZLIB, &length);
    add(&f, log, length);
    if (lm_can(LM_BZIP2)) {
        log = make_log(98, 50, LM_BZIP2, &length);
        add(&f, log, length);
    }
    log = make_log(97, 50, LM_NONE, &length);
    add(&f, log, length);
    add(&f, calloc(1, 1), 0);
    uint8_t *noise = malloc(5000);
    for (int i = 0; i < 5000; i++) noise[i] = (uint8_t)(i * i * 31 >> 3);
    add(&f, noise, 5000);
    write_bundle(&f);
    assert_int_equal(restored(&f, f.path), f.count);
    release(&f);
}

static void streams_of_every_level_are_made_again(void **state) {
    (void)state;
    uint8_t text[20000], packed[24000];
    iol__encoders *encoders = iol__encoders_new();
    for (size_t i = 0; i < sizeof text; i++) text[i] = (uint8_t)("iolite/records"[i * i % 14] + (i % 97 == 0));
    for (int level = 0; level <= 9; level++) {
        uLongf length = sizeof packed;
        assert_int_equal(compress2(packed, &length, text, sizeof text, level), Z_OK);
        iol__pieces pieces;
        iol__body recipe = {0};
        uint8_t *again = malloc(length);
        assert_true(iol__pieces_find(encoders, packed, length, &pieces));
        assert_int_equal(pieces.count, 1);
        assert_true(iol__recipe_write(&pieces, packed, length, NULL, NULL, &recipe));
        assert_null(iol__recipe_follow(encoders, recipe.bytes, recipe.length, NULL, again, length));
        assert_memory_equal(again, packed, length);
        free(again);
        free(recipe.bytes);
        iol__pieces_free(&pieces);
    }
    iol__encoders_free(encoders);
}

/* All records of a log as one number, and what else it says. */
static uint64_t digest(const uint8_t *file, size_t length) {
    iol_log *log;
    iol_error error;
    uint64_t sum = 0;
    if (iol_log_open_memory(file, length, NULL, &log, &error) != IOL_OK) fail_msg("%s", error.message);
    iol_records *records;
    const iol_record *record;
    assert_int_equal(iol_records_open(log, LM_POSIX, &records), IOL_OK);
    while (iol_records_next(records, &record) == IOL_OK) {
        sum = sum * 31 + record->id;
        for (size_t i = 0; i < (size_t)record->n_ints; i++) sum = sum * 31 + (uint64_t)record->ints[i];
        sum = sum * 31 + strlen(iol_log_name(log, record->id));
    }
    iol_records_close(records);
    char tag[5];
    const void *section;
    size_t bytes_there;
    assert_int_equal(iol_log_trailer_count(log), 1);
    assert_int_equal(iol_log_trailer(log, 0, tag, &section, &bytes_there), IOL_OK);
    sum = sum * 31 + bytes_there + ((const uint8_t *)section)[5];
    assert_int_equal(iol_log_error_count(log), 0);
    iol_log_close(log);
    return sum;
}

static void the_content_needs_no_encoder(void **state) {
    (void)state;
    static const struct {
        int minor;
        bool big;
    } kinds[] = {{41, false}, {41, true}, {21, false}, {10, true}};
    for (size_t i = 0; i < IOL_COUNT(kinds); i++) {
        size_t length;
        lm_log *made = lm_new(kinds[i].minor, kinds[i].big, LM_ZLIB);
        lm_counts counts = {.ints = {1, 2, 3}};
        for (int k = 0; k < 40; k++) {
            char name[40];
            snprintf(name, sizeof name, "/scratch/file%d", k);
            lm_name(made, lm_id(name), name);
            counts.ints[4] = k;
            lm_fixed(lm_records(made, LM_POSIX, 4), LM_POSIX, 4, lm_id(name), 0, 0, &counts);
        }
        lm_trailer(made, "TEST", 1, "some text in a section that is compressed, compressed", 53);
        uint8_t *file = lm_finish(made, &length);
        iol__encoders *encoders = iol__encoders_new();
        iol__pieces pieces;
        iol__body recipe = {0}, content = {0};
        assert_true(iol__pieces_find(encoders, file, length, &pieces));
        assert_true(pieces.count >= 3);
        assert_true(iol__recipe_write(&pieces, file, length, NULL, NULL, &recipe));
        assert_null(iol__recipe_content(recipe.bytes, recipe.length, &content));
        assert_int_not_equal(content.length, length);
        assert_true(digest(file, length) == digest(content.bytes, content.length));
        free(content.bytes);
        free(recipe.bytes);
        free(file);
        iol__pieces_free(&pieces);
        iol__encoders_free(encoders);
        lm_free(made);
    }
}

static void a_recipe_that_lies_is_refused(void **state) {
    (void)state;
    /* What it claims to be behind the last stream is not there. */
    static const uint8_t claims[] = {0, 36, 1, 2, 3, 4, 5};
    uint8_t *recipe = malloc(sizeof claims), out[64];
    iol__body content;
    iol__encoders *encoders = iol__encoders_new();
    memcpy(recipe, claims, sizeof claims);
    assert_non_null(iol__recipe_content(recipe, sizeof claims, &content));
    free(content.bytes);
    assert_non_null(iol__recipe_follow(encoders, recipe, sizeof claims, NULL, out, sizeof out));
    iol__encoders_free(encoders);
    free(recipe);
}

static void a_log_is_opened_by_bundle_and_name(void **state) {
    (void)state;
    fixture f = {.count = 0};
    size_t length;
    uint8_t *small = make_log(1, 3, LM_ZLIB, &length);
    add(&f, small, length);
    uint8_t *large = make_log(2, 500, LM_ZLIB, &length);
    add(&f, large, length);
    write_bundle(&f);
    iol_log *log;
    iol_error error;
    char address[200];
    for (size_t i = 0; i < f.count; i++) {
        snprintf(address, sizeof address, "%s#%s", f.path, f.logs[i].name);
        assert_int_equal(iol_log_open(address, &log, &error), IOL_OK);
        assert_string_equal(iol_log_info(log)->path, address);
        iol_records *records;
        size_t count = 0;
        const iol_record *record;
        assert_int_equal(iol_records_open(log, LM_POSIX, &records), IOL_OK);
        while (iol_records_next(records, &record) == IOL_OK) count++;
        iol_records_close(records);
        assert_int_equal(count, i ? 500 : 3);
        assert_int_equal(iol_log_error_count(log), 0);
        iol_log_close(log);
    }
    snprintf(address, sizeof address, "%s#nothing", f.path);
    assert_int_equal(iol_log_open(address, &log, &error), IOL_INVALID);
    assert_non_null(strstr(error.message, "there is no log 'nothing'"));
    assert_int_equal(iol_log_open("/nowhere#nothing", &log, &error), IOL_SYSTEM);
    release(&f);
}

static void note(void *context, const char *what) {
    (void)what;
    ++*(size_t *)context;
}

static bool count_good(void *context, const iol__bundle_entry *entry) {
    (void)entry;
    ++*(size_t *)context;
    return true;
}

/* Everything that can be seen of a bundle: complaints of verifying, and logs that do not come back. */
static size_t complaints(const fixture *f, const char *path) {
    iol__bundle *bundle;
    iol_error error;
    size_t wrong = 0, listed = 0;
    if (iol__bundle_open(path, &bundle, &error) != IOL_OK) return 1;
    iol__bundle_verify(bundle, note, &wrong);
    iol__bundle_each(bundle, count_good, &listed, &error);
    iol__bundle_close(bundle);
    return wrong + (f->count - listed) + (f->count - restored(f, path));
}

static void one_damaged_byte_costs_one_log_at_most_and_is_noticed(void **state) {
    (void)state;
    fixture f = {.count = 0};
    size_t length;
    for (int i = 0; i < SHORT; i++) {
        uint8_t *log = make_log(i, 1, LM_ZLIB, &length);
        add(&f, log, length);
    }
    write_bundle(&f);
    assert_int_equal(complaints(&f, f.path), 0);
    const int fd = open(f.path, O_RDWR);
    const off_t size = lseek(fd, 0, SEEK_END);
    for (off_t at = 0; at < size; at += 3) {
        uint8_t byte, other;
        assert_int_equal(pread(fd, &byte, 1, at), 1);
        other = byte ^ 0x20;
        assert_int_equal(pwrite(fd, &other, 1, at), 1);
        assert_true(restored(&f, f.path) >= f.count - 1);
        assert_true(complaints(&f, f.path) > 0);
        assert_int_equal(pwrite(fd, &byte, 1, at), 1);
    }
    close(fd);
    assert_int_equal(complaints(&f, f.path), 0);
    release(&f);
}

static void a_bundle_that_is_cut_off_is_refused(void **state) {
    (void)state;
    fixture f = {.count = 0};
    size_t length;
    uint8_t *log = make_log(1, 3, LM_ZLIB, &length);
    add(&f, log, length);
    write_bundle(&f);
    const int fd = open(f.path, O_RDWR);
    for (off_t size = lseek(fd, 0, SEEK_END); size-- > 0;) {
        assert_int_equal(ftruncate(fd, size), 0);
        assert_int_equal(restored(&f, f.path), 0);
    }
    close(fd);
    release(&f);
}

static void names_stay_below_where_they_start(void **state) {
    (void)state;
    static const char *const bad[] = {"", "/a", "a/", "..", "a/../b", "./a", "a//b", "../a"};
    static const char *const good[] = {"a", "a/b", "..a", "a..", "a#b", "a\nb"};
    for (size_t i = 0; i < IOL_COUNT(bad); i++) assert_false(iol__bundle_name_good(bad[i]));
    for (size_t i = 0; i < IOL_COUNT(good); i++) assert_true(iol__bundle_name_good(good[i]));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_log_comes_back),
        cmocka_unit_test(streams_of_every_level_are_made_again),
        cmocka_unit_test(the_content_needs_no_encoder),
        cmocka_unit_test(a_recipe_that_lies_is_refused),
        cmocka_unit_test(a_log_is_opened_by_bundle_and_name),
        cmocka_unit_test(one_damaged_byte_costs_one_log_at_most_and_is_noticed),
        cmocka_unit_test(a_bundle_that_is_cut_off_is_refused),
        cmocka_unit_test(names_stay_below_where_they_start),
    };
    if (!iol__frames_here()) return 77;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
