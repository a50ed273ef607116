/* The page document: ranks, heat maps, phases and traced requests. */
#include "report/page/page_testing.h"

static lm_log *job_with_ranks(int64_t processes) {
    lm_log *log = job_of(processes);
    log->start = 1000;
    log->end = 1100;
    return log;
}

/* Ranks ---------------------------------------------------------------------------------------------------------- */

static void put_rank(lm_log *log, int64_t rank, double time, double moved) {
    char name[32];
    snprintf(name, sizeof name, "/f%lld", (long long)rank);
    put(log, LM_POSIX, name, rank,
        WITH(I(POSIX_WRITES, 2), I(POSIX_BYTES_WRITTEN, moved), F(POSIX_F_WRITE_TIME, time),
             F(POSIX_F_WRITE_START_TIMESTAMP, 1 + (double)rank), F(POSIX_F_WRITE_END_TIMESTAMP, 5 + (double)rank)));
}

static void every_rank_has_a_row(void **state) {
    (void)state;
    lm_log *log = job_with_ranks(3);
    put_rank(log, 0, 1, 10);
    put_rank(log, 2, 3, 30);
    made m = make(log);
    const char *ranks = strstr(m.text, "\"ranks\":{\"count\":3");
    assert_non_null(ranks);
    expect(ranks, "per_row", "1");
    expect(ranks, "rows", "3");
    expect(ranks, "time", "[1,0,3]");
    expect(ranks, "bytes_written", "[10,0,30]");
    expect(ranks, "ops", "[2,0,2]");
    expect(ranks, "files", "[1,0,1]");
    expect(ranks, "box", "{\"time\":[0,0.5,1,2,3],\"bytes\":[0,5,10,20,30]}");
    expect(ranks, "attributed_share", "1");
    const char *writes = member(member(m.text, "spans"), "writes");
    expect(writes, "rows", "2");
    expect(writes, "rank_first", "[0,2]");
    expect(writes, "t0", "[1,3]");
    expect(writes, "t1", "[5,7]");
    unmake(&m);
}

/* 4000 ranks fit 1000 rows of four; the last known one ends its row. */
static void many_ranks_share_rows(void **state) {
    (void)state;
    lm_log *log = job_with_ranks(4000);
    put_rank(log, 4, 1, 1);
    put_rank(log, 6, 2, 2);
    made m = make(log);
    const char *ranks = strstr(m.text, "\"ranks\":{\"count\":4000");
    assert_non_null(ranks);
    expect(ranks, "per_row", "4");
    expect(ranks, "rows", "1000");
    expect(ranks, "time", "[0,3,0,");
    expect(ranks, "time_max", "[0,2,0,");
    expect(ranks, "first", "[0,4,8,");
    expect(ranks, "last", "[3,7,11,");
    unmake(&m);
}

/* Ranks without a record did nothing, and count. */
static void idle_ranks_are_in_the_distribution(void **state) {
    (void)state;
    lm_log *log = job_with_ranks(5);
    put_rank(log, 0, 4, 10);
    made m = make(log);
    expect(m.text, "box", "{\"time\":[0,0,0,0,4],\"bytes\":[0,0,0,0,10]}");
    unmake(&m);
}

static void slow_ranks_stand_out(void **state) {
    (void)state;
    lm_log *log = job_with_ranks(40);
    for (int64_t rank = 0; rank < 40; rank++) put_rank(log, rank, rank == 17 ? 50 : 1, 100);
    made m = make(log);
    expect(m.text, "outliers", "[{\"rank\":17,\"time\":50,\"bytes\":100,\"why\":\"spends much more time");
    unmake(&m);
}

/* A record of all ranks has no rank; POSIX below MPI-IO is not counted again. */
static void time_without_a_rank_is_reported(void **state) {
    (void)state;
    lm_log *log = job_with_ranks(2);
    put_rank(log, 0, 1, 10);
    put(log, LM_POSIX, "/shared", -1,
        WITH(I(POSIX_WRITES, 1), F(POSIX_F_WRITE_TIME, 9), F(POSIX_F_SLOWEST_RANK_TIME, 5)));
    put(log, LM_MPIIO, "/shared", -1,
        WITH(I(MPIIO_INDEP_WRITES, 1), F(MPIIO_F_WRITE_TIME, 3), F(MPIIO_F_SLOWEST_RANK_TIME, 2)));
    made m = make(log);
    expect(strstr(m.text, "\"ranks\":{\"count\""), "attributed_share", "0.25");
    unmake(&m);
    log = job_with_ranks(2);
    put(log, LM_POSIX, "/shared", -1,
        WITH(I(POSIX_WRITES, 1), F(POSIX_F_WRITE_TIME, 9), F(POSIX_F_SLOWEST_RANK_TIME, 5)));
    m = make(log);
    const char *ranks = strstr(m.text, "\"ranks\":{\"count\"");
    expect(ranks, "rows", "0");
    expect(ranks, "attributed_share", "0");
    unmake(&m);
}

