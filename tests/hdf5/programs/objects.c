/* Datasets that are opened as objects, in each of the ways; other objects are none.
   EXPECT H5D f.h5:/grp/one H5D_OPENS = 2
   EXPECT H5D f.h5:/grp/one H5D_BYTES_READ = 32
   EXPECT H5D f.h5:/grpone H5D_OPENS = 2
   EXPECT H5D f.h5:/grpone H5D_BYTES_READ = 16
   EXPECT H5D f.h5:/old H5D_USE_DEPRECATED = 1
   EXPECT H5D f.h5:/old H5D_OPENS = 1
   EXPECT H5D f.h5:/old H5D_F_CLOSE_END_TIMESTAMP > 0
   RECORDS H5D * 3 */
#include "tests/hdf5/programs/program.h"

static void read_and_close(hid_t dataset) {
    int numbers[4];
    read_all(dataset, numbers);
    say("%d", numbers[3]);
    CHECK(H5Oclose(dataset) >= 0);
}

int main(void) {
    static const int numbers[4] = {1, 2, 3, 4};
    const hsize_t extent = 4;
    H5O_info_t info;
    hid_t file = new_file("f.h5"), group = H5Gcreate2(file, "grp", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    hid_t dataset = new_line(group, "one", extent);
    write_all(dataset, numbers);
    CHECK(H5Oget_info(dataset, &info) >= 0);
    CHECK(H5Dclose(dataset) >= 0);

    read_and_close(H5Oopen(group, "one", H5P_DEFAULT));
    read_and_close(H5Oopen_by_idx(file, "grp", H5_INDEX_NAME, H5_ITER_INC, 0, H5P_DEFAULT));
    read_and_close(H5Oopen_by_addr(file, info.addr));
    CHECK(H5Oclose(H5Oopen(file, "grp", H5P_DEFAULT)) >= 0);
    CHECK(H5Oclose(H5Oopen_by_idx(file, ".", H5_INDEX_NAME, H5_ITER_INC, 0, H5P_DEFAULT)) >= 0);

    hid_t space = H5Screate_simple(1, &extent, NULL), list = timeless();
    CHECK(H5Dclose(H5Dcreate1(file, "old", H5T_STD_I32LE, space, list)) >= 0);
    CHECK(H5Sclose(space) >= 0 && H5Pclose(list) >= 0 && H5Gclose(group) >= 0 && H5Fclose(file) >= 0);
    return 0;
}
