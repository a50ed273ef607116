/* Doubled slashes and single dots go, double dots and links stay; so one file may have two names.
   RECORDS POSIX a.dat 1
   EXPECT POSIX a.dat POSIX_OPENS = 4
   RECORDS POSIX d/../c.dat 1
   RECORDS POSIX d/b.dat 1
   EXPECT POSIX d/b.dat POSIX_OPENS = 2
   RECORDS POSIX link/b.dat 1
   ABSENT POSIX //
   ABSENT POSIX /./ */
#include "tests/hazards/hazard.h"

int main(void) {
    CHECK(mkdir("d", 0755) == 0 && symlink("d", "link") == 0);
    fresh("a.dat");
    fresh("./a.dat");
    fresh(".//a.dat");
    fresh("./././/.///./a.dat");
    fresh("d/../c.dat");
    fresh("d/b.dat");
    fresh("d//./b.dat");
    fresh("link/b.dat");
    return 0;
}
