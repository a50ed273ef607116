/* Paths relative to a directory's descriptor, known or not, name the file in that directory.
   EXPECT POSIX d/x.dat POSIX_OPENS = 1
   EXPECT POSIX d/x.dat POSIX_WRITES = 1
   EXPECT POSIX d/y.dat POSIX_OPENS = 1
   EXPECT POSIX d/y.dat POSIX_WRITES = 1
   EXPECT POSIX z.dat POSIX_WRITES = 1
   RECORDS POSIX y.dat 1 */
#include <dirent.h>

#include "tests/hazards/hazard.h"

static void write_at(int directory, const char *path) {
    int fd = openat(directory, path, O_WRONLY | O_CREAT, 0644);
    CHECK(fd >= 0);
    put(fd, 3);
    CHECK(close(fd) == 0);
}

int main(void) {
    CHECK(mkdir("d", 0755) == 0);
    int known = open("d", O_RDONLY | O_DIRECTORY);
    CHECK(known >= 0);
    write_at(known, "x.dat");
    DIR *unknown = opendir("d");
    CHECK(unknown);
    write_at(dirfd(unknown), "y.dat");
    write_at(AT_FDCWD, "z.dat");
    CHECK(closedir(unknown) == 0);
    return 0;
}
