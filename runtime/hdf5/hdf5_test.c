/* H5F and H5D against a model of HDF5, for what the library at hand does not have, or does not do on demand: other
   versions, functions of newer ones, absent functions, calls inside of calls, forks, handles that go unseen. */
#include "runtime/hdf5/hdf5.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "runtime/core/files.h"
#include "runtime/core/store.h"
#include "runtime/lazy/lazy.h"
#include "tests/hdf5/model.h"
#include "tests/support/runtime_stubs.h"

#define ALL_OF_IT 0

static int begin(void **state) {
    (void)state;
    iol__hdf5_reset();
    model_begin();
    assert_true(iol__hdf5_bound());
    return 0;
}

static int end(void **state) {
    (void)state;
    assert_int_equal(model.complaints, 0);
    assert_int_equal(iol__core_state.lost, 0);
    runtime_reset();
    return 0;
}

static const void *record(const iol__runtime_module *module, const char *name) {
    const iol__file *file = iol__file_named(name, strlen(name));
    const iol__state *state = file ? file->states[module->index] : NULL;
    if (!state || !state->record) fail_msg("there is no record of %s", name);
    return state->record;
}

static int64_t h5f(const char *name, int counter) {
    return ((const int64_t *)record(&iol__h5f_module, name))[2 + counter];
}
static int64_t h5d(const char *name, int counter) {
    return ((const int64_t *)record(&iol__h5d_module, name))[3 + counter];
}
static double h5d_real(const char *name, int counter) {
    return ((const double *)record(&iol__h5d_module, name))[3 + IOL_H5D_INTS + counter];
}

static int64_t open_file(const char *path) { return H5Fopen(path, 0, 0); }
static int64_t open_dataset(int64_t place, const char *name) { return H5Dopen2(place, name, 0); }

static void describe_line(uint64_t extent, int64_t element) {
    model_dataset = (model_object){.dimensions = 1, .now = {extent}, .most = {extent}, .element = element};
}

/* Which libraries -------------------------------------------------------------------------------------------------- */

static void an_old_library_is_left_alone(void **state) {
    (void)state;
    model.minor = 8;
    assert_false(iol__hdf5_bound());
    model.minor = 9;
    assert_false(iol__hdf5_bound());
    model.minor = 14;
    assert_true(iol__hdf5_bound());
    model.major = 2;
    model.minor = 0;
    assert_true(iol__hdf5_bound());
    model.lacks = "H5Dget_space";
    assert_false(iol__hdf5_bound());
    model.lacks = "H5get_libversion";
    assert_false(iol__hdf5_bound());
}

static void what_a_library_cannot_tell_is_unknown(void **state) {
    (void)state;
    model.lacks = "H5Sis_regular_hyperslab";
    assert_true(iol__hdf5_bound());
    describe_line(10, 4);
    const int64_t dataset = open_dataset(open_file("/data/a.h5"), "x");
    const int64_t space = model_add((model_object){
        .kind = MODEL_SPACE, .dimensions = 1, .selection = MODEL_HYPERSLAB, .regular = true, .points = 3});
    assert_int_equal(H5Dread(dataset, 0, 0, space, 0, NULL), 0);
    assert_int_equal(h5d("/data/a.h5:/x", IOL_H5D_REGULAR_HYPERSLAB_SELECTS), -1);
    assert_int_equal(h5d("/data/a.h5:/x", IOL_H5D_IRREGULAR_HYPERSLAB_SELECTS), -1);
    assert_int_equal(h5d("/data/a.h5:/x", IOL_H5D_BYTES_READ), 12);
    assert_int_equal(h5d("/data/a.h5:/x", IOL_H5D_FLUSHES), 0);
    model.lacks = "H5Dflush";
    assert_true(iol__hdf5_bound());
    open_dataset(open_file("/data/b.h5"), "x");
    assert_int_equal(h5d("/data/b.h5:/x", IOL_H5D_FLUSHES), -1);
}

