/* Datasets that come from functions which are not followed: their transfers are those of the file's unnamed ones, and
   HDF5 is not made to search the file for a name.
   EXPECT H5D f.h5:/x H5D_BYTES_WRITTEN = 16
   EXPECT H5D f.h5:/x H5D_BYTES_READ = 0
   EXPECT H5D f.h5:<unnamed> H5D_OPENS = 0
   EXPECT H5D f.h5:<unnamed> H5D_BYTES_READ = 16
   EXPECT H5D f.h5:<unnamed> H5D_BYTES_WRITTEN = 8
   RECORDS H5D * 2 */
#include "tests/hdf5/programs/program.h"

int main(void) {
    int numbers[4] = {1, 2, 3, 4};
    const hsize_t extent = 2;
    hobj_ref_t reference;
    hid_t file = new_file("f.h5"), dataset = new_line(file, "x", 4), list = timeless();
    write_all(dataset, numbers);
    CHECK(H5Rcreate(&reference, file, "x", H5R_OBJECT, -1) >= 0);
    CHECK(H5Dclose(dataset) >= 0);
    dataset = H5Rdereference2(file, H5P_DEFAULT, H5R_OBJECT, &reference);
    read_all(dataset, numbers);
    say("%d", numbers[3]);
    CHECK(H5Dclose(dataset) >= 0);

    hid_t space = H5Screate_simple(1, &extent, NULL);
    dataset = H5Dcreate_anon(file, H5T_STD_I32LE, space, list, H5P_DEFAULT);
    write_all(dataset, numbers);
    CHECK(H5Olink(dataset, file, "linked", H5P_DEFAULT, H5P_DEFAULT) >= 0);
    CHECK(H5Dclose(dataset) >= 0 && H5Sclose(space) >= 0 && H5Pclose(list) >= 0 && H5Fclose(file) >= 0);
    return 0;
}
