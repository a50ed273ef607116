/* fileno makes the stream's number known; after fclose the same number belongs to another file.
   EXPECT STDIO f.txt STDIO_OPENS = 1
   EXPECT POSIX f.txt POSIX_FILENOS = 1
   EXPECT POSIX f.txt POSIX_OPENS = 1
   EXPECT POSIX f.txt POSIX_WRITES = 0
   EXPECT POSIX g.dat POSIX_OPENS = 1
   EXPECT POSIX g.dat POSIX_WRITES = 1 */
#include "tests/hazards/hazard.h"

int main(void) {
    FILE *stream = fopen("f.txt", "w");
    CHECK(stream && fputs("text\n", stream) >= 0);
    int number = fileno(stream);
    CHECK(fclose(stream) == 0);
    CHECK(fresh("g.dat") == number);
    put(number, 100);
    return 0;
}
