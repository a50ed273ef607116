/* A segmentation fault in the program.
   STATUS signal 11
   PLAIN recover
   PROCESSES 1
   EXPECT POSIX out.dat POSIX_WRITES = 3
   EXPECT POSIX out.dat POSIX_BYTES_WRITTEN = 15 */
#include "tests/hazards/hazard.h"

int main(void) {
    int fd = fresh("out.dat");
    for (int i = 0; i < 3; i++) put(fd, 5);
    int *volatile nowhere = (int *)8;
    *nowhere = 1;
    return 0;
}
