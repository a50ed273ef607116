/* Heat maps against a second implementation, written down from the text of the algorithm with no short cuts, over many
   random operations; and what is written of them at the end. */
#include "runtime/core/heatmap.h"

#include <math.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "runtime/core/store.h"
#include "tests/support/runtime_stubs.h"

typedef struct naive {
    double w;
    int64_t bin[2][IOL_HEAT_BINS]; /* written, read */
    double slack[2][IOL_HEAT_BINS];
} naive;

static void naive_fold(naive *n) {
    for (int direction = 0; direction < 2; direction++)
        for (int i = 0; i < IOL_HEAT_BINS; i++) {
            n->bin[direction][i] = i < 100 ? n->bin[direction][2 * i] + n->bin[direction][2 * i + 1] : 0;
            n->slack[direction][i] = i < 100 ? n->slack[direction][2 * i] + n->slack[direction][2 * i + 1] : 0;
        }
    n->w *= 2;
}

/* The part of a bin that a short operation covers is a difference of numbers near the time itself, and its last bits
   are noise; an operation inside one bin may be added whole instead. `slack` is how much of it that noise can be. */
static void naive_update(naive *n, int direction, int64_t size, double start, double end) {
    while (end > 200 * n->w) naive_fold(n);
    const double w = n->w;
    for (int b = (int)floor(start / w); b < (int)floor(end / w + 1) && b < 200; b++) {
        double s = w;
        if (start > b * w) s -= start - b * w;
        if (end < b * w + w) s -= (b * w + w) - end;
        if (s < 0) break;
        const double part = end > start ? (double)size * s / (end - start) : (double)size;
        n->bin[direction][b] += (int64_t)round(part);
        if (end > start) n->slack[direction][b] += (double)size * 8 * 0x1p-53 * (end + w) / (end - start);
    }
}

static void assert_same(const int64_t *bins, const int64_t *expected, const double *slack) {
    for (int i = 0; i < IOL_HEAT_BINS; i++) {
        const double off = fabs((double)(bins[i] - expected[i]));
        if (off > floor(slack[i] + 0.5))
            fail_msg("bin %d: %lld instead of %lld", i, (long long)bins[i], (long long)expected[i]);
    }
}

static void assert_map(const iol__heat_record *record, const naive *n) {
    assert_true(record->width == n->w);
    for (int direction = 0; direction < 2; direction++)
        assert_same(record->bytes[direction], n->bin[direction], n->slack[direction]);
}

static void become_thread(uint32_t number, iol__heat_layer layer) {
    iol__thread.number = number;
    iol__heat_single[layer] = iol__heat_maps[layer][number % IOL_HEAT_MAPS].last;
}

static double grains(double seconds) { return floor(seconds / IOL_GRAIN) * IOL_GRAIN; }

/* Mostly short operations one after the other, some long ones, some that are reported late. */
static void random_operation(double *now, int64_t *size, double *start, double *end) {
    static const double gaps[] = {1e-4, 1e-3, 0.05, 0.3};
    *now += gaps[runtime_random(4)] * (double)runtime_random(1000) / 1000;
    const double took = runtime_random(10) ? 2e-3 * (double)(1 + runtime_random(1000)) / 1000
                                           : 3.0 * (double)(1 + runtime_random(1000)) / 1000;
    *end = grains(*now - (runtime_random(20) ? 0 : (double)runtime_random(100) / 100));
    if (*end < IOL_GRAIN) *end = IOL_GRAIN;
    *start = grains(*end - took);
    if (*start < IOL_GRAIN) *start = IOL_GRAIN;
    *size = (int64_t)(runtime_random(30) ? runtime_random(100000) : runtime_random(1 << 30));
}

static void random_operations_fall_where_the_text_says(void **state) {
    (void)state;
    for (int round = 0; round < 20; round++) {
        runtime_reset();
        naive n = {.w = 0.1};
        double now = 0, start, end;
        int64_t size;
        iol__thread.number = 1;
        for (int i = 0; i < 3000; i++) {
            random_operation(&now, &size, &start, &end);
            const int direction = (int)runtime_random(2);
            iol__heat(IOL_HEAT_POSIX, direction == 0, size, start, end);
            if (size > 0) naive_update(&n, direction, size, start, end);
        }
        assert_true(n.w > 0.3); /* it was folded a few times */
        assert_map(iol__heat_maps[IOL_HEAT_POSIX][1].record, &n);
    }
}

