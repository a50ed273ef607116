/* A rename counts on both names if the source is known; else on none.
   EXPECT POSIX a.dat POSIX_RENAME_SOURCES = 1
   EXPECT POSIX a.dat POSIX_RENAME_TARGETS = 0
   EXPECT POSIX b.dat POSIX_RENAME_TARGETS = 1
   EXPECT POSIX b.dat POSIX_RENAME_SOURCES = 0
   EXPECT POSIX b.dat POSIX_RENAMED_FROM != 0
   EXPECT POSIX b.dat POSIX_OPENS = 1
   EXPECT POSIX a.dat POSIX_WRITES = 1
   ABSENT POSIX unknown
   ABSENT POSIX other */
#include "tests/hazards/hazard.h"

int main(void) {
    char byte;
    int fd = fresh("a.dat");
    put(fd, 5);
    CHECK(close(fd) == 0);
    CHECK(rename("a.dat", "b.dat") == 0);
    fd = open("b.dat", O_RDONLY);
    CHECK(fd >= 0 && read(fd, &byte, 1) == 1);
    say("missing: %d %s", rename("a.dat", "c.dat"), strerrorname_np(errno));
    make_unknown("unknown.dat");
    CHECK(rename("unknown.dat", "other.dat") == 0);
    return 0;
}
