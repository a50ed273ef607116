/* At the end the memory of an argument and of an entry of the environment is gone: titles of processes are set in such
   ways, and plug-ins that call putenv are unloaded.
   PLAIN
   EXPECT POSIX out.dat POSIX_WRITES = 1 */
#include <sys/mman.h>

#include "tests/hazards/hazard.h"

static char *page_with(const char *text) {
    char *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    CHECK(page != MAP_FAILED);
    strcpy(page, text);
    return page;
}

int main(int argc, char **argv) {
    (void)argc;
    char *home = page_with("HOME=/nonexistent"), *other = page_with("OTHER=value");
    argv[0] = page_with("title");
    CHECK(putenv(home) == 0 && putenv(other) == 0);
    CHECK(munmap(argv[0], 4096) == 0 && munmap(other, 4096) == 0 && mprotect(home, 4096, PROT_NONE) == 0);
    put(fresh("out.dat"), 3);
    say("done");
    return 0;
}
