/* Four ranks write one file through MPI-IO, collectively, read what their neighbour wrote, each for itself, and have a
   file of their own.
   RANKS 4
   LOGS 1 2
   EXPECT H5F shared.h5 H5F_OPENS = 8
   EXPECT H5F shared.h5 H5F_USE_MPIIO = 1
   EXPECT H5F shared.h5 H5F_FLUSHES = 4
   RECORDS H5F shared.h5 1
   RECORDS H5D shared.h5:/x 1
   EXPECT H5D shared.h5:/x H5D_OPENS = 8
   EXPECT H5D shared.h5:/x H5D_WRITES = 4
   EXPECT H5D shared.h5:/x H5D_BYTES_WRITTEN = 4000
   EXPECT H5D shared.h5:/x H5D_READS = 4
   EXPECT H5D shared.h5:/x H5D_BYTES_READ = 4000
   EXPECT H5D shared.h5:/x H5D_RW_SWITCHES = 4
   EXPECT H5D shared.h5:/x H5D_REGULAR_HYPERSLAB_SELECTS = 8
   EXPECT H5D shared.h5:/x H5D_USE_MPIIO_COLLECTIVE = 1
   EXPECT H5D shared.h5:/x H5D_ACCESS1_ACCESS = 1000
   EXPECT H5D shared.h5:/x H5D_ACCESS1_COUNT = 8
   EXPECT H5D shared.h5:/x H5D_ACCESS1_LENGTH_D5 = 1
   EXPECT H5D shared.h5:/x H5D_ACCESS1_LENGTH_D4 = 250
   EXPECT H5D shared.h5:/x H5D_DATASPACE_NPOINTS = 1000
   EXPECT H5D shared.h5:/x H5D_F_SLOWEST_RANK_TIME >= H5D_F_FASTEST_RANK_TIME
   EXPECT H5D shared.h5:/x H5D_SLOWEST_RANK_BYTES = 2000
   EXPECT H5D shared.h5:/x H5D_F_VARIANCE_RANK_BYTES = 0
   EXPECT H5D shared.h5:/alone H5D_USE_MPIIO_COLLECTIVE = 0
   EXPECT H5D shared.h5:/alone H5D_WRITES = 1
   EXPECT H5D shared.h5:/alone H5D_OPENS = 4
   RECORDS H5F rank?.h5 4
   EXPECT H5F rank?.h5 H5F_USE_MPIIO = 0
   EXPECT H5D rank?.h5:/own H5D_BYTES_WRITTEN = 40
   EXPECT H5D rank3.h5:/own H5D_BYTES_WRITTEN = 16 */
#include <mpi.h>

#include "tests/hdf5/programs/program.h"

enum { WIDTH = 250 };

static int rank, size;

static hid_t row_of(hid_t dataset, int which, hid_t *memory) {
    const hsize_t start[] = {(hsize_t)which, 0}, count[] = {1, WIDTH}, width = WIDTH;
    hid_t space = H5Dget_space(dataset);
    CHECK(H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, count, NULL) >= 0);
    *memory = H5Screate_simple(1, &width, NULL);
    return space;
}

static hid_t through_mpi(void) {
    hid_t list = H5Pcreate(H5P_FILE_ACCESS);
    CHECK(H5Pset_fapl_mpio(list, MPI_COMM_WORLD, MPI_INFO_NULL) >= 0);
    return list;
}

static void write_together(void) {
    const hsize_t extents[] = {(hsize_t)size, WIDTH};
    int numbers[WIDTH];
    for (int i = 0; i < WIDTH; i++) numbers[i] = rank * 1000 + i;
    hid_t list = through_mpi(), file = H5Fcreate("shared.h5", H5F_ACC_TRUNC, H5P_DEFAULT, list), memory;
    CHECK(file >= 0);
    hid_t dataset = new_dataset(file, "x", H5T_STD_I32LE, 2, extents, NULL, NULL), alone = new_line(file, "alone", 4);
    hid_t space = row_of(dataset, rank, &memory), transfer = H5Pcreate(H5P_DATASET_XFER);
    CHECK(H5Pset_dxpl_mpio(transfer, H5FD_MPIO_COLLECTIVE) >= 0);
    CHECK(H5Dwrite(dataset, H5T_NATIVE_INT, memory, space, transfer, numbers) >= 0);
    CHECK(H5Pset_dxpl_mpio(transfer, H5FD_MPIO_INDEPENDENT) >= 0);
    if (rank == 1) CHECK(H5Dwrite(alone, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, transfer, numbers) >= 0);
    CHECK(H5Fflush(file, H5F_SCOPE_GLOBAL) >= 0);
    CHECK(H5Pclose(transfer) >= 0 && H5Sclose(space) >= 0 && H5Sclose(memory) >= 0 && H5Dclose(dataset) >= 0);
    CHECK(H5Dclose(alone) >= 0 && H5Fclose(file) >= 0 && H5Pclose(list) >= 0);
}

static void read_each(void) {
    int numbers[WIDTH], wrong = 0, all_wrong = 0;
    const int neighbour = (rank + 1) % size;
    hid_t list = through_mpi(), file = H5Fopen("shared.h5", H5F_ACC_RDONLY, list), memory;
    hid_t dataset = H5Dopen2(file, "x", H5P_DEFAULT), space = row_of(dataset, neighbour, &memory);
    CHECK(H5Dread(dataset, H5T_NATIVE_INT, memory, space, H5P_DEFAULT, numbers) >= 0);
    for (int i = 0; i < WIDTH; i++) wrong += numbers[i] != neighbour * 1000 + i;
    CHECK(H5Sclose(space) >= 0 && H5Sclose(memory) >= 0 && H5Dclose(dataset) >= 0);
    CHECK(H5Fclose(file) >= 0 && H5Pclose(list) >= 0);
    MPI_Reduce(&wrong, &all_wrong, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0) say("wrong %d", all_wrong);
}

static void write_alone(void) {
    static const int numbers[4] = {1, 2, 3, 4};
    char path[16];
    snprintf(path, sizeof path, "rank%d.h5", rank);
    hid_t file = new_file(path), dataset = new_line(file, "own", (hsize_t)rank + 1);
    write_all(dataset, numbers);
    CHECK(H5Dclose(dataset) >= 0 && H5Fclose(file) >= 0);
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    write_together();
    read_each();
    write_alone();
    if (rank == 0) CHECK(unlink("shared.h5") == 0); /* what is between the data depends on who came first */
    MPI_Finalize();
    return 0;
}
