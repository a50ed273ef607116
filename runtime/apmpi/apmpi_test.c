/* The record of MPI's statistics: what each operation adds to it, at the edges of the size classes, from many threads,
   and what the log library reads of it while the process lives, or after it was killed. */
#include "runtime/apmpi/apmpi.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "record/record.h"
#include "runtime/core/store.h"
#include "runtime/mpi/mpi.h"
#include "tests/support/runtime_stubs.h"

/* What the plugin would have said of the node. */
static const char *host = "node17";
const char *iol__mpi_host(void) { return host; }

static const struct {
    const char *name;
    bool message, synced;
} operations[IOL_APMPI_OPERATIONS] = {
#define MESSAGE(name) {#name, true, false},
#define PLAIN(name) {#name, false, false},
#define SYNCED_MESSAGE(name) {#name, true, true},
#define SYNCED_PLAIN(name) {#name, false, true},
#include "schema/apmpi_operations.def"
};

static const char *counter(int operation, const char *what) {
    static char name[64];
    snprintf(name, sizeof name, "MPI_%s_%s", operations[operation].name, what);
    return name;
}

static void do_one(int operation, int64_t size, double took, double sync) {
    iol__apmpi_calls.done(operation, size, 5, 5 + took, sync);
}

/* The record of this process as a reader sees it, behind its header. */
static const iol_record *read_back(opened *o, iol_records **records) {
    *o = runtime_log();
    *records = records_of(o, IOL_SLOT_APMPI);
    const iol_record *header = next_of(*records);
    assert_true(header->header);
    assert_string_equal(iol_log_name(o->log, header->id), "darshan-apmpi-header");
    const iol_record *record = next_of(*records);
    assert_false(record->header);
    assert_string_equal(iol_log_name(o->log, record->id), "APMPI");
    return record;
}

static void done_reading(opened *o, iol_records *records) {
    ends_well(records);
    opened_close(o);
}

static void each_operation_has_its_own_counters(void **state) {
    (void)state;
    opened o;
    iol_records *records;
    uint64_t calls = 0;
    double times = 0, syncs = 0;
    for (int i = 0; i < IOL_APMPI_OPERATIONS; i++)
        for (int turn = 0; turn <= i; turn++) do_one(i, i, 0.25, operations[i].synced ? 0.5 : 0);
    const iol_record *record = read_back(&o, &records);
    for (int i = 0; i < IOL_APMPI_OPERATIONS; i++) {
        assert_int_equal(int_of(record, counter(i, "CALL_COUNT")), i + 1);
        if (operations[i].message) assert_int_equal(int_of(record, counter(i, "TOTAL_BYTES")), i * (i + 1));
        if (operations[i].message) assert_int_equal(int_of(record, counter(i, "MSG_SIZE_AGG_0_256")), i + 1);
        assert_true(real_of(record, counter(i, "TOTAL_TIME")) == 0.25 * (i + 1));
        assert_true(real_of(record, counter(i, "MIN_TIME")) == 0.25);
        assert_true(real_of(record, counter(i, "MAX_TIME")) == 0.25);
        if (operations[i].synced) assert_true(real_of(record, counter(i, "TOTAL_SYNC_TIME")) == 0.5 * (i + 1));
        calls += (uint64_t)i + 1;
        times += 0.25 * (i + 1);
        syncs += operations[i].synced ? 0.5 * (i + 1) : 0;
    }
    assert_int_equal(calls, IOL_APMPI_OPERATIONS * (IOL_APMPI_OPERATIONS + 1) / 2);
    assert_true(real_of(record, "MPI_TOTAL_COMM_SYNC_TIME") == syncs);
    assert_true(real_of(record, "MPI_TOTAL_COMM_TIME") == times + syncs);
    assert_string_equal(record->processor, "node17");
    done_reading(&o, records);
}

static void sizes_fall_into_classes(void **state) {
    (void)state;
    static const struct {
        const char *class;
        int64_t from, to;
    } classes[] = {
        {"MSG_SIZE_AGG_0_256", 0, 256},
        {"MSG_SIZE_AGG_256_1K", 257, 1024},
        {"MSG_SIZE_AGG_1K_8K", 1025, 8192},
        {"MSG_SIZE_AGG_8K_256K", 8193, 262144},
        {"MSG_SIZE_AGG_256K_1M", 262145, 1048576},
        {"MSG_SIZE_AGG_1M_PLUS", 1048577, INT64_C(5) << 32},
    };
    opened o;
    iol_records *records;
    int64_t all = 0;
    for (size_t i = 0; i < sizeof classes / sizeof *classes; i++) {
        do_one(IOL_APMPI_ALLTOALLW, classes[i].from, 0.25, 0);
        do_one(IOL_APMPI_ALLTOALLW, classes[i].to, 0.25, 0);
        all += classes[i].from + classes[i].to;
    }
    const iol_record *record = read_back(&o, &records);
    for (size_t i = 0; i < sizeof classes / sizeof *classes; i++)
        assert_int_equal(int_of(record, counter(IOL_APMPI_ALLTOALLW, classes[i].class)), 2);
    assert_int_equal(int_of(record, counter(IOL_APMPI_ALLTOALLW, "TOTAL_BYTES")), all);
    done_reading(&o, records);
}

static void the_shortest_and_the_longest_are_kept(void **state) {
    (void)state;
    opened o;
    iol_records *records;
    static const double took[] = {0.5, 0.125, 2, 0.25};
    for (size_t i = 0; i < sizeof took / sizeof *took; i++) do_one(IOL_APMPI_WAIT, 0, took[i], 0);
    const iol_record *record = read_back(&o, &records);
    assert_true(real_of(record, "MPI_WAIT_TOTAL_TIME") == 2.875);
    assert_true(real_of(record, "MPI_WAIT_MIN_TIME") == 0.125);
    assert_true(real_of(record, "MPI_WAIT_MAX_TIME") == 2);
    done_reading(&o, records);
}

