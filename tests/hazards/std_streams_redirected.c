/* The standard streams have records of their own; those that nobody uses are left out.
   STDIN one\stwo
   EXPECT STDIO <STDIN> STDIO_READS = 1
   EXPECT STDIO <STDIN> STDIO_BYTES_READ = 8
   EXPECT STDIO <STDIN> STDIO_OPENS = 1
   EXPECT STDIO <STDOUT> STDIO_WRITES = 3
   EXPECT STDIO <STDOUT> STDIO_BYTES_WRITTEN = 18
   ABSENT STDIO <STDERR> */
#include "tests/hazards/hazard.h"

int main(void) {
    char line[64];
    CHECK(fgets(line, sizeof line, stdin));
    fputs(line, stdout);
    printf("%d words\n", 2);
    fwrite("x\n", 1, 2, stdout);
    return 0;
}
