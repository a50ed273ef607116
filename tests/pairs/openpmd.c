/* The openPMD case of the Drishti paper: meshes as many small datasets with attributes, written in small pieces at odd
   places in the file, whose metadata every rank reads for itself; afterwards metadata operations are collective, objects
   aligned and datasets large. The codes are those of the paper's Figs. 2 and 3; today P12 takes the place of the latter's P11,
   which needs more than 1,000 reads out of order.
   RANKS 2
   LIBRARY hdf5
   ROMIO
   FINDS posix.small.shared.write
   SAYS requests are at most a few KiB, as metadata of HDF5
   BEFORE P01 P03 P05 P06 P08 P12 P14 M05 M06 M07
   AFTER P01 P03 P09 P12 P14 M05 M06 M07 */
#include "tests/pairs/hdf5_pair.h"

enum { MESHES = 120, CALLS = 6, ROWS = 2, ROW = 512, ATTRIBUTES = 4, LOOKED_AT = 44, LOOKS = 5 };

static hid_t file_access(void) {
    hid_t access = through_mpi();
    if (fixed)
        CHECK(H5Pset_all_coll_metadata_ops(access, true) >= 0 && H5Pset_coll_metadata_write(access, true) >= 0 &&
              H5Pset_alignment(access, 0, 4 * KIB) >= 0 && H5Pset_meta_block_size(access, MIB) >= 0);
    return access;
}

static const char *mesh_name(int number) {
    static char name[64];
    snprintf(name, sizeof name, "mesh%04d", number);
    return name;
}

static void describe(hid_t set) {
    const double unit[] = {1, 0, 0, 0, 0, 0, 1};
    const hsize_t count = 7;
    hid_t space = H5Screate_simple(1, &count, NULL);
    for (int i = 0; i < ATTRIBUTES; i++) {
        char name[32];
        snprintf(name, sizeof name, "unitDimension%d", i);
        hid_t attribute = H5Acreate2(set, name, H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, H5P_DEFAULT);
        CHECK(attribute >= 0 && H5Awrite(attribute, H5T_NATIVE_DOUBLE, unit) >= 0 && H5Aclose(attribute) >= 0);
    }
    CHECK(H5Sclose(space) >= 0);
}

/* `calls` transfers of `rows` rows per rank. */
static void write_mesh(hid_t file, int number, int calls, int rows, const double *data) {
    const hsize_t extents[] = {(hsize_t)(ranks * calls * rows), ROW};
    hid_t space = H5Screate_simple(2, extents, NULL), how = transfer(H5FD_MPIO_COLLECTIVE);
    hid_t set = H5Dcreate2(file, mesh_name(number), H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    CHECK(set >= 0);
    describe(set);
    for (int i = 0; i < calls; i++) put_rows(set, how, (hsize_t)((rank * calls + i) * rows), (hsize_t)rows, ROW, data);
    CHECK(H5Dclose(set) >= 0 && H5Pclose(how) >= 0 && H5Sclose(space) >= 0);
}

static void get_last_row(hid_t set, double *data) {
    const hsize_t start[] = {(hsize_t)(ranks * CALLS * MESHES / 2 * ROWS - 1), 0}, count[] = {1, ROW};
    hid_t space = H5Dget_space(set), memory = H5Screate_simple(2, count, NULL), how = transfer(H5FD_MPIO_COLLECTIVE);
    CHECK(H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, count, NULL) >= 0);
    CHECK(H5Dread(set, H5T_NATIVE_DOUBLE, memory, space, how, data) >= 0);
    CHECK(H5Sclose(memory) >= 0 && H5Sclose(space) >= 0 && H5Pclose(how) >= 0);
}

static void look_at(hid_t file, int number, double *data) {
    double unit[7];
    hid_t set = H5Dopen2(file, mesh_name(number), H5P_DEFAULT);
    hid_t attribute = H5Aopen(set, "unitDimension1", H5P_DEFAULT);
    CHECK(attribute >= 0 && H5Aread(attribute, H5T_NATIVE_DOUBLE, unit) >= 0 && unit[6] == 1);
    if (fixed) get_last_row(set, data);
    if (!fixed && data) CHECK(H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, data) >= 0);
    CHECK(H5Aclose(attribute) >= 0 && H5Dclose(set) >= 0);
}

static void work(void) {
    const int meshes = fixed ? 2 : MESHES, rows = fixed ? 20 * ROWS : ROWS;
    const int calls = MESHES * CALLS * ROWS / (meshes * rows);
    double *data = bytes_of(sizeof *data * ROW * 20 * ROWS * (size_t)ranks);
    hid_t access = file_access(), file = H5Fcreate(path_of("8a_parallel_3db.h5"), H5F_ACC_TRUNC, H5P_DEFAULT, access);
    CHECK(file >= 0);
    for (int i = 0; i < meshes; i++) write_mesh(file, i, calls, rows, data);
    CHECK(H5Fclose(file) >= 0);
    for (int look = 0; look < (fixed ? 1 : LOOKS); look++) {
        file = H5Fopen(path_of("8a_parallel_3db.h5"), H5F_ACC_RDONLY, access);
        for (int i = 0; i < (fixed ? meshes : LOOKED_AT); i++) look_at(file, i, look == 0 ? data : NULL);
        CHECK(H5Fclose(file) >= 0);
    }
    CHECK(H5Pclose(access) >= 0);
    free(data);
}
