/* The arena of a test of connectors and analyses: where memory runs out, the group fails. And trees written as JSON. */
#ifndef IOL_SITE_ARENA_TESTING_H
#define IOL_SITE_ARENA_TESTING_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/arena.h"
#include "site/connect/value.h"

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

static inline iol__value *tree_of(const char *json) {
    char wrong[120] = "";
    iol__value *tree = iol__value_parse(&arena, json, strlen(json), wrong);
    if (!tree) fail_msg("%s: %s", json, wrong);
    return tree;
}

#endif
