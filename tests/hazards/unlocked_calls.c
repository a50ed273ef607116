/* Unlocked block and line calls.
   EXPECT STDIO u.txt STDIO_WRITES = 2
   EXPECT STDIO u.txt STDIO_BYTES_WRITTEN = 21
   EXPECT STDIO u.txt STDIO_FLUSHES = 1
   EXPECT STDIO u.txt STDIO_READS = 2
   EXPECT STDIO u.txt STDIO_BYTES_READ = 21 */
#include "tests/hazards/hazard.h"

int main(void) {
    char line[64], block[64] = "";
    FILE *stream = fopen("u.txt", "w+");
    CHECK(stream);
    CHECK(fputs_unlocked("hello world\n", stream) >= 0);
    CHECK(fwrite_unlocked("123456789", 3, 3, stream) == 3);
    CHECK(fflush_unlocked(stream) == 0);
    CHECK(fseek(stream, 0, SEEK_SET) == 0);
    CHECK(fgets_unlocked(line, sizeof line, stream));
    CHECK(fread_unlocked(block, 1, sizeof block, stream) == 9);
    say("%.11s %s", line, block);
    CHECK(fclose(stream) == 0);
    return 0;
}
