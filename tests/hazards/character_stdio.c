/* Single characters through real calls, locked and not: one operation of one byte each.
   EXPECT STDIO c.txt STDIO_WRITES = 5
   EXPECT STDIO c.txt STDIO_BYTES_WRITTEN = 8
   EXPECT STDIO c.txt STDIO_READS = 5
   EXPECT STDIO c.txt STDIO_BYTES_READ = 8
   EXPECT STDIO c.txt STDIO_MAX_BYTE_WRITTEN = 7
   EXPECT STDIO c.txt STDIO_MAX_BYTE_READ = 7
   RECORDS POSIX c.txt 0 */
#include "tests/hazards/hazard.h"

int main(void) {
    FILE *stream = fopen("c.txt", "w+");
    CHECK(stream);
    CHECK(fputc('a', stream) == 'a' && putc('b', stream) == 'b');
    CHECK(fputc_unlocked('c', stream) == 'c' && putc_unlocked('d', stream) == 'd');
    CHECK(putw(0x31323334, stream) == 0);
    CHECK(fseek(stream, 0, SEEK_SET) == 0);
    say("%c%c", fgetc(stream), getc(stream));
    say("%c%c", fgetc_unlocked(stream), getc_unlocked(stream));
    say("%x", (unsigned)getw(stream));
    say("end %d", fgetc(stream));
    CHECK(fclose(stream) == 0);
    return 0;
}
