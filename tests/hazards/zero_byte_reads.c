/* Reads at the end of the file return nothing and count all the same.
   EXPECT POSIX in.dat POSIX_READS = 3
   EXPECT POSIX in.dat POSIX_BYTES_READ = 12
   EXPECT POSIX in.dat POSIX_SEQ_READS = 2
   EXPECT POSIX in.dat POSIX_CONSEC_READS = 2
   EXPECT POSIX in.dat POSIX_SIZE_READ_0_100 = 3
   EXPECT POSIX in.dat POSIX_MAX_BYTE_READ = 11
   EXPECT POSIX in.dat POSIX_ACCESS1_ACCESS = 12
   EXPECT POSIX in.dat POSIX_ACCESS1_COUNT = 2
   EXPECT POSIX in.dat POSIX_ACCESS2_COUNT = 0 */
#include "tests/hazards/hazard.h"

int main(void) {
    char buffer[4096];
    int fd = fresh("in.dat");
    put(fd, 12);
    CHECK(lseek(fd, 0, SEEK_SET) == 0);
    say("%zd", read(fd, buffer, sizeof buffer));
    say("%zd", read(fd, buffer, sizeof buffer));
    say("%zd", read(fd, buffer, 0));
    return 0;
}