/* Names ------------------------------------------------------------------------------------------------------------ */

static void names_are_put_together(void **state) {
    (void)state;
    describe_line(1, 1);
    const int64_t file = open_file("ufs:/data//./names.h5");
    const int64_t group =
        model_add((model_object){.kind = MODEL_GROUP, .file = "ufs:/data//./names.h5", .path = "/grp"});
    open_dataset(file, "top");
    open_dataset(file, "/abs");
    open_dataset(group, "inner");
    assert_int_equal(h5f("/data/names.h5", IOL_H5F_OPENS), 1);
    assert_int_equal(h5d("/data/names.h5:/top", IOL_H5D_OPENS), 1);
    assert_int_equal(h5d("/data/names.h5://abs", IOL_H5D_OPENS), 1);
    assert_int_equal(h5d("/data/names.h5:/grpinner", IOL_H5D_OPENS), 1);
    const uint64_t *base = record(&iol__h5d_module, "/data/names.h5:/top");
    assert_int_equal(base[2], *(const uint64_t *)record(&iol__h5f_module, "/data/names.h5"));
}

static void long_names_are_cut(void **state) {
    (void)state;
    char name[301], expected[256] = "/data/long.h5:/";
    memset(name, 'n', 300);
    name[300] = 0;
    memset(expected + strlen(expected), 'n', 255 - strlen(expected));
    expected[255] = 0;
    describe_line(1, 1);
    open_dataset(open_file("/data/long.h5"), name);
    assert_int_equal(h5d(expected, IOL_H5D_OPENS), 1);
}

/* A token is two registers, and the name is HDF5's own. */
static void objects_by_token(void **state) {
    (void)state;
    describe_line(1, 1);
    model_dataset.path = "/grp/by_token";
    const int64_t file = open_file("/data/t.h5");
    assert_true(H5Oopen_by_token(file, 3, 4) > 0);
    assert_int_equal(h5d("/data/t.h5:/grp/by_token", IOL_H5D_OPENS), 1);
    model_dataset = (model_object){.kind = MODEL_GROUP, .path = "/grp"};
    const int64_t group = H5Oopen(file, "grp", 0);
    assert_true(group > 0);
    assert_null(iol__h5_handle_find(group));
    assert_int_equal(H5Oclose(group), 0);
}

/* Transfers -------------------------------------------------------------------------------------------------------- */

static void select_slab(int dimensions) {
    model_dataset = (model_object){.dimensions = dimensions, .element = 2};
    model_object slab = {.kind = MODEL_SPACE, .dimensions = dimensions, .selection = MODEL_HYPERSLAB, .regular = true};
    slab.points = 5;
    for (int i = 0; i < dimensions; i++) {
        model_dataset.now[i] = model_dataset.most[i] = 100;
        slab.count[i] = (uint64_t)i + 1;
        slab.block[i] = 2;
        slab.stride[i] = (uint64_t)i + 10;
    }
    const int64_t dataset = open_dataset(open_file("/data/slab.h5"), dimensions == 2 ? "two" : "seven");
    assert_int_equal(H5Dwrite(dataset, 0, 0, model_add(slab), 0, NULL), 0);
}

/* Up to five dimensions the slowest is D5; of more, D1 is the fastest, and the five fastest are there. */
static void where_dimensions_stand(void **state) {
    (void)state;
    static const int64_t two[] = {0, 0, 0, 4, 2}, seven[] = {14, 12, 10, 8, 6};
    select_slab(2);
    select_slab(7);
    for (int i = 0; i < 5; i++) {
        assert_int_equal(h5d("/data/slab.h5:/two", IOL_H5D_ACCESS1_LENGTH_D1 + i), two[i]);
        assert_int_equal(h5d("/data/slab.h5:/seven", IOL_H5D_ACCESS1_LENGTH_D1 + i), seven[i]);
        assert_int_equal(h5d("/data/slab.h5:/seven", IOL_H5D_ACCESS1_STRIDE_D1 + i), 16 - i);
    }
    assert_int_equal(h5d("/data/slab.h5:/seven", IOL_H5D_DATASPACE_NDIMS), 7);
    assert_int_equal(h5d("/data/slab.h5:/seven", IOL_H5D_REGULAR_HYPERSLAB_SELECTS), 1);
    assert_int_equal(h5d("/data/slab.h5:/seven", IOL_H5D_ACCESS1_ACCESS), 10);
}

