/* A library comes, does I/O and goes again, several times; nothing of Iolite may point into it.
   LINK -ldl
   EXPECT POSIX library.dat POSIX_OPENS = 3
   EXPECT POSIX library.dat POSIX_WRITES = 3
   EXPECT POSIX library.dat POSIX_BYTES_WRITTEN = 30
   EXPECT STDIO library.txt STDIO_WRITES = 3 */
#include <dlfcn.h>

#include "tests/hazards/hazard.h"

int main(void) {
    char path[4096];
    snprintf(path, sizeof path, "%s/libloaded.so", getenv("HAZARD_PARTS"));
    for (int i = 0; i < 3; i++) {
        void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
        CHECK(library);
        int (*work)(void);
        *(void **)&work = dlsym(library, "loaded_work");
        CHECK(work);
        say("library says %d", work());
        CHECK(dlclose(library) == 0);
    }
    return 0;
}
