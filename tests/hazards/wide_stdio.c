/* Wide characters: bytes are what the file gets.
   EXPECT STDIO w.txt STDIO_WRITES = 3
   EXPECT STDIO w.txt STDIO_BYTES_WRITTEN = 14
   EXPECT STDIO w.txt STDIO_READS = 2
   EXPECT STDIO w.txt STDIO_BYTES_READ = 14 */
#include <locale.h>
#include <wchar.h>

#include "tests/hazards/hazard.h"

int main(void) {
    wchar_t line[64];
    setlocale(LC_ALL, "C");
    FILE *stream = fopen("w.txt", "w+");
    CHECK(stream);
    CHECK(fputwc(L'a', stream) == L'a' && fputws(L"bcdef", stream) >= 0);
    CHECK(fwprintf(stream, L" %d %s\n", 42, "end") == 8);
    CHECK(fseek(stream, 0, SEEK_SET) == 0);
    say("first %lc", fgetwc(stream));
    CHECK(fgetws(line, 64, stream));
    say("length %zu", wcslen(line));
    CHECK(fclose(stream) == 0);
    return 0;
}
