/* Another preloaded library wraps the same functions: through `run` it is behind ours, in the plain way before it.
   PRELOAD preloaded
   PLAIN
   EXPECT POSIX out.dat POSIX_OPENS = 1
   EXPECT POSIX out.dat POSIX_WRITES = 3
   EXPECT POSIX out.dat POSIX_BYTES_WRITTEN = 30
   EXPECT POSIX other.dat POSIX_WRITES = 1 */
#include <dlfcn.h>

#include "tests/hazards/hazard.h"

int main(void) {
    int fd = fresh("out.dat");
    for (int i = 0; i < 3; i++) put(fd, 10);
    CHECK(close(fd) == 0);
    put(fresh("other.dat"), 4);
    int (*count)(void);
    *(void **)&count = dlsym(RTLD_DEFAULT, "preloaded_writes");
    CHECK(count);
    say("the other library saw %d writes", count());
    return 0;
}
