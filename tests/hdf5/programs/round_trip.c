/* A dataset is written, and read again by a second opening of the file.
   PLAIN
   EXPECT H5F f.h5 H5F_OPENS = 2
   EXPECT H5F f.h5 H5F_FLUSHES = 0
   EXPECT H5F f.h5 H5F_USE_MPIIO = 0
   EXPECT H5F f.h5 H5F_F_META_TIME > 0
   EXPECT H5F f.h5 H5F_F_OPEN_START_TIMESTAMP > 0
   EXPECT H5F f.h5 H5F_F_OPEN_END_TIMESTAMP > H5F_F_CLOSE_START_TIMESTAMP
   EXPECT H5F f.h5 H5F_F_CLOSE_END_TIMESTAMP > H5F_F_OPEN_END_TIMESTAMP
   RECORDS H5F * 1
   RECORDS H5D * 1
   EXPECT H5D f.h5:/data H5D_OPENS = 2
   EXPECT H5D f.h5:/data H5D_READS = 1
   EXPECT H5D f.h5:/data H5D_WRITES = 1
   EXPECT H5D f.h5:/data H5D_BYTES_READ = 800
   EXPECT H5D f.h5:/data H5D_BYTES_WRITTEN = 800
   EXPECT H5D f.h5:/data H5D_RW_SWITCHES = 1
   EXPECT H5D f.h5:/data H5D_SIZE_READ_AGG_100_1K = 1
   EXPECT H5D f.h5:/data H5D_SIZE_WRITE_AGG_100_1K = 1
   EXPECT H5D f.h5:/data H5D_ACCESS1_ACCESS = 800
   EXPECT H5D f.h5:/data H5D_ACCESS1_LENGTH_D5 = 0
   EXPECT H5D f.h5:/data H5D_ACCESS1_COUNT = 2
   EXPECT H5D f.h5:/data H5D_ACCESS2_COUNT = 0
   EXPECT H5D f.h5:/data H5D_REGULAR_HYPERSLAB_SELECTS = 0
   EXPECT H5D f.h5:/data H5D_IRREGULAR_HYPERSLAB_SELECTS = 0
   EXPECT H5D f.h5:/data H5D_POINT_SELECTS = 0
   EXPECT H5D f.h5:/data H5D_DATASPACE_NDIMS = 2
   EXPECT H5D f.h5:/data H5D_DATASPACE_NPOINTS = 200
   EXPECT H5D f.h5:/data H5D_DATATYPE_SIZE = 4
   EXPECT H5D f.h5:/data H5D_CHUNK_SIZE_D1 = 0
   EXPECT H5D f.h5:/data H5D_USE_MPIIO_COLLECTIVE = 0
   EXPECT H5D f.h5:/data H5D_USE_DEPRECATED = 0
   EXPECT H5D f.h5:/data H5D_MAX_READ_TIME_SIZE = 800
   EXPECT H5D f.h5:/data H5D_F_READ_TIME > 0
   EXPECT H5D f.h5:/data H5D_F_WRITE_TIME > 0
   EXPECT H5D f.h5:/data H5D_F_META_TIME > 0
   EXPECT H5D f.h5:/data H5D_F_MAX_WRITE_TIME = H5D_F_WRITE_TIME
   EXPECT H5D f.h5:/data H5D_F_READ_START_TIMESTAMP >= H5D_F_WRITE_END_TIMESTAMP
   EXPECT H5D f.h5:/data H5D_F_CLOSE_END_TIMESTAMP > H5D_F_READ_END_TIMESTAMP
   EXPECT POSIX f.h5 POSIX_OPENS >= 2 */
#include "tests/hdf5/programs/program.h"

int main(void) {
    static int numbers[10][20];
    const hsize_t extents[] = {10, 20};
    for (int i = 0; i < 200; i++) numbers[i / 20][i % 20] = i;
    hid_t file = new_file("f.h5"), dataset = new_dataset(file, "data", H5T_STD_I32LE, 2, extents, NULL, NULL);
    write_all(dataset, numbers);
    CHECK(H5Dclose(dataset) >= 0);
    CHECK(H5Fclose(file) >= 0);

    memset(numbers, 0, sizeof numbers);
    file = H5Fopen("f.h5", H5F_ACC_RDONLY, H5P_DEFAULT);
    dataset = H5Oopen(file, "data", H5P_DEFAULT);
    read_all(dataset, numbers);
    say("%d %d", numbers[0][7], numbers[9][19]);
    CHECK(H5Oclose(dataset) >= 0);
    CHECK(H5Fclose(file) >= 0);
    return 0;
}
