/* Selections of every kind and of one to seven dimensions. Up to five, the slowest dimension stands in D5; of more, the
   five fastest are there, the fastest in D1.
   EXPECT H5D f.h5:/rank1 H5D_REGULAR_HYPERSLAB_SELECTS = 1
   EXPECT H5D f.h5:/rank1 H5D_ACCESS1_ACCESS = 24
   EXPECT H5D f.h5:/rank1 H5D_ACCESS1_LENGTH_D5 = 6
   EXPECT H5D f.h5:/rank1 H5D_ACCESS1_STRIDE_D5 = 3
   EXPECT H5D f.h5:/rank1 H5D_ACCESS1_LENGTH_D4 = 0
   EXPECT H5D f.h5:/rank1 H5D_ACCESS1_LENGTH_D1 = 0
   EXPECT H5D f.h5:/rank2 H5D_ACCESS1_LENGTH_D5 = 6
   EXPECT H5D f.h5:/rank2 H5D_ACCESS1_LENGTH_D4 = 2
   EXPECT H5D f.h5:/rank2 H5D_ACCESS1_STRIDE_D4 = 4
   EXPECT H5D f.h5:/rank2 H5D_ACCESS1_LENGTH_D3 = 0
   EXPECT H5D f.h5:/rank2 H5D_BYTES_WRITTEN = 48
   EXPECT H5D f.h5:/rank5 H5D_ACCESS1_LENGTH_D5 = 6
   EXPECT H5D f.h5:/rank5 H5D_ACCESS1_LENGTH_D1 = 2
   EXPECT H5D f.h5:/rank5 H5D_ACCESS1_STRIDE_D1 = 4
   EXPECT H5D f.h5:/rank6 H5D_ACCESS1_LENGTH_D5 = 2
   EXPECT H5D f.h5:/rank6 H5D_ACCESS1_LENGTH_D1 = 2
   EXPECT H5D f.h5:/rank6 H5D_BYTES_WRITTEN = 768
   EXPECT H5D f.h5:/rank6 H5D_DATASPACE_NDIMS = 6
   EXPECT H5D f.h5:/rank7 H5D_ACCESS1_STRIDE_D5 = 4
   EXPECT H5D f.h5:/rank7 H5D_BYTES_WRITTEN = 1536
   EXPECT H5D f.h5:/rank* H5D_REGULAR_HYPERSLAB_SELECTS = 7
   EXPECT H5D f.h5:/rank* H5D_IRREGULAR_HYPERSLAB_SELECTS = 0
   EXPECT H5D f.h5:/odd H5D_WRITES = 7
   EXPECT H5D f.h5:/odd H5D_POINT_SELECTS = 1
   EXPECT H5D f.h5:/odd H5D_IRREGULAR_HYPERSLAB_SELECTS = 1
   EXPECT H5D f.h5:/odd H5D_REGULAR_HYPERSLAB_SELECTS = 1
   EXPECT H5D f.h5:/odd H5D_BYTES_WRITTEN = 1644
   EXPECT H5D f.h5:/odd H5D_SIZE_WRITE_AGG_0_100 = 3
   EXPECT H5D f.h5:/odd H5D_ACCESS1_ACCESS = 400
   EXPECT H5D f.h5:/odd H5D_ACCESS1_COUNT = 3
   EXPECT H5D f.h5:/odd H5D_ACCESS2_ACCESS = 400
   EXPECT H5D f.h5:/odd H5D_ACCESS2_LENGTH_D5 = 10
   EXPECT H5D f.h5:/odd H5D_ACCESS2_LENGTH_D4 = 10
   EXPECT H5D f.h5:/odd H5D_ACCESS3_ACCESS = 24
   EXPECT H5D f.h5:/odd H5D_ACCESS4_ACCESS = 20
   EXPECT H5D f.h5:/scalar H5D_DATASPACE_NDIMS = 0
   EXPECT H5D f.h5:/scalar H5D_DATASPACE_NPOINTS = 1
   EXPECT H5D f.h5:/scalar H5D_BYTES_WRITTEN = 4
   EXPECT H5D f.h5:/nothing H5D_DATASPACE_NPOINTS = 0
   EXPECT H5D f.h5:/nothing H5D_WRITES = 1
   EXPECT H5D f.h5:/nothing H5D_BYTES_WRITTEN = 0 */
