/* What is known of calls is found again, until something was unloaded, and never under another name. */
#include "runtime/lazy/sites.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static const void *at(uintptr_t address) { return (const void *)address; }

static void finds_what_was_added(void **state) {
    (void)state;
    static int there, elsewhere;
    assert_null(iol__site_find(at(0x1000), 7, 0));
    iol__site_add(at(0x1000), 7, 0, &there);
    iol__site_add(at(0x1000), 8, 0, &elsewhere);
    assert_ptr_equal(iol__site_find(at(0x1000), 7, 0), &there);
    assert_ptr_equal(iol__site_find(at(0x1000), 8, 0), &elsewhere);
    assert_null(iol__site_find(at(0x1008), 7, 0));
}

static void forgets_when_an_object_was_unloaded(void **state) {
    (void)state;
    static int before, after;
    iol__site_add(at(0x2000), 1, 5, &before);
    assert_null(iol__site_find(at(0x2000), 1, 6));
    iol__site_add(at(0x2000), 1, 6, &after);
    assert_ptr_equal(iol__site_find(at(0x2000), 1, 6), &after);
}

/* More than there is room for: an entry may be gone, but what is found is right. */
static void never_takes_one_for_another(void **state) {
    (void)state;
    enum { MANY = 20000 };
    static char targets[MANY];
    size_t found = 0;
    for (uintptr_t i = 0; i < MANY; i++) iol__site_add(at(0x100000 + i * 5), i % 3, 9, &targets[i]);
    for (uintptr_t i = 0; i < MANY; i++) {
        const void *known = iol__site_find(at(0x100000 + i * 5), i % 3, 9);
        if (known) assert_ptr_equal(known, &targets[i]);
        found += known != NULL;
    }
    assert_true(found > 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_what_was_added),
        cmocka_unit_test(forgets_when_an_object_was_unloaded),
        cmocka_unit_test(never_takes_one_for_another),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
