/* A program that has HDF5 in itself, as one that was linked with all of it, and asks the loader for its own functions.
   FLAGS -Wno-missing-prototypes
   LINK -rdynamic -ldl
   EXPECT POSIX out.dat POSIX_WRITES = 1 */
#include <dlfcn.h>

#include "tests/hazards/hazard.h"

__attribute__((visibility("default"))) int H5get_libversion(unsigned *a, unsigned *b, unsigned *c) {
    *a = 1, *b = 10, *c = 8;
    return 0;
}

__attribute__((visibility("default"))) int64_t H5Fopen(const char *path, unsigned flags, int64_t list) {
    say("open %s %u %lld", path, flags, (long long)list);
    return 42;
}

static void ask(void *handle) {
    int64_t (*found)(const char *, unsigned, int64_t) =
        (int64_t(*)(const char *, unsigned, int64_t))dlsym(handle, "H5Fopen");
    say("%s", found ? "there" : "absent");
    if (found) say("%lld", (long long)found("x.h5", 1, 2));
    say("%s", dlsym(handle, "H5Dopen2") ? "there" : "absent");
}

int main(void) {
    ask(RTLD_DEFAULT);
    ask(dlopen(NULL, RTLD_NOW));
    put(fresh("out.dat"), 5);
    return 0;
}
