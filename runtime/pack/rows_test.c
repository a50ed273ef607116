/* Streams of rows, names and codes: whatever goes in comes out of zlib again, and what repeats itself takes little. */
#include "runtime/pack/rows.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include <cmocka.h>

#include "runtime/pack/huffman.h"
#include "runtime/pack/names.h"
#include "runtime/pack/quick.h"
#include "runtime/pack/tokens.h"
#include "tests/support/runtime_stubs.h"

enum { MOST = 1 << 20 };

/* The stream must be one, complete, of exactly these length. Returns its length. */
static size_t assert_same(const uint8_t *from, size_t raw, const uint8_t *stream, size_t length) {
    uint8_t *back = malloc(raw + 1);
    z_stream z = {.next_in = (Bytef *)(uintptr_t)stream, .avail_in = (uInt)length};
    z.next_out = back;
    z.avail_out = (uInt)raw + 1;
    assert_int_equal(inflateInit(&z), Z_OK);
    assert_int_equal(inflate(&z, Z_FINISH), Z_STREAM_END);
    assert_int_equal(z.total_out, raw);
    assert_int_equal(z.avail_in, 0);
    inflateEnd(&z);
    assert_memory_equal(back, from, raw);
    free(back);
    return length;
}

static size_t packed(const void *from, size_t raw, size_t row, bool quick) {
    static iol__pack_rows *state;
    if (!state) state = iol__rows_start();
    const size_t room = quick ? iol__quick_bound(raw) : iol__rows_bound(raw);
    uint8_t *to = malloc(room + 64);
    memset(to + room, 0x5a, 64); /* nothing may be written behind it */
    const size_t length = quick ? iol__quick_deflate(from, raw, row, to) : iol__rows_deflate(state, from, raw, row, to);
    assert_true(length <= room);
    for (size_t i = 0; i < 64; i++) assert_int_equal(to[room + i], 0x5a);
    assert_same(from, raw, to, length);
    free(to);
    return length;
}

/* Both ways have to come back. */
static size_t rows(const void *from, size_t raw, size_t row) {
    packed(from, raw, row, true);
    return packed(from, raw, row, false);
}

/* Records of all kinds: `alike` of 256 words are those of the row before, of the others half are zero. */
static void fill(uint64_t *words, size_t count, size_t row, unsigned alike) {
    for (size_t i = 0; i < count; i++) {
        const uint64_t dice = runtime_random(256);
        const uint64_t size = UINT64_C(1) << runtime_random(64);
        words[i] = runtime_random(2) ? 0 : runtime_random(1 << 30) * runtime_random(1 << 30) % size;
        if (i >= row && dice < alike) words[i] = words[i - row];
        if (i >= 40 * row && dice == 255) words[i] = words[i - 40 * row];
    }
}

static void rows_come_back(void **state) {
    (void)state;
    static const size_t lengths[] = {1, 2, 7, 31, 70, 88, 140, 654, 4096};
    uint64_t *words = malloc(MOST);
    for (size_t l = 0; l < sizeof lengths / sizeof *lengths; l++)
        for (unsigned alike = 0; alike <= 255; alike += 51) {
            const size_t count = runtime_random(MOST / 16);
            fill(words, count, lengths[l], alike);
            rows(words, 8 * count, 8 * lengths[l]);
        }
    free(words);
}

static void edges_come_back(void **state) {
    (void)state;
    uint64_t *words = calloc(MOST / 8, 8);
    for (size_t length = 0; length < 40; length++) rows(words, length, 8);
    rows(words, MOST, 704); /* nothing but zeros */
    assert_true(rows(words, MOST, 704) < 1200);
    for (size_t i = 0; i < MOST / 8; i++) words[i] = runtime_random(UINT64_MAX >> 11) << 11 | runtime_random(2048);
    assert_true(rows(words, MOST, 704) <= MOST + MOST / 512); /* nothing that repeats itself: stored */
    for (size_t at = 250; at < 270; at++) {                   /* matches of every length near the longest one */
        for (size_t i = 0; i < 200; i++) words[i] = i < 64 ? i * UINT64_C(0x9e3779b97f4a7c15) : words[i - 64];
        ((uint8_t *)words)[at] ^= 1;
        rows(words, 1600, 512);
    }
    free(words);
}

