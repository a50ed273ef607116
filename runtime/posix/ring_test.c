/* Rings that only this test writes to, in the place of program and kernel: what is found in them, whatever wraps, is
   written over, comes twice or never. */
#include "runtime/posix/ring.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>
#include <sys/stat.h>

#include <cmocka.h>

#include "log/trailer/operations.h"
#include "log/trailer/processes.h"
#include "runtime/core/store.h"
#include "tests/support/runtime_stubs.h"

enum {
    SQ = 4,
    CQ = 8,
    FD = 400,
    OTHER_FD = 401,
    READ = 22,
    WRITE = 23,
    VECTOR_WRITE = 2,
    SYNC = 3,
    NOP = 0,
    OPEN = 18
};

static uint32_t sq_head, sq_tail, cq_tail, array[SQ];
static iol__sqe sqes[SQ];
static iol__cqe cqes[CQ];
static iol__ring *ring;
static uintptr_t keys;

static void begin(uint32_t from) {
    runtime_reset();
    for (int fd = FD; fd <= OTHER_FD; fd++)
        iol__posix_opened(fd, AT_FDCWD, fd == FD ? "/data/a" : "/data/b", O_RDWR, 0, IOL_GRAIN);
    sq_head = sq_tail = cq_tail = from;
    ring = iol__ring_begin(++keys, CQ);
    assert_non_null(ring);
    iol__ring_look(ring, &(iol__ring_view){.sq_head = &sq_head,
                                           .sq_tail = &sq_tail,
                                           .cq_tail = &cq_tail,
                                           .array = array,
                                           .sqes = (const uint8_t *)sqes,
                                           .cqes = (const uint8_t *)cqes,
                                           .sq_mask = SQ - 1,
                                           .cq_mask = CQ - 1,
                                           .sqe_shift = 6,
                                           .cqe_shift = 4});
    iol__ring_skip(ring);
}

/* The entries stand in their array back to front. */
static iol__sqe *put(uint8_t opcode, int fd, uint64_t offset, uint32_t size, uint64_t number) {
    const uint32_t at = sq_tail % SQ, place = SQ - 1 - at;
    array[at] = place;
    sqes[place] =
        (iol__sqe){.opcode = opcode, .fd = fd, .offset = offset, .length = size, .user_data = number, .address = 64};
    sq_tail++;
    return &sqes[place];
}

static void result(uint64_t number, int32_t value, uint32_t flags) {
    cqes[cq_tail++ % CQ] = (iol__cqe){number, value, flags};
}

static int64_t counter(const char *name, const char *what) {
    opened o = runtime_log();
    iol_records *records;
    const int64_t value = int_of(runtime_record(&o, IOL_SLOT_POSIX, name, &records), what);
    iol_records_close(records);
    opened_close(&o);
    return value;
}

static void entries_meet_their_results(void **state) {
    (void)state;
    begin(UINT32_MAX - 2); /* the counters of the ring wrap on the way */
    for (uint32_t i = 0; i < 40; i++) {
        put(i % 2 ? WRITE : READ, i % 3 ? FD : OTHER_FD, i * 10, 10, i % 5);
        put(NOP, -1, 0, 0, 77);
        iol__ring_submitting_all(ring);
        result(77, 0, 0);
        result(i % 5, i == 6 ? -5 : 10, 0);
        iol__ring_reap(ring);
        iol__ring_reap(ring); /* nothing is counted twice */
    }
    assert_int_equal(counter("/data/a", "POSIX_READS") + counter("/data/b", "POSIX_READS"), 19);
    assert_int_equal(counter("/data/a", "POSIX_WRITES") + counter("/data/b", "POSIX_WRITES"), 20);
    assert_int_equal(counter("/data/a", "POSIX_MAX_BYTE_READ"), 389);
}

/* One number for all: the third result belongs to the third entry, whatever that is. */
static void one_number_for_all(void **state) {
    (void)state;
    begin(0);
    put(WRITE, FD, 0, 100, 0);
    put(NOP, -1, 0, 0, 0);
    put(READ, OTHER_FD, 0, 7, 0);
    iol__ring_submitting_all(ring);
    result(0, 100, 0);
    result(0, 50000, 0);
    result(0, 7, 0);
    iol__ring_reap(ring);
    assert_int_equal(counter("/data/a", "POSIX_BYTES_WRITTEN"), 100);
    assert_int_equal(counter("/data/b", "POSIX_BYTES_READ"), 7);
}

static void registered_files(void **state) {
    (void)state;
    begin(0);
    const int fds[] = {FD, -1, OTHER_FD};
    iol__ring_files(ring, 3);
    iol__ring_files_set(ring, 0, fds, 3);
    put(WRITE, 2, 0, 30, 1)->flags = 1;
    put(WRITE, 1, 0, 30, 2)->flags = 1; /* an empty place */
    put(WRITE, 9, 0, 30, 3)->flags = 1; /* none at all */
    iol__ring_submitting_all(ring);
    for (uint64_t i = 1; i <= 3; i++) result(i, 30, 0);
    iol__ring_reap(ring);
    assert_int_equal(counter("/data/b", "POSIX_BYTES_WRITTEN"), 30);
    iol__ring_files_set(ring, 1, &(int){FD}, 1);
    iol__ring_files_set(ring, 5000, &(int){FD}, 1); /* outside */
    put(SYNC, 1, 0, 0, 4)->flags = 1;
    iol__ring_submitting_all(ring);
    result(4, 0, 0);
    iol__ring_reap(ring);
    assert_int_equal(counter("/data/a", "POSIX_FSYNCS"), 1);
}

