/* The library comes with something that is loaded for itself alone, as extensions of Python are: nobody else can see it.
   RANKS 2
   LOGS 1 2
   LINK -ldl
   EXPECT POSIX plug.? POSIX_BYTES_WRITTEN = 21
   RECORDS POSIX plug.? 2 */
#include <dlfcn.h>

#include "tests/hazards/hazard.h"

int main(int argc, char **argv) {
    char path[4096];
    (void)argc;
    snprintf(path, sizeof path, "%s.plug", argv[0]);
    void *plug = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    CHECK(plug);
    int (*act)(void) = (int (*)(void))dlsym(plug, "act");
    CHECK(act);
    return act();
}
