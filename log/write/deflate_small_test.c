/* What the small compressor makes, zlib takes apart; at lengths and distances of every code. */
#include "log/write/deflate_small.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <zlib.h>

#include <cmocka.h>

enum { ROOM = 2 * IOL_DEFLATE_SMALL };

static size_t there_and_back(const uint8_t *bytes, size_t length) {
    static uint8_t packed[ROOM], back[IOL_DEFLATE_SMALL + 1];
    uLongf got = sizeof back;
    const size_t n = iol__deflate_small(bytes, length, packed, sizeof packed);
    assert_true(n > 0);
    assert_int_equal(uncompress(back, &got, packed, n), Z_OK);
    assert_int_equal(got, length);
    assert_memory_equal(back, bytes, length);
    return n;
}

static void all_bytes_come_back(void **state) {
    (void)state;
    uint8_t bytes[IOL_DEFLATE_SMALL];
    for (size_t i = 0; i < sizeof bytes; i++) bytes[i] = (uint8_t)(i * i * 167 + i / 256);
    for (size_t length = 0; length <= 600; length++) there_and_back(bytes, length);
    there_and_back(bytes, sizeof bytes);
}

static void repetitions_of_every_length_and_distance(void **state) {
    (void)state;
    uint8_t bytes[IOL_DEFLATE_SMALL];
    for (size_t distance = 1; distance < 1200; distance += distance < 40 ? 1 : 13)
        for (size_t length = 3; length < 600 && distance + length < sizeof bytes; length += length < 40 ? 1 : 7) {
            for (size_t i = 0; i < distance; i++) bytes[i] = (uint8_t)(i * 31 + i / 7);
            for (size_t i = distance; i < distance + length; i++) bytes[i] = bytes[i - distance];
            bytes[distance + length] = 0xee;
            there_and_back(bytes, distance + length + 1);
        }
}

static void zeros_take_next_to_nothing(void **state) {
    (void)state;
    static const uint8_t zeros[IOL_DEFLATE_SMALL];
    assert_true(there_and_back(zeros, sizeof zeros) < 40);
}

static void what_does_not_fit_is_refused(void **state) {
    (void)state;
    static const uint8_t many[IOL_DEFLATE_SMALL + 1];
    uint8_t text[200], packed[400];
    for (size_t i = 0; i < sizeof text; i++) text[i] = (uint8_t)(i * 7);
    const size_t n = iol__deflate_small(text, sizeof text, packed, sizeof packed);
    assert_true(n > 0);
    for (size_t room = 0; room < n; room++) {
        memset(packed, 0xa5, sizeof packed);
        assert_int_equal(iol__deflate_small(text, sizeof text, packed, room), 0);
        assert_int_equal(packed[room], 0xa5);
    }
    assert_int_equal(iol__deflate_small(text, sizeof text, packed, n), n);
    assert_int_equal(iol__deflate_small(many, sizeof many, packed, sizeof packed), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_bytes_come_back),
        cmocka_unit_test(repetitions_of_every_length_and_distance),
        cmocka_unit_test(zeros_take_next_to_nothing),
        cmocka_unit_test(what_does_not_fit_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
