/* More files than the memory for records holds: their totals are kept, and the log says so. What took long, and what came
   last, has a record of its own.
   ENV IOLITE_MEMORY=1
   PARTIAL POSIX
   PLAIN
   EXPECT POSIX * POSIX_OPENS = 5002
   EXPECT POSIX * POSIX_WRITES = 26384
   EXPECT POSIX * POSIX_BYTES_WRITTEN = 67138864
   EXPECT POSIX <FOLDED> POSIX_OPENS > 0
   EXPECT POSIX <FOLDED> POSIX_WRITES > 0
   EXPECT POSIX <FOLDED> POSIX_SEQ_WRITES = -1
   EXPECT POSIX early POSIX_BYTES_WRITTEN = 33554432
   EXPECT POSIX checkpoint POSIX_BYTES_WRITTEN = 33554432
   EXPECT STDIO stream STDIO_OPENS = 1
   RECORDS POSIX <FOLDED> 1 */
#include "tests/hazards/hazard.h"

static void large(const char *name) {
    int fd = fresh(name);
    for (int i = 0; i < 8192; i++) put(fd, 4096);
    CHECK(close(fd) == 0 && unlink(name) == 0);
}

int main(void) {
    large("early");
    for (int i = 0; i < 5000; i++) {
        char name[32];
        snprintf(name, sizeof name, "file%d", i);
        int fd = fresh(name);
        put(fd, 1);
        put(fd, 5);
        CHECK(close(fd) == 0 && unlink(name) == 0);
    }
    FILE *stream = fopen("stream", "w");
    CHECK(stream && fputs("after all of them", stream) > 0 && fclose(stream) == 0);
    large("checkpoint");
    return 0;
}
