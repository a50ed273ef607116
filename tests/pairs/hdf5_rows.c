/* A dataset call for every row of 64 bytes; afterwards one for all rows of the rank.
   RANKS 2
   LIBRARY hdf5
   FINDS hdf5.rows */
#include "tests/pairs/hdf5_pair.h"

enum { WIDTH = 8, ROWS = 6000 };

static void work(void) {
    double *rows = bytes_of(sizeof *rows * WIDTH * ROWS);
    const hsize_t extents[] = {(hsize_t)ranks * ROWS, WIDTH}, own = (hsize_t)rank * ROWS;
    hid_t access = through_mpi(), file = H5Fcreate(path_of("rows.h5"), H5F_ACC_TRUNC, H5P_DEFAULT, access);
    hid_t space = H5Screate_simple(2, extents, NULL);
    hid_t set = H5Dcreate2(file, "rows", H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    CHECK(set >= 0);
    if (fixed)
        put_rows(set, H5P_DEFAULT, own, ROWS, WIDTH, rows);
    else
        for (hsize_t i = 0; i < ROWS; i++) put_rows(set, H5P_DEFAULT, own + i, 1, WIDTH, rows + i * WIDTH);
    CHECK(H5Dclose(set) >= 0 && H5Sclose(space) >= 0 && H5Fclose(file) >= 0 && H5Pclose(access) >= 0);
    free(rows);
}
