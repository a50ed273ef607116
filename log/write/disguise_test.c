/* Pseudonyms: the reference's hashes, worked out here once more; and our own, which must agree between all places
   where a file is named. */
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/count.h"
#include "log/write/disguise.h"
#include "log/write/rewrite.h"
#include "tests/support/logrecords.h"
#include "tests/support/opened.h"

/* The reference's hash, from its description ---------------------------------------------------------------------- */

static uint32_t turn(uint32_t x, int k) { return x << k | x >> (32 - k); }

static uint32_t word_at(const uint8_t *at, size_t left) {
    uint32_t word = 0;
    for (size_t i = 0; i < 4 && i < left; i++) word |= (uint32_t)at[i] << (8 * i);
    return word;
}

static uint32_t hash_little(const void *key, size_t n, uint32_t seed) {
    const uint8_t *at = key;
    uint32_t a = 0xdeadbeef + (uint32_t)n + seed, b = a, c = a;
    for (; n > 12; n -= 12, at += 12) {
        a += word_at(at, 4);
        b += word_at(at + 4, 4);
        c += word_at(at + 8, 4);
        a -= c, a ^= turn(c, 4), c += b;
        b -= a, b ^= turn(a, 6), a += c;
        c -= b, c ^= turn(b, 8), b += a;
        a -= c, a ^= turn(c, 16), c += b;
        b -= a, b ^= turn(a, 19), a += c;
        c -= b, c ^= turn(b, 4), b += a;
    }
    if (n == 0) return c;
    a += word_at(at, n);
    if (n > 4) b += word_at(at + 4, n - 4);
    if (n > 8) c += word_at(at + 8, n - 8);
    c ^= b, c -= turn(b, 14);
    a ^= c, a -= turn(c, 11);
    b ^= a, b -= turn(a, 25);
    c ^= b, c -= turn(b, 16);
    a ^= c, a -= turn(c, 4);
    b ^= a, b -= turn(a, 14);
    c ^= b, c -= turn(b, 24);
    return c;
}

static void hash_has_the_published_values(void **state) {
    (void)state;
    static const struct {
        const char *text;
        uint32_t seed, hash;
    } vectors[] = {{"", 0, 3735928559},
                   {"a", 0, 1490454280},
                   {"abcdefghijkl", 0, 1074985083},
                   {"abcdefghijklm", 0, 2457938169},
                   {"/home/user/app -n 4", 7, 1431437648}};
    for (size_t i = 0; i < IOL_COUNT(vectors); i++) {
        size_t length = strlen(vectors[i].text);
        assert_int_equal(hash_little(vectors[i].text, length, vectors[i].seed), vectors[i].hash);
        assert_int_equal(iol__hash_little(vectors[i].text, length, vectors[i].seed), vectors[i].hash);
    }
    char text[200];
    for (size_t i = 0; i < sizeof text; i++) text[i] = (char)(i * 37);
    for (size_t n = 0; n < sizeof text; n++)
        assert_int_equal(iol__hash_little(text, n, (uint32_t)n), hash_little(text, n, (uint32_t)n));
}

static const char first_name[] = "/scratch/data/first.dat", second_name[] = "/home/user/second.dat",
                  third_name[] = "scratch-less", set_name[] = "/scratch/data/first.dat:/field";

static lm_log *several_modules(void) {
    lm_log *made = lm_new(41, false, LM_NONE);
    const char *names[] = {first_name, second_name, third_name, set_name, "<STDIN>", "heatmap:POSIX"};
    for (size_t i = 0; i < IOL_COUNT(names); i++) lm_name(made, lm_id(names[i]), names[i]);
    lm_counts counts;
    lm_fill(&counts, 1);
    counts.ints[IOL_POSIX_RENAMED_FROM] = (int64_t)lm_id(second_name);
    lm_fixed(lm_records(made, LM_POSIX, 4), LM_POSIX, 4, lm_id(first_name), 0, 0, &counts);
    counts.ints[IOL_POSIX_RENAMED_FROM] = 0;
    lm_fixed(lm_records(made, LM_POSIX, 4), LM_POSIX, 4, lm_id(second_name), 0, 0, &counts);
    lm_fixed(lm_records(made, LM_H5D, 2), LM_H5D, 2, lm_id(set_name), 0, lm_id(first_name), &counts);
    lm_sample(made, LM_LUSTRE, 2, lm_id(first_name), 0, 1);
    lm_sample(made, LM_STDIO, 2, lm_id("<STDIN>"), 0, 1);
    lm_sample(made, LM_DXT_POSIX, 2, lm_id(first_name), 0, 1);
    lm_sample(made, LM_HEATMAP, 1, lm_id("heatmap:POSIX"), 0, 1);
    return made;
}

static const iol_record *only_record(iol_log *log, int slot, iol_records **records) {
    const iol_record *record = NULL;
    assert_int_equal(iol_records_open(log, slot, records), IOL_OK);
    assert_int_equal(iol_records_next(*records, &record), IOL_OK);
    return record;
}