/* One file per row, that differs from the row before in its id and a size: that is what this is for. */
static void records_take_little(void **state) {
    (void)state;
    enum { ROWS = 1000, WORDS = 88 };
    uint64_t *words = calloc(ROWS * WORDS, 8), sizes[8];
    for (int i = 0; i < 8; i++) sizes[i] = runtime_random(60000) + 300;
    for (size_t r = 0; r < ROWS; r++) {
        uint64_t *row = words + r * WORDS;
        row[0] = runtime_random(UINT64_MAX >> 11) << 11 | runtime_random(2048);
        row[17] = row[60] = sizes[runtime_random(8)];
        row[2] = row[6] = 1;
    }
    assert_true(rows(words, ROWS * WORDS * 8, WORDS * 8) < ROWS * 20);
    free(words);
}

static uint64_t real(double value) {
    uint64_t word;
    memcpy(&word, &value, sizeof word);
    return word;
}

/* Times of a file that is opened, written and closed, a few microseconds each, and the next one right after it. */
static void add_times(uint64_t *row, double *now) {
    const double step = 0x1p-20;
    for (int i = 0; i < 8; i++) {
        static const int order[8] = {0, 4, 2, 6, 3, 7, -1, -1};
        if (order[i] < 0) continue;
        *now += step * (double)(2 + runtime_random(30));
        row[71 + order[i]] = real(*now);
    }
    row[80] = row[83] = real(0x1p-22 * (double)(20 + runtime_random(60)));
    row[81] = real(0x1p-22 * (double)(10 + runtime_random(30)));
}

/* Records with an id, times, and a number of kinds of counters that take turns: what they take here, and by zlib. */
typedef struct taken {
    size_t here, by_zlib;
} taken;

static taken pack_times(size_t kinds) {
    enum { ROWS = 900, WORDS = 88, BYTES = ROWS * WORDS * 8 };
    uint64_t *words = calloc(ROWS * WORDS, 8);
    double now = 0.25;
    for (size_t r = 0; r < ROWS; r++) {
        uint64_t *row = words + r * WORDS;
        row[0] = runtime_random(UINT64_MAX >> 11) << 11 | runtime_random(2048);
        for (size_t i = 0; i < 24; i++) row[2 + 2 * i] = (i + 1) * (r % kinds + 1) * 1021;
        add_times(row, &now);
    }
    taken t = {rows(words, BYTES, WORDS * 8), compressBound(BYTES)};
    uint8_t *to = malloc(t.by_zlib);
    uLongf length = t.by_zlib;
    assert_int_equal(compress2(to, &length, (const Bytef *)words, BYTES, 6), Z_OK);
    t.by_zlib = length;
    free(to);
    free(words);
    return t;
}

static void times_take_less_than_by_zlib(void **state) {
    (void)state;
    const taken t = pack_times(1);
    assert_true(t.here < t.by_zlib - t.by_zlib / 20);
}

/* As a library writes that has files of its own beside each one of the program. */
static void kinds_that_take_turns_cost_little(void **state) {
    (void)state;
    const taken one = pack_times(1), four = pack_times(4);
    assert_true(four.here < one.here + one.here / 10);
}

/* A job with a single file: codes of its own would be longer than what they are for. */
static void one_record_takes_little(void **state) {
    (void)state;
    uint64_t row[88] = {0x123456789abcdef1, 0, 1, 0, 0, 0, 1};
    assert_true(rows(row, sizeof row, sizeof row) < 40);
}

