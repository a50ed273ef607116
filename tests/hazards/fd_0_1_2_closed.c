/* All three standard descriptors are closed at the start; the program's files get their numbers.
   CLOSED 0 1 2
   ENV IOLITE_MEMORY=banana
   ENV IOLITE_VERBOSE=1
   PLAIN
   EXPECT POSIX zero.dat POSIX_BYTES_WRITTEN = 5
   EXPECT POSIX one.dat POSIX_BYTES_WRITTEN = 6
   EXPECT POSIX two.dat POSIX_BYTES_WRITTEN = 7 */
#include "tests/hazards/hazard.h"

int main(void) {
    if (fresh("zero.dat") != 0 || fresh("one.dat") != 1 || fresh("two.dat") != 2) return CHECK_FAILED;
    put(0, 5);
    put(1, 6);
    put(2, 7);
    return 0;
}
