/* Constructors of libraries, and .preinit_array, do I/O before a preloaded library is initialised.
   PART constructor
   PLAIN
   EXPECT POSIX early.dat POSIX_BYTES_WRITTEN >= 4
   EXPECT POSIX own.dat POSIX_WRITES = 1
   EXPECT POSIX main.dat POSIX_WRITES = 1 */
#include "tests/hazards/hazard.h"

int constructor_descriptor(void);

/* No library is initialised yet: only calls that need nothing. */
static void before_all(int argc, char **argv, char **environment) {
    (void)argc, (void)argv, (void)environment;
    int fd = open("preinit.dat", O_WRONLY | O_CREAT, 0644);
    if (write(fd, "preinit", 7) != 7 || close(fd) != 0) _exit(CHECK_FAILED);
}

__attribute__((section(".preinit_array"), used)) static void (*const preinit)(int, char **, char **) = before_all;

__attribute__((constructor)) static void own_constructor(void) { put(fresh("own.dat"), 3); }

int main(void) {
    put(constructor_descriptor(), 4);
    put(fresh("main.dat"), 5);
    return 0;
}
