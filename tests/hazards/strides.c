/* Gaps between accesses of one kind; going back, and the first access after an open, are not strides.
   EXPECT POSIX out.dat POSIX_STRIDE1_STRIDE = 900
   EXPECT POSIX out.dat POSIX_STRIDE1_COUNT = 4
   EXPECT POSIX out.dat POSIX_STRIDE2_STRIDE = 50
   EXPECT POSIX out.dat POSIX_STRIDE2_COUNT = 2
   EXPECT POSIX out.dat POSIX_STRIDE3_COUNT = 0
   EXPECT POSIX out.dat POSIX_SEQ_WRITES = 7
   EXPECT POSIX out.dat POSIX_CONSEC_WRITES = 0
   EXPECT POSIX out.dat POSIX_WRITES = 9
   EXPECT POSIX one.dat POSIX_SEQ_WRITES = 2
   EXPECT POSIX one.dat POSIX_CONSEC_WRITES = 2
   EXPECT POSIX one.dat POSIX_STRIDE1_COUNT = 0 */
#include "tests/hazards/hazard.h"

int main(void) {
    int fd = fresh("out.dat");
    for (int i = 1; i <= 5; i++) put_at(fd, 100, 1000 * i);
    put_at(fd, 100, 200);
    put_at(fd, 100, 350);
    put_at(fd, 100, 500);
    put_at(fd, 100, 0);
    int one = fresh("one.dat");
    for (int i = 0; i < 3; i++) put(one, 1);
    return 0;
}
