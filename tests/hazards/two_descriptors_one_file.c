/* Each open has a position of its own; copies of a descriptor share one.
   EXPECT POSIX out.dat POSIX_WRITES = 4
   EXPECT POSIX out.dat POSIX_BYTES_WRITTEN = 35
   EXPECT POSIX out.dat POSIX_MAX_BYTE_WRITTEN = 29 */
#include "tests/hazards/hazard.h"

int main(void) {
    int first = fresh("out.dat"), second = open("out.dat", O_WRONLY), copy = dup(first);
    put(first, 10);
    put(second, 5);
    put(copy, 10);
    put(first, 10);
    say("positions %lld %lld", (long long)lseek(first, 0, SEEK_CUR), (long long)lseek(second, 0, SEEK_CUR));
    return 0;
}
