/* The tests' figures against printed tables, closed forms, and values from another way of computing them: t by numeric
   integration of its density, rank tests by listing every way of dealing out the values. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "insight/compare/statistics.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

static void near(double value, double expected, double relative) {
    if (fabs(value - expected) <= relative * fabs(expected)) return;
    print_error("%.17g instead of %.17g\n", value, expected);
    fail();
}

static void beta_in_closed_form(void **state) {
    (void)state;
    for (int i = 1; i < 20; i++) {
        double x = i / 20.0;
        near(iol__incomplete_beta(1, 1, x), x, 1e-14);
        near(iol__incomplete_beta(3, 1, x), x * x * x, 1e-13);
        near(iol__incomplete_beta(1, 4, x), 1 - pow(1 - x, 4), 1e-13);
        near(iol__incomplete_beta(0.5, 0.5, x), 2 / acos(-1) * asin(sqrt(x)), 1e-13);
        near(iol__incomplete_beta(7, 2.5, x) + iol__incomplete_beta(2.5, 7, 1 - x), 1, 1e-13);
    }
    assert_true(iol__incomplete_beta(2, 3, 0) == 0 && iol__incomplete_beta(2, 3, 1) == 1);
}

/* The table that ends every textbook: limits of 95 % and 99 %. */
static void t_as_printed(void **state) {
    (void)state;
    static const struct {
        double freedom, t95, t99;
    } table[] = {{1, 12.706, 63.657}, {2, 4.303, 9.925},  {3, 3.182, 5.841},   {4, 2.776, 4.604},
                 {5, 2.571, 4.032},   {8, 2.306, 3.355},  {10, 2.228, 3.169},  {20, 2.086, 2.845},
                 {30, 2.042, 2.750},  {60, 2.000, 2.660}, {120, 1.980, 2.617}, {1e9, 1.960, 2.576}};
    for (size_t i = 0; i < COUNT(table); i++) {
        assert_true(fabs(iol__student_limit(0.05, table[i].freedom) - table[i].t95) < 0.0005 + 1e-9);
        assert_true(fabs(iol__student_limit(0.01, table[i].freedom) - table[i].t99) < 0.0005 + 1e-9);
    }
}

static void t_as_integrated(void **state) {
    (void)state;
    static const struct {
        double t, freedom, tails;
    } table[] = {{1, 1, 0.5},
                 {2, 5, 0.10193947882985835},
                 {2.5, 7.5, 0.03882025827362555},
                 {4, 2.3, 0.045147990983981555},
                 {0.5, 40.25, 0.6197977870256858},
                 {10, 8, 8.488181527628489e-06}};
    for (size_t i = 0; i < COUNT(table); i++) {
        near(iol__student_tails(table[i].t, table[i].freedom), table[i].tails, 1e-10);
        near(iol__student_tails(-table[i].t, table[i].freedom), table[i].tails, 1e-10);
        near(iol__student_limit(table[i].tails, table[i].freedom), table[i].t, 1e-10);
    }
    assert_true(iol__student_tails(0, 3) == 1 && iol__student_tails(INFINITY, 3) == 0);
    assert_true(isnan(iol__student_tails(NAN, 3)) && isnan(iol__student_tails(1, 0)));
}

static void spreads(void **state) {
    (void)state;
    iol__spread s = iol__spread_of((double[]){5, NAN, 1, 2, 8}, 5);
    assert_int_equal(s.n, 4);
    assert_true(s.mean == 4 && s.median == 3.5 && s.min == 1 && s.max == 8);
    near(s.deviation, sqrt(10), 1e-15);
    s = iol__spread_of((double[]){7}, 1);
    assert_true(s.n == 1 && s.median == 7 && isnan(s.deviation));
    s = iol__spread_of((double[]){0.1, 0.1, 0.1}, 3);
    assert_true(s.mean == 0.1 && s.deviation == 0);
    s = iol__spread_of(NULL, 0);
    assert_true(s.n == 0 && isnan(s.mean) && isnan(s.max));
}

static const double slow[] = {10.2, 9.8, 10.5, 10.1, 10.4}, fast[] = {7.1, 6.2, 8.4, 7.7},
                    like[] = {10.3, 10.0, 9.7, 10.6, 10.2};

static void welch_on_logs(void **state) {
    (void)state;
    iol__welch w = {0};
    assert_true(iol__welch_ratio(slow, 5, fast, 4, &w));
    near(w.t, -5.080071925139694, 1e-10);
    near(w.freedom, 3.2105995583032554, 1e-10);
    near(w.p, 0.012474323208094357, 1e-8);
    near(w.ratio, 0.7163593940746359, 1e-12);
    near(w.low, 0.5856704252158028, 1e-6);
    near(w.high, 0.87621085065016, 1e-6);
    assert_true(iol__welch_ratio(slow, 5, like, 5, &w));
    near(w.p, 0.8366630055765379, 1e-8);
    assert_true(w.low < 1 && w.high > 1);
}

