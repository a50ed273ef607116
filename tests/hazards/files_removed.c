/* Which files a process removed, by whatever name and call; what could not be removed, or is a directory, is not among them.
   PLAIN
   GONE read.dat
   GONE open.dat
   GONE again.dat
   GONE below.dat
   KEPT kept.dat
   KEPT moved.dat */
#include "tests/hazards/hazard.h"

int main(void) {
    static const char *const names[] = {"read.dat", "kept.dat", "again.dat", "moved.dat", "./sub/../below.dat"};
    CHECK(mkdir("sub", 0700) == 0);
    for (int i = 0; i < 5; i++) put(fresh(names[i]), 10);
    errno = 0;
    CHECK(unlink("read.dat") == 0 && errno == 0);
    const int fd = open("open.dat", O_RDWR | O_CREAT, 0600);
    CHECK(fd >= 0 && remove("open.dat") == 0 && write(fd, "later", 5) == 5 && close(fd) == 0);
    for (int i = 0; i < 1000; i++) {
        CHECK(unlink("again.dat") == 0);
        CHECK(close(open("again.dat", O_WRONLY | O_CREAT, 0600)) == 0);
    }
    CHECK(unlink("again.dat") == 0);
    const int sub = open("sub", O_RDONLY | O_DIRECTORY);
    CHECK(sub >= 0 && unlinkat(sub, "../below.dat", 0) == 0 && close(sub) == 0);
    CHECK(unlink("kept.dat/x") == -1 && unlinkat(-1, "kept.dat", 0) == -1);
    CHECK(rename("moved.dat", "elsewhere.dat") == 0 && unlink("moved.dat") == -1);
    CHECK(remove("sub") == 0);
    return 0;
}
