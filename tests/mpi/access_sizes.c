/* One rank writes 127 different sizes, of which the record keeps count of 32; the size that is written often is the
   first of them, and stays the most common. */
#include <fcntl.h>
#include <unistd.h>

#include "tests/mpi/expected.h"

int main(int argc, char **argv) {
    char path[4096];
    static char memory[128];
    if (argc != 2) return 2;
    CHECK(MPI_Init(&argc, &argv));
    expect_begin(argv[1]);
    snprintf(path, sizeof path, "%s/sizes", argv[1]);
    if (rank == 0) {
        int fd = open(path, O_CREAT | O_WRONLY, 0600);
        REQUIRE(fd >= 0);
        for (int i = 0; i < 10; i++) REQUIRE(write(fd, memory, 128) == 128);
        for (int size = 1; size < 128; size++) REQUIRE(write(fd, memory, (size_t)size) == size);
        for (int i = 0; i < 10; i++) REQUIRE(write(fd, memory, 127) == 127); /* too late to be known */
        REQUIRE(close(fd) == 0);
        fprintf(expected, "count\tPOSIX\t%s\tPOSIX_WRITES\t147\n", path);
        fprintf(expected, "count\tPOSIX\t%s\tPOSIX_BYTES_WRITTEN\t%d\n", path, 10 * 128 + 127 * 64 + 10 * 127);
        fprintf(expected, "value\tPOSIX\t%s\tPOSIX_ACCESS1_ACCESS\t128\n", path);
        fprintf(expected, "count\tPOSIX\t%s\tPOSIX_ACCESS1_COUNT\t10\n", path);
        fprintf(expected, "value\tPOSIX\t%s\tPOSIX_ACCESS2_ACCESS\t31\n", path);
        fprintf(expected, "count\tPOSIX\t%s\tPOSIX_ACCESS2_COUNT\t1\n", path);
    }
    expect_end();
    CHECK(MPI_Finalize());
    return 0;
}