/* The whole of a dataset is what it is at the time; the counters say how it was opened. */
static void a_dataset_that_grows(void **state) {
    (void)state;
    model_dataset = (model_object){.dimensions = 1, .now = {10}, .most = {UINT64_MAX}, .element = 8};
    const int64_t dataset = open_dataset(open_file("/data/grow.h5"), "x");
    H5Dwrite(dataset, 0, ALL_OF_IT, ALL_OF_IT, 0, NULL);
    model_find(dataset)->now[0] = 1000;
    H5Dwrite(dataset, 0, ALL_OF_IT, ALL_OF_IT, 0, NULL);
    assert_int_equal(h5d("/data/grow.h5:/x", IOL_H5D_BYTES_WRITTEN), 8 * 1010);
    assert_int_equal(h5d("/data/grow.h5:/x", IOL_H5D_DATASPACE_NPOINTS), 10);
}

/* Made by a list of properties, then opened: with other chunks only if it was made again. */
static void chunks_are_those_of_the_list(void **state) {
    (void)state;
    model_dataset = (model_object){.dimensions = 2, .now = {8, 8}, .most = {8, 8}, .chunk = {9, 9}, .element = 1};
    const model_object list = {.kind = MODEL_LIST, .dimensions = 2, .chunk = {2, 4}};
    const int64_t file = open_file("/data/chunk.h5");
    assert_true(H5Dcreate1(file, "x", 0, 0, model_add(list)) > 0);
    assert_int_equal(h5d("/data/chunk.h5:/x", IOL_H5D_CHUNK_SIZE_D1), 4);
    assert_int_equal(h5d("/data/chunk.h5:/x", IOL_H5D_CHUNK_SIZE_D2), 2);
    assert_int_equal(h5d("/data/chunk.h5:/x", IOL_H5D_USE_DEPRECATED), 1);
    open_dataset(file, "x");
    assert_int_equal(h5d("/data/chunk.h5:/x", IOL_H5D_CHUNK_SIZE_D1), 4);
    assert_int_equal(h5d("/data/chunk.h5:/x", IOL_H5D_USE_DEPRECATED), 0);
    H5Dcreate1(file, "x", 0, 0, 0);
    assert_int_equal(h5d("/data/chunk.h5:/x", IOL_H5D_CHUNK_SIZE_D1), 0);
    model_dataset.now[0] = 6;
    open_dataset(file, "x");
    assert_int_equal(h5d("/data/chunk.h5:/x", IOL_H5D_CHUNK_SIZE_D1), 9);
}

static void several_at_once_divide_the_time(void **state) {
    (void)state;
    const int64_t file = open_file("/data/multi.h5");
    int64_t datasets[3], none[3] = {0};
    describe_line(3, 100);
    datasets[0] = open_dataset(file, "three");
    datasets[2] = open_dataset(file, "three");
    describe_line(10, 1);
    datasets[1] = open_dataset(file, "ten");
    describe_line(1, 1);
    assert_int_equal(H5Dwrite_multi(3, datasets, none, none, none, 0, NULL), 0);
    assert_int_equal(h5d("/data/multi.h5:/three", IOL_H5D_WRITES), 2);
    assert_int_equal(h5d("/data/multi.h5:/three", IOL_H5D_BYTES_WRITTEN), 600);
    assert_int_equal(h5d("/data/multi.h5:/ten", IOL_H5D_BYTES_WRITTEN), 10);
    const double took = MODEL_CALL_GRAINS * IOL_GRAIN;
    assert_true(h5d_real("/data/multi.h5:/three", IOL_H5D_F_WRITE_TIME) > 0.97 * took);
    assert_true(h5d_real("/data/multi.h5:/three", IOL_H5D_F_WRITE_TIME) < took);
    assert_true(h5d_real("/data/multi.h5:/ten", IOL_H5D_F_WRITE_TIME) > 0);
    assert_int_equal(H5Dwrite_multi(0, datasets, none, none, none, 0, NULL), 0);
}

