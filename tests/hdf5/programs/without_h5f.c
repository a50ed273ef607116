/* Datasets are recorded, files are not.
   ENV DARSHAN_MOD_DISABLE=H5F
   ENV DARSHAN_MOD_ENABLE=POSIX
   ABSENT H5F f.h5
   EXPECT H5D f.h5:/grpx H5D_BYTES_WRITTEN = 8
   EXPECT POSIX f.h5 POSIX_OPENS > 0 */
#include "tests/hdf5/programs/program.h"

int main(void) {
    static const int two[2] = {1, 2};
    hid_t file = new_file("f.h5"), group = H5Gcreate2(file, "grp", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    hid_t dataset = new_line(group, "x", 2);
    write_all(dataset, two);
    CHECK(H5Fflush(file, H5F_SCOPE_LOCAL) >= 0);
    CHECK(H5Dclose(dataset) >= 0 && H5Gclose(group) >= 0 && H5Fclose(file) >= 0);
    return 0;
}