/* Operations without length, and such that end where a bin does. */
static void the_edges_of_bins(void **state) {
    (void)state;
    iol__thread.number = 1;
    iol__heat(IOL_HEAT_POSIX, true, 1000, 0.05, 0.05);
    iol__heat(IOL_HEAT_POSIX, true, 10, 0.0625, 0.0625);
    iol__heat(IOL_HEAT_POSIX, false, 500, 0.25, 0.2500001);
    iol__heat(IOL_HEAT_POSIX, false, 300, 0.25, 0.5);  /* over three bins: 0.05, 0.1, 0.1 */
    iol__heat(IOL_HEAT_POSIX, true, 77, 19.96875, 20); /* up to the very end */
    iol__heat(IOL_HEAT_POSIX, true, 0, 0.01, 1000);
    const iol__heat_record *record = iol__heat_maps[IOL_HEAT_POSIX][1].record;
    assert_true(record->width == 0.1);
    assert_int_equal(record->bytes[0][0], 1010);
    assert_int_equal(record->bytes[1][2], 500 + 60);
    assert_int_equal(record->bytes[1][3], 120);
    assert_int_equal(record->bytes[1][4], 120);
    assert_int_equal(record->bytes[1][5], 0);
    assert_int_equal(record->bytes[0][199], 77);
}

/* What a buffer took is reported at one instant. Wherever that is, the bytes are in its bin. */
static void operations_without_length_are_there_whole(void **state) {
    (void)state;
    iol__thread.number = 1;
    int64_t expected[IOL_HEAT_BINS] = {0};
    for (int i = 0; i < 5000; i++) {
        const double at = grains((double)(1 + runtime_random(19999)) / 1000);
        iol__heat(IOL_HEAT_STDIO, true, 1000, at, at);
        expected[(int)(at / 0.1)] += 1000;
    }
    for (int i = 0; i < IOL_HEAT_BINS; i++)
        assert_int_equal(iol__heat_maps[IOL_HEAT_STDIO][1].record->bytes[0][i], expected[i]);
}

static void layers_do_not_mix(void **state) {
    (void)state;
    iol__thread.number = 1;
    iol__heat(IOL_HEAT_POSIX, true, 10, 0.01, 0.02);
    iol__heat(IOL_HEAT_STDIO, true, 20, 0.01, 0.02);
    iol__heat_record total;
    assert_true(iol__heat_total(IOL_HEAT_POSIX, 0.15, &total));
    assert_int_equal(total.bytes[0][0], 10);
    assert_int_equal(total.id, UINT64_C(16592106915301738621));
    assert_true(iol__heat_total(IOL_HEAT_STDIO, 0.15, &total));
    assert_int_equal(total.bytes[0][0], 20);
    assert_int_equal(total.id, UINT64_C(3989511027826779520));
}

static void the_width_and_number_of_bins_follow_the_end(void **state) {
    (void)state;
    static const struct {
        double end, width;
        int64_t bins;
    } cases[] = {{0.25, 0.1, 3},   {0.05, 0.1, 1}, {0, 0.1, 1},    {19.99, 0.1, 200}, {20, 0.1, 200},
                 {20.5, 0.2, 103}, {40, 0.2, 200}, {41, 0.4, 103}, {1000, 6.4, 157}};
    iol__heat_record total;
    assert_false(iol__heat_total(IOL_HEAT_POSIX, 1, &total)); /* nothing was ever recorded */
    iol__thread.number = 1;
    iol__heat(IOL_HEAT_POSIX, true, 1000, IOL_GRAIN, 0.001);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_true(iol__heat_total(IOL_HEAT_POSIX, cases[i].end, &total));
        assert_true(total.width == cases[i].width);
        assert_int_equal(total.bins, cases[i].bins);
        assert_int_equal(total.bytes[0][0], 1000);
    }
    assert_true(iol__heat_maps[IOL_HEAT_POSIX][1].record->width == 0.1); /* the map itself stays as it was */
}

/* Threads have maps of their own, seventeen of them share sixteen; the total has everything, at the widest width. */
static void the_total_adds_the_maps_of_all_threads(void **state) {
    (void)state;
    naive maps[IOL_HEAT_MAPS], sum = {.w = 0.1};
    for (int i = 0; i < IOL_HEAT_MAPS; i++) maps[i] = (naive){.w = 0.1};
    double now[18] = {0}, start, end, latest = 0;
    int64_t size;
    for (int i = 0; i < 20000; i++) {
        const uint32_t thread = 1 + (uint32_t)runtime_random(1 + runtime_random(17)); /* some get much further */
        become_thread(thread, IOL_HEAT_POSIX);
        random_operation(&now[thread], &size, &start, &end);
        if (end > latest) latest = end;
        const int direction = (int)runtime_random(2);
        iol__heat(IOL_HEAT_POSIX, direction == 0, size, start, end);
        if (size > 0) naive_update(&maps[thread % IOL_HEAT_MAPS], direction, size, start, end);
    }
    while (latest > 200 * sum.w) sum.w *= 2;
    for (int i = 0; i < IOL_HEAT_MAPS; i++) {
        while (maps[i].w < sum.w) naive_fold(&maps[i]);
        for (int direction = 0; direction < 2; direction++)
            for (int bin = 0; bin < IOL_HEAT_BINS; bin++) {
                sum.bin[direction][bin] += maps[i].bin[direction][bin];
                sum.slack[direction][bin] += maps[i].slack[direction][bin];
            }
    }
    iol__heat_record total;
    assert_true(iol__heat_total(IOL_HEAT_POSIX, latest, &total));
    assert_map(&total, &sum);
    iol__thread.number = 1;
}