/* Heat maps ------------------------------------------------------------------------------------------------------ */

static void heat(lm_log *log, int64_t rank, const int64_t *written, const int64_t *read, size_t bins) {
    lm_heatmap(lm_records(log, LM_HEATMAP, 1), lm_id("heatmap:POSIX"), rank, 2, bins, written, read);
}

static void heat_maps_have_only_cells_with_bytes(void **state) {
    (void)state;
    lm_log *log = job_with_ranks(2);
    put_rank(log, 0, 1, 10);
    heat(log, 0, (int64_t[]){5, 0, 0, 7}, (int64_t[]){0, 0, 0, 0}, 4);
    heat(log, 1, (int64_t[]){0, 3, 0, 0}, (int64_t[]){0, 0, 9, -1}, 4);
    made m = make(log);
    const char *maps = member(m.text, "heatmaps");
    expect(maps, "source", "\"HEATMAP\"");
    expect(maps, "bin_width", "2");
    expect(maps, "bins", "4");
    expect(maps, "read", "{\"row\":[1],\"bin\":[2],\"sum\":[9]}");
    expect(maps, "write", "{\"row\":[0,0,1],\"bin\":[0,3,1],\"sum\":[5,7,3]}");
    expect(m.text, "source", "\"HEATMAP\"");
    unmake(&m);
}

/* Two ranks of one row: their sum, and the larger of them. */
static void heat_maps_merge_ranks(void **state) {
    (void)state;
    lm_log *log = job_with_ranks(1000);
    put_rank(log, 0, 1, 10);
    heat(log, 2, (int64_t[]){5, 0}, (int64_t[]){0, 0}, 2);
    heat(log, 3, (int64_t[]){2, 1}, (int64_t[]){0, 0}, 2);
    made m = make(log);
    const char *maps = member(m.text, "heatmaps");
    expect(maps, "per_row", "2");
    expect(maps, "rows", "500");
    expect(maps, "write", "{\"row\":[1,1],\"bin\":[0,1],\"sum\":[7,1],\"max\":[5,1]}");
    unmake(&m);
}

static void heat_maps_merge_bins(void **state) {
    (void)state;
    lm_log *log = job_with_ranks(1);
    enum { BINS = 2050 };
    static int64_t written[BINS], read[BINS];
    written[0] = 1, written[2] = 2, written[3] = 4, written[BINS - 1] = 8;
    put_rank(log, 0, 1, 10);
    heat(log, 0, written, read, BINS);
    made m = make(log);
    const char *maps = member(m.text, "heatmaps");
    expect(maps, "bin_width", "6");
    expect(maps, "bins", "684");
    expect(maps, "write", "{\"row\":[0,0,0],\"bin\":[0,1,683],\"sum\":[3,4,8]}");
    unmake(&m);
}

/* Traces --------------------------------------------------------------------------------------------------------- */

static lm_log *traced(void) {
    lm_log *log = job_with_ranks(2);
    put(log, LM_POSIX, "/t", 0,
        WITH(I(POSIX_WRITES, 2), I(POSIX_READS, 1), I(POSIX_BYTES_WRITTEN, 300), I(POSIX_BYTES_READ, 50),
             I(POSIX_SIZE_WRITE_100_1K, 1), I(POSIX_SIZE_WRITE_0_100, 1), I(POSIX_SIZE_READ_0_100, 1)));
    const lm_segment mine[] = {{0, 200, 50, 60, 0}, {200, 100, 10, 10.5, 0}, {7, 50, 20, 21, 0}};
    lm_trace(lm_records(log, LM_DXT_POSIX, 1), lm_id("/t"), 0, "node<1>", mine, 2, 1, false);
    return log;
}

static double f64_at(const iol__out *out, size_t at) {
    double value;
    memcpy(&value, out->buffer + at, sizeof value);
    return value;
}

static uint32_t u32_at(const iol__out *out, size_t at) {
    uint32_t value;
    memcpy(&value, out->buffer + at, sizeof value);
    return value;
}

