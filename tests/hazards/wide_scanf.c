/* Formatted input of wide characters: asking for the position of such a stream is expensive, and its pointers differ.
   EXPECT STDIO in.txt STDIO_READS = 20001
   EXPECT STDIO in.txt STDIO_BYTES_WRITTEN = 108894
   EXPECT STDIO in.txt STDIO_MAX_BYTE_READ <= 108893 */
#include <wchar.h>

#include "tests/hazards/hazard.h"

int main(void) {
    int number, count = 0;
    long long sum = 0;
    FILE *stream = fopen("in.txt", "w");
    CHECK(stream);
    for (int i = 1; i <= 20000; i++) CHECK(fprintf(stream, "%d\n", i) > 0);
    CHECK(fclose(stream) == 0);
    stream = fopen("in.txt", "r");
    CHECK(stream);
    for (; fwscanf(stream, L"%d", &number) == 1; count++) sum += number;
    say("%d numbers, %lld", count, sum);
    CHECK(fclose(stream) == 0);
    return 0;
}
