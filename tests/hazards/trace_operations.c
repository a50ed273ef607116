/* Every operation, with its place: through copies of a descriptor, after seeks, and at the end of the file.
   ENV IOLITE_TRACE=1
   PLAIN
   EXPECT DXT_POSIX out.dat WRITES = 4
   EXPECT DXT_POSIX out.dat WRITE_BYTES = 40
   EXPECT DXT_POSIX out.dat WRITE_OFFSETS = 1150
   EXPECT DXT_POSIX out.dat READS = 3
   EXPECT DXT_POSIX out.dat READ_BYTES = 9
   EXPECT DXT_POSIX out.dat READ_OFFSETS = 2043
   EXPECT POSIX out.dat POSIX_WRITES = 4
   RECORDS DXT_POSIX out.dat 1 */
#include "tests/hazards/hazard.h"

int main(void) {
    char bytes[8];
    int fd = fresh("out.dat"), copy = dup(fd);
    put(fd, 10);
    put(copy, 10);
    CHECK(lseek(copy, 1010, SEEK_SET) == 1010);
    put(fd, 10);
    put_at(fd, 10, 130);
    CHECK(pread(fd, bytes, 8, 4) == 8);
    CHECK(lseek(fd, -1, SEEK_END) == 1019);
    CHECK(read(fd, bytes, 8) == 1);
    CHECK(read(fd, bytes, 8) == 0);
    return 0;
}
