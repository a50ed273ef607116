/* Memory that is given back all at once, and its bound. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/arena.h"

enum { LIMIT = 1 << 20 };

/* How many pieces of this size there are until the owner is asked. */
static size_t pieces(iol__arena *arena, size_t size) {
    jmp_buf exhausted;
    volatile size_t count = 0;
    arena->exhausted = &exhausted;
    if (setjmp(exhausted) == 0)
        while (count < LIMIT && iol__arena_alloc(arena, 1, size)) count++;
    return count;
}

static void a_limit_is_kept_and_begins_again_when_all_is_freed(void **state) {
    (void)state;
    iol__arena arena = {.limit = LIMIT};
    const size_t first = pieces(&arena, 1000);
    assert_in_range(first, LIMIT / 1000 / 2, LIMIT / 1000);
    assert_int_equal(pieces(&arena, LIMIT), 0);
    iol__arena_free(&arena);
    assert_int_equal(pieces(&arena, 1000), first);
    iol__arena_free(&arena);
}

static void a_piece_beyond_the_limit_is_refused_at_once(void **state) {
    (void)state;
    iol__arena arena = {.limit = LIMIT};
    assert_int_equal(pieces(&arena, LIMIT + 1), 0);
    assert_int_equal(pieces(&arena, SIZE_MAX - 8), 0);
    assert_int_equal(pieces(&arena, LIMIT), 1);
    iol__arena_free(&arena);
}

static void without_a_limit_memory_is_the_bound(void **state) {
    (void)state;
    iol__arena arena = {0};
    assert_int_equal(pieces(&arena, 16), LIMIT);
    iol__arena_free(&arena);
}

static void memory_is_taken_in_blocks_of_the_wanted_size(void **state) {
    (void)state;
    enum { SMALL = 4096 };
    iol__arena arena = {.block = SMALL, .limit = 3 * SMALL};
    jmp_buf exhausted;
    arena.exhausted = &exhausted;
    if (setjmp(exhausted)) fail_msg("a small piece takes a large block");
    iol__arena_alloc(&arena, 1, 100);
    assert_int_equal(arena.held, SMALL);
    char *large = iol__arena_alloc(&arena, 1, SMALL + 1);
    for (size_t i = 0; i <= SMALL; i++) assert_int_equal(large[i], 0);
    iol__arena_alloc(&arena, 1, SMALL - 200); /* the first block is still in use */
    assert_in_range(arena.held, 2 * SMALL + 1, 2 * SMALL + 16);
    iol__arena_free(&arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_limit_is_kept_and_begins_again_when_all_is_freed),
        cmocka_unit_test(a_piece_beyond_the_limit_is_refused_at_once),
        cmocka_unit_test(without_a_limit_memory_is_the_bound),
        cmocka_unit_test(memory_is_taken_in_blocks_of_the_wanted_size),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
