/* Requests of about 3 GiB, by count and by large count; in 32 bits they wrapped and were recorded as negative.
   The file is small: MPI-IO reads what there is, and what was asked for counts. */
#include <stdint.h>
#include <sys/mman.h>

#include "tests/mpi/expected.h"

static long long asked;

static void read_large(MPI_File file, void *memory) {
    MPI_Datatype mebibyte;
    CHECK(MPI_Type_contiguous(1 << 20, MPI_BYTE, &mebibyte));
    CHECK(MPI_Type_commit(&mebibyte));
    CHECK(MPI_File_read_at(file, 0, memory, 3000, mebibyte, MPI_STATUS_IGNORE));
    asked += 3000LL << 20;
#if MPI_VERSION >= 4
    /* MPICH 4.0 itself gives up where the count alone is beyond 31 bits. */
    CHECK(MPI_File_read_at_c(file, 0, memory, 3 << 10, mebibyte, MPI_STATUS_IGNORE));
    asked += 3LL << 30;
#endif
    CHECK(MPI_Type_free(&mebibyte));
}

int main(int argc, char **argv) {
    char path[4096];
    MPI_File file;
    int value = 1;
    if (argc != 2) return 2;
    CHECK(MPI_Init(&argc, &argv));
    expect_begin(argv[1]);
    snprintf(path, sizeof path, "%s/large", argv[1]);
    void *memory =
        mmap(NULL, (size_t)4 << 30, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    REQUIRE(memory != MAP_FAILED);
    CHECK(MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file));
    CHECK(MPI_File_write_at(file, rank * 4, &value, 1, MPI_INT, MPI_STATUS_IGNORE));
    CHECK(MPI_Barrier(MPI_COMM_WORLD));
    read_large(file, memory);
    CHECK(MPI_File_close(&file));
    fprintf(expected, "count\tMPI-IO\t%s\tMPIIO_BYTES_READ\t%lld\n", path, asked);
    fprintf(expected, "count\tMPI-IO\t%s\tMPIIO_SIZE_READ_AGG_1G_PLUS\t%d\n", path, asked > 3000LL << 20 ? 2 : 1);
    fprintf(expected, "count\tMPI-IO\t%s\tMPIIO_SIZE_READ_AGG_0_100\t0\n", path);
    expect_end();
    CHECK(MPI_Finalize());
    return 0;
}
