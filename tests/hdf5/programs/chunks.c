/* Chunks that are written and read as they are in the file, past the filters: their bytes are those of the file.
   EXPECT H5D f.h5:/x H5D_WRITES = 2
   EXPECT H5D f.h5:/x H5D_BYTES_WRITTEN = 4010
   EXPECT H5D f.h5:/x H5D_READS = 2
   EXPECT H5D f.h5:/x H5D_BYTES_READ = 4010
   EXPECT H5D f.h5:/x H5D_REGULAR_HYPERSLAB_SELECTS = 0
   EXPECT H5D f.h5:/x H5D_ACCESS1_ACCESS = 4000
   EXPECT H5D f.h5:/x H5D_ACCESS1_COUNT = 2
   EXPECT H5D f.h5:/x H5D_ACCESS2_ACCESS = 10 */
#include "tests/hdf5/programs/program.h"

int main(void) {
    static char chunk[4000];
    const hsize_t extent = 2000, size = 1000, first = 0, second = 1000;
    hid_t list = timeless(), space = H5Screate_simple(1, &extent, NULL), file = new_file("f.h5");
    uint32_t filters = 0;
    CHECK(H5Pset_chunk(list, 1, &size) >= 0 && H5Pset_shuffle(list) >= 0);
    hid_t dataset = H5Dcreate2(file, "x", H5T_STD_I32LE, space, H5P_DEFAULT, list, H5P_DEFAULT);
    CHECK(H5Dwrite_chunk(dataset, H5P_DEFAULT, 1, &first, sizeof chunk, chunk) >= 0);
    CHECK(H5Dwrite_chunk(dataset, H5P_DEFAULT, 0, &second, 10, chunk) >= 0);
    CHECK(H5Dread_chunk(dataset, H5P_DEFAULT, &first, &filters, chunk) >= 0);
    say("filters %u", (unsigned)filters);
    CHECK(H5Dread_chunk(dataset, H5P_DEFAULT, &second, &filters, chunk) >= 0);
    CHECK(H5Dclose(dataset) >= 0 && H5Pclose(list) >= 0 && H5Sclose(space) >= 0 && H5Fclose(file) >= 0);
    return 0;
}
