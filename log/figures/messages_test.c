/* MPI's own statistics as ranks and operations, and the rank that comes late. */
#include "log/figures/messages.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/plainlog.h"

#define FOUR_RANKS                                                                                                \
    "job 4 100\nAPMPI 0 MPI_TOTAL_COMM_TIME=1 MPI_BARRIER_CALL_COUNT=2 MPI_BARRIER_TOTAL_TIME=0.5 "               \
    "MPI_BARRIER_MAX_TIME=0.4 MPI_SEND_CALL_COUNT=3 MPI_SEND_TOTAL_BYTES=300 MPI_SEND_TOTAL_TIME=0.5\n"           \
    "APMPI 1 MPI_TOTAL_COMM_TIME=21 MPI_BARRIER_CALL_COUNT=2 MPI_BARRIER_TOTAL_TIME=21 MPI_BARRIER_MAX_TIME=20\n" \
    "APMPI 2 MPI_TOTAL_COMM_TIME=20\nAPMPI 3 MPI_TOTAL_COMM_TIME=22\nPOSIX 0 /a POSIX_OPENS=1"

static void operations_are_summed_over_ranks(void **state) {
    (void)state;
    opened o = log_of(FOUR_RANKS, false);
    iol__messages m;
    int order[IOL_MESSAGE_OPERATIONS];
    char name[32];
    iol__messages_read(o.log, &m);
    assert_int_equal(m.n_ranks, 4);
    assert_false(m.sync);
    assert_int_equal(iol__messages_by_time(&m, order), 2);
    assert_string_equal(iol__message_name(order[0], name), "MPI_Barrier");
    assert_string_equal(iol__message_name(order[1], name), "MPI_Send");
    assert_int_equal(m.of[order[0]].calls, 4);
    assert_true(m.of[order[0]].time == 21.5 && m.of[order[0]].longest == 20);
    assert_int_equal(m.of[order[1]].bytes, 300);
    iol__messages_free(&m);
    opened_close(&o);
}

static void the_rank_that_is_there_least_comes_late(void **state) {
    (void)state;
    opened o = log_of(FOUR_RANKS, false);
    iol__messages m;
    iol__messages_read(o.log, &m);
    const iol__late_rank late = iol__messages_late(&m);
    assert_int_equal(late.rank, 0);
    assert_true(late.own_s == 1 && late.usual_s == 21 && late.wait_s == 20);
    iol__messages_free(&m);
    opened_close(&o);
}

static void without_records_nobody_is_late(void **state) {
    (void)state;
    static const char *const logs[] = {"job 4 100\nPOSIX 0 /a POSIX_OPENS=1",
                                       "job 1 100\nAPMPI 0 MPI_TOTAL_COMM_TIME=1\nPOSIX 0 /a POSIX_OPENS=1"};
    for (size_t i = 0; i < 2; i++) {
        opened o = log_of(logs[i], false);
        iol__messages m;
        iol__messages_read(o.log, &m);
        assert_int_equal(m.n_ranks, i);
        assert_int_equal(iol__messages_late(&m).rank, -1);
        iol__messages_free(&m);
        opened_close(&o);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(operations_are_summed_over_ranks),
        cmocka_unit_test(the_rank_that_is_there_least_comes_late),
        cmocka_unit_test(without_records_nobody_is_late),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
