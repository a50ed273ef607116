/* A stream that libc closes by itself, in endmntent: its number is another file's afterwards, and its memory too.
   PLAIN
   EXPECT STDIO in.txt STDIO_BYTES_READ = 10
   EXPECT STDIO out.txt STDIO_BYTES_WRITTEN = 6
   EXPECT STDIO out.txt STDIO_BYTES_READ = 0
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
    /* Seen as a stream, this has bytes in its buffer that were read. */
    long *memory = malloc(STREAM);
    CHECK(memory);
    for (long i = 0; i < STREAM / (long)sizeof *memory; i++) memory[i] = -1000 * i;
    say("done");
    return 0;
}
