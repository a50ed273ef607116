/* The time of a copy by the kernel counts once: half of it as reading the one file, half as writing the other.
   PRELOAD slow_copies
   EXPECT POSIX source.dat POSIX_READS = 1
   EXPECT POSIX source.dat POSIX_F_READ_TIME >= 1
   EXPECT POSIX source.dat POSIX_F_READ_TIME < 2
   EXPECT POSIX sent.dat POSIX_WRITES = 1
   EXPECT POSIX sent.dat POSIX_F_WRITE_TIME >= 1
   EXPECT POSIX sent.dat POSIX_F_WRITE_TIME < 2 */
#include <sys/sendfile.h>

#include "tests/hazards/hazard.h"

int main(void) {
    int source = fresh("source.dat");
    off_t from = 0;
    put(source, 4000);
    CHECK(sendfile(fresh("sent.dat"), source, &from, 4000) == 4000);
    return 0;
}
