/* Files of 32 MiB as a model writes them, one per step, by HDF5: space is allocated early, and filled or not. */
#ifndef IOL_TESTS_PLANTED_HDF5_FILE_H
#define IOL_TESTS_PLANTED_HDF5_FILE_H

#include <hdf5.h>

#include "tests/planted/planted.h"

enum { LEVELS = 4, CELLS = 1024 * 1024 };

static inline void write_levels(hid_t set, hid_t space) {
    static double field[CELLS];
    hid_t memory = H5Screate_simple(1, (hsize_t[]){CELLS}, NULL);
    for (hsize_t level = 0; level < LEVELS; level++) {
        hsize_t start[] = {level, 0}, count[] = {1, CELLS};
        NEED(H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, count, NULL) >= 0);
        NEED(H5Dwrite(set, H5T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT, field) >= 0);
    }
    H5Sclose(memory);
}

static inline void write_file(const char *path, H5D_fill_time_t fill) {
    hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    hid_t space = H5Screate_simple(2, (hsize_t[]){LEVELS, CELLS}, NULL);
    hid_t how = H5Pcreate(H5P_DATASET_CREATE);
    double value = -999;
    NEED(file >= 0 && space >= 0 && how >= 0);
    NEED(H5Pset_alloc_time(how, H5D_ALLOC_TIME_EARLY) >= 0 && H5Pset_fill_time(how, fill) >= 0);
    NEED(H5Pset_fill_value(how, H5T_NATIVE_DOUBLE, &value) >= 0);
    hid_t set = H5Dcreate2(file, "temperature", H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, how, H5P_DEFAULT); /* HERE */
    NEED(set >= 0);
    write_levels(set, space);
    NEED(H5Dclose(set) >= 0 && H5Pclose(how) >= 0 && H5Sclose(space) >= 0 && H5Fclose(file) >= 0);
}

/* A step's file goes when the next one is there, so that the disk is not filled. */
static inline int write_files(H5D_fill_time_t fill) {
    char path[32], before[32] = "";
    for (int step = 0; more(8); step++) {
        snprintf(path, sizeof path, "step-%d.h5", step);
        write_file(path, fill);
        if (*before) NEED(unlink(before) == 0);
        memcpy(before, path, sizeof before);
    }
    return 0;
}

#endif
