/* The worked example of the counter rules: sequential and consecutive accesses, strides, switches, common sizes.
   EXPECT POSIX out.dat POSIX_OPENS = 1
   EXPECT POSIX out.dat POSIX_SEEKS = 1
   EXPECT POSIX out.dat POSIX_READS = 4
   EXPECT POSIX out.dat POSIX_WRITES = 8
   EXPECT POSIX out.dat POSIX_BYTES_READ = 42
   EXPECT POSIX out.dat POSIX_BYTES_WRITTEN = 442
   EXPECT POSIX out.dat POSIX_MAX_BYTE_READ = 29
   EXPECT POSIX out.dat POSIX_MAX_BYTE_WRITTEN = 3099
   EXPECT POSIX out.dat POSIX_SEQ_READS = 2
   EXPECT POSIX out.dat POSIX_CONSEC_READS = 2
   EXPECT POSIX out.dat POSIX_SEQ_WRITES = 5
   EXPECT POSIX out.dat POSIX_CONSEC_WRITES = 2
   EXPECT POSIX out.dat POSIX_RW_SWITCHES = 3
   EXPECT POSIX out.dat POSIX_STRIDE1_STRIDE = 900
   EXPECT POSIX out.dat POSIX_STRIDE1_COUNT = 2
   EXPECT POSIX out.dat POSIX_STRIDE2_STRIDE = 988
   EXPECT POSIX out.dat POSIX_STRIDE2_COUNT = 1
   EXPECT POSIX out.dat POSIX_STRIDE3_COUNT = 0
   EXPECT POSIX out.dat POSIX_ACCESS1_ACCESS = 100
   EXPECT POSIX out.dat POSIX_ACCESS1_COUNT = 4
   EXPECT POSIX out.dat POSIX_ACCESS2_ACCESS = 30
   EXPECT POSIX out.dat POSIX_ACCESS2_COUNT = 2
   EXPECT POSIX out.dat POSIX_ACCESS3_ACCESS = 1
   EXPECT POSIX out.dat POSIX_ACCESS3_COUNT = 2
   EXPECT POSIX out.dat POSIX_ACCESS4_ACCESS = 12
   EXPECT POSIX out.dat POSIX_ACCESS4_COUNT = 1
   EXPECT POSIX out.dat POSIX_SIZE_READ_0_100 = 4
   EXPECT POSIX out.dat POSIX_SIZE_WRITE_0_100 = 8
   EXPECT POSIX out.dat POSIX_FILE_NOT_ALIGNED = 9 WHEN POSIX_FILE_ALIGNMENT = 4096
   EXPECT POSIX out.dat POSIX_F_READ_TIME > 0
   EXPECT POSIX out.dat POSIX_F_WRITE_TIME > 0
   EXPECT POSIX out.dat POSIX_F_META_TIME > 0
   EXPECT POSIX out.dat POSIX_F_OPEN_START_TIMESTAMP > 0
   EXPECT POSIX out.dat POSIX_F_OPEN_END_TIMESTAMP >= POSIX_F_OPEN_START_TIMESTAMP
   EXPECT POSIX out.dat POSIX_F_WRITE_END_TIMESTAMP > POSIX_F_WRITE_START_TIMESTAMP
   EXPECT POSIX out.dat POSIX_F_READ_END_TIMESTAMP > POSIX_F_READ_START_TIMESTAMP
   EXPECT POSIX out.dat POSIX_F_CLOSE_START_TIMESTAMP > 0
   EXPECT POSIX out.dat POSIX_F_MAX_WRITE_TIME <= POSIX_F_WRITE_TIME
   EXPECT POSIX out.dat POSIX_MAX_WRITE_TIME_SIZE > 0
   EXPECT POSIX out.dat POSIX_FASTEST_RANK_BYTES = 0
   EXPECT HEATMAP heatmap:POSIX WRITTEN >= 440
   EXPECT HEATMAP heatmap:POSIX READ >= 40
   EXPECT HEATMAP heatmap:POSIX READ <= 44 */
#include <sys/uio.h>

#include "tests/hazards/hazard.h"

int main(void) {
    static char buffer[4096];
    struct iovec part = {buffer, 30};
    int fd = fresh("out.dat");
    put(fd, 1);
    put(fd, 1);
    put(fd, 10);
    CHECK(lseek(fd, 0, SEEK_SET) == 0);
    CHECK(read(fd, buffer, 4096) == 12);
    CHECK(read(fd, buffer, 4096) == 0);
    CHECK(read(fd, buffer, 0) == 0);
    put_at(fd, 100, 1000);
    put_at(fd, 100, 2000);
    put_at(fd, 100, 3000);
    put_at(fd, 100, 500);
    CHECK(pwritev2(fd, &part, 1, -1, 0) == 30);
    CHECK(preadv2(fd, &part, 1, 0, 0) == 30);
    CHECK(close(fd) == 0);
    return 0;
}
