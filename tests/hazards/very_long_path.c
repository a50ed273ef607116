/* A current directory whose name is longer than any buffer for paths.
   EXPECT POSIX *f.dat POSIX_WRITES = 1 */
#include "tests/hazards/hazard.h"

enum { DEPTH = 30 };

int main(void) {
    char name[201];
    memset(name, 'd', 200);
    name[200] = '\0';
    for (int i = 0; i < DEPTH; i++) CHECK(mkdir(name, 0755) == 0 && chdir(name) == 0);
    int fd = fresh("f.dat");
    put(fd, 3);
    CHECK(close(fd) == 0 && unlink("f.dat") == 0);
    char path[5000];
    memset(path, 'p', sizeof path - 1);
    path[sizeof path - 1] = '\0';
    say("too long: %d %s", open(path, O_RDONLY), strerrorname_np(errno));
    FILE *none = fopen(path, "r");
    say("too long: %d %s", none == NULL, strerrorname_np(errno));
    if (none) fclose(none);
    for (int i = 0; i < DEPTH; i++) CHECK(chdir("..") == 0 && rmdir(name) == 0);
    return 0;
}
