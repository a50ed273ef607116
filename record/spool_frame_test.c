/* Frames of spools are packed and unpacked, and damaged ones refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "record/spool_frame.h"

enum { LENGTH = 70 * IOL_SPOOL_FRAME_LINE };

static uint8_t room[IOL_SPOOL_FRAME_ROOM], back[IOL_SPOOL_FRAME_MOST];

static iol__spool_frame_head pack(const uint8_t *first, size_t first_length, const uint8_t *second,
                                  size_t second_length) {
    iol__packing packing;
    const size_t all =
        (first_length + second_length + IOL_SPOOL_FRAME_LINE - 1) / IOL_SPOOL_FRAME_LINE * IOL_SPOOL_FRAME_LINE;
    iol__spool_frame_begin(&packing, room, all);
    iol__spool_frame_add(&packing, first, first_length);
    iol__spool_frame_add(&packing, second, second_length);
    assert_int_equal(packing.lines, all / IOL_SPOOL_FRAME_LINE);
    return (iol__spool_frame_head){packing.used, all};
}

static void what_was_packed_comes_back(void **state) {
    (void)state;
    uint8_t bytes[LENGTH] = {0};
    bytes[0] = 1;
    bytes[5 * IOL_SPOOL_FRAME_LINE + 31] = 2;
    bytes[LENGTH - 40] = 3;
    bytes[LENGTH - 12] = 4; /* in a line that is not whole */
    const iol__spool_frame_head head =
        pack(bytes, 6 * IOL_SPOOL_FRAME_LINE, bytes + 6 * IOL_SPOOL_FRAME_LINE, 64 * IOL_SPOOL_FRAME_LINE - 5);
    assert_int_equal(head.length, 16 + 4 * IOL_SPOOL_FRAME_LINE);
    memset(back, 0xa5, sizeof back);
    assert_true(iol__spool_frame_unpack(&head, room, back));
    assert_memory_equal(back, bytes, LENGTH);
    assert_int_equal(back[LENGTH], 0xa5);
    memset(back, 0xa5, sizeof back);
    assert_true(iol__spool_frame_unpack_first(&head, room, back, 6 * IOL_SPOOL_FRAME_LINE));
    assert_memory_equal(back, bytes, 6 * IOL_SPOOL_FRAME_LINE);
    assert_int_equal(back[6 * IOL_SPOOL_FRAME_LINE], 0xa5);
    assert_false(iol__spool_frame_unpack_first(&head, room, back, 6 * IOL_SPOOL_FRAME_LINE - 1));
    assert_false(iol__spool_frame_unpack_first(&head, room, back, LENGTH + IOL_SPOOL_FRAME_LINE));
}

static void zeros_take_no_room(void **state) {
    (void)state;
    static const uint8_t zeros[IOL_SPOOL_FRAME_MOST];
    const iol__spool_frame_head head = pack(zeros, sizeof zeros, zeros, 0);
    assert_int_equal(head.length, IOL_SPOOL_FRAME_MOST / IOL_SPOOL_FRAME_LINE / 8);
    assert_true(iol__spool_frame_unpack(&head, room, back));
    assert_memory_equal(back, zeros, sizeof zeros);
}

static void the_largest_fits(void **state) {
    (void)state;
    static uint8_t bytes[IOL_SPOOL_FRAME_MOST];
    memset(bytes, 7, sizeof bytes);
    const iol__spool_frame_head head = pack(bytes, sizeof bytes, bytes, 0);
    assert_int_equal(head.length, IOL_SPOOL_FRAME_ROOM);
    assert_true(iol__spool_frame_unpack(&head, room, back));
    assert_memory_equal(back, bytes, sizeof bytes);
}

static void damaged_frames_are_refused(void **state) {
    (void)state;
    uint8_t bytes[LENGTH];
    memset(bytes, 1, sizeof bytes);
    const iol__spool_frame_head good = pack(bytes, LENGTH, bytes, 0);
    const struct {
        const char *what;
        iol__spool_frame_head head;
    } cases[] = {
        {"a line is missing", {good.length - 8, good.unpacked}},
        {"shorter than its map", {8, good.unpacked}},
        {"no whole lines", {good.length, good.unpacked - 1}},
        {"too long", {good.length, IOL_SPOOL_FRAME_MOST + IOL_SPOOL_FRAME_LINE}},
        {"not packed", {good.length, 0}},
        {"longer than anything", {good.length, UINT64_MAX - 31}},
    };
    assert_true(iol__spool_frame_unpack(&good, room, back));
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        if (iol__spool_frame_unpack(&cases[i].head, room, back)) fail_msg("taken: %s", cases[i].what);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_was_packed_comes_back),
        cmocka_unit_test(zeros_take_no_room),
        cmocka_unit_test(the_largest_fits),
        cmocka_unit_test(damaged_frames_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
