/* Buffers that miss the memory alignment, in vectors too: one count a call.
   ENV IOLITE_MEM_ALIGNMENT=64
   EXPECT POSIX out.dat POSIX_MEM_ALIGNMENT = 64
   EXPECT POSIX out.dat POSIX_WRITES = 4
   EXPECT POSIX out.dat POSIX_MEM_NOT_ALIGNED = 2 */
#include <sys/uio.h>

#include "tests/hazards/hazard.h"

int main(void) {
    static _Alignas(64) char buffer[256];
    struct iovec good[2] = {{buffer, 5}, {buffer + 64, 5}}, bad[2] = {{buffer, 5}, {buffer + 65, 5}};
    int fd = fresh("out.dat");
    CHECK(write(fd, buffer + 64, 10) == 10);
    CHECK(write(fd, buffer + 8, 10) == 10);
    CHECK(writev(fd, good, 2) == 10);
    CHECK(writev(fd, bad, 2) == 10);
    return 0;
}
