/* Upper bounds of the size buckets belong to the bucket below.
   EXPECT POSIX out.dat POSIX_SIZE_WRITE_0_100 = 1
   EXPECT POSIX out.dat POSIX_SIZE_WRITE_100_1K = 2
   EXPECT POSIX out.dat POSIX_SIZE_WRITE_1K_10K = 2
   EXPECT POSIX out.dat POSIX_SIZE_WRITE_10K_100K = 2
   EXPECT POSIX out.dat POSIX_SIZE_WRITE_100K_1M = 2
   EXPECT POSIX out.dat POSIX_SIZE_WRITE_1M_4M = 2
   EXPECT POSIX out.dat POSIX_SIZE_WRITE_4M_10M = 2
   EXPECT POSIX out.dat POSIX_SIZE_WRITE_10M_100M = 1
   EXPECT POSIX out.dat POSIX_SIZE_WRITE_100M_1G = 0
   EXPECT POSIX out.dat POSIX_SIZE_READ_0_100 = 1
   EXPECT POSIX out.dat POSIX_SIZE_READ_100_1K = 2
   EXPECT POSIX out.dat POSIX_SIZE_READ_10M_100M = 1 */
#include "tests/hazards/hazard.h"

int main(void) {
    static const size_t bounds[] = {100, 1024, 10240, 102400, 1048576, 4194304, 10485760};
    char *block = calloc(1, 10485761);
    int fd = fresh("out.dat");
    CHECK(block);
    for (size_t i = 0; i < 7; i++) {
        for (size_t more = 0; more < 2; more++) {
            size_t size = bounds[i] + more;
            CHECK(pwrite(fd, block, size, 0) == (ssize_t)size);
            CHECK(pread(fd, block, size, 0) == (ssize_t)size);
        }
    }
    CHECK(ftruncate(fd, 0) == 0);
    free(block);
    return 0;
}
