/* Quantiles and correlations against values that are known. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "site/analyze/numbers.h"

static void close_to(double got, double wanted, double tolerance) {
    assert_true(fabs(got - wanted) <= tolerance * fabs(wanted));
}

static void quantiles_lie_between_order_statistics(void **state) {
    (void)state;
    double values[] = {4, NAN, 1, 3, 2};
    iol__five five = iol__five_of(values, 5);
    assert_int_equal(five.n, 4);
    close_to(five.q1, 1.75, 1e-15);
    close_to(five.median, 2.5, 1e-15);
    close_to(five.q3, 3.25, 1e-15);
    assert_true(isnan(iol__quantile(values, 0, 0.5)));
}

static void missing_pairs_do_not_count(void **state) {
    (void)state;
    const double x[] = {1, 2, NAN, 3, 4, 9}, y[] = {2, 1, 5, 4, 3, NAN};
    iol__correlation is;
    assert_true(iol__pearson(x, y, 6, &is));
    assert_int_equal(is.n, 4);
    close_to(is.r, 0.6, 1e-12);
    close_to(is.p, 0.4, 1e-9);
}

static void what_does_not_vary_has_no_correlation(void **state) {
    (void)state;
    const double x[] = {1, 1, 1}, y[] = {1, 2, 3};
    iol__correlation is;
    assert_false(iol__pearson(x, y, 3, &is));
    assert_false(iol__pearson(y, x, 3, &is));
    assert_false(iol__pearson(y, y, 1, &is));
}

/* Ranks go together although values do not lie on a line; equal values share a rank; half a pair does not count. */
static void ranks_may_go_together(void **state) {
    (void)state;
    const double x[] = {1, 2, 3, 4, NAN, 9}, y[] = {1, 4, 9, 16, 3, NAN}, tied[] = {1, 2, 2, 3, 7, 8};
    double room[12];
    iol__correlation is;
    assert_true(iol__spearman(x, y, 6, room, &is));
    assert_int_equal(is.n, 4);
    close_to(is.r, 1, 1e-12);
    assert_true(iol__spearman(x, tied, 4, room, &is));
    close_to(is.r, 4.5 / sqrt(5 * 4.5), 1e-12);
}

static void probabilities_are_right_far_out(void **state) {
    (void)state;
    close_to(iol__pearson_p(-0.7031362972573603, 2048), 2.473047514442824e-305, 1e-6);
    assert_true(iol__pearson_p(0.5, 2) == 1);
    assert_true(iol__pearson_p(1, 10) == 0);
}

static void false_discoveries_are_bounded_in_order(void **state) {
    (void)state;
    double p[] = {0.04, 0.01, 0.03, 0.5};
    size_t order[4];
    iol__false_discovery(p, 4, order);
    close_to(p[1], 0.04, 1e-12);
    close_to(p[2], 0.04 * 4 / 3, 1e-12);
    close_to(p[0], 0.04 * 4 / 3, 1e-12);
    close_to(p[3], 0.5, 1e-12);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(quantiles_lie_between_order_statistics),
        cmocka_unit_test(missing_pairs_do_not_count),
        cmocka_unit_test(what_does_not_vary_has_no_correlation),
        cmocka_unit_test(probabilities_are_right_far_out),
        cmocka_unit_test(ranks_may_go_together),
        cmocka_unit_test(false_discoveries_are_bounded_in_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
