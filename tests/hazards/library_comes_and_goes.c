/* libaio is loaded for a plug-in, unloaded with it, and loaded again, elsewhere.
   NEEDS libaio.h
   LINK -ldl
   EXPECT POSIX plug.dat POSIX_WRITES = 3
   EXPECT POSIX plug.dat POSIX_BYTES_WRITTEN = 300 */
#include <dlfcn.h>
#include <sys/mman.h>

#include "tests/hazards/hazard.h"

static void once(int fd) {
    static char bytes[100];
    char part[4096];
    int (*write_it)(int, void *, size_t);
    snprintf(part, sizeof part, "%s/libqueue_user.so", getenv("HAZARD_PARTS"));
    void *library = dlopen("libaio.so.1", RTLD_NOW | RTLD_GLOBAL);
    if (!library) library = dlopen("libaio.so.1t64", RTLD_NOW | RTLD_GLOBAL);
    if (!library) exit(CANNOT_RUN_HERE);
    void *plug = dlopen(part, RTLD_LAZY | RTLD_LOCAL);
    CHECK(plug);
    *(void **)&write_it = dlsym(plug, "queue_write");
    CHECK(write_it);
    say("wrote %d", write_it(fd, bytes, sizeof bytes));
    CHECK(dlclose(plug) == 0 && dlclose(library) == 0);
    for (int i = 0; i < 40; i++) CHECK(mmap(NULL, 16384, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) != MAP_FAILED);
}

#ifdef ASKED_BEFORE
static void ask(void) {
    int (*early)(void *, long, void **);
    *(void **)&early = dlsym(RTLD_DEFAULT, "io_submit");
    if (early) CHECK(early(NULL, 0, NULL) == -ENOSYS);
}
#endif

int main(void) {
#ifdef ASKED_BEFORE
    ask();
#endif
    int fd = fresh("plug.dat");
    for (int i = 0; i < 3; i++) once(fd);
    return 0;
}