#include "tests/hdf5/programs/program.h"

enum { MOST = 7 };
static const int numbers[1000];

/* A slab in as many dimensions: three blocks of two, three apart, in the slowest; in the others one block of two, in
   steps of four. */
static void slab(hid_t file, int dimensions) {
    hsize_t extents[MOST], start[MOST] = {0}, stride[MOST], count[MOST], block[MOST];
    char name[16];
    for (int i = 0; i < dimensions; i++) {
        extents[i] = i ? 4 : 12;
        stride[i] = i ? 4 : 3;
        count[i] = i ? 1 : 3;
        block[i] = 2;
    }
    snprintf(name, sizeof name, "rank%d", dimensions);
    hid_t dataset = new_dataset(file, name, H5T_STD_I32LE, dimensions, extents, NULL, NULL);
    hid_t space = H5Dget_space(dataset), memory;
    CHECK(H5Sselect_hyperslab(space, H5S_SELECT_SET, start, stride, count, block) >= 0);
    const hsize_t points = (hsize_t)H5Sget_select_npoints(space);
    memory = H5Screate_simple(1, &points, NULL);
    CHECK(H5Dwrite(dataset, H5T_NATIVE_INT, memory, space, H5P_DEFAULT, numbers) >= 0);
    CHECK(H5Sclose(memory) >= 0 && H5Sclose(space) >= 0 && H5Dclose(dataset) >= 0);
}

static void write_some(hid_t dataset, hid_t space) {
    const hsize_t points = (hsize_t)H5Sget_select_npoints(space);
    hid_t memory = H5Screate_simple(1, &points, NULL);
    if (points == 0) CHECK(H5Sselect_none(memory) >= 0);
    CHECK(H5Dwrite(dataset, H5T_NATIVE_INT, memory, space, H5P_DEFAULT, numbers) >= 0);
    CHECK(H5Sclose(memory) >= 0);
}

static void of_every_kind(hid_t file) {
    const hsize_t extents[] = {10, 10}, start[] = {0, 0}, one[] = {1, 1}, ten[] = {10, 10}, far[] = {5, 5},
                  two[] = {2, 2};
    const hsize_t points[][2] = {{9, 9}, {0, 3}, {4, 4}, {1, 0}, {2, 8}};
    hid_t dataset = new_dataset(file, "odd", H5T_STD_I32LE, 2, extents, NULL, NULL), space = H5Dget_space(dataset);
    write_all(dataset, numbers);
    write_some(dataset, space); /* all of a space */
    CHECK(H5Sselect_hyperslab(space, H5S_SELECT_SET, start, one, ten, one) >= 0);
    write_some(dataset, space);
    CHECK(H5Sselect_elements(space, H5S_SELECT_SET, 5, &points[0][0]) >= 0);
    write_some(dataset, space);
    CHECK(H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, two, NULL) >= 0);
    CHECK(H5Sselect_hyperslab(space, H5S_SELECT_OR, far, NULL, two, NULL) >= 0);
    CHECK(H5Sselect_hyperslab(space, H5S_SELECT_NOTB, start, NULL, one, NULL) >= 0);
    CHECK(H5Sselect_hyperslab(space, H5S_SELECT_NOTB, far, NULL, one, NULL) >= 0);
    write_some(dataset, space);
    CHECK(H5Sselect_none(space) >= 0);
    write_some(dataset, space);
    CHECK(H5Sclose(space) >= 0);
    write_all(dataset, numbers);
    CHECK(H5Dclose(dataset) >= 0);
}

int main(void) {
    hid_t file = new_file("f.h5");
    for (int dimensions = 1; dimensions <= MOST; dimensions++) slab(file, dimensions);
    of_every_kind(file);
    hid_t scalar = new_dataset(file, "scalar", H5T_STD_I32LE, 0, NULL, NULL, NULL);
    write_all(scalar, numbers);
    hid_t none = H5Screate(H5S_NULL), list = timeless();
    hid_t nothing = H5Dcreate2(file, "nothing", H5T_STD_I32LE, none, H5P_DEFAULT, list, H5P_DEFAULT);
    write_all(nothing, numbers);
    CHECK(H5Dclose(scalar) >= 0 && H5Dclose(nothing) >= 0 && H5Sclose(none) >= 0 && H5Pclose(list) >= 0);
    CHECK(H5Fclose(file) >= 0);
    return 0;
}