static void collective_and_mpiio(void **state) {
    (void)state;
    const int64_t list = model_add((model_object){.kind = MODEL_LIST, .mpiio = true, .collective = true});
    const int64_t plain = model_add((model_object){.kind = MODEL_LIST});
    describe_line(1, 1);
    const int64_t dataset = open_dataset(H5Fcreate("/data/p.h5", 0, 0, list), "x");
    assert_int_equal(h5f("/data/p.h5", IOL_H5F_USE_MPIIO), 1);
    H5Dread(dataset, 0, 0, 0, plain, NULL);
    assert_int_equal(h5d("/data/p.h5:/x", IOL_H5D_USE_MPIIO_COLLECTIVE), 0);
    H5Dread(dataset, 0, 0, 0, list, NULL);
    H5Dread(dataset, 0, 0, 0, plain, NULL);
    assert_int_equal(h5d("/data/p.h5:/x", IOL_H5D_USE_MPIIO_COLLECTIVE), 1);
    H5Fcreate("/data/p.h5", 0, 0, plain);
    assert_int_equal(h5f("/data/p.h5", IOL_H5F_USE_MPIIO), 0);
}

static void failures_are_not_recorded(void **state) {
    (void)state;
    describe_line(1, 1);
    const int64_t file = open_file("/data/fails.h5"), dataset = open_dataset(file, "x");
    model.fails = true;
    errno = EXDEV;
    assert_true(open_file("/data/fails.h5") < 0);
    assert_true(open_dataset(file, "x") < 0);
    assert_true(H5Dread(dataset, 0, 0, 0, 0, NULL) < 0);
    assert_true(H5Fflush(file, 0) < 0);
    assert_true(H5Dclose(dataset) < 0);
    assert_int_equal(errno, EXDEV);
    assert_int_equal(h5f("/data/fails.h5", IOL_H5F_OPENS), 1);
    assert_int_equal(h5f("/data/fails.h5", IOL_H5F_FLUSHES), 0);
    assert_int_equal(h5d("/data/fails.h5:/x", IOL_H5D_OPENS), 1);
    assert_int_equal(h5d("/data/fails.h5:/x", IOL_H5D_READS), 0);
    assert_true(h5d_real("/data/fails.h5:/x", IOL_H5D_F_CLOSE_START_TIMESTAMP) == 0);
}

/* Handles ---------------------------------------------------------------------------------------------------------- */

static void a_second_claim_keeps_a_handle(void **state) {
    (void)state;
    describe_line(4, 1);
    const int64_t dataset = open_dataset(open_file("/data/claims.h5"), "x");
    model_find(dataset)->claims = 2;
    assert_int_equal(H5Dclose(dataset), 0);
    assert_non_null(iol__h5_handle_find(dataset));
    H5Dwrite(dataset, 0, 0, 0, 0, NULL);
    assert_int_equal(H5Idec_ref(dataset), 0);
    assert_null(iol__h5_handle_find(dataset));
    assert_int_equal(h5d("/data/claims.h5:/x", IOL_H5D_BYTES_WRITTEN), 4);
    assert_true(h5d_real("/data/claims.h5:/x", IOL_H5D_F_CLOSE_END_TIMESTAMP) > 0);
}

