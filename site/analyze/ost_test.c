/* Which OST is slow: correlations of speed with being on a target, and the distribution of times on each. */
#include "site/analyze/analyze_testing.h"
#include "site/analyze/bad_ost.h"
#include "site/analyze/occupancy.h"

/* Six files of 100 bytes, each on one target: those on OST 3 take ten times as long. */
enum { FILES = 6 };
static double times[FILES] = {1, 1, 10, 1, 10, 1};
static int64_t targets[FILES] = {1, 2, 3, 1, 3, 2};

static iol__striped striped(iol__striped_file files[FILES]) {
    for (int i = 0; i < FILES; i++)
        files[i] = (iol__striped_file){.name = "f",
                                       .bytes = 100,
                                       .slowest = times[i],
                                       .times = &times[i],
                                       .n_times = 1,
                                       .osts = &targets[i],
                                       .n_osts = 1};
    return (iol__striped){.files = files, .count = FILES, .logs = 1};
}

/* Speeds are 100 and 10: being on OST 3 goes with speed by exactly -1, being on one of the two others by +1/2. */
static void the_slow_target_comes_first(void **state) {
    (void)state;
    iol__striped_file files[FILES];
    const iol__striped all = striped(files);
    const iol__suspects found = iol__find_suspects(&arena, &all, NULL);
    assert_int_equal(found.files, FILES);
    assert_int_equal(found.count, 3);
    assert_int_equal(found.list[0].ost, 3);
    assert_null(found.list[0].server);
    is_close(found.list[0].is.r, -1);
    is_close(found.list[1].is.r, 0.5);
    is_close(found.list[2].is.r, 0.5);
    assert_int_equal(found.list[0].is.n, FILES);
    assert_true(found.list[0].adjusted >= found.list[0].is.p);
    assert_true(found.list[0].adjusted < 0.05 && found.list[1].adjusted > 0.05);
}

static void targets_of_one_server_are_one_suspect(void **state) {
    (void)state;
    iol__striped_file files[FILES];
    const iol__striped all = striped(files);
    const iol__value *servers = tree_of("{\"1\": \"10.0.0.1\", \"2\": \"10.0.0.1\", \"3\": \"10.0.0.2\"}");
    const iol__suspects found = iol__find_suspects(&arena, &all, servers);
    assert_int_equal(found.count, 2);
    assert_string_equal(found.list[0].server, "10.0.0.2");
    is_close(found.list[0].is.r, -1);
    is_close(found.list[1].is.r, 1);
}

/* A target that all files are on cannot be told from the others, and files of one speed tell nothing. */
static void what_all_files_share_is_no_suspect(void **state) {
    (void)state;
    iol__striped_file files[FILES];
    static int64_t same = 7;
    iol__striped all = striped(files);
    for (int i = 0; i < FILES; i++) files[i].osts = &same;
    assert_int_equal(iol__find_suspects(&arena, &all, NULL).count, 0);
    all = striped(files);
    for (int i = 0; i < FILES; i++) files[i].slowest = 2;
    assert_int_equal(iol__find_suspects(&arena, &all, NULL).count, 0);
}

static void each_target_has_its_distribution_of_times(void **state) {
    (void)state;
    static double four[] = {4, 1, 3, 2}, slow[] = {40, 50};
    static int64_t first = 4, second = 12;
    iol__striped_file files[] = {{.name = "a", .times = four, .n_times = 4, .osts = &first, .n_osts = 1, .when = 1},
                                 {.name = "b", .times = slow, .n_times = 2, .osts = &second, .n_osts = 1, .when = 1}};
    const iol__striped all = {.files = files, .count = IOL_COUNT(files), .logs = 1};
    const iol__value *map =
        tree_of("{\"fs\": {\"OST0004\": {\"target_ip\": \"n1\"}, \"OST000c\": {\"target_ip\": \"n2\"}}}");
    const iol__occupancy is = iol__occupancy_of(&arena, &all, map, "fs");
    assert_int_equal(is.n_osts, 2);
    assert_string_equal(is.osts[0].name, "4");
    is_close(is.osts[0].five.min, 1);
    is_close(is.osts[0].five.q1, 1.75);
    is_close(is.osts[0].five.median, 2.5);
    is_close(is.osts[0].five.q3, 3.25);
    is_close(is.osts[0].five.mean, 2.5);
    is_close(is.osts[1].five.median, 45);
    assert_int_equal(is.n_servers, 2);
    assert_string_equal(is.servers[1].name, "n2");
    is_close(is.servers[1].five.max, 50);
    /* Of 1, 2, 3, 4, 40, 50 the quarters are 2.25 and 31: nothing below 74 is far beyond. */
    is_close(is.all.q3, 31);
    assert_false(is.osts[1].slow);
}

static void a_target_far_beyond_the_others_is_slow(void **state) {
    (void)state;
    static double usual[] = {1, 1.1, 1.2, 1.3, 1.4, 1.5, 1.6, 1.7}, slow[] = {90};
    static int64_t first = 0, second = 1;
    iol__striped_file files[] = {{.name = "a", .times = usual, .n_times = 8, .osts = &first, .n_osts = 1},
                                 {.name = "b", .times = slow, .n_times = 1, .osts = &second, .n_osts = 1}};
    const iol__striped all = {.files = files, .count = IOL_COUNT(files)};
    const iol__occupancy is = iol__occupancy_of(&arena, &all, NULL, NULL);
    assert_false(is.osts[0].slow);
    assert_true(is.osts[1].slow);
    assert_int_equal(is.n_servers, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_slow_target_comes_first),
        cmocka_unit_test(targets_of_one_server_are_one_suspect),
        cmocka_unit_test(what_all_files_share_is_no_suspect),
        cmocka_unit_test(each_target_has_its_distribution_of_times),
        cmocka_unit_test(a_target_far_beyond_the_others_is_slow),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
