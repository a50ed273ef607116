/* More files than the memory for records holds: their totals are kept, and the log says so.
   ENV IOLITE_MEMORY=1
   PARTIAL POSIX
   PLAIN
   EXPECT POSIX * POSIX_OPENS = 5000
   EXPECT POSIX * POSIX_WRITES = 10000
   EXPECT POSIX * POSIX_BYTES_WRITTEN = 30000
   EXPECT POSIX <FOLDED> POSIX_OPENS > 0
   EXPECT POSIX <FOLDED> POSIX_WRITES > 0
   EXPECT POSIX <FOLDED> POSIX_SEQ_WRITES = -1
   EXPECT POSIX file0 POSIX_WRITES = 2
   RECORDS POSIX <FOLDED> 1 */
#include "tests/hazards/hazard.h"

int main(void) {
    for (int i = 0; i < 5000; i++) {
        char name[32];
        snprintf(name, sizeof name, "file%d", i);
        int fd = fresh(name);
        put(fd, 1);
        put(fd, 5);
        CHECK(close(fd) == 0 && unlink(name) == 0);
    }
    return 0;
}
