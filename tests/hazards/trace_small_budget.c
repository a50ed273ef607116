/* More operations than the memory for traces holds: the first ones are kept, the counters go on, the log says so.
   ENV IOLITE_TRACE=1
   ENV IOLITE_TRACE_MEMORY=1
   PARTIAL DXT_POSIX
   EXPECT POSIX out.dat POSIX_WRITES = 40000
   EXPECT DXT_POSIX out.dat WRITES > 1000
   EXPECT DXT_POSIX out.dat WRITES < 40000 */
#include "tests/hazards/hazard.h"

int main(void) {
    int fd = fresh("out.dat");
    for (int i = 0; i < 40000; i++) put_at(fd, 1, i % 4096);
    return 0;
}
