/* A pipe that is read in one piece: the bytes that formatted input takes from it can be counted exactly.
   EXPECT STDIO <STDIN> STDIO_READS = 3
   EXPECT STDIO <STDIN> STDIO_BYTES_READ = 8 */
#include "tests/hazards/hazard.h"

int main(void) {
    int ends[2], number;
    CHECK(pipe(ends) == 0 && write(ends[1], "12 34 56\n", 9) == 9);
    CHECK(dup2(ends[0], 0) == 0 && close(ends[0]) == 0 && close(ends[1]) == 0);
    for (int i = 0; i < 3; i++) {
        CHECK(scanf("%d", &number) == 1);
        say("%d", number);
    }
    return 0;
}
