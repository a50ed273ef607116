/* The arena of a test of connectors: where memory runs out, the group fails. */
#ifndef IOL_SITE_ARENA_TESTING_H
#define IOL_SITE_ARENA_TESTING_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "base/arena.h"

static jmp_buf exhausted;
static iol__arena arena = {.exhausted = &exhausted};

static inline int set_up(void **state) {
    (void)state;
    return setjmp(exhausted);
}

static inline int tear_down(void **state) {
    (void)state;
    iol__arena_free(&arena);
    return 0;
}

#endif
