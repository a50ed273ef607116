/* HDF5, by its own functions and by those of another library that is built on it. */
#include <hdf5.h>
#include <hdf5_hl.h>

int main(void) {
    enum { N = 1000 };
    static int numbers[N];
    const hsize_t shape[] = {N}, chunk[] = {100};
    const hid_t file = H5Fcreate("datasets", H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    const hid_t space = H5Screate_simple(1, shape, NULL), list = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_chunk(list, 1, chunk);
    const hid_t dataset = H5Dcreate2(file, "chunked", H5T_NATIVE_INT, space, H5P_DEFAULT, list, H5P_DEFAULT);
    H5Dwrite(dataset, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers);
    H5Dclose(dataset);
    H5LTmake_dataset_int(file, "simple", 1, shape, numbers);
    H5LTread_dataset_int(file, "simple", numbers);
    H5Pclose(list);
    H5Sclose(space);
    return H5Fclose(file) < 0;
}
