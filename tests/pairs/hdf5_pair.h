/* Parallel HDF5 for the pairs: a file of all ranks, a dataset with chunks or without, rows of it. */
#ifndef IOL_TESTS_PAIRS_HDF5_PAIR_H
#define IOL_TESTS_PAIRS_HDF5_PAIR_H

#include <hdf5.h>

#include "tests/pairs/pair.h"

static inline hid_t through_mpi(void) {
    hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    CHECK(H5Pset_fapl_mpio(access, MPI_COMM_WORLD, MPI_INFO_NULL) >= 0);
    return access;
}

static inline hid_t transfer(H5FD_mpio_xfer_t how) {
    hid_t list = H5Pcreate(H5P_DATASET_XFER);
    CHECK(H5Pset_dxpl_mpio(list, how) >= 0);
    return list;
}

/* Moves `rows` rows from `first` on, of `width` numbers each. */
static inline void put_rows(hid_t dataset, hid_t how, hsize_t first, hsize_t rows, hsize_t width, const double *data) {
    const hsize_t start[] = {first, 0}, count[] = {rows, width};
    hid_t space = H5Dget_space(dataset), memory = H5Screate_simple(2, count, NULL);
    CHECK(H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, count, NULL) >= 0);
    CHECK(H5Dwrite(dataset, H5T_NATIVE_DOUBLE, memory, space, how, data) >= 0);
    CHECK(H5Sclose(memory) >= 0 && H5Sclose(space) >= 0);
}

#endif
