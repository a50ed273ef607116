/* What the HDF5 programs share. Datasets are made without times in them, so that a file is the same with and without
   Iolite. */
#ifndef IOL_TESTS_HDF5_PROGRAM_H
#define IOL_TESTS_HDF5_PROGRAM_H

#include "tests/hazards/hazard.h"

#include <hdf5.h>

static inline hid_t timeless(void) {
    hid_t list = H5Pcreate(H5P_DATASET_CREATE);
    CHECK(list >= 0);
    CHECK(H5Pset_obj_track_times(list, 0) >= 0);
    return list;
}

static inline hid_t new_file(const char *path) {
    hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    CHECK(file >= 0);
    return file;
}

/* A dataset of that many dimensions; chunked if there are extents of chunks. */
static inline hid_t new_dataset(hid_t place, const char *name, hid_t type, int dimensions, const hsize_t *extents,
                                const hsize_t *most, const hsize_t *chunk) {
    hid_t space = dimensions ? H5Screate_simple(dimensions, extents, most) : H5Screate(H5S_SCALAR), list = timeless();
    if (chunk) CHECK(H5Pset_chunk(list, dimensions, chunk) >= 0);
    hid_t dataset = H5Dcreate2(place, name, type, space, H5P_DEFAULT, list, H5P_DEFAULT);
    CHECK(dataset >= 0);
    CHECK(H5Sclose(space) >= 0);
    CHECK(H5Pclose(list) >= 0);
    return dataset;
}

/* One of integers in a line. */
static inline hid_t new_line(hid_t place, const char *name, hsize_t extent) {
    return new_dataset(place, name, H5T_STD_I32LE, 1, &extent, NULL, NULL);
}

static inline void write_all(hid_t dataset, const void *from) {
    CHECK(H5Dwrite(dataset, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, from) >= 0);
}

static inline void read_all(hid_t dataset, void *to) {
    CHECK(H5Dread(dataset, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, to) >= 0);
}

#endif