/* The same of names: three kinds of them. */
static void names_that_take_turns_take_little(void **state) {
    (void)state;
    enum { FILES = 500 };
    static uint8_t text[FILES * 3 * 80], to[sizeof text + 4096];
    size_t used = 0;
    for (int i = 0; i < FILES; i++)
        for (int kind = 0; kind < 3; kind++) {
            static const char *const forms[] = {"/tmp/of.library/1/out.%06d_id--1.map", "/scratch/me/out.%06d.locktest",
                                                "/scratch/me/out.%06d"};
            const uint64_t id = runtime_random(UINT64_MAX >> 11) << 11 | runtime_random(2048);
            memcpy(text + used, &id, sizeof id);
            used += sizeof id;
            used += 1 + (size_t)sprintf((char *)text + used, forms[kind], i); /* NOLINT: three literals */
        }
    const size_t length = iol__names_deflate(iol__names_start(), text, used, to);
    assert_true(assert_same(text, used, to, length) < 3 * FILES * 13);
}

/* The quick way: few rows have codes that everybody knows, because their own would take longer to write than they save. */
static void many_rows_have_codes_of_their_own(void **state) {
    (void)state;
    enum { ROWS = 1024, WORDS = 88, FEW = 64 };
    uint64_t *words = calloc(ROWS * WORDS, 8);
    size_t in_parts = 0;
    for (size_t r = 0; r < ROWS; r++) {
        uint64_t *row = words + r * WORDS;
        row[0] = runtime_random(UINT64_MAX >> 11) << 11 | runtime_random(2048);
        for (int i = 70; i < 86; i += 3) row[i] = UINT64_C(0x3ff0000000000000) + (r << 36) + (runtime_random(4) << 34);
    }
    for (size_t r = 0; r < ROWS; r += FEW) in_parts += packed(words + r * WORDS, FEW * WORDS * 8, WORDS * 8, true);
    assert_true(packed(words, ROWS * WORDS * 8, WORDS * 8, true) * 10 < in_parts * 9);
    free(words);
}

static void names_come_back(void **state) {
    (void)state;
    uint8_t *text = malloc(MOST), *to = malloc(iol__tokens_bound(MOST));
    iol__pack_names *names = iol__names_start();
    size_t used = 0, count = 0;
    for (; used < 200000; count++) {
        const uint64_t id = runtime_random(UINT64_MAX >> 11) << 11;
        memcpy(text + used, &id, sizeof id);
        used += sizeof id;
        used +=
            1 + (size_t)sprintf((char *)text + used, "/scratch/run-%d/out.%06zu.dat", (int)runtime_random(3), count);
        if (runtime_random(50) == 0) text[used++] = 0; /* half a name */
    }
    const size_t length = iol__names_deflate(names, text, used, to);
    assert_true(assert_same(text, used, to, length) < count * 18);
    for (size_t cut = 0; cut < 60; cut++) assert_same(text, cut, to, iol__names_deflate(names, text, cut, to));
    for (size_t i = 0; i < used; i++) text[i] = (uint8_t)runtime_random(256);
    assert_same(text, used, to, iol__names_deflate(names, text, used, to));
    memset(text, 'a', used);
    assert_same(text, used, to, iol__names_deflate(names, text, used, to));
    free(text);
    free(to);
}

/* Some numbers, two texts with zeros behind them, and how short that can be: anything comes back, whatever it is. */
static void job_records_come_back(void **state) {
    (void)state;
    enum { TEXT = 1080, SIZE = 4096 };
    static uint8_t job[SIZE], to[SIZE + 4096];
    iol__pack_names *names = iol__names_start();
    for (size_t i = 0; i < 20; i++) job[i] = (uint8_t)runtime_random(256);
    strcpy((char *)job + 56, "lib_ver=3.5.0\niolite=0.1.0\n");
    const int text = sprintf((char *)job + TEXT, "/usr/bin/program --of a user\next4\t/\next4\t/scratch\n");
    const size_t used = TEXT + (size_t)text + 1;
    assert_true(assert_same(job, used, to, iol__text_deflate(names, job, used, to)) < 160);
    for (size_t cut = 0; cut < 80; cut++) assert_same(job, cut, to, iol__text_deflate(names, job, cut, to));
    memset(job, 0, SIZE);
    assert_true(assert_same(job, SIZE, to, iol__text_deflate(names, job, SIZE, to)) < 64);
    for (size_t i = 0; i < SIZE; i++) job[i] = (uint8_t)runtime_random(256);
    assert_same(job, SIZE, to, iol__text_deflate(names, job, SIZE, to));
}

