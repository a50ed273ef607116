/* freopen gives a stream and its number to another file, after both were used.
   EXPECT STDIO out.txt STDIO_OPENS = 1
   EXPECT STDIO out.txt STDIO_WRITES = 2
   EXPECT STDIO out.txt STDIO_BYTES_WRITTEN = 12
   EXPECT POSIX out.txt POSIX_BYTES_WRITTEN = 7
   EXPECT STDIO <STDOUT> STDIO_WRITES = 1
   EXPECT STDIO second.txt STDIO_BYTES_WRITTEN = 5 */
#include "tests/hazards/hazard.h"

int main(void) {
    CHECK(printf("before %d\n", 1) == 9 && fflush(stdout) == 0);
    CHECK(write(1, "posix\n", 6) == 6);
    CHECK(freopen("out.txt", "w", stdout) == stdout);
    CHECK(printf("after %d\n", 2) == 8 && fputs("end\n", stdout) >= 0 && fflush(stdout) == 0);
    CHECK(write(1, "posix2\n", 7) == 7);
    CHECK(freopen64("second.txt", "w", stdout) == stdout);
    CHECK(fputs("last\n", stdout) >= 0);
    return 0;
}
