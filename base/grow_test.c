/* Arrays that grow keep what is in them, and stay as they are when there is no memory. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/grow.h"

enum { MANY = 1000 };

static void elements_stay_while_the_array_grows(void **state) {
    int64_t *numbers = NULL;
    size_t count = 0, room = 0;
    (void)state;
    while (count < MANY) {
        assert_true(IOL_GROW(numbers, room, count));
        assert_true(room > count);
        numbers[count] = (int64_t)count * 3;
        count++;
    }
    for (size_t i = 0; i < MANY; i++) assert_int_equal(numbers[i], 3 * i);
    free(numbers);
}

static void room_follows_from_the_count_alone(void **state) {
    char *letters = NULL;
    (void)state;
    for (size_t count = 0; count < MANY; count++) {
        assert_true(IOL_GROW_NEXT(letters, count));
        letters[count] = (char)('a' + count % 26);
    }
    for (size_t i = 0; i < MANY; i++) assert_int_equal(letters[i], 'a' + i % 26);
    free(letters);
}

static void an_array_that_cannot_grow_stays(void **state) {
    char byte = 'x', *bytes = &byte;
    size_t room = SIZE_MAX / 2 + 1;
    (void)state;
    assert_false(IOL_GROW(bytes, room, room));
    assert_true(bytes == &byte && room == SIZE_MAX / 2 + 1);
    assert_false(iol__grow_array_next(&bytes, SIZE_MAX / 2, 4));
    assert_true(bytes == &byte);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(elements_stay_while_the_array_grows),
        cmocka_unit_test(room_follows_from_the_count_alone),
        cmocka_unit_test(an_array_that_cannot_grow_stays),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