/* Behind a dictionary, without what zlib puts around a stream. */
static void assert_text(const char *words, const char *text, size_t most) {
    const size_t known = strlen(words), length = strlen(text);
    uint8_t *both = malloc(known + length + 1), *to = malloc(iol__tokens_bound(known + length)),
            *back = malloc(length + 1);
    memcpy(both, words, known);
    memcpy(both + known, text, length);
    const size_t stored = iol__texts_deflate(iol__names_start(), both, known, known + length, to);
    z_stream z = {.next_in = to, .avail_in = (uInt)stored, .next_out = back, .avail_out = (uInt)length + 1};
    assert_int_equal(inflateInit2(&z, -MAX_WBITS), Z_OK);
    assert_int_equal(inflateSetDictionary(&z, (const Bytef *)words, (uInt)known), Z_OK);
    assert_int_equal(inflate(&z, Z_FINISH), Z_STREAM_END);
    assert_int_equal(z.total_out, length);
    assert_int_equal(z.avail_in, 0);
    inflateEnd(&z);
    assert_memory_equal(back, text, length);
    assert_true(stored <= most);
    free(both);
    free(to);
    free(back);
}

static void texts_come_back_behind_their_dictionary(void **state) {
    (void)state;
    char long_text[70001];
    for (size_t i = 0; i + 1 < sizeof long_text; i++) long_text[i] = (char)('a' + runtime_random(26));
    long_text[sizeof long_text - 1] = 0;
    assert_text("\"count\":1,\"failed\":0,\"time\":0.000", "{\"count\":32,\"failed\":0,\"time\":0.125}", 22);
    assert_text("words", "", 3);
    assert_text("abc", "a", 4);
    assert_text("abcd", "abcdabcdabcdabcd", 8);
    assert_text("words", long_text, sizeof long_text);
    assert_text(long_text, long_text, 2 * sizeof long_text);
}

/* Every code is one: no more symbols than it has room for, and no room left where there are several. */
static void codes_are_complete(void **state) {
    (void)state;
    for (int round = 0; round < 300; round++) {
        uint32_t frequencies[IOL_HUFFMAN_MOST] = {0};
        uint8_t lengths[IOL_HUFFMAN_MOST];
        const unsigned count = 1 + (unsigned)runtime_random(IOL_HUFFMAN_MOST);
        const unsigned longest = round % 2 ? 15 : 9;
        unsigned used = 0;
        uint64_t grown = 1; /* of this kind the deepest trees are made */
        for (unsigned i = 0; i < count; i++) {
            frequencies[i] = round % 3 ? (uint32_t)runtime_random(1 << (round % 20)) : (uint32_t)grown;
            if (grown < 1 << 28 && round % 3 == 0) grown = grown * 8 / 5 + 1;
            used += frequencies[i] != 0;
        }
        iol__huffman_lengths(frequencies, count, longest, lengths);
        uint32_t room = 0;
        for (unsigned i = 0; i < count; i++) {
            assert_true(lengths[i] <= longest);
            assert_int_equal(lengths[i] != 0, frequencies[i] != 0);
            if (lengths[i]) room += 1u << (longest - lengths[i]);
        }
        if (used > 1) assert_int_equal(room, 1u << longest);
        if (used == 1) assert_int_equal(room, 1u << (longest - 1));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_come_back),
        cmocka_unit_test(edges_come_back),
        cmocka_unit_test(records_take_little),
        cmocka_unit_test(many_rows_have_codes_of_their_own),
        cmocka_unit_test(names_come_back),
        cmocka_unit_test(job_records_come_back),
        cmocka_unit_test(codes_are_complete),
        cmocka_unit_test(times_take_less_than_by_zlib),
        cmocka_unit_test(kinds_that_take_turns_cost_little),
        cmocka_unit_test(one_record_takes_little),
        cmocka_unit_test(names_that_take_turns_take_little),
        cmocka_unit_test(texts_come_back_behind_their_dictionary),
    };
    return cmocka_run_group_tests_name("rows", tests, NULL, NULL);
}
