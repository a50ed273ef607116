/* Characters that are put back are read again: each call that gets one counts, and a step back is not a new buffer.
   EXPECT STDIO u.txt STDIO_BYTES_WRITTEN = 1000
   EXPECT STDIO u.txt STDIO_READS = 2000
   EXPECT STDIO u.txt STDIO_BYTES_READ = 2000
   EXPECT STDIO u.txt STDIO_MAX_BYTE_WRITTEN = 999 */
#include "tests/hazards/hazard.h"

int main(void) {
    int character, count = 0;
    FILE *stream = fopen("u.txt", "w");
    CHECK(stream);
    for (int i = 0; i < 1000; i++) CHECK(fputc('a', stream) == 'a');
    CHECK(fclose(stream) == 0);
    stream = fopen("u.txt", "r");
    CHECK(stream);
    for (; (character = fgetc(stream)) != EOF; count++) {
        CHECK(ungetc(character, stream) == character);
        CHECK(fgetc(stream) == character);
    }
    say("%d characters, at %ld", count, ftell(stream));
    CHECK(fclose(stream) == 0);
    return 0;
}
