/* Programs ask a stream for its number over and over; what is kept must not grow, and opens stay consistent.
   EXPECT STDIO f.txt STDIO_OPENS = 1
   EXPECT POSIX f.txt POSIX_FILENOS >= 1
   EXPECT POSIX f.txt POSIX_OPENS = POSIX_FILENOS
   EXPECT POSIX f.txt POSIX_DUPS = 0
   EXPECT POSIX f.txt POSIX_WRITES = 1 */
#include "tests/hazards/hazard.h"

int main(void) {
    FILE *stream = fopen("f.txt", "w");
    CHECK(stream);
    int number = fileno(stream);
    for (int i = 0; i < 100000; i++) CHECK(fileno(stream) == number && fileno_unlocked(stream) == number);
    put(number, 6);
    CHECK(fclose(stream) == 0);
    return 0;
}
