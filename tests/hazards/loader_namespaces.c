/* A library in a namespace of the loader of its own has a libc that nobody can stand before: what it does there is not
   seen, and the log says so, also of a program that does nothing else, and when the library is gone.
   LINK -ldl
   EXPECT POSIX own.dat POSIX_BYTES_WRITTEN = 1
   ABSENT POSIX space.dat
   PROCESSES 2
   OPERATION spaces UNSEEN = 3 */
#include <dlfcn.h>

#include "tests/hazards/hazard.h"

static void write_in_space(void) {
    void *libc = dlmopen(LM_ID_NEWLM, "libc.so.6", RTLD_NOW);
    if (!libc) exit(CANNOT_RUN_HERE);
    int (*open_it)(const char *, int, ...) = (int (*)(const char *, int, ...))dlsym(libc, "open");
    ssize_t (*write_it)(int, const void *, size_t) = (ssize_t(*)(int, const void *, size_t))dlsym(libc, "write");
    const int fd = open_it("space.dat", O_WRONLY | O_CREAT | O_APPEND, 0644);
    CHECK(write_it(fd, "12345", 5) == 5);
    CHECK(close(fd) == 0 && dlclose(libc) == 0);
}

int main(int argc, char **argv) {
    (void)argv;
    write_in_space();
    if (argc > 1) return 0;
    const pid_t child = fork();
    CHECK(child >= 0);
    if (child == 0) again("alone");
    collect(child);
    put(fresh("own.dat"), 1);
    return 0;
}
