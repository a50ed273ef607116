/* A traced program is killed: the trace up to then is kept as well.
   ENV IOLITE_TRACE=1
   STATUS signal 9
   PLAIN recover
   EXPECT POSIX out.dat POSIX_WRITES = 1000
   EXPECT DXT_POSIX out.dat WRITES = 1000
   EXPECT DXT_POSIX out.dat WRITE_OFFSETS = 4995000 */
#include "tests/hazards/hazard.h"

int main(void) {
    int fd = fresh("out.dat");
    for (int i = 0; i < 1000; i++) put(fd, 10);
    kill(getpid(), SIGKILL);
    return 0;
}
