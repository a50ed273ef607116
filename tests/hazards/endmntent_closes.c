/* A stream that libc closes by itself, in endmntent: its number is another file's afterwards, and its memory too.
   EXPECT STDIO in.txt STDIO_BYTES_READ = 10
   EXPECT STDIO out.txt STDIO_BYTES_WRITTEN = 6
   EXPECT POSIX next.dat POSIX_WRITES = 1 */
#include <mntent.h>

#include "tests/hazards/hazard.h"

enum { STREAM = 472 /* what libc asks for a stream */ };

int main(void) {
    char text[10];
    FILE *stream = fopen("in.txt", "w+");
    CHECK(stream && fputs("0123456789abcdef\n", stream) >= 0);
    rewind(stream);
    CHECK(fread(text, 1, sizeof text, stream) == sizeof text);
    int number = fileno(stream);
    CHECK(endmntent(stream) == 1);
    int fd = fresh("next.dat");
    CHECK(fd == number);
    put(fd, 5);
    stream = fopen("out.txt", "w");
    CHECK(stream && fputs("second", stream) >= 0);
    CHECK(endmntent(stream) == 1);
    char *memory = malloc(STREAM);
    CHECK(memory);
    memset(memory, 0x41, STREAM);
    say("done");
    return 0;
}