/* Three requests, by start; columns of three numbers take 16 or 24 bytes. */
static void requests_are_columns_by_start(void **state) {
    (void)state;
    made m = make(traced());
    const char *trace = member(m.text, "trace");
    expect(trace, "requests", "3");
    expect(trace, "embedded", "3");
    expect(trace, "modules", "[\"POSIX\"]");
    expect(trace, "files", "[0]");
    expect(trace, "names", "[\"/t\"]");
    expect(trace, "hosts", "[\"node<1>\"]");
    double tick = strtod(member(trace, "tick"), NULL);
    iol__out out;
    iol__out_open(&out, -1);
    assert_true(iol__page_trace(m.page, &out));
    assert_int_equal(out.length, 16 + 16 + 24 + 24 + 16 + 16 + 8);
    assert_true(fabs(u32_at(&out, 0) * tick - 10) < 1e-6);
    assert_true(fabs(u32_at(&out, 8) * tick - 50) < 1e-6);
    assert_true(fabs(u32_at(&out, 16) * tick - 0.5) < 1e-6);
    assert_true(f64_at(&out, 32) == 200);
    assert_true(f64_at(&out, 56) == 100);
    assert_true(f64_at(&out, 56 + 8) == 50);
    assert_int_equal(u32_at(&out, 80), 0);
    assert_int_equal(out.buffer[112], 1);
    assert_int_equal(out.buffer[113], 0);
    iol__out_close(&out);
    unmake(&m);
}

static void too_many_requests_are_only_binned(void **state) {
    (void)state;
    made m = make_with(traced(), &(iol__page_options){.files = 10, .requests = 2, .version = "1"});
    const char *trace = member(m.text, "trace");
    expect(trace, "requests", "3");
    expect(trace, "embedded", "0");
    iol__out out;
    iol__out_open(&out, -1);
    assert_false(iol__page_trace(m.page, &out));
    assert_int_equal(out.length, 0);
    iol__out_close(&out);
    expect(member(trace, "binned"), "bins", "480"); /* twice as many as beside requests one by one */
    const char *read = member(member(trace, "binned"), "read");
    expect(read, "count", "[1,0,0");
    unmake(&m);
}

/* A request of 10 s over bins of less than half a second: its bytes are where its time is, all of them. */
static void requests_are_spread_over_bins(void **state) {
    (void)state;
    made m = make(traced());
    const char *write = member(member(member(m.text, "trace"), "binned"), "write");
    assert_true(fabs(sum_of(write, "bytes") - 300) < 15); /* each cell is a whole number */
    assert_true(fabs(sum_of(write, "busy") - 10.5) < 1e-4);
    assert_true(sum_of(write, "count") == 2);
    double width = strtod(member(member(m.text, "binned"), "bin_width"), NULL);
    assert_true(number_at(write, "bin", 0) == floor(10 / width));
    unmake(&m);
}

/* Where all requests were traced, bytes by size are exact. */
static void traced_sizes_are_exact(void **state) {
    (void)state;
    made m = make(traced());
    const char *sizes = member(m.text, "sizes");
    expect(sizes, "estimated", "false");
    expect(sizes, "write_bytes", "[100,200,0,");
    expect(sizes, "read_bytes", "[50,0,");
    unmake(&m);
}

static void both_layers_are_traced(void **state) {
    (void)state;
    lm_log *log = traced();
    put(log, LM_MPIIO, "/t", 0, WITH(I(MPIIO_INDEP_WRITES, 1)));
    const lm_segment mine[] = {{0, 300, 5, 70, 0}};
    lm_trace(lm_records(log, LM_DXT_MPIIO, 2), lm_id("/t"), 0, "node2", mine, 1, 0, false);
    made m = make(log);
    const char *trace = member(m.text, "trace");
    expect(trace, "requests", "4");
    expect(trace, "modules", "[\"POSIX\",\"MPI-IO\"]");
    expect(trace, "hosts", "[\"node<1>\",\"node2\"]");
    expect(trace, "binned", "{\"module\":\"POSIX\"");
    iol__out out;
    iol__out_open(&out, -1);
    assert_true(iol__page_trace(m.page, &out));
    assert_int_equal(out.buffer[out.length - 8], 3); /* the first is the write through MPI-IO */
    iol__out_close(&out);
    assert_non_null(strstr(m.text, "{\"source\":\"DXT\",\"module\":\"MPI-IO\""));
    assert_non_null(strstr(m.text, "\"phases\":{\"source\":\"DXT_POSIX\""));
    unmake(&m);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_rank_has_a_row),
        cmocka_unit_test(many_ranks_share_rows),
        cmocka_unit_test(idle_ranks_are_in_the_distribution),
        cmocka_unit_test(slow_ranks_stand_out),
        cmocka_unit_test(time_without_a_rank_is_reported),
        cmocka_unit_test(heat_maps_have_only_cells_with_bytes),
        cmocka_unit_test(heat_maps_merge_ranks),
        cmocka_unit_test(heat_maps_merge_bins),
        cmocka_unit_test(requests_are_columns_by_start),
        cmocka_unit_test(too_many_requests_are_only_binned),
        cmocka_unit_test(requests_are_spread_over_bins),
        cmocka_unit_test(traced_sizes_are_exact),
        cmocka_unit_test(both_layers_are_traced),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