static uint64_t id_in(iol_log *log, int slot) {
    iol_records *records;
    uint64_t id = only_record(log, slot, &records)->id;
    iol_records_close(records);
    return id;
}

static void ids_agree_everywhere(void **state) {
    (void)state;
    opened o = opened_from(several_modules());
    const iol__rewrite how = {.disguise = {.names = true, .key = iol__key_from("k")}};
    iol_log *log = rewritten(o.log, &how);
    iol_records *records;
    const iol_record *record = only_record(log, LM_POSIX, &records);
    uint64_t first = record->id, renamed_from = (uint64_t)record->ints[IOL_POSIX_RENAMED_FROM];
    assert_true(first != lm_id(first_name));
    const char *name = iol_log_name(log, first);
    assert_non_null(name);
    assert_true(first == lm_id(name)); /* as if it were an ordinary log */
    record = next_of(records);
    assert_true(record->id == renamed_from);
    assert_int_equal(record->ints[IOL_POSIX_RENAMED_FROM], 0);
    iol_records_close(records);
    assert_true(id_in(log, LM_LUSTRE) == first);
    assert_true(id_in(log, LM_DXT_POSIX) == first);
    record = only_record(log, LM_H5D, &records);
    assert_true(record->owner == first);
    assert_true(record->id != lm_id(set_name));
    assert_non_null(iol_log_name(log, record->id));
    iol_records_close(records);
    assert_true(id_in(log, LM_STDIO) == lm_id("<STDIN>"));
    assert_string_equal(iol_log_name(log, lm_id("heatmap:POSIX")), "heatmap:POSIX");
    assert_int_equal(iol_log_name_count(log), 6);
    iol_log_close(log);
    opened_close(&o);
}

static void reference_keeps_ids_and_hashes_names(void **state) {
    (void)state;
    opened o = opened_from(several_modules());
    const iol__rewrite how = {
        .disguise = {.names = true, .uid = true, .job_id = true, .exe = true, .reference = true, .seed = 7}};
    iol_log *log = rewritten(o.log, &how);
    const int64_t job_id = 4242;
    assert_int_equal(iol_log_job(log)->uid, 853124968);
    assert_int_equal(iol_log_job(log)->job_id, hash_little(&job_id, 8, 7));
    char expected[64];
    const char *exe = iol_log_job(o.log)->exe;
    snprintf(expected, sizeof expected, "%" PRIu32, hash_little(exe, strlen(exe), 7));
    assert_string_equal(iol_log_job(log)->exe, expected);
    snprintf(expected, sizeof expected, "/scratch/%" PRIu32, hash_little(first_name, strlen(first_name), 7));
    assert_string_equal(iol_log_name(log, lm_id(first_name)), expected);
    snprintf(expected, sizeof expected, "//%" PRIu32, hash_little(second_name, strlen(second_name), 7));
    assert_string_equal(iol_log_name(log, lm_id(second_name)), expected);
    snprintf(expected, sizeof expected, "%" PRIu32, hash_little(third_name, strlen(third_name), 7));
    assert_string_equal(iol_log_name(log, lm_id(third_name)), expected);
    assert_string_equal(iol_log_name(log, lm_id("<STDIN>")), "<STDIN>");
    const char *key, *value;
    assert_int_equal(iol_log_metadata(log, 0, &key, &value), IOL_OK);
    assert_string_equal(value, "3.5.0");
    iol_log_close(log);
    opened_close(&o);
}

static void a_job_without_number_keeps_none(void **state) {
    (void)state;
    const iol__disguise reference = {.job_id = true, .reference = true}, ours = {.job_id = true};
    assert_int_equal(iol__disguise_job_id(&reference, 0), 0);
    assert_int_equal(iol__disguise_job_id(&ours, 0), 0);
    assert_int_not_equal(iol__disguise_job_id(&ours, 5), 5);
    assert_int_equal(iol__disguise_uid(&ours, 5), 5); /* not asked for */
}

static void keys_decide(void **state) {
    (void)state;
    char a[IOL_PSEUDONYM], b[IOL_PSEUDONYM], c[IOL_PSEUDONYM];
    const iol__disguise one = {.exe = true, .key = iol__key_from("one")},
                        two = {.exe = true, .key = iol__key_from("two")};
    assert_string_equal(iol__disguise_exe(&one, "app", a), iol__disguise_exe(&one, "app", b));
    assert_string_not_equal(a, iol__disguise_exe(&two, "app", c));
    assert_string_not_equal(a, iol__disguise_exe(&one, "apq", c));
    iol__key x = iol__key_from(NULL), y = iol__key_from(NULL);
    assert_memory_not_equal(&x, &y, sizeof x);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hash_has_the_published_values),
        cmocka_unit_test(ids_agree_everywhere),
        cmocka_unit_test(reference_keeps_ids_and_hashes_names),
        cmocka_unit_test(a_job_without_number_keeps_none),
        cmocka_unit_test(keys_decide),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
