/* Streams for appending write to the end of the file, wherever they were before, and read where they are.
   EXPECT STDIO plus.txt STDIO_MAX_BYTE_READ = 2
   EXPECT STDIO plus.txt STDIO_MAX_BYTE_WRITTEN = 12
   EXPECT STDIO rewound.txt STDIO_MAX_BYTE_WRITTEN = 14
   EXPECT STDIO sought.txt STDIO_MAX_BYTE_WRITTEN = 11
   EXPECT STDIO given.txt STDIO_MAX_BYTE_WRITTEN = 11
   EXPECT STDIO letters.txt STDIO_MAX_BYTE_WRITTEN = 11 */
#include "tests/hazards/hazard.h"

static FILE *appending(const char *name, const char *mode) {
    int fd = fresh(name);
    put(fd, 10);
    CHECK(close(fd) == 0);
    FILE *stream = fopen(name, mode);
    CHECK(stream != NULL);
    return stream;
}

int main(void) {
    char line[4];
    FILE *stream = appending("plus.txt", "a+");
    CHECK(fread(line, 1, 3, stream) == 3 && fseek(stream, 0, SEEK_CUR) == 0);
    CHECK(fputs("xyz", stream) >= 0 && fclose(stream) == 0);
    stream = appending("rewound.txt", "a+");
    CHECK(fputs("xyz", stream) >= 0);
    rewind(stream);
    CHECK(fputs("uv", stream) >= 0 && fclose(stream) == 0);
    stream = appending("sought.txt", "ab");
    CHECK(fseek(stream, 0, SEEK_SET) == 0 && fputs("uv", stream) >= 0 && fclose(stream) == 0);
    stream = appending("letters.txt", "a");
    CHECK(putc('u', stream) == 'u' && putc('v', stream) == 'v' && fclose(stream) == 0);
    CHECK(fclose(appending("given.txt", "a")) == 0);
    stream = fdopen(open("given.txt", O_WRONLY | O_APPEND), "a");
    CHECK(stream && fputs("uv", stream) >= 0 && fclose(stream) == 0);
    say("done");
    return 0;
}
