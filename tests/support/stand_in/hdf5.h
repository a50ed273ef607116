/* As much of HDF5 as the snippets of advice use. */
#ifndef IOL_TESTS_STAND_IN_HDF5_H
#define IOL_TESTS_STAND_IN_HDF5_H

typedef long long hid_t;
typedef unsigned long long hsize_t;
typedef enum { H5D_FILL_TIME_ALLOC, H5D_FILL_TIME_NEVER } H5D_fill_time_t;
typedef enum { H5FD_MPIO_INDEPENDENT, H5FD_MPIO_COLLECTIVE } H5FD_mpio_xfer_t;
typedef enum { H5F_LIBVER_EARLIEST, H5F_LIBVER_LATEST } H5F_libver_t;

#define H5P_DATASET_CREATE ((hid_t)1)
#define H5P_DATASET_XFER ((hid_t)2)
#define H5P_FILE_ACCESS ((hid_t)3)

hid_t H5Pcreate(hid_t class);
int H5Pset_fill_time(hid_t list, H5D_fill_time_t when);
int H5Pset_alignment(hid_t list, hsize_t threshold, hsize_t alignment);
int H5Pset_dxpl_mpio(hid_t list, H5FD_mpio_xfer_t mode);
int H5Pset_all_coll_metadata_ops(hid_t list, _Bool on);
int H5Pset_coll_metadata_write(hid_t list, _Bool on);
int H5Pset_libver_bounds(hid_t list, H5F_libver_t low, H5F_libver_t high);

#endif
