/* All ranks open a file by stdio; one of them prints 15 bytes, goes back and scans them. */
#include "tests/mpi/expected.h"

int main(int argc, char **argv) {
    char path[4096], first[16], second[16];
    if (argc != 2) return 2;
    CHECK(MPI_Init(&argc, &argv));
    expect_begin(argv[1]);
    snprintf(path, sizeof path, "%s/printed", argv[1]);
    FILE *file = fopen(path, rank == 0 ? "w+" : "a");
    REQUIRE(file);
    if (rank == 0) {
        REQUIRE(fprintf(file, "a fifteen byte%s", "s") == 15);
        REQUIRE(fseek(file, 0, SEEK_SET) == 0);
        REQUIRE(fscanf(file, "%1s %13c", first, second) == 2);
    }
    REQUIRE(fclose(file) == 0);
    fprintf(expected, "count\tSTDIO\t%s\tSTDIO_OPENS\t1\n", path);
    fprintf(expected, "count\tSTDIO\t%s\tSTDIO_BYTES_WRITTEN\t%d\n", path, rank == 0 ? 15 : 0);
    fprintf(expected, "count\tSTDIO\t%s\tSTDIO_BYTES_READ\t%d\n", path, rank == 0 ? 15 : 0);
    fprintf(expected, "count\tSTDIO\t%s\tSTDIO_SEEKS\t%d\n", path, rank == 0 ? 1 : 0);
    expect_end();
    CHECK(MPI_Finalize());
    return 0;
}
