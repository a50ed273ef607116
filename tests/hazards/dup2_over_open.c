/* dup2 over an open number closes what was there; closing the copy must not bring the old file back.
   EXPECT POSIX a.dat POSIX_OPENS = 2
   EXPECT POSIX a.dat POSIX_DUPS = 1
   EXPECT POSIX a.dat POSIX_BYTES_WRITTEN = 5
   EXPECT POSIX b.dat POSIX_BYTES_WRITTEN = 10
   EXPECT POSIX b.dat POSIX_WRITES = 1
   EXPECT POSIX c.dat POSIX_BYTES_WRITTEN = 40 */
#include "tests/hazards/hazard.h"

int main(void) {
    int a = fresh("a.dat"), b = fresh("b.dat");
    put(b, 10);
    CHECK(dup2(a, b) == b);
    put(a, 2);
    put(b, 3);
    CHECK(close(b) == 0);
    say("write to closed: %zd %s", write(b, "x", 1), strerrorname_np(errno));
    CHECK(fresh("c.dat") == b);
    put(b, 40);
    return 0;
}
