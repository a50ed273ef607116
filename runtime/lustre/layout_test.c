/* Layouts of every kind come out as they went in; what is not whole comes out as nothing; and no bytes at all make the
   decoder read where nothing is, which it is given in memory that ends where they do. */
#include "runtime/lustre/layout.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/lustre/blobs.h"
#include "tests/support/runtime_stubs.h"

/* The layout as text: of each component stripe size, pattern, flags, range, mirror, pool and OSTs. */
static void describe(const uint8_t *from, size_t length, char *to, size_t room) {
    iol__lustre_layout layout;
    iol__layout_part part;
    size_t at = 0;
    to[0] = 0;
    if (!iol__layout_open(&layout, from, length)) {
        snprintf(to, room, "none");
        return;
    }
    while (iol__layout_next(&layout, &part)) {
        const int64_t *c = part.counters;
        at += (size_t)snprintf(to + at, room - at, "%s%lld/%lld %llx %lld-%lld m%lld %.16s%s", at ? "; " : "",
                               (long long)c[IOL_LUSTRE_COMP_STRIPE_SIZE], (long long)c[IOL_LUSTRE_COMP_STRIPE_PATTERN],
                               (unsigned long long)c[IOL_LUSTRE_COMP_FLAGS], (long long)c[IOL_LUSTRE_COMP_EXT_START],
                               (long long)c[IOL_LUSTRE_COMP_EXT_END], (long long)c[IOL_LUSTRE_COMP_MIRROR_ID],
                               part.pool, part.used ? "" : "planned");
        for (int64_t i = 0; i < c[IOL_LUSTRE_COMP_STRIPE_COUNT]; i++)
            at += (size_t)snprintf(to + at, room - at, " %lld", (long long)iol__layout_ost(&part, i));
    }
}

static const struct {
    const char *name, *text;
} expected[] = {
    {"plain", "1048576/0 0 0--1 m0  3 5 0 7"},
    {"pool", "4194304/0 0 0--1 m0 flash 3 5"},
    {"overstriped", "1048576/4 0 0--1 m0 flash 1 2 1 2"},
    {"released", "1048576/0 0 0--1 m0 "},
    {"progressive", "1048576/0 10 0-67108864 m0 flash 3; 4194304/0 10 67108864-1073741824 m0 disk 5 0 7 11; "
                    "16777216/0 0 1073741824--1 m0 diskplanned"},
    {"mirrored", "1048576/0 14 0--1 m1  3 5; 1048576/0 11 0--1 m2  0 7"},
    {"on_mdt", "1048576/2 10 0-1048576 m0 ; 1048576/0 10 1048576--1 m0  3 5"},
    {"extending", "1048576/0 10 0-67108864 m0  3; 1048576/0 40 67108864--1 m0 planned"},
    {"foreign", "0/8 0 0--1 m0 "},
    {"unknown_pattern", "1048576/-1 0 0--1 m0  3"},
};

static void every_kind_is_understood(void **state) {
    (void)state;
    static blob made;
    static char text[1 << 16];
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        assert_true(blob_named(&made, expected[i].name));
        describe(made.bytes, made.length, text, sizeof text);
        assert_string_equal(text, expected[i].text);
    }
    assert_true(blob_named(&made, "wide"));
    describe(made.bytes, made.length, text, sizeof text);
    assert_non_null(strstr(text, " 0 1 2 3 "));
    assert_non_null(strstr(text, " 1998 1999"));
}

/* One of these is known by name only, because its text would be long. */
static void damaged_ones_are_none(void **state) {
    (void)state;
    static blob made;
    static char text[1 << 20];
    unsigned bad = 0;
    for (unsigned i = 0; blob_name(i); i++) {
        if (strncmp(blob_name(i), "bad_", 4) != 0) continue;
        assert_true(blob_named(&made, blob_name(i)));
        describe(made.bytes, made.length, text, sizeof text);
        if (strcmp(text, "none") != 0) fail_msg("%s is taken for a layout", blob_name(i));
        bad++;
    }
    assert_int_equal(bad, 11);
}

static void an_unknown_ost_is_none(void **state) {
    (void)state;
    static const uint32_t osts[] = {UINT32_MAX, 9};
    static blob made;
    char text[256];
    blob_plain(&made, &(blob_stripes){NULL, 1, 65536, 2, osts, 2});
    describe(made.bytes, made.length, text, sizeof text);
    assert_string_equal(text, "65536/0 0 0--1 m0  -1 9");
}

/* In memory of exactly their length, so that the sanitizers see a step too far. */
static void cut_anywhere_it_is_none(void **state) {
    (void)state;
    static blob made;
    char text[4096];
    for (unsigned i = 0; blob_name(i); i++) {
        assert_true(blob_named(&made, blob_name(i)));
        const bool foreign = strcmp(blob_name(i), "foreign") == 0; /* its head says all */
        const bool released = strcmp(blob_name(i), "released") == 0;
        for (size_t length = 0; length < made.length; length = length < 700 ? length + 1 : length + 997) {
            uint8_t *exact = malloc(length + 1);
            assert_non_null(exact);
            uint8_t *from = exact + 1; /* at no even address */
            memcpy(from, made.bytes, length);
            describe(from, length, text, sizeof text);
            if (!(foreign && length >= 16) && !released) assert_string_equal(text, "none");
            free(exact);
        }
    }
}

static void any_change_is_survived(void **state) {
    (void)state;
    static blob made;
    for (unsigned round = 0; round < 20000; round++) {
        iol__lustre_layout layout;
        iol__layout_part part;
        unsigned count = 0;
        while (blob_name(count)) count++;
        assert_true(blob_named(&made, blob_name((unsigned)runtime_random(count))));
        if (made.length == 0) continue;
        const size_t length = made.length < 512 ? made.length : 512 + (made.length - 512) / 24 * 24;
        uint8_t *exact = malloc(length);
        assert_non_null(exact);
        memcpy(exact, made.bytes, length);
        for (uint64_t changes = runtime_random(4) + 1; changes > 0; changes--)
            exact[runtime_random(length < 256 ? length : 256)] = (uint8_t)runtime_random(256);
        int64_t seen = 0;
        if (iol__layout_open(&layout, exact, length)) {
            while (iol__layout_next(&layout, &part))
                for (int64_t i = 0; i < part.counters[IOL_LUSTRE_COMP_STRIPE_COUNT]; i++, seen++)
                    assert_true(iol__layout_ost(&part, i) >= INT32_MIN);
            assert_int_equal(layout.next, layout.parts); /* what was opened can be read to its end */
        }
        assert_true(seen <= (int64_t)(length / 24));
        free(exact);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kind_is_understood), cmocka_unit_test(damaged_ones_are_none),
        cmocka_unit_test(an_unknown_ost_is_none),   cmocka_unit_test(cut_anywhere_it_is_none),
        cmocka_unit_test(any_change_is_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