/* The name once, a record for each map, readable. */
static void maps_are_in_the_store(void **state) {
    (void)state;
    for (uint32_t thread = 1; thread < 4; thread++) {
        become_thread(thread, IOL_HEAT_STDIO);
        iol__heat(IOL_HEAT_STDIO, false, 100 * thread, 0.31, 0.32);
    }
    opened o = runtime_log();
    assert_int_equal(iol_log_info(o.log)->name_bytes, 8 + sizeof "heatmap:STDIO");
    iol_records *records = records_of(&o, IOL_SLOT_HEATMAP);
    for (int64_t thread = 1; thread < 4; thread++) {
        const iol_record *record = next_of(records);
        iol_heatmap map;
        assert_int_equal(iol_record_heatmap(record, &map), IOL_OK);
        assert_string_equal(iol_log_name(o.log, iol_record_id(record)), "heatmap:STDIO");
        assert_int_equal(map.bins, IOL_HEAT_BINS);
        assert_int_equal(map.read[3], 100 * thread);
        assert_int_equal(map.written[3], 0);
    }
    ends_well(records);
    opened_close(&o);
}

static void *end_inside(void *map) {
    iol__mortal_note();
    return (void *)(intptr_t)iol__guard_take(&((iol__heat_map *)map)->guard, false);
}

/* A thread that was cancelled in a map, which it shares with others, takes nothing of theirs with it. */
static void the_map_of_a_thread_that_is_gone_goes_on(void **state) {
    (void)state;
    pthread_t thread;
    void *taken;
    iol__heat_map *map = &iol__heat_maps[IOL_HEAT_POSIX][7];
    become_thread(7, IOL_HEAT_POSIX);
    iol__heat(IOL_HEAT_POSIX, true, 100, 0.31, 0.32);
    iol__core_state.pid = getpid();
    iol__core_state.lost = 0;
    assert_int_equal(pthread_create(&thread, NULL, end_inside, map), 0);
    assert_int_equal(pthread_join(thread, &taken), 0);
    assert_non_null(taken);
    iol__heat_single[IOL_HEAT_POSIX] = (iol__heat_window){0};
    iol__heat(IOL_HEAT_POSIX, true, 20, 0.33, 0.34);
    assert_int_equal(map->record->bytes[0][3], 120);
    assert_int_equal(map->guard.owner, 0);
    assert_int_equal(iol__core_state.lost, 0);
    iol__thread.number = 1;
}

/* Its bins would be counted twice or not at all. */
static void a_map_that_was_left_half_folded_is_not_used(void **state) {
    (void)state;
    iol__heat_map *map = &iol__heat_maps[IOL_HEAT_POSIX][7];
    assert_true(iol__heat_usable(&map->guard));
    map->folding = true;
    assert_false(iol__heat_usable(&map->guard));
    map->folding = false;
    assert_false(iol__heat_usable(&(iol__guard){0}));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(random_operations_fall_where_the_text_says, reset_runtime),
        cmocka_unit_test_setup(the_edges_of_bins, reset_runtime),
        cmocka_unit_test_setup(operations_without_length_are_there_whole, reset_runtime),
        cmocka_unit_test_setup(layers_do_not_mix, reset_runtime),
        cmocka_unit_test_setup(the_width_and_number_of_bins_follow_the_end, reset_runtime),
        cmocka_unit_test_setup(the_total_adds_the_maps_of_all_threads, reset_runtime),
        cmocka_unit_test_setup(maps_are_in_the_store, reset_runtime),
        cmocka_unit_test_setup(the_map_of_a_thread_that_is_gone_goes_on, reset_runtime),
        cmocka_unit_test_setup(a_map_that_was_left_half_folded_is_not_used, reset_runtime),
    };
    return cmocka_run_group_tests(tests, start_runtime, stop_runtime);
}
