/* Columns are read from chunks of many columns, of which the cache holds one, and never two of one chunk in a row, so that
   a chunk is read for each; afterwards the chunks are columns.
   RANKS 2
   LIBRARY hdf5
   FINDS hdf5.chunk.partial */
#include "tests/pairs/hdf5_pair.h"

enum { ROWS = 512, COLUMNS = 256, WIDE = 64 };

static hid_t create_set(hid_t file) {
    const hsize_t extents[] = {ROWS, COLUMNS}, blocks[] = {ROWS, WIDE}, columns[] = {ROWS, 1};
    hid_t layout = H5Pcreate(H5P_DATASET_CREATE), space = H5Screate_simple(2, extents, NULL);
    CHECK(H5Pset_chunk(layout, 2, fixed ? columns : blocks) >= 0 && H5Pset_fill_time(layout, H5D_FILL_TIME_NEVER) >= 0);
    hid_t set = H5Dcreate2(file, "table", H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, layout, H5P_DEFAULT);
    CHECK(set >= 0 && H5Pclose(layout) >= 0 && H5Sclose(space) >= 0);
    return set;
}

static void get_column(hid_t set, hsize_t column, double *data) {
    const hsize_t start[] = {0, column}, count[] = {ROWS, 1};
    hid_t space = H5Dget_space(set), memory = H5Screate_simple(2, count, NULL);
    CHECK(H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, count, NULL) >= 0);
    CHECK(H5Dread(set, H5T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT, data) >= 0);
    CHECK(H5Sclose(memory) >= 0 && H5Sclose(space) >= 0);
}

/* Each rank has a table of its own: parallel HDF5 has no cache of chunks to be too small. */
static void work(void) {
    char name[64];
    snprintf(name, sizeof name, "table.%d.h5", rank);
    double *data = bytes_of(sizeof *data * ROWS * COLUMNS);
    hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    CHECK(H5Pset_cache(access, 0, 521, 300 * KIB, 0.75) >= 0);
    hid_t file = H5Fcreate(path_of(name), H5F_ACC_TRUNC, H5P_DEFAULT, access), set = create_set(file);
    CHECK(H5Dwrite(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, data) >= 0);
    CHECK(H5Dclose(set) >= 0 && H5Fclose(file) >= 0);
    file = H5Fopen(path_of(name), H5F_ACC_RDONLY, access);
    set = H5Dopen2(file, "table", H5P_DEFAULT);
    for (hsize_t i = 0; i < COLUMNS; i++) get_column(set, i % (COLUMNS / WIDE) * WIDE + i / (COLUMNS / WIDE), data);
    CHECK(H5Dclose(set) >= 0 && H5Fclose(file) >= 0 && H5Pclose(access) >= 0);
    free(data);
}
