/* Formatted output and input, with argument lists too.
   EXPECT STDIO f.txt STDIO_WRITES = 3
   EXPECT STDIO f.txt STDIO_BYTES_WRITTEN = 18
   EXPECT STDIO f.txt STDIO_READS = 3
   EXPECT STDIO f.txt STDIO_BYTES_READ = 17
   EXPECT STDIO f.txt STDIO_SEEKS = 1 */
#include "tests/hazards/hazard.h"

__attribute__((format(printf, 2, 3))) static int print(FILE *stream, const char *format, ...) {
    va_list list;
    va_start(list, format);
    int length = vfprintf(stream, format, list);
    va_end(list);
    return length;
}

__attribute__((format(scanf, 2, 3))) static int scan(FILE *stream, const char *format, ...) {
    va_list list;
    va_start(list, format);
    int count = vfscanf(stream, format, list);
    va_end(list);
    return count;
}

int main(void) {
    int a = 0, b = 0;
    double real = 0;
    char word[16] = "";
    FILE *stream = fopen("f.txt", "w+");
    CHECK(stream);
    CHECK(fprintf(stream, "%d %d\n", 12, 34) == 6);
    CHECK(print(stream, "%s\n", "words") == 6);
    CHECK(fputs("56.25\n", stream) >= 0);
    rewind(stream);
    CHECK(fscanf(stream, "%d %d", &a, &b) == 2);
    CHECK(scan(stream, "%15s", word) == 1);
    CHECK(fscanf(stream, "%lf", &real) == 1);
    say("%d %d %s %.2f", a, b, word, real);
    CHECK(fclose(stream) == 0);
    return 0;
}
