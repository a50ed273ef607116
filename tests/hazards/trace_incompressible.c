/* A long trace with places that do not compress, and little memory for records: region by region it is larger.
   ENV IOLITE_TRACE=1
   ENV DARSHAN_MODMEM=1
   EXPECT POSIX out.dat POSIX_WRITES = 60000
   EXPECT DXT_POSIX out.dat WRITES = 60000
   EXPECT DXT_POSIX out.dat WRITE_BYTES = 60000 */
#include "tests/hazards/hazard.h"

int main(void) {
    unsigned long long state = 88172645463325252ULL;
    int fd = fresh("out.dat");
    for (int i = 0; i < 60000; i++) {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        put_at(fd, 1, (off_t)(state % (1 << 24)));
    }
    CHECK(ftruncate(fd, 0) == 0);
    return 0;
}
