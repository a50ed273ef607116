/* A library that is linked with Iolite may be loaded into a namespace of its own, and brings a second copy of Iolite there:
   that one hands everything on to the libc of the namespace and records nothing.
   LINK -ldl
   EXPECT POSIX own.dat POSIX_BYTES_WRITTEN = 1
   ABSENT POSIX space.dat
   OPERATION spaces UNSEEN = 1 */
#include <dlfcn.h>

#include "tests/hazards/hazard.h"

/* The path of the copy that is in this process; libc's name without Iolite. */
static void find_iolite(char *path, size_t room) {
    char line[4096];
    FILE *maps = fopen("/proc/self/maps", "r");
    CHECK(maps);
    snprintf(path, room, "libc.so.6");
    while (fgets(line, sizeof line, maps)) {
        line[strcspn(line, "\n")] = 0;
        const char *name = strchr(line, '/');
        if (name && strstr(name, "/libiolite.so")) snprintf(path, room, "%s", name);
    }
    fclose(maps);
}

int main(void) {
    char path[4096];
    find_iolite(path, sizeof path);
    void *space = dlmopen(LM_ID_NEWLM, path, RTLD_NOW);
    if (!space) return CANNOT_RUN_HERE;
    int (*open_it)(const char *, int, ...) = (int (*)(const char *, int, ...))dlsym(space, "open");
    ssize_t (*write_it)(int, const void *, size_t) = (ssize_t(*)(int, const void *, size_t))dlsym(space, "write");
    int (*close_it)(int) = (int (*)(int))dlsym(space, "close");
    const int fd = open_it("space.dat", O_WRONLY | O_CREAT | O_APPEND, 0644);
    CHECK(fd >= 0 && write_it(fd, "12345", 5) == 5 && close_it(fd) == 0);
    put(fresh("own.dat"), 1);
    return 0;
}