/* Closed together with their file, say: nobody tells, and yet the table does not fill. */
static void handles_that_go_unseen_go(void **state) {
    (void)state;
    enum { OPENS = 20000 };
    describe_line(1, 1);
    const int64_t file = open_file("/data/unseen.h5");
    int64_t kept = 0;
    size_t known = 0;
    for (int i = 0; i < OPENS; i++) {
        const int64_t dataset = open_dataset(file, "x");
        if (i == 17)
            kept = dataset;
        else
            model_find(dataset)->kind = MODEL_FREE;
    }
    for (int64_t id = kept; id < kept + 10 * (int64_t)OPENS; id++) known += iol__h5_handle_find(id) != NULL;
    assert_true(known < 300);
    H5Dwrite(kept, 0, 0, 0, 0, NULL);
    assert_int_equal(h5d("/data/unseen.h5:/x", IOL_H5D_OPENS), OPENS);
    assert_int_equal(h5d("/data/unseen.h5:/x", IOL_H5D_WRITES), 1);
}

static void many_handles_are_found(void **state) {
    (void)state;
    enum { OPEN = 1000 };
    const int64_t first = (int64_t)5 << 56;
    iol__h5_handle described = {.file = NULL};
    model.inside = NULL;
    for (int64_t i = 0; i < OPEN; i++) {
        described.id = first + i * i;
        assert_non_null(iol__h5_handle_add(&described));
        if (i % 3 == 0) iol__h5_handle_drop(first + (i / 2) * (i / 2));
    }
    size_t known = 0;
    for (int64_t i = 0; i < OPEN; i++) {
        const iol__h5_handle *handle = iol__h5_handle_find(first + i * i);
        if (!handle) continue;
        assert_int_equal(handle->id, first + i * i);
        known++;
    }
    assert_true(known > 0); /* the model has none of them open, so that most are swept */
    for (int64_t i = 0; i < OPEN; i++) iol__h5_handle_drop(first + i * i);
    for (int64_t i = 0; i < OPEN; i++) assert_null(iol__h5_handle_find(first + i * i));
}

/* One that was opened by a function that Iolite does not know, without asking for its name. */
static void a_dataset_from_elsewhere(void **state) {
    (void)state;
    open_file("/data/else.h5");
    const int64_t dataset = model_add(
        (model_object){.kind = MODEL_DATASET, .file = "/data/else.h5", .dimensions = 1, .now = {6}, .element = 2});
    H5Dread(dataset, 0, 0, 0, 0, NULL);
    H5Dread(dataset, 0, 0, 0, 0, NULL);
    assert_int_equal(h5d("/data/else.h5:<unnamed>", IOL_H5D_BYTES_READ), 24);
    assert_int_equal(h5d("/data/else.h5:<unnamed>", IOL_H5D_OPENS), 0);
    assert_int_equal(H5Dclose(dataset), 0);
}

static void reopened_and_flushed(void **state) {
    (void)state;
    describe_line(1, 1);
    const int64_t file = open_file("/data/r.h5"), again = H5Freopen(file), dataset = open_dataset(again, "x");
    const int64_t group = model_add((model_object){.kind = MODEL_GROUP, .file = "/data/r.h5", .path = "/g"});
    assert_int_equal(h5f("/data/r.h5", IOL_H5F_OPENS), 2);
    H5Fflush(again, 0);
    H5Fflush(dataset, 0);
    H5Fflush(group, 0);
    assert_int_equal(h5f("/data/r.h5", IOL_H5F_FLUSHES), 3);
    H5Dflush(dataset);
    assert_int_equal(h5d("/data/r.h5:/x", IOL_H5D_FLUSHES), 1);
}

static int64_t inner_file;
static void open_inside(void) {
    model.inside = NULL;
    open_dataset(inner_file, "inner");
}

