/* What a job ran on, from the trailer; and that a damaged section does no harm. */
#include "log/trailer/platform.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "base/count.h"
#include "tests/support/opened.h"

static opened with_sections(const char *const *sections) {
    lm_log *log = lm_new(41, false, 0);
    for (; *sections; sections++) lm_trailer(log, "PLAT", 0, *sections, strlen(*sections));
    return opened_from(log);
}

static void it_is_read(void **state) {
    (void)state;
    static const char *const sections[] = {
        "{\"nodes\":2,\"ranks_per_node_min\":3,\"ranks_per_node_max\":4,\"node_list\":\"nid[07-08]\",\"later\":[1],"
        "\"scheduler\":\"Slurm\",\"scheduler_job\":\"12_3\",\"mpi\":\"M\",\"page_bytes\":4096,\"container\":\"\"}",
        "{\"nodes\":9}", NULL};
    opened o = with_sections(sections);
    iol__platform p;
    iol__platform_read(o.log, &p);
    assert_int_equal(p.nodes, 2);
    assert_int_equal(p.ranks_per_node[0], 3);
    assert_int_equal(p.ranks_per_node[1], 4);
    assert_string_equal(p.node_list, "nid[07-08]");
    assert_string_equal(p.scheduler, "Slurm");
    assert_string_equal(p.scheduler_job, "12_3");
    assert_string_equal(p.mpi, "M");
    assert_int_equal(p.page_bytes, 4096);
    assert_string_equal(p.container, "");
    assert_int_equal(iol_log_error_count(o.log), 0);
    iol__platform_free(&p);
    opened_close(&o);
}

static void damage_is_noted(void **state) {
    (void)state;
    static const char *const texts[] = {"", "{\"nodes\":\"two\"}", "{\"node_list\":7}", "{\"nodes\":1", "[]"};
    for (size_t i = 0; i < IOL_COUNT(texts); i++) {
        opened o = with_sections((const char *const[]){texts[i], NULL});
        iol__platform p;
        iol__platform_read(o.log, &p);
        assert_int_equal(iol_log_error_count(o.log), 1);
        iol__platform_free(&p);
        opened_close(&o);
    }
}

static void logs_without_it(void **state) {
    (void)state;
    opened o = with_sections((const char *const[]){NULL});
    iol__platform p;
    iol__platform_read(o.log, &p);
    assert_int_equal(p.nodes, 0);
    assert_null(p.node_list);
    opened_close(&o);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(it_is_read), cmocka_unit_test(damage_is_noted),
                                       cmocka_unit_test(logs_without_it)};
    return cmocka_run_group_tests_name("platform", tests, NULL, NULL);
}