/* A request that gives result after result, one that gives none, one that opens, one that fails. */
static void other_kinds(void **state) {
    (void)state;
    begin(0);
    put(READ, FD, 0, 500, 5);
    put(WRITE, FD, 0, 600, 6)->flags = 1 << 6;
    put(OPEN, AT_FDCWD, 0, 0640, 8)->address = (uint64_t)(uintptr_t) "/data/c";
    put(OPEN, AT_FDCWD, 0, 0, 9)->address = (uint64_t)(uintptr_t) "/data/none";
    iol__ring_submitting_all(ring);
    result(5, 10, 2);
    result(5, 20, 2);
    result(8, OTHER_FD + 1, 0);
    result(5, 30, 0);
    result(5, 40, 0); /* nobody asked for that */
    result(9, -2, 0);
    iol__ring_reap(ring);
    assert_int_equal(counter("/data/a", "POSIX_BYTES_READ"), 60);
    assert_int_equal(counter("/data/a", "POSIX_BYTES_WRITTEN"), 600);
    assert_int_equal(counter("/data/c", "POSIX_OPENS"), 1);
    assert_int_equal(counter("/data/c", "POSIX_MODE"), 0640);
    iol__operation_totals totals = {0};
    opened o = runtime_log();
    iol__operations_add(o.log, &totals);
    assert_int_equal(totals.of[IOL_OPERATION_OPEN].count, 3);
    assert_int_equal(totals.of[IOL_OPERATION_OPEN].failed, 1);
    opened_close(&o);
}

/* Results that were written over before anybody looked are lost, and the log says so; entries as well. */
static void written_over(void **state) {
    (void)state;
    begin(0);
    for (uint32_t i = 0; i < SQ; i++) put(WRITE, FD, i, 1, i);
    iol__ring_submitting_all(ring);
    for (uint32_t i = 0; i < CQ + 3; i++) result(i, 1, 0);
    iol__ring_reap(ring);
    assert_int_equal(counter("/data/a", "POSIX_WRITES"), 1);
    assert_int_equal(iol__core_state.lost, 3);
    for (uint32_t i = 0; i < SQ + 5; i++) put(WRITE, OTHER_FD, i, 1, 100 + i);
    iol__ring_submitting_all(ring);
    for (uint32_t i = 0; i < SQ + 5; i++) result(100 + i, 1, 0);
    iol__ring_reap(ring);
    assert_int_equal(counter("/data/b", "POSIX_WRITES"), SQ);
    assert_int_equal(iol__store_facts()->ring_unseen, 5);
}

/* As system calls make and map it; and nobody comes by when it is entered. */
static void made_by_system_calls(void **state) {
    (void)state;
    static struct { uint32_t head, tail, array[SQ]; } sq;
    static struct {
        uint32_t tail, padding[3];
        iol__cqe cqes[CQ];
    } cq;
    const iol__ring_params params = {
        .sq_entries = SQ, .cq_entries = CQ, .sq = {.head = 0, .tail = 4, .array = 8}, .cq = {.tail = 0, .cqes = 16}};
    begin(0);
    iol__ring_made(50, &params);
    iol__ring_mapped(50, 0, &sq, sizeof sq);
    iol__ring_entering(50); /* half a ring is none */
    iol__ring_mapped(50, 0x8000000, &cq, sizeof cq);
    iol__ring_mapped(50, 0x10000000, sqes, sizeof sqes);
    iol__ring_mapped(51, 0, &sq, sizeof sq); /* no ring */
    for (uint32_t i = 0; i < SQ; i++) {
        sqes[i] = (iol__sqe){.opcode = WRITE, .fd = FD, .offset = i, .length = 1, .user_data = i};
        sq.array[i] = i;
    }
    sq.tail = 3;
    iol__ring_entering(50);
    sq.head = 3;
    for (uint32_t i = 0; i < 3; i++) cq.cqes[i] = (iol__cqe){i, 1, 0};
    cq.tail = 3;
    iol__ring_entered(50);
    assert_int_equal(counter("/data/a", "POSIX_WRITES"), 3);
    sq.tail = sq.head = 3 + 1000;
    cq.tail = 3 + 1000;
    iol__ring_unmapping(&sq, 1);
    assert_int_equal(iol__store_facts()->ring_unseen, 1000);
    assert_int_equal(iol__core_state.lost, 0);
    iol__ring_entering(50); /* it is gone */
    assert_int_equal(counter("/data/a", "POSIX_WRITES"), 3);
}

static int start(void **state) {
    (void)state;
    runtime_start(NULL, (const char *const[]){NULL});
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(entries_meet_their_results),
        cmocka_unit_test(one_number_for_all),
        cmocka_unit_test(registered_files),
        cmocka_unit_test(other_kinds),
        cmocka_unit_test(written_over),
        cmocka_unit_test(made_by_system_calls),
    };
    return cmocka_run_group_tests(tests, start, stop_runtime);
}
