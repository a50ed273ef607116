/* As much of HDF5 as the snippets of advice use. */
#ifndef IOL_TESTS_STAND_IN_HDF5_H
#define IOL_TESTS_STAND_IN_HDF5_H

#include <stddef.h>

typedef long long hid_t;
typedef int herr_t;
typedef unsigned long long hsize_t;
typedef enum { H5D_FILL_TIME_ALLOC, H5D_FILL_TIME_NEVER } H5D_fill_time_t;
typedef enum { H5FD_MPIO_INDEPENDENT, H5FD_MPIO_COLLECTIVE } H5FD_mpio_xfer_t;
typedef enum { H5F_LIBVER_EARLIEST, H5F_LIBVER_LATEST } H5F_libver_t;

typedef enum { H5S_SELECT_SET } H5S_seloper_t;

#define H5P_DEFAULT ((hid_t)0)
#define H5T_NATIVE_DOUBLE ((hid_t)4)
#define H5P_DATASET_CREATE ((hid_t)1)
#define H5P_DATASET_XFER ((hid_t)2)
#define H5P_FILE_ACCESS ((hid_t)3)

hid_t H5Screate_simple(int rank, const hsize_t *dims, const hsize_t *most);
hid_t H5Dget_space(hid_t dataset);
herr_t H5Sselect_hyperslab(hid_t space, H5S_seloper_t op, const hsize_t *start, const hsize_t *stride,
                           const hsize_t *count, const hsize_t *block);
herr_t H5Dwrite(hid_t dataset, hid_t type, hid_t memory, hid_t file, hid_t transfer, const void *data);
herr_t H5Sclose(hid_t space);
hid_t H5Pcreate(hid_t class);
int H5Pset_fill_time(hid_t list, H5D_fill_time_t when);
int H5Pset_alignment(hid_t list, hsize_t threshold, hsize_t alignment);
int H5Pset_dxpl_mpio(hid_t list, H5FD_mpio_xfer_t mode);
int H5Pset_all_coll_metadata_ops(hid_t list, _Bool on);
int H5Pset_coll_metadata_write(hid_t list, _Bool on);
int H5Pset_libver_bounds(hid_t list, H5F_libver_t low, H5F_libver_t high);

#endif
