/* Descriptor 2 is closed at the start, so a file of the program gets the number. Nothing of ours may be written there,
   although a wrong setting gives a reason to.
   CLOSED 2
   ENV IOLITE_MEMORY=banana
   ENV IOLITE_VERBOSE=1
   PLAIN
   EXPECT POSIX out.dat POSIX_WRITES = 1
   EXPECT POSIX out.dat POSIX_BYTES_WRITTEN = 5 */
#include "tests/hazards/hazard.h"

int main(void) {
    int fd = fresh("out.dat");
    put(fd, 5);
    say("number %d", fd);
    return 0;
}