enum { THREADS = 4, TURNS = 500000 };
static pthread_barrier_t all_there;

static void *send_often(void *argument) {
    (void)argument;
    pthread_barrier_wait(&all_there);
    for (int i = 0; i < TURNS; i++) do_one(IOL_APMPI_SEND, 1000, 0.25, 0);
    return NULL;
}

static void threads_lose_nothing(void **state) {
    (void)state;
    opened o;
    iol_records *records;
    pthread_t threads[THREADS];
    assert_int_equal(pthread_barrier_init(&all_there, NULL, THREADS), 0);
    for (int i = 0; i < THREADS; i++) assert_int_equal(pthread_create(&threads[i], NULL, send_often, NULL), 0);
    for (int i = 0; i < THREADS; i++) assert_int_equal(pthread_join(threads[i], NULL), 0);
    pthread_barrier_destroy(&all_there);
    const iol_record *record = read_back(&o, &records);
    assert_int_equal(int_of(record, "MPI_SEND_CALL_COUNT"), THREADS * TURNS);
    assert_int_equal(int_of(record, "MPI_SEND_TOTAL_BYTES"), 1000 * THREADS * TURNS);
    assert_true(real_of(record, "MPI_TOTAL_COMM_TIME") == 0.25 * THREADS * TURNS);
    assert_int_equal(iol__core_state.lost, 0);
    done_reading(&o, records);
}

/* A forked child is not a rank; its memory of the parent's record must not lead there. */
static void a_child_has_no_part_in_it(void **state) {
    (void)state;
    do_one(IOL_APMPI_SEND, 10, 0.25, 0);
    const iol__apmpi_record *parents =
        (const void *)(iol__store_state.base + iol__store_state.modules[IOL_SLOT_APMPI].at + 48);
    assert_int_equal(parents->ints[IOL_MPI_SEND_CALL_COUNT], 1);
    iol__store_remove();
    iol__apmpi_reset();
    runtime_forked();
    iol__core_state.world_size = 0;
    do_one(IOL_APMPI_SEND, 10, 0.25, 0);
    assert_false(iol__store_state.made);
    iol__core_state.world_size = 2; /* it became one of another job */
    do_one(IOL_APMPI_SEND, 30, 0.25, 0);
    opened o;
    iol_records *records;
    assert_int_equal(int_of(read_back(&o, &records), "MPI_SEND_TOTAL_BYTES"), 30);
    done_reading(&o, records);
}

static void nothing_is_recorded_while_asleep(void **state) {
    (void)state;
    iol__page.live = 0;
    iol__core_state.phase = IOL_PHASE_OFF;
    do_one(IOL_APMPI_SEND, 10, 0.25, 0);
    assert_false(iol__store_state.made);
    iol__core_state.phase = IOL_PHASE_RUNNING;
    iol__page.live = 1;
}

static void a_long_name_of_the_node_is_cut(void **state) {
    (void)state;
    char longest[200];
    opened o;
    iol_records *records;
    memset(longest, 'n', sizeof longest - 1);
    longest[sizeof longest - 1] = 0;
    host = longest;
    do_one(IOL_APMPI_PROBE, 0, 0.25, 0);
    host = "node17";
    assert_int_equal(strlen(read_back(&o, &records)->processor), 127);
    done_reading(&o, records);
}

/* Settings --------------------------------------------------------------------------------------------------------- */

static bool wanted(const char *enable, const char *sync) {
    const char *const variables[] = {enable, sync, NULL};
    runtime_settings(&iol__core_state.config, NULL, variables);
    return iol__apmpi_wanted();
}

static void it_is_there_only_if_asked_for(void **state) {
    (void)state;
    assert_false(wanted("IOLITE_MOD_DISABLE=", "IOLITE_APMPI_SYNC=1"));
    assert_true(wanted("IOLITE_MOD_ENABLE=APMPI", "IOLITE_APMPI_SYNC=0"));
    assert_false(iol__apmpi_calls.sync);
    assert_true(wanted("DARSHAN_MOD_ENABLE=DXT_POSIX,APMPI", "IOLITE_APMPI_SYNC=1"));
    assert_true(iol__apmpi_calls.sync);
    opened o;
    iol_records *records;
    do_one(IOL_APMPI_BCAST, 4, 0.25, 0.5);
    assert_true(read_back(&o, &records)->sync_times);
    done_reading(&o, records);
    assert_true(wanted("IOLITE_MOD_ENABLE=*", "IOLITE_APMPI_SYNC=0"));
}

static int reset_all(void **state) {
    (void)state;
    runtime_reset();
    iol__apmpi_reset();
    iol__core_state.world_size = 2;
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(each_operation_has_its_own_counters, reset_all),
        cmocka_unit_test_setup(sizes_fall_into_classes, reset_all),
        cmocka_unit_test_setup(the_shortest_and_the_longest_are_kept, reset_all),
        cmocka_unit_test_setup(threads_lose_nothing, reset_all),
        cmocka_unit_test_setup(a_child_has_no_part_in_it, reset_all),
        cmocka_unit_test_setup(nothing_is_recorded_while_asleep, reset_all),
        cmocka_unit_test_setup(a_long_name_of_the_node_is_cut, reset_all),
        cmocka_unit_test_setup(it_is_there_only_if_asked_for, reset_all),
    };
    return cmocka_run_group_tests(tests, start_runtime, stop_runtime);
}
