/* The time of a stream without a buffer is told apart from that of others.
   EXPECT STDIO bare.txt STDIO_WRITES = 1000
   EXPECT STDIO buffered.txt STDIO_WRITES = 1000
   OPERATION unbuffered COUNT = 1
   OPERATION unbuffered TIME > 0 */
#include <stdbool.h>

#include "tests/hazards/hazard.h"

static void lines(const char *path, bool bare) {
    FILE *stream = fopen(path, "w");
    CHECK(stream && (!bare || setvbuf(stream, NULL, _IONBF, 0) == 0));
    for (int i = 0; i < 1000; i++) CHECK(fputs("a line\n", stream) >= 0);
    CHECK(fclose(stream) == 0);
}

int main(void) {
    lines("buffered.txt", false);
    lines("bare.txt", true);
    return 0;
}
