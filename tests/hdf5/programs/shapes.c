/* Shapes: chunks (D1 is the last dimension), types, and a dataset that grows after it was opened, whose transfers are
   as large as it is by then.
   EXPECT H5D f.h5:/chunked H5D_CHUNK_SIZE_D1 = 7
   EXPECT H5D f.h5:/chunked H5D_CHUNK_SIZE_D2 = 5
   EXPECT H5D f.h5:/chunked H5D_CHUNK_SIZE_D3 = 0
   EXPECT H5D f.h5:/six H5D_CHUNK_SIZE_D1 = 6
   EXPECT H5D f.h5:/six H5D_CHUNK_SIZE_D5 = 2
   EXPECT H5D f.h5:/six H5D_DATASPACE_NDIMS = 6
   EXPECT H5D f.h5:/six H5D_DATASPACE_NPOINTS = 720
   EXPECT H5D f.h5:/growing H5D_DATASPACE_NPOINTS = 0
   EXPECT H5D f.h5:/growing H5D_BYTES_WRITTEN = 2480
   EXPECT H5D f.h5:/growing H5D_CHUNK_SIZE_D1 = 16
   EXPECT H5D f.h5:/pair H5D_DATATYPE_SIZE = 12
   EXPECT H5D f.h5:/pair H5D_BYTES_READ = 36
   EXPECT H5D f.h5:/again H5D_OPENS = 3
   EXPECT H5D f.h5:/again H5D_DATASPACE_NPOINTS = 9
   EXPECT H5D f.h5:/again H5D_USE_DEPRECATED = 1 */
#define H5_NO_DEPRECATED_WARNINGS
#include "tests/hdf5/programs/program.h"

static const int numbers[1000];

static void grow(hid_t file) {
    const hsize_t nothing = 0, most = H5S_UNLIMITED, chunk = 16, later[] = {20, 300};
    hid_t dataset = new_dataset(file, "growing", H5T_STD_I64LE, 1, &nothing, &most, &chunk);
    write_all(dataset, numbers);
    CHECK(H5Dset_extent(dataset, &later[0]) >= 0);
    write_all(dataset, numbers); /* 160 bytes */
    CHECK(H5Dset_extent(dataset, &later[1]) >= 0);
    hid_t space = H5Dget_space(dataset);
    const hsize_t start = 10, count = 290;
    CHECK(H5Sselect_hyperslab(space, H5S_SELECT_SET, &start, NULL, &count, NULL) >= 0);
    hid_t memory = H5Screate_simple(1, &count, NULL);
    CHECK(H5Dwrite(dataset, H5T_NATIVE_INT, memory, space, H5P_DEFAULT, numbers) >= 0); /* 2320 */
    CHECK(H5Sclose(space) >= 0 && H5Sclose(memory) >= 0 && H5Dclose(dataset) >= 0);
}

static void pairs(hid_t file) {
    struct {
        double first;
        int second;
    } three[3] = {{1, 2}, {3, 4}, {5, 6}};
    const hsize_t extent = 3;
    hid_t packed = H5Tcreate(H5T_COMPOUND, 12), native = H5Tcreate(H5T_COMPOUND, sizeof *three);
    CHECK(H5Tinsert(packed, "a", 0, H5T_IEEE_F64LE) >= 0 && H5Tinsert(packed, "b", 8, H5T_STD_I32LE) >= 0);
    CHECK(H5Tinsert(native, "a", 0, H5T_NATIVE_DOUBLE) >= 0 && H5Tinsert(native, "b", 8, H5T_NATIVE_INT) >= 0);
    hid_t dataset = new_dataset(file, "pair", packed, 1, &extent, NULL, NULL);
    CHECK(H5Dwrite(dataset, native, H5S_ALL, H5S_ALL, H5P_DEFAULT, three) >= 0);
    CHECK(H5Dread(dataset, native, H5S_ALL, H5S_ALL, H5P_DEFAULT, three) >= 0);
    say("%g %d", three[2].first, three[2].second);
    CHECK(H5Dclose(dataset) >= 0 && H5Tclose(packed) >= 0 && H5Tclose(native) >= 0);
}

/* What a dataset of that name is now, and that it was opened by an old function last. */
static void made_again(hid_t file) {
    CHECK(H5Dclose(new_line(file, "again", 4)) >= 0);
    CHECK(H5Ldelete(file, "again", H5P_DEFAULT) >= 0);
    CHECK(H5Dclose(new_line(file, "again", 9)) >= 0);
    CHECK(H5Dclose(H5Dopen1(file, "again")) >= 0);
}

int main(void) {
    const hsize_t extents[] = {10, 20}, chunk[] = {5, 7}, six[] = {1, 2, 3, 4, 5, 6};
    hid_t file = new_file("f.h5");
    CHECK(H5Dclose(new_dataset(file, "chunked", H5T_STD_I32LE, 2, extents, NULL, chunk)) >= 0);
    CHECK(H5Dclose(new_dataset(file, "six", H5T_STD_I32LE, 6, six, NULL, six)) >= 0);
    grow(file);
    pairs(file);
    made_again(file);
    CHECK(H5Fclose(file) >= 0);
    return 0;
}
