/* Stepping through chunks of traced operations, sound and damaged, and telling mapped files from others. */
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "record/mapped.h"
#include "tests/support/runmaker.h"

static void chunks_follow_each_other(void **state) {
    (void)state;
    static const lm_segment segments[3] = {{1, 2, 3, 4, 5}};
    lm_log *log = lm_new(41, false, LM_NONE);
    rm_trace(log, LM_DXT_POSIX, 11, true, segments, 2, 3);
    rm_trace(log, LM_DXT_MPIIO, 12, false, segments, 0, 1);
    iol__trace_chunk chunk;
    size_t at = 0;
    const uint8_t *area = log->chunks.data;
    assert_ptr_equal(iol__trace_next(area, log->chunks.length, &at, &chunk), area + 32);
    assert_int_equal(chunk.id, 11);
    assert_int_equal(chunk.used, 2);
    assert_int_equal(chunk.write, 1);
    assert_int_equal(at, 32 + 3 * 40);
    assert_ptr_equal(iol__trace_next(area, log->chunks.length, &at, &chunk), area + 32 + 3 * 40 + 32);
    assert_int_equal(chunk.slot, LM_DXT_MPIIO);
    assert_int_equal(at, log->chunks.length);
    assert_null(iol__trace_next(area, log->chunks.length, &at, &chunk));
    lm_free(log);
}

static void damaged_chunks_end_it(void **state) {
    (void)state;
    static const lm_segment segments[1] = {{0}};
    lm_log *log = lm_new(41, false, LM_NONE);
    rm_trace(log, LM_DXT_POSIX, 11, true, segments, 1, 4);
    iol__trace_chunk chunk;
    size_t at = 0;
    put_u32(log->chunks.data + 20, 1000, false); /* used */
    assert_non_null(iol__trace_next(log->chunks.data, log->chunks.length, &at, &chunk));
    assert_int_equal(chunk.used, 4);
    at = 0;
    assert_null(iol__trace_next(log->chunks.data, log->chunks.length - 1, &at, &chunk));
    put_u32(log->chunks.data + 16, UINT32_MAX, false); /* room */
    assert_null(iol__trace_next(log->chunks.data, log->chunks.length, &at, &chunk));
    put_u32(log->chunks.data + 16, 0, false);
    assert_null(iol__trace_next(log->chunks.data, log->chunks.length, &at, &chunk));
    at = SIZE_MAX;
    assert_null(iol__trace_next(log->chunks.data, log->chunks.length, &at, &chunk));
    lm_free(log);
}

static void mapped_files_are_distinguished_from_others(void **state) {
    (void)state;
    static uint8_t file[IOL_MAPPED_HEAD];
    const uint32_t size = sizeof(iol__mapped);
    assert_false(iol__mapped_is(file, sizeof file));
    memcpy(file + IOL_MAPPED_AT, IOL_MAPPED_MAGIC, 8);
    assert_false(iol__mapped_is(file, sizeof file)); /* of another size */
    memcpy(file + IOL_MAPPED_AT + 8, &size, sizeof size);
    assert_true(iol__mapped_is(file, sizeof file));
    assert_false(iol__mapped_is(file, sizeof file - 1));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(chunks_follow_each_other),
        cmocka_unit_test(damaged_chunks_end_it),
        cmocka_unit_test(mapped_files_are_distinguished_from_others),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
