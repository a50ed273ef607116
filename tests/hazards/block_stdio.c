/* fread and fwrite count whole items; calls that transfer nothing do not count.
   EXPECT STDIO b.dat STDIO_WRITES = 2
   EXPECT STDIO b.dat STDIO_BYTES_WRITTEN = 110
   EXPECT STDIO b.dat STDIO_READS = 1
   EXPECT STDIO b.dat STDIO_BYTES_READ = 100
   EXPECT STDIO b.dat STDIO_MAX_BYTE_WRITTEN = 109
   EXPECT STDIO b.dat STDIO_F_WRITE_TIME > 0
   EXPECT STDIO b.dat STDIO_F_READ_TIME > 0
   EXPECT STDIO b.dat STDIO_F_META_TIME > 0
   RECORDS POSIX b.dat 0 */
#include "tests/hazards/hazard.h"

int main(void) {
    char block[256] = "";
    FILE *stream = fopen("b.dat", "w+");
    CHECK(stream);
    say("%zu", fwrite(block, 10, 10, stream));
    say("%zu", fwrite(block, 1, 10, stream));
    say("%zu", fwrite(block, 0, 10, stream));
    CHECK(fseek(stream, 0, SEEK_SET) == 0);
    say("%zu", fread(block, 20, 10, stream));
    say("%zu", fread(block, 20, 10, stream));
    CHECK(fclose(stream) == 0);
    return 0;
}
