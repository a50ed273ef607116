/* Rows of all ranks in turn, each an independent transfer; afterwards one collective transfer of all rows of a rank.
   RANKS 4
   LIBRARY hdf5
   FINDS hdf5.indep.data */
#include "tests/pairs/hdf5_pair.h"

enum { WIDTH = 512, ROWS = 500 };

static void work(void) {
    double *rows = bytes_of(sizeof *rows * WIDTH * ROWS);
    const hsize_t extents[] = {(hsize_t)ranks * ROWS, WIDTH};
    hid_t access = through_mpi(), file = H5Fcreate(path_of("rows.h5"), H5F_ACC_TRUNC, H5P_DEFAULT, access);
    hid_t space = H5Screate_simple(2, extents, NULL),
          how = transfer(fixed ? H5FD_MPIO_COLLECTIVE : H5FD_MPIO_INDEPENDENT);
    hid_t set = H5Dcreate2(file, "rows", H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    CHECK(set >= 0);
    if (fixed)
        put_rows(set, how, (hsize_t)rank * ROWS, ROWS, WIDTH, rows);
    else
        for (hsize_t i = 0; i < ROWS; i++)
            put_rows(set, how, i * (hsize_t)ranks + (hsize_t)rank, 1, WIDTH, rows + i * WIDTH);
    CHECK(H5Dclose(set) >= 0 && H5Sclose(space) >= 0 && H5Fclose(file) >= 0);
    CHECK(H5Pclose(how) >= 0 && H5Pclose(access) >= 0);
    free(rows);
}
