/* More datasets than there is memory for: their totals are there.
   ENV IOLITE_MEMORY=1
   PARTIAL H5D
   EXPECT H5D * H5D_OPENS = 3000
   EXPECT H5D * H5D_BYTES_WRITTEN = 24000
   EXPECT H5D <FOLDED> H5D_OPENS > 1000
   EXPECT H5D <FOLDED> H5D_RW_SWITCHES = -1
   EXPECT H5D <FOLDED> H5D_DATASPACE_NDIMS = -1
   RECORDS H5D <FOLDED> 1
   EXPECT H5F f.h5 H5F_OPENS = 1 */
#include "tests/hdf5/programs/program.h"

int main(void) {
    static const int two[2] = {1, 2};
    char name[16];
    hid_t file = new_file("f.h5");
    for (int i = 0; i < 3000; i++) {
        snprintf(name, sizeof name, "d%d", i);
        hid_t dataset = new_line(file, name, 2);
        write_all(dataset, two);
        CHECK(H5Dclose(dataset) >= 0);
    }
    CHECK(H5Fclose(file) >= 0);
    return 0;
}
