/* Flushes its file after every record.
   LIBRARY hdf5.h hdf5_serial hdf5
   FINDS hdf5.flush
   LACKS posix.redundant.write */
#include <hdf5.h>

#include "tests/planted/planted.h"

enum { RECORDS = 4096, VALUES = 1024 };

int main(void) {
    static double values[VALUES];
    hid_t file = H5Fcreate("records.h5", H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    hid_t space = H5Screate_simple(2, (hsize_t[]){RECORDS, VALUES}, NULL);
    hid_t memory = H5Screate_simple(1, (hsize_t[]){VALUES}, NULL);
    hid_t set = H5Dcreate2(file, "records", H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    NEED(file >= 0 && space >= 0 && memory >= 0 && set >= 0);
    for (hsize_t i = 0; more(2000); i++) {
        hsize_t start[] = {i % RECORDS, 0}, count[] = {1, VALUES};
        NEED(H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, count, NULL) >= 0);
        NEED(H5Dwrite(set, H5T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT, values) >= 0);
        NEED(H5Fflush(file, H5F_SCOPE_GLOBAL) >= 0); /* HERE */
    }
    NEED(H5Dclose(set) >= 0 && H5Sclose(memory) >= 0 && H5Sclose(space) >= 0);
    return H5Fclose(file) < 0;
}