static void a_call_inside_a_call_counts_with_it(void **state) {
    (void)state;
    describe_line(1, 1);
    inner_file = open_file("/data/nest.h5");
    model.inside = open_inside;
    open_dataset(inner_file, "outer");
    assert_int_equal(h5d("/data/nest.h5:/outer", IOL_H5D_OPENS), 1);
    const iol__file *inner = iol__file_named("/data/nest.h5:/inner", 20);
    assert_null(inner->states[iol__h5d_module.index]);
}

static jmp_buf away;
static void jump_out(void) { longjmp(away, 1); }

static void a_call_that_was_left_by_longjmp(void **state) {
    (void)state;
    describe_line(1, 1);
    const int64_t file = open_file("/data/jump.h5");
    model.inside = jump_out;
    if (setjmp(away) == 0) open_dataset(file, "x");
    model.inside = NULL;
    open_dataset(file, "x");
    assert_int_equal(h5d("/data/jump.h5:/x", IOL_H5D_OPENS), 1);
}

static void a_child_goes_on_with_its_handles(void **state) {
    (void)state;
    model_dataset = (model_object){.dimensions = 2, .now = {2, 3}, .most = {2, 3}, .chunk = {1, 3}, .element = 4};
    const int64_t dataset = open_dataset(open_file("/data/fork.h5"), "x");
    iol__store_remove();
    runtime_forked();
    iol__hdf5_reset();
    H5Dwrite(dataset, 0, 0, 0, 0, NULL);
    assert_int_equal(h5d("/data/fork.h5:/x", IOL_H5D_OPENS), 0);
    assert_int_equal(h5d("/data/fork.h5:/x", IOL_H5D_BYTES_WRITTEN), 24);
    assert_int_equal(h5d("/data/fork.h5:/x", IOL_H5D_DATASPACE_NDIMS), 2);
    assert_int_equal(h5d("/data/fork.h5:/x", IOL_H5D_CHUNK_SIZE_D1), 3);
    assert_int_equal(h5d("/data/fork.h5:/x", IOL_H5D_CHUNK_SIZE_D2), 1);
    assert_int_equal(((const int64_t *)record(&iol__h5d_module, "/data/fork.h5:/x"))[2],
                     iol__file_named("/data/fork.h5", 13)->id);
}

static void excluded_files_have_no_datasets(void **state) {
    (void)state;
    describe_line(1, 1);
    const int64_t dataset = open_dataset(open_file("/proc/a.h5"), "x");
    assert_int_equal(H5Dwrite(dataset, 0, 0, 0, 0, NULL), 0);
    assert_null(iol__file_named("/proc/a.h5:/x", 13)->states[iol__h5d_module.index]);
    assert_null(iol__file_named("/proc/a.h5:<unnamed>", 20)->states[iol__h5d_module.index]);
}

static int start(void **state) {
    static const char *const no_variables[] = {NULL};
    (void)state;
    runtime_start(NULL, no_variables);
    iol__module_start(&iol__h5f_module);
    iol__module_start(&iol__h5d_module);
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)
        TEST(an_old_library_is_left_alone),
        TEST(what_a_library_cannot_tell_is_unknown),
        TEST(names_are_put_together),
        TEST(long_names_are_cut),
        TEST(objects_by_token),
        TEST(where_dimensions_stand),
        TEST(a_dataset_that_grows),
        TEST(chunks_are_those_of_the_list),
        TEST(several_at_once_divide_the_time),
        TEST(collective_and_mpiio),
        TEST(failures_are_not_recorded),
        TEST(a_second_claim_keeps_a_handle),
        TEST(handles_that_go_unseen_go),
        TEST(many_handles_are_found),
        TEST(a_dataset_from_elsewhere),
        TEST(reopened_and_flushed),
        TEST(a_call_inside_a_call_counts_with_it),
        TEST(a_call_that_was_left_by_longjmp),
        TEST(a_child_goes_on_with_its_handles),
        TEST(excluded_files_have_no_datasets),
    };
    return cmocka_run_group_tests_name("HDF5", tests, start, stop_runtime);
}
