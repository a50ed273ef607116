/* The E2E kernel of the Drishti paper: rank 0 writes fill values into datasets that all ranks then write collectively;
   afterwards there is no fill. netCDF-4 sets a fill value for every variable, which this program does by hand. Half
   of the ranks do the I/O of all. The codes are those of the paper's Figs. 4 and 5.
   RANKS 4
   LIBRARY hdf5
   ROMIO
   FINDS hdf5.fill
   BEFORE P01 P03 P08 P14 P21 M05 M06 M07
   AFTER P01 P03 P08 P10 P14 M05 M06 M07 */
#include "tests/pairs/hdf5_pair.h"

enum { WRITERS = 2, SETS = 10, BLOCK = 120000 }; /* of numbers, of a rank in a set */

static void write_set(hid_t file, int number, const double *data) {
    const double fill = 9.9692099683868690e+36;
    const hsize_t extents[] = {WRITERS, BLOCK};
    char name[32];
    snprintf(name, sizeof name, "variable%d", number);
    hid_t layout = H5Pcreate(H5P_DATASET_CREATE), space = H5Screate_simple(2, extents, NULL);
    CHECK(H5Pset_fill_value(layout, H5T_NATIVE_DOUBLE, &fill) >= 0);
    CHECK(H5Pset_fill_time(layout, fixed ? H5D_FILL_TIME_NEVER : H5D_FILL_TIME_ALLOC) >= 0);
    hid_t set = H5Dcreate2(file, name, H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, layout, H5P_DEFAULT);
    hid_t how = transfer(H5FD_MPIO_COLLECTIVE);
    CHECK(set >= 0);
    put_rows(set, how, (hsize_t)rank, 1, BLOCK, data);
    CHECK(H5Dclose(set) >= 0 && H5Pclose(layout) >= 0 && H5Pclose(how) >= 0 && H5Sclose(space) >= 0);
}

static void write_file(MPI_Comm io) {
    double *data = bytes_of(sizeof *data * BLOCK);
    hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    CHECK(H5Pset_fapl_mpio(access, io, MPI_INFO_NULL) >= 0);
    hid_t file = H5Fcreate(path_of("3d_32.nc4"), H5F_ACC_TRUNC, H5P_DEFAULT, access);
    CHECK(file >= 0);
    for (int i = 0; i < SETS; i++) write_set(file, i, data);
    CHECK(H5Fclose(file) >= 0 && H5Pclose(access) >= 0);
    free(data);
}

static void work(void) {
    MPI_Comm io;
    MPI(MPI_Comm_split(MPI_COMM_WORLD, rank < WRITERS, rank, &io));
    if (rank < WRITERS) write_file(io);
    MPI(MPI_Comm_free(&io));
}
