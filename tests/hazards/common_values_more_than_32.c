/* Of each file 32 different sizes are watched; later ones are ignored, earlier ones go on counting.
   EXPECT POSIX out.dat POSIX_WRITES = 54
   EXPECT POSIX out.dat POSIX_ACCESS1_ACCESS = 5
   EXPECT POSIX out.dat POSIX_ACCESS1_COUNT = 4
   EXPECT POSIX out.dat POSIX_ACCESS2_ACCESS = 32
   EXPECT POSIX out.dat POSIX_ACCESS2_COUNT = 2
   EXPECT POSIX out.dat POSIX_ACCESS3_ACCESS = 31
   EXPECT POSIX out.dat POSIX_ACCESS3_COUNT = 1
   EXPECT POSIX out.dat POSIX_ACCESS4_ACCESS = 30
   EXPECT POSIX out.dat POSIX_ACCESS4_COUNT = 1
   EXPECT POSIX out.dat POSIX_STRIDE1_COUNT = 0 */
#include "tests/hazards/hazard.h"

int main(void) {
    int fd = fresh("out.dat");
    for (size_t size = 1; size <= 40; size++) put_at(fd, size, 0);
    for (int i = 0; i < 10; i++) put_at(fd, 40, 0);
    for (int i = 0; i < 3; i++) put_at(fd, 5, 0);
    put_at(fd, 32, 0);
    return 0;
}
