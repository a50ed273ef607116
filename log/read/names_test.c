/* The name table: both forms of entries, repeated and empty names, and the function that makes ids of names. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/count.h"
#include "tests/support/logrecords.h"
#include "tests/support/opened.h"

static void names_are_found_in_every_version_and_order(void **state) {
    (void)state;
    static const int minors[] = {0, 10, 20, 21, 41};
    for (int v = 0; v < 5; v++)
        for (int big = 0; big < 2; big++) {
            lm_log *made = lm_new(minors[v], big, LM_ZLIB);
            lm_name(made, 0x1122334455667788, "/scratch/one");
            lm_name(made, 0, "x");
            lm_name(made, UINT64_MAX, "/scratch/three");
            opened o = opened_from(made);
            assert_int_equal(iol_log_name_count(o.log), 3);
            assert_string_equal(iol_log_name(o.log, 0x1122334455667788), "/scratch/one");
            assert_string_equal(iol_log_name(o.log, 0), "x");
            assert_string_equal(iol_log_name(o.log, UINT64_MAX), "/scratch/three");
            assert_null(iol_log_name(o.log, 1));
            assert_int_equal(iol_log_error_count(o.log), 0);
            opened_close(&o);
        }
}

static void names_keep_their_order_of_appearance(void **state) {
    (void)state;
    lm_log *made = lm_new(41, false, LM_ZLIB);
    char name[32];
    for (uint64_t i = 0; i < 5000; i++) {
        snprintf(name, sizeof name, "/data/%llu", (unsigned long long)i);
        lm_name(made, i * 0x9e3779b97f4a7c15, name);
    }
    opened o = opened_from(made);
    assert_int_equal(iol_log_name_count(o.log), 5000);
    for (uint64_t i = 0; i < 5000; i++) {
        uint64_t id;
        const char *got;
        snprintf(name, sizeof name, "/data/%llu", (unsigned long long)i);
        assert_int_equal(iol_log_name_at(o.log, i, &id, &got), IOL_OK);
        assert_true(id == i * 0x9e3779b97f4a7c15);
        assert_string_equal(got, name);
        assert_string_equal(iol_log_name(o.log, id), name);
    }
    uint64_t id;
    const char *got;
    assert_int_not_equal(iol_log_name_at(o.log, 5000, &id, &got), IOL_OK);
    opened_close(&o);
}

static void the_first_of_repeated_names_stays(void **state) {
    (void)state;
    lm_log *made = lm_new(41, false, LM_ZLIB);
    lm_name(made, 5, "/first");
    lm_name(made, 5, "/second");
    lm_name(made, 5, "");
    opened o = opened_from(made);
    assert_int_equal(iol_log_name_count(o.log), 1);
    assert_string_equal(iol_log_name(o.log, 5), "/first");
    opened_close(&o);
}

static void an_empty_name_gives_way_to_a_later_one(void **state) {
    (void)state;
    static const int minors[] = {10, 21, 41};
    for (int v = 0; v < 3; v++) {
        lm_log *made = lm_new(minors[v], false, LM_ZLIB);
        lm_name(made, 5, "");
        lm_name(made, 6, "/six");
        lm_name(made, 5, "/real");
        lm_name(made, 5, "/late");
        lm_name(made, 7, "");
        opened o = opened_from(made);
        assert_int_equal(iol_log_name_count(o.log), 3);
        assert_string_equal(iol_log_name(o.log, 5), "/real");
        assert_string_equal(iol_log_name(o.log, 7), "");
        opened_close(&o);
    }
}

static void in_3_00_an_empty_name_stays(void **state) {
    (void)state;
    lm_log *made = lm_new(0, false, LM_ZLIB);
    lm_name(made, 5, "");
    lm_name(made, 5, "/late");
    opened o = opened_from(made);
    assert_string_equal(iol_log_name(o.log, 5), "");
    opened_close(&o);
}

static void long_names_are_whole(void **state) {
    (void)state;
    static const int minors[] = {0, 41};
    for (int v = 0; v < 2; v++) {
        size_t length = 300000;
        char *name = need(length + 1);
        memset(name, 'n', length);
        name[length] = 0;
        lm_log *made = lm_new(minors[v], false, LM_ZLIB);
        lm_name(made, 5, name);
        lm_name(made, 6, "/after");
        opened o = opened_from(made);
        assert_string_equal(iol_log_name(o.log, 5), name);
        assert_string_equal(iol_log_name(o.log, 6), "/after");
        opened_close(&o);
        free(name);
    }
}

static void names_before_an_unfinished_one_are_kept(void **state) {
    (void)state;
    static const int minors[] = {0, 41};
    for (int v = 0; v < 2; v++) {
        lm_log *made = lm_new(minors[v], false, LM_ZLIB);
        lm_name(made, 5, "/whole");
        lm_name(made, 6, "/unfinished");
        made->names.payload.length -= 3;
        opened o = opened_from(made);
        assert_int_equal(iol_log_name_count(o.log), 1);
        assert_string_equal(iol_log_name(o.log, 5), "/whole");
        assert_int_equal(iol_log_error_count(o.log), 1);
        assert_int_equal(iol_log_error(o.log, 0)->status, IOL_DAMAGED);
        opened_close(&o);
    }
}

static void a_log_without_names_has_none(void **state) {
    (void)state;
    opened o = opened_from(lm_new(41, false, LM_ZLIB));
    assert_int_equal(iol_log_name_count(o.log), 0);
    assert_null(iol_log_name(o.log, 1));
    opened_close(&o);
}

static void ids_match_the_published_vectors(void **state) {
    (void)state;
    static const struct {
        const char *name;
        uint64_t id;
    } vectors[] = {
        {"", 10211412111675192767u},
        {"a", 2110215103713784748u},
        {"/", 17797936084940206881u},
        {"<STDIN>", 14734109647742566553u},
        {"<STDOUT>", 15920181672442173319u},
        {"<STDERR>", 7238257241479193519u},
        {"heatmap:POSIX", 16592106915301738621u},
        {"heatmap:MPIIO", 3668870418325792824u},
        {"heatmap:STDIO", 3989511027826779520u},
        {"APMPI", 2250748219237254214u},
        {"darshan-apmpi-header", 7713204788897956166u},
        {"APXC", 4517659415186091864u},
        {"darshan-bgq-record", 17224881367579287459u},
        {"total-mdhim-obj-stats", 5828525108966349513u},
        {"/data/abcdefghijklmnopq", 11497408294938271702u},
        {"/data/abcdefghijklmnopqr", 1226237426625556968u},
        {"/home/user/project/run-01/output.00001.dat", 151770364343828530u},
        {"/scratch/group/user/simulation/checkpoint/step_000100/rank_00042.bin", 16488823166189448703u},
    };
    for (size_t i = 0; i < IOL_COUNT(vectors); i++) {
        assert_true(iol_name_id(vectors[i].name, strlen(vectors[i].name)) == vectors[i].id);
        assert_true(lm_id(vectors[i].name) == vectors[i].id);
    }
    uint8_t counting[48];
    for (int i = 0; i < 48; i++) counting[i] = (uint8_t)i;
    assert_true(iol_name_id(counting, sizeof counting) == 17449868882718948431u);
}

static void ids_of_all_lengths_agree_with_a_second_implementation(void **state) {
    (void)state;
    uint8_t key[200];
    for (size_t i = 0; i < sizeof key; i++) key[i] = (uint8_t)(i * 37 + 11);
    for (size_t length = 0; length <= sizeof key; length++)
        assert_true(iol_name_id(key, length) == lm_id_bytes(key, length));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_are_found_in_every_version_and_order),
        cmocka_unit_test(names_keep_their_order_of_appearance),
        cmocka_unit_test(the_first_of_repeated_names_stays),
        cmocka_unit_test(an_empty_name_gives_way_to_a_later_one),
        cmocka_unit_test(in_3_00_an_empty_name_stays),
        cmocka_unit_test(long_names_are_whole),
        cmocka_unit_test(names_before_an_unfinished_one_are_kept),
        cmocka_unit_test(a_log_without_names_has_none),
        cmocka_unit_test(ids_match_the_published_vectors),
        cmocka_unit_test(ids_of_all_lengths_agree_with_a_second_implementation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
