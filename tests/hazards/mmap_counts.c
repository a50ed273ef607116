/* Mappings of known files count; anonymous ones and failed ones do not.
   EXPECT POSIX out.dat POSIX_MMAPS = 2
   EXPECT POSIX out.dat POSIX_WRITES = 1
   EXPECT POSIX other.dat POSIX_MMAPS = 0 */
#include <sys/mman.h>

#include "tests/hazards/hazard.h"

int main(void) {
    int fd = fresh("out.dat");
    put(fd, 4096);
    char *a = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    char *b = mmap64(NULL, 4096, PROT_READ, MAP_PRIVATE, fd, 0);
    char *c = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    char *d = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, fd, 0);
    CHECK(a != MAP_FAILED && b != MAP_FAILED && c != MAP_FAILED && d != MAP_FAILED);
    memcpy(a, "mapped", 7);
    say("%s, bad %d %s", b, mmap(NULL, 0, PROT_READ, MAP_SHARED, fd, 0) == MAP_FAILED, strerrorname_np(errno));
    CHECK(msync(a, 4096, MS_SYNC) == 0 && munmap(a, 4096) == 0);
    put(fresh("other.dat"), 1);
    return 0;
}
