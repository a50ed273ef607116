/* What tests of analyses share: numbers that are the same but for their last digits, and what is under a key. */
#ifndef IOL_SITE_ANALYZE_TESTING_H
#define IOL_SITE_ANALYZE_TESTING_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/count.h"
#include "site/connect/arena_testing.h"
#include "site/connect/value.h"

static inline void is_close(double got, double wanted) {
    if (!(fabs(got - wanted) <= 1e-9 * fmax(1, fabs(wanted)))) fail_msg("%.12g, not %.12g", got, wanted);
}

static inline void number_is(const iol__value *map, const char *key, double wanted) {
    if (!iol__map_get(map, key)) fail_msg("there is no %s", key);
    is_close(iol__map_number(map, key), wanted);
}

static inline void text_is(const iol__value *map, const char *key, const char *wanted) {
    const char *text = iol__map_text(map, key);
    if (!text) fail_msg("there is no text %s", key);
    assert_string_equal(text, wanted);
}

#endif