/* The other way round everything is the other way round. */
static void welch_is_symmetric(void **state) {
    (void)state;
    iol__welch ab = {0}, ba = {0};
    assert_true(iol__welch_ratio(slow, 5, fast, 4, &ab) && iol__welch_ratio(fast, 4, slow, 5, &ba));
    near(ba.p, ab.p, 1e-12);
    near(ba.ratio, 1 / ab.ratio, 1e-12);
    near(ba.low, 1 / ab.high, 1e-12);
}

static void welch_with_nothing_to_go_by(void **state) {
    (void)state;
    iol__welch w = {0};
    const double same[] = {2, 2, 2}, more[] = {3, 3, 3}, zero[] = {0, 1, 2}, odd[] = {1, NAN, 2};
    assert_false(iol__welch_ratio(same, 3, more, 3, &w));
    assert_false(iol__welch_ratio(slow, 5, same, 1, &w));
    assert_false(iol__welch_ratio(slow, 5, zero, 3, &w));
    assert_false(iol__welch_ratio(odd, 3, slow, 5, &w));
    assert_true(iol__welch_ratio(same, 3, slow, 5, &w));
    near(w.freedom, 4, 1e-12); /* all the doubt comes from one side */
}

static void ranks_counted_out(void **state) {
    (void)state;
    iol__rank_test r = {0};
    assert_true(iol__mann_whitney((double[]){1, 2, 3}, 3, (double[]){4, 5, 6}, 3, &r));
    assert_true(r.u == 0 && r.exact);
    near(r.p, 0.1, 1e-14);
    assert_true(iol__mann_whitney((double[]){6, 7, 8, 9, 10}, 5, (double[]){1, 2, 3, 4, 5}, 5, &r));
    assert_true(r.u == 25);
    near(r.p, 1.0 / 126, 1e-14);
    /* Hollander and Wolfe, permeability of the human chorioamnion: W 35. */
    const double term[] = {0.80, 0.83, 1.89, 1.04, 1.45, 1.38, 1.91, 1.64, 0.73, 1.46};
    const double early[] = {1.15, 0.88, 0.90, 0.74, 1.21};
    assert_true(iol__mann_whitney(term, 10, early, 5, &r));
    assert_true(r.u == 35);
    near(r.p, 764.0 / 3003, 1e-14);
}

static void ranks_with_ties(void **state) {
    (void)state;
    iol__rank_test r = {0};
    assert_true(iol__mann_whitney((double[]){1, 2, 2, 3, 5}, 5, (double[]){2, 3, 4, 4, 6, 7}, 6, &r));
    assert_true(r.u == 6.5 && r.exact);
    near(r.p, 31.0 / 231, 1e-14);
    assert_true(iol__mann_whitney((double[]){1, 1, 2}, 3, (double[]){1, 2, 2, 3}, 4, &r));
    assert_true(r.u == 3);
    near(r.p, 0.4, 1e-14);
    assert_true(iol__mann_whitney((double[]){2, 2, 2}, 3, (double[]){2, 2}, 2, &r));
    near(r.p, 1, 1e-14);
    assert_false(iol__mann_whitney(NULL, 0, (double[]){2, 2}, 2, &r));
}

/* Twenty a side are still counted; of more, the normal distribution knows about the same. */
static void ranks_of_many(void **state) {
    (void)state;
    iol__rank_test r = {0};
    double a[40], b[40];
    for (int i = 0; i < 40; i++) {
        a[i] = i;
        b[i] = i + 6.5;
    }
    assert_true(iol__mann_whitney(a, 20, b, 20, &r));
    assert_true(r.exact);
    double counted = r.p;
    assert_true(iol__mann_whitney(a, 20, b, 21, &r));
    assert_false(r.exact);
    assert_true(counted > 0.002 && counted < 0.003 && r.p < counted && r.p > counted / 4);
    for (int i = 0; i < 20; i++) b[i] = 100 + i;
    assert_true(iol__mann_whitney(a, 20, b, 20, &r));
    near(r.p, 2 / 137846528820.0, 1e-12); /* two of all 40 over 20 ways */
}

static void holm(void **state) {
    (void)state;
    /* 0.01, 0.02, 0.03, 0.04 of four: 4 x 0.01, 3 x 0.02, then never less than the one before. */
    double p[] = {0.04, NAN, 0.01, 0.03, 0.02};
    assert_true(iol__holm(p, 5));
    near(p[2], 0.04, 1e-14);
    near(p[4], 0.06, 1e-14);
    near(p[3], 0.06, 1e-14);
    near(p[0], 0.06, 1e-14);
    assert_true(isnan(p[1]));
    double large[] = {0.9, 0.8};
    assert_true(iol__holm(large, 2));
    assert_true(large[0] == 1 && large[1] == 1);
    assert_true(iol__holm(NULL, 0));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(beta_in_closed_form),
        cmocka_unit_test(t_as_printed),
        cmocka_unit_test(t_as_integrated),
        cmocka_unit_test(spreads),
        cmocka_unit_test(welch_on_logs),
        cmocka_unit_test(welch_is_symmetric),
        cmocka_unit_test(ranks_counted_out),
        cmocka_unit_test(welch_with_nothing_to_go_by),
        cmocka_unit_test(ranks_with_ties),
        cmocka_unit_test(ranks_of_many),
        cmocka_unit_test(holm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
