/* The compiler turns the unlocked character calls into buffer accesses; only refills and flushes can be seen.
   FLAGS -O2
   EXPECT STDIO c.txt STDIO_OPENS = 2
   EXPECT STDIO c.txt STDIO_BYTES_WRITTEN > 0
   EXPECT STDIO c.txt STDIO_BYTES_WRITTEN <= 100000
   EXPECT STDIO c.txt STDIO_BYTES_READ > 0
   EXPECT STDIO c.txt STDIO_BYTES_READ <= 100000 */
#include "tests/hazards/hazard.h"

int main(void) {
    FILE *stream = fopen("c.txt", "w");
    CHECK(stream);
    for (int i = 0; i < 100000; i++) CHECK(putc_unlocked('a' + i % 26, stream) != EOF);
    CHECK(fclose(stream) == 0);
    stream = fopen("c.txt", "r");
    CHECK(stream);
    long sum = 0, count = 0;
    for (int c; (c = getc_unlocked(stream)) != EOF; count++) sum += c;
    CHECK(fclose(stream) == 0);
    say("%ld characters, sum %ld", count, sum);
    return 0;
}
