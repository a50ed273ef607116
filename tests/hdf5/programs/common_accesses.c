/* Forty different accesses, of which 32 are counted, and four shown.
   EXPECT H5D f.h5:/x H5D_WRITES = 46
   EXPECT H5D f.h5:/x H5D_ACCESS1_ACCESS = 20
   EXPECT H5D f.h5:/x H5D_ACCESS1_COUNT = 4
   EXPECT H5D f.h5:/x H5D_ACCESS1_LENGTH_D5 = 5
   EXPECT H5D f.h5:/x H5D_ACCESS2_ACCESS = 40
   EXPECT H5D f.h5:/x H5D_ACCESS2_COUNT = 2
   EXPECT H5D f.h5:/x H5D_ACCESS3_ACCESS = 128
   EXPECT H5D f.h5:/x H5D_ACCESS3_COUNT = 1
   EXPECT H5D f.h5:/x H5D_ACCESS4_ACCESS = 124 */
#include "tests/hdf5/programs/program.h"

static void put_line(hid_t dataset, hsize_t count) {
    static const int numbers[100];
    const hsize_t start = 0;
    hid_t space = H5Dget_space(dataset), memory = H5Screate_simple(1, &count, NULL);
    CHECK(H5Sselect_hyperslab(space, H5S_SELECT_SET, &start, NULL, &count, NULL) >= 0);
    CHECK(H5Dwrite(dataset, H5T_NATIVE_INT, memory, space, H5P_DEFAULT, numbers) >= 0);
    CHECK(H5Sclose(space) >= 0 && H5Sclose(memory) >= 0);
}

int main(void) {
    hid_t file = new_file("f.h5"), dataset = new_line(file, "x", 100);
    for (hsize_t count = 1; count <= 40; count++) put_line(dataset, count);
    for (int i = 0; i < 3; i++) put_line(dataset, 5);
    put_line(dataset, 10);
    put_line(dataset, 39); /* not one of the first 32 */
    put_line(dataset, 39);
    CHECK(H5Dclose(dataset) >= 0 && H5Fclose(file) >= 0);
    return 0;
}
